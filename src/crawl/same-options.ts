// The same seeds continue a crawl only with the same options: the results of two different requests cannot be
// told apart afterwards. Options that say how a crawl is run (speed, network, limits and budgets) may differ
// from run to run; options that say what it is about and what is kept may not (`mayChange` of the table of
// options). A lower `--min-relevance` or `--min-terms`, or another `--language`, is allowed: pages refused
// for it are fetched again.
import { InvalidInput } from '../core/errors.ts'
import type { CrawlSettings, JobRecord } from '../core/job.ts'
import { OPTION_KEYS, type OptionKey, TABLE } from '../options/table.ts'

type Compared = Exclude<OptionKey, 'contact'>

/** `--scope domain → any` for each of these options that differs. */
export function differencesOf(before: CrawlSettings, now: CrawlSettings): readonly string[] {
  return OPTION_KEYS.flatMap((key) => (key === 'contact' ? [] : [key]))
    .filter((key) => !TABLE[key].mayChange.includes('resume'))
    .filter((key) => meaning(before[key]) !== meaning(now[key]))
    .map((key) => `${flagOf(key)}  ${given(key, before)} → ${given(key, now)}`)
}

/** `differs`: not empty. */
export function otherOptions({ id }: JobRecord, differs: readonly string[]): InvalidInput {
  const message = [
    `crawl ${id} began with other options:`,
    ...differs.map((line) => `  ${line}`),
    'Give the same options to go on with it, --fresh to start anew, or --name NAME to have both.',
  ]
  return new InvalidInput(`crawl ${id}`, message.join('\n').replace(`crawl ${id} `, 'it '))
}

/** The order of a list never matters among these options. */
function meaning(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify([...new Set(value)].sort())
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** A flag that is on by default is written as `--no-…`. */
function flagOf(key: Compared): string {
  const { name, on = false } = TABLE[key]
  return on ? `--no-${name}` : `--${name}`
}

function given(key: Compared, settings: CrawlSettings): string {
  return shown(TABLE[key].on === true ? !settings[key] : settings[key])
}

function shown(value: unknown): string {
  if (value === null || value === '') return '(none)'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(',')
  if (typeof value !== 'object') return String(value)
  const pairs = Object.entries(value).map(([name, one]) => `${name}=${one}`)
  return pairs.length === 0 ? '(none)' : pairs.join(',')
}
