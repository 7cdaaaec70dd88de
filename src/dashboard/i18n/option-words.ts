// The words for options and orderings. English comes from the server, which has it for the command line.
// Indonesian is in id-options.json; what it lacks is shown in English and listed by `scripts/missing-words.ts`.
import { FRONT_FIELDS, type KnownOption, type KnownOrdering } from '../form/known-options.ts'
import { type Language, language } from './i18n.ts'
import indonesian from './id-options.json' with { type: 'json' }

export type Words = { readonly label: string; readonly help: string }

const ID_OPTIONS: ReadonlyMap<string, Words> = new Map(Object.entries(indonesian.options))
const ID_ORDERINGS = new Map(Object.entries(indonesian.orderings))
/** By ordering and option. */
const ID_ORDERING_OPTIONS = new Map(Object.entries(indonesian.orderingOptions))

export function optionWords({ name, help }: Pick<KnownOption, 'name' | 'help'>): Words {
  const known = language.value === 'id' ? ID_OPTIONS.get(name) : undefined
  return known ?? { label: labelOf(name), help: sentence(help) }
}

export function orderingAbout({ name, about }: Pick<KnownOrdering, 'name' | 'about'>): string {
  return (language.value === 'id' ? ID_ORDERINGS.get(name) : undefined) ?? sentence(about)
}

export function orderingOptionHelp(ordering: string, name: string, help: string): string {
  const known = language.value === 'id' ? ID_ORDERING_OPTIONS.get(`${ordering} ${name}`) : undefined
  return known ?? sentence(help)
}

type Named = { readonly name: string }

/** Options, orderings and options of orderings that a language has no words for. */
export function missingOptionWords(
  chosen: Language,
  known: {
    readonly options: readonly Named[]
    readonly orderings: readonly (Named & { readonly options?: readonly Named[] })[]
  },
): string[] {
  if (chosen === 'en') return []
  // These have messages of their own in the form.
  const front: readonly string[] = [...FRONT_FIELDS, 'ordering_option']
  const options = known.options.map(({ name }) => name).filter((name) => !front.includes(name))
  const orderings = known.orderings.map(({ name }) => name)
  const inside = known.orderings.flatMap(({ name, options: own = [] }) =>
    own.map((option) => `${name} ${option.name}`),
  )
  return [
    ...options.filter((name) => !ID_OPTIONS.has(name)).map((name) => `option ${name}`),
    ...orderings.filter((name) => !ID_ORDERINGS.has(name)).map((name) => `ordering ${name}`),
    ...inside.filter((name) => !ID_ORDERING_OPTIONS.has(name)).map((name) => `ordering ${name}`),
  ]
}

/** `max_body` → `Max body`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return capital(words.replace(/\b(dns|html|http2|ip|tls|url)\b/g, (word) => word.toUpperCase()))
}

/** Flags of the command line are called by what they are here. */
function sentence(text: string): string {
  const named = text.replace(/--([a-z0-9-]+)/g, (_, flag: string) =>
    labelOf(flag.replaceAll('-', '_')),
  )
  return named === '' ? '' : `${capital(named)}${/[.!?)]$/.test(named) ? '' : '.'}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
