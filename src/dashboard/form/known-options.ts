// What the server says can be asked of a crawl: `GET /options`. The form is made from it.

type OptionKind = 'number' | 'bytes' | 'text' | 'choice' | 'list' | 'flag'

export type KnownOption = {
  /** As in the body of `POST /crawl`. */
  readonly name: string
  readonly kind: OptionKind
  readonly help: string
  /** As it would be written; '' when there is none. */
  readonly default: string
  readonly choices: readonly string[] | null
  readonly min: number | null
  readonly max: number | null
  readonly group: string
  /** What it carries in place of the name of a file or of texts K=V; null: a plain value. */
  readonly carries: 'examples' | 'words' | 'model' | 'pairs' | 'rules' | null
  /** False: this server would refuse it. */
  readonly allowed: boolean
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
  /** Any other name is an option, too. */
  readonly rules: {
    readonly help: string
    readonly given: Readonly<Record<string, number>>
  } | null
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
const GROUPS = ['limits', 'manners', 'order', 'topic', 'harvest', 'keeping', 'network'] as const
export type Group = (typeof GROUPS)[number]

/** The options of each folded group, in the server's order; what it would refuse is left out. */
export function groupsOf({
  options,
}: KnownOptions): readonly { readonly group: Group; readonly options: readonly KnownOption[] }[] {
  const front: readonly string[] = [...FRONT_FIELDS, 'ordering_option']
  const shown = options.filter(({ name, allowed }) => allowed && !front.includes(name))
  return GROUPS.map((group) => ({
    group,
    options: shown.filter((option) => groupOf(option) === group),
  })).filter((entry) => entry.options.length > 0)
}

function groupOf({ group }: KnownOption): Group {
  return GROUPS.find((known) => known === group) ?? 'network'
}
