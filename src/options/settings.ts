// The settings of a crawl: the defaults, settings with some chosen, settings read back from a store, and
// settings as a request would write them.
import type { JobRecord } from '../core/job.ts'
import { fieldName } from './option.ts'
import {
  type CrawlChoices,
  type CrawlSettings,
  NOTHING_NOTED,
  OPTION_KEYS,
  type OptionKey,
  TABLE,
} from './table.ts'
import { userAgentFor } from './values.ts'

export const DEFAULT_SETTINGS: CrawlSettings = defaultSettings()

/** Settings as chosen; what was not chosen has its default. `focused`: the ordering that was is. */
export function settingsFrom(
  chosen: Partial<CrawlChoices>,
  cores: number,
  focused = false,
): CrawlSettings {
  const { contact, ...settings } = chosen
  return {
    ...DEFAULT_SETTINGS,
    // Equal shares for all hosts would take back what a focused ordering found out about them.
    hostPolicy: focused ? 'best' : DEFAULT_SETTINGS.hostPolicy,
    // The scouter and the store need a core, too: with a thread more, all of them wait in turns. More
    // than eight never paid.
    // Pages are dropped in the order they are stored, so one thread stores them.
    parserThreads: chosen.keepBest ? 1 : Math.max(1, Math.min(8, cores - 1)),
    scouters: chosen.keepBest ? 1 : scoutersFor(cores),
    userAgent: userAgentFor(contact ?? null),
    ...settings,
  }
}

/** One scouter and its parser keep about four cores busy. */
const CORES_PER_PAIR = 4
const MAX_PAIRS = 16

function scoutersFor(cores: number): number {
  return Math.max(1, Math.min(MAX_PAIRS, Math.floor(cores / CORES_PER_PAIR)))
}

/** Settings as we once wrote them; what an older version did not know yet has its default. */
export function decodeSettings(json: unknown): CrawlSettings {
  const kept = typeof json === 'object' && json !== null ? json : {}
  return { ...DEFAULT_SETTINGS, ...kept }
}

function defaultSettings(): CrawlSettings {
  const presets: { [Key in OptionKey]?: CrawlChoices[Key] } = {}
  const put = <Key extends OptionKey>(key: Key) => {
    presets[key] = TABLE[key].preset
  }
  for (const key of OPTION_KEYS) put(key)
  if (!isComplete(presets)) throw new Error('an option has no entry in its table')
  const { contact: _, ...settings } = presets
  return { ...settings, ...NOTHING_NOTED }
}

function isComplete(choices: Partial<CrawlChoices>): choices is CrawlChoices {
  return OPTION_KEYS.every((key) => Object.hasOwn(choices, key))
}

type BodyFields = Record<string, unknown>

/**
 * The settings of a job as they would be written in the body of a request. What is as empty as if it had not
 * been given is left out, and so are files: no answer over HTTP shows their names.
 */
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
