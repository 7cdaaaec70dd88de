// The settings of a job as they would be written in the body of a request. What is as empty as if it had
// not been given is left out, and so are files: their names are nobody's business over HTTP.
import type { JobRecord } from '../core/job.ts'
import { fieldName } from './field-names.ts'
import { type CrawlChoices, OPTION_KEYS, type OptionKey, TABLE } from './table.ts'

export type BodyFields = Record<string, unknown>

export function encodeOptions({ name, seeds, settings }: JobRecord): BodyFields {
  // The user agent has the contact.
  const choices: CrawlChoices = { ...settings, contact: '' }
  const fields = OPTION_KEYS.map((key): [string, unknown] => [
    fieldName(TABLE[key].name),
    encoded(key, choices),
  ])
  const all: [string, unknown][] = [['name', name], ['urls', seeds], ...fields]
  return Object.fromEntries(all.filter(([, value]) => !isEmpty(value)))
}

function encoded<Key extends OptionKey>(key: Key, choices: CrawlChoices): unknown {
  return TABLE[key].encode(choices[key])
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
