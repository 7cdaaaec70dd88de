// The options of a crawl as the body of a request has them: the table everybody shares, with the names,
// limits and defaults of this server. The decoder, `GET /options` and the OpenAPI document read it.
import type { Option, OptionInfo } from '../core/option.ts'
import {
  type CrawlChoices,
  groupedOptions,
  OPTION_GROUPS,
  type OptionGroup,
} from '../core/options.ts'
import { DEFAULT_SETTINGS } from '../core/settings.ts'
import { ORDERINGS } from '../ordering/index.ts'
import { fieldName, withFieldNames } from '../request/field-names.ts'
import type { ApiWorld } from './api-world.ts'

export type BodyOption = {
  readonly field: string
  readonly aliases: readonly string[]
  readonly group: OptionGroup
  readonly option: Option<CrawlChoices>
  readonly kind: OptionInfo['kind']
  readonly help: string
  /** As help shows it; '' when there is none. */
  readonly default: string
  readonly min: number | null
  readonly max: number | null
  readonly choices: readonly string[] | null
  /** Only where the server was started with --allow-private. */
  readonly privileged: boolean
}

export type BodyWorld = Pick<ApiWorld, 'settings'> & {
  readonly dispatcher: Pick<ApiWorld['dispatcher'], 'maxConnections'>
}

/** A job may not reach where who started the server did not say it may. */
const PRIVILEGED = ['allow-private', 'connect-to', 'dns', 'proxy']
/** What belongs to the command line, and why it is not here. */
export const CLI_ONLY: ReadonlyMap<string, string> = new Map([
  ['data', 'the server has one place for all jobs'],
  ['fresh', 'every request makes a new job; an Idempotency-Key makes it safe to repeat'],
  ['json', 'every answer is JSON'],
  ['quiet', 'it is for the command line'],
  ['verbose', 'it is for the command line'],
  ['seed_file', 'give the seeds themselves as urls'],
  ['frontier', 'the server has one for all jobs'],
  ['store_timeout', 'it is for the command line'],
  ['refresh', 'a job that is there is refreshed by POST /crawl/{id}/refresh'],
])

/** Where the words of the command line would mislead. */
const HELP: ReadonlyMap<string, string> = new Map([
  ['ordering-option', 'options of that ordering, as "K=V" or an object; GET /options lists them'],
  [
    'examples',
    'pages on and off topic: {"positive": […], "negative": […]} of URLs, texts or objects with ' +
      'url, text and title; or one text with a line each ("- " before those off topic)',
  ],
  ['proxy', 'http(s)://[user:password@]host:port; several take turns'],
  ['classifier', 'a model made by jelajah train: the JSON object in its file'],
])

/** What stands for the value on the command line tells the unit there. */
const UNITS: Readonly<Record<string, string>> = {
  MS: ', in milliseconds',
  SECONDS: ', in seconds',
  PERCENT: ', in percent',
}

export function bodyOptions(world: BodyWorld): readonly BodyOption[] {
  const groups = groupedOptions(ORDERINGS)
  return OPTION_GROUPS.flatMap((group) =>
    groups[group].map((option) => ({ ...bodyOption(option, group), ...here(option.name, world) })),
  )
}

function bodyOption(option: Option<CrawlChoices>, group: OptionGroup): BodyOption {
  const { name, aliases = [], kind, help, default: byDefault, min, max, choices, on } = option
  return {
    field: fieldName(name),
    aliases: aliases.map(fieldName),
    group,
    option,
    kind,
    help: (HELP.get(name) ?? withFieldNames(help)) + (UNITS[option.value] ?? ''),
    default: byDefault ?? (kind === 'flag' ? String(on ?? false) : ''),
    min: min ?? null,
    max: max ?? null,
    choices: choices ?? null,
    privileged: PRIVILEGED.includes(name),
  }
}

type Here = Partial<Pick<BodyOption, 'default' | 'max' | 'help'>>

/** What this server has otherwise than the table. */
function here(name: string, { settings, dispatcher }: BodyWorld): Here {
  const { delayMs, contact, userAgent } = settings.defaults
  const { maxConnections } = dispatcher
  switch (name) {
    case 'delay':
      return delayMs === null ? {} : { default: String(delayMs) }
    case 'contact':
      return contact === null ? {} : { default: contact }
    case 'user-agent':
      return userAgent === null ? {} : { default: userAgent }
    case 'allow-private':
      return { default: String(settings.allowPrivate) || 'false' }
    case 'concurrency': {
      const usual = Math.min(DEFAULT_SETTINGS.concurrency, maxConnections)
      const help = `requests in flight over all hosts; all jobs together have ${maxConnections}`
      return { default: String(usual), max: maxConnections, help }
    }
    case 'parser-threads':
      return { max: Math.max(8, settings.cores) }
    default:
      return {}
  }
}
