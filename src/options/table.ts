// The table of crawl options. Flags, environment, config file, help, the HTTP schema, the form of the
// dashboard, the settings of a crawl with their defaults, and the options of a job are all made from it:
// to add an option, add an entry to one of the groups, its type for programs in the same file, and use it. See
// setting.ts for what an entry says.
import type { Setting } from './setting.ts'
import { HARVEST, TOPIC } from './table/focus.ts'
import { LIMITS, ORDER } from './table/limits.ts'
import { KEEPING, MANNERS, NETWORK } from './table/network.ts'

/** The groups of help and of the form, in that order. */
export const OPTION_GROUPS = [
  'limits',
  'manners',
  'order',
  'network',
  'keeping',
  'topic',
  'harvest',
] as const
export type OptionGroup = (typeof OPTION_GROUPS)[number]

type Entries = typeof LIMITS &
  typeof MANNERS &
  typeof ORDER &
  typeof NETWORK &
  typeof KEEPING &
  typeof TOPIC &
  typeof HARVEST

/** What the options of a crawl choose. */
export type CrawlChoices = {
  readonly [Key in keyof Entries]: Entries[Key] extends Setting<infer Value> ? Value : never
}
export type OptionKey = keyof CrawlChoices

/** What goes with the settings and no option chooses. */
type Noted = {
  /**
   * `URL.host` of the seeds that the user typed: literal addresses, `localhost` and names under it may be
   * private there. Null: nobody noted it, so all seeds of a job of the command line count.
   */
  readonly typedHosts: readonly string[] | null
  /** The first seed as it was asked for over HTTP; null: by its canonical URL. */
  readonly seedUrl: string | null
}

/** Everything a user can choose about a crawl; decoded once at the edge, plain JSON inside. */
export type CrawlSettings = Omit<CrawlChoices, 'contact'> & Noted

export const NOTHING_NOTED: Noted = { typedHosts: null, seedUrl: null }

const GROUPS: Readonly<Record<OptionGroup, Partial<Table>>> = {
  limits: LIMITS,
  manners: MANNERS,
  order: ORDER,
  network: NETWORK,
  keeping: KEEPING,
  topic: TOPIC,
  harvest: HARVEST,
}

type Table = { readonly [Key in OptionKey]: Setting<CrawlChoices[Key]> }

export const TABLE: Table = {
  ...LIMITS,
  ...MANNERS,
  ...ORDER,
  ...NETWORK,
  ...KEEPING,
  ...TOPIC,
  ...HARVEST,
}

export const OPTION_KEYS: readonly OptionKey[] = Object.keys(TABLE).filter(isOptionKey)

export function keysIn(group: OptionGroup): readonly OptionKey[] {
  return Object.keys(GROUPS[group]).filter(isOptionKey)
}

function isOptionKey(key: string): key is OptionKey {
  return Object.hasOwn(TABLE, key)
}
