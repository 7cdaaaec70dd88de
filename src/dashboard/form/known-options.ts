// What the server says can be asked of a crawl: `GET /options`. The form is made from it.

export type OptionKind = 'number' | 'bytes' | 'text' | 'choice' | 'list' | 'flag'

export type KnownOption = {
  /** As in the body of `POST /crawl`. */
  readonly name: string
  readonly kind: OptionKind
  readonly help: string
  /** As it is shown; null: none. */
  readonly default: string | number | boolean | null
  readonly choices: readonly string[] | null
  readonly min: number | null
  readonly max: number | null
  readonly group: string
}

export type KnownOrdering = {
  readonly name: string
  readonly about: string
  /** Needs to know what the crawl is about. */
  readonly focused: boolean
  readonly options: readonly {
    readonly name: string
    readonly help: string
    readonly default: number
    readonly min: number
    readonly max: number
  }[]
}

export type KnownOptions = {
  readonly options: readonly KnownOption[]
  readonly orderings: readonly KnownOrdering[]
  readonly limits: { readonly max_connections: number }
  readonly allow_private: boolean
  readonly version: string
}

/** Those that have a place of their own in the form, outside of the folded groups. */
export const FRONT_FIELDS = [
  'seeds',
  'topic',
  'keywords',
  'ordering',
  'max_pages',
  'max_depth',
  'scope',
] as const
export const GROUPS = [
  'limits',
  'manners',
  'order',
  'topic',
  'harvest',
  'keeping',
  'network',
] as const
export type Group = (typeof GROUPS)[number]

/** Only with a server that lets its users reach the machine it runs on. */
const PRIVILEGED = ['allow_private', 'connect_to', 'proxy']

/** The options of each folded group, in the server's order. */
export function groupsOf({
  options,
  allow_private,
}: KnownOptions): readonly { readonly group: Group; readonly options: readonly KnownOption[] }[] {
  const hidden: readonly string[] = [
    ...FRONT_FIELDS,
    'ordering_option',
    ...(allow_private ? [] : PRIVILEGED),
  ]
  const shown = options.filter(({ name }) => !hidden.includes(name))
  return GROUPS.map((group) => ({
    group,
    options: shown.filter((option) => groupOf(option) === group),
  })).filter((entry) => entry.options.length > 0)
}

function groupOf({ group }: KnownOption): Group {
  return GROUPS.find((known) => known === group) ?? 'network'
}
