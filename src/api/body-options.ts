// The crawl options as fields of a request, made from the table of options, with the limits and defaults of
// this server. The decoder, `GET /options` and the OpenAPI document use them.
import { InvalidInput, shown } from '../core/errors.ts'
import type { CrawlSettings } from '../core/job.ts'
import type { JobCeilings } from '../options/job-ceilings.ts'
import { fieldName, type OptionInfo, withFieldNames } from '../options/option.ts'
import { type CrawlChoices, type CrawlOption, crawlOptions } from '../options/options.ts'
import type { Carried } from '../options/setting.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import type { OptionGroup } from '../options/table.ts'
import { ORDERING_CHOICES } from '../ordering/index.ts'
import type { ApiDeps } from './api-deps.ts'

export type BodyOption = {
  readonly field: string
  readonly aliases: readonly string[]
  readonly group: OptionGroup
  readonly option: CrawlOption
  readonly kind: OptionInfo['kind']
  readonly help: string
  /** As help shows it; '' if there is none. */
  readonly default: string
  readonly min: number | null
  readonly max: number | null
  readonly choices: readonly string[] | null
  /** What it carries instead of a file name or texts K=V; null: a plain value. */
  readonly carries: Carried | null
  /** Only if the server was started with --allow-private. */
  readonly privileged: boolean
  /** The flag of the server that sets `min` or `max`; null if the table does. */
  readonly ceiling: string | null
}

export type BodyDeps = Pick<ApiDeps, 'settings'> & {
  readonly dispatcher: Pick<ApiDeps['dispatcher'], 'maxConnections'>
}

/** Options of the command line that a request cannot have, and why. */
export const CLI_ONLY: ReadonlyMap<string, string> = new Map([
  ['data', 'the server has one workspace for all jobs'],
  ['fresh', 'every request makes a new job; an Idempotency-Key makes it safe to repeat'],
  ['json', 'every answer is JSON'],
  ['dry_run', 'POST /topic shows the words that a topic looks for'],
  ['quiet', 'it is for the command line'],
  ['verbose', 'it is for the command line'],
  ['seed_file', 'give the seeds themselves as urls'],
  ['frontier', 'the server has one for all jobs'],
  ['store_timeout', 'it is for the command line'],
  ['plugin', 'the server was started without any'],
  ['refresh', 'a job that is there is refreshed by POST /crawl/{id}/refresh'],
])

/** The unit, by the placeholder of the value on the command line. */
const UNITS: Readonly<Record<string, string>> = {
  MS: ', in milliseconds',
  SECONDS: ', in seconds',
  PERCENT: ', in percent',
}

export function bodyOptions(deps: BodyDeps): readonly BodyOption[] {
  const { plugins } = deps.settings
  const own = plugins.flatMap(({ ordering }) => (ordering === null ? [] : [ordering]))
  return crawlOptions([...ORDERING_CHOICES, ...own])
    .filter(({ name }) => name !== 'plugin' || plugins.length > 0)
    .map((option) => ({ ...bodyOption(option), ...here(option.name, deps) }))
}

function bodyOption(option: CrawlOption): BodyOption {
  const { name, aliases = [], kind, help, default: byDefault, min, max, choices, on } = option
  return {
    field: fieldName(name),
    aliases: aliases.map(fieldName),
    group: option.group,
    option,
    kind,
    help: (option.bodyHelp ?? withFieldNames(help)) + (UNITS[option.value] ?? ''),
    default: withFieldNames(byDefault ?? (kind === 'flag' ? String(on ?? false) : '')),
    min: min ?? null,
    max: max ?? null,
    choices: choices ?? null,
    carries: option.carries ?? null,
    privileged: option.privileged ?? false,
    ceiling: null,
  }
}

type Here = Partial<Pick<BodyOption, 'default' | 'min' | 'max' | 'help' | 'ceiling'>>

/** Where this server differs from the table. */
function here(name: string, { settings, dispatcher }: BodyDeps): Here {
  const { contact, userAgent } = settings.defaults
  const { maxConnections } = dispatcher
  const { ceilings } = settings
  const usual = usualSettings({ settings, dispatcher })
  switch (name) {
    case 'delay': {
      const ceiling = ceilings.minDelayMs === 0 ? null : '--job-min-delay'
      return { default: String(usual.delayMs), min: ceilings.minDelayMs, ceiling }
    }
    case 'max-pages':
      return {
        ...{ default: String(usual.maxPages), max: ceilings.maxPages },
        ceiling: '--job-max-pages',
      }
    case 'duration': {
      if (ceilings.maxDurationMs === null) return {}
      const max = ceilings.maxDurationMs / 1000
      return { default: String(max), max, ceiling: '--job-max-duration' }
    }
    case 'max-body':
      return bodyCeiling(usual.maxBodyBytes, DEFAULT_SETTINGS.maxBodyBytes, ceilings)
    case 'max-links-body':
      return bodyCeiling(usual.maxLinksBytes, DEFAULT_SETTINGS.maxLinksBytes, ceilings)
    case 'per-host':
      return {
        ...{ default: String(usual.perHost), max: ceilings.maxPerHost },
        ceiling: '--job-max-per-host',
      }
    case 'contact':
      return contact === null ? {} : { default: contact }
    case 'user-agent':
      return userAgent === null ? {} : { default: userAgent }
    case 'allow-private':
      return { default: String(settings.allowPrivate) || 'false' }
    case 'concurrency': {
      const help = `requests in flight over all hosts; all jobs together have ${maxConnections}`
      const isOwn = ceilings.maxConcurrency < maxConnections
      const ceiling = isOwn ? '--job-max-concurrency' : '--connections'
      const max = Math.min(maxConnections, ceilings.maxConcurrency)
      return { default: String(usual.concurrency), max, help, ceiling }
    }
    case 'parser-threads':
      return { max: Math.max(8, settings.cores) }
    case 'scouters':
      return { default: String(usual.scouters), max: Math.max(4, settings.cores) }
    default:
      return {}
  }
}

/** Shows the default only where it differs from the table. */
function bodyCeiling(usual: number, everywhere: number, { maxBodyBytes }: JobCeilings): Here {
  const byDefault = usual === everywhere ? {} : { default: String(usual) }
  return { ...byDefault, max: maxBodyBytes, ceiling: '--job-max-body' }
}

type Usual = Pick<
  CrawlSettings,
  | 'delayMs'
  | 'maxPages'
  | 'durationMs'
  | 'maxBodyBytes'
  | 'maxLinksBytes'
  | 'perHost'
  | 'concurrency'
  | 'scouters'
>

/** The defaults of a job: those of the table, within the ceilings of this server. */
export function usualSettings({ settings, dispatcher }: BodyDeps): Usual {
  const { ceilings, defaults } = settings
  const { delayMs, maxPages, maxBodyBytes, maxLinksBytes, perHost, concurrency } = DEFAULT_SETTINGS
  return {
    delayMs: Math.max(defaults.delayMs ?? delayMs, ceilings.minDelayMs),
    maxPages: Math.min(maxPages, ceilings.maxPages),
    durationMs: ceilings.maxDurationMs,
    maxBodyBytes: Math.min(maxBodyBytes, ceilings.maxBodyBytes),
    maxLinksBytes: Math.min(maxLinksBytes, ceilings.maxBodyBytes),
    perHost: Math.min(perHost, ceilings.maxPerHost),
    concurrency: Math.min(concurrency, ceilings.maxConcurrency, dispatcher.maxConnections),
    // Jobs run side by side, and share the cores that way.
    scouters: DEFAULT_SETTINGS.scouters,
  }
}

/** The value of an option, checked against the table and the limits of this server. */
export function readWithin(
  bodyOption: BodyOption,
  raw: unknown,
  at: string,
): Partial<CrawlChoices> {
  const { option, kind, min, max, ceiling } = bodyOption
  const read = option.read(raw, at)
  if (kind !== 'number' && kind !== 'bytes') return read
  // Bytes may be given as a text with a unit.
  const value = kind === 'bytes' ? Number(Object.values(read)[0]) : Number(raw)
  const by = ceiling === null ? '' : ` (its "${ceiling}")`
  if (max !== null && value > max) {
    throw new InvalidInput(at, `needs at most ${max} on this server${by}, not ${shown(raw)}`)
  }
  if (min !== null && value < min) {
    throw new InvalidInput(at, `needs at least ${min} on this server${by}, not ${shown(raw)}`)
  }
  return read
}
