// The words for options and orderings. English comes from the server, which has it for the command line.
// Indonesian is in id-options.json; what it lacks is shown in English and listed by `scripts/missing-words.ts`.
import { FRONT_FIELDS, type KnownOption, type KnownOrdering } from '../form/known-options.ts'
import { type Language, language } from './i18n.ts'
import indonesian from './id-options.json' with { type: 'json' }

type Words = { readonly label: string; readonly help: string }

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
  // A preset has the options of its ordering.
  const [own = ''] = ordering.split(':')
  const known = language.value === 'id' ? ID_ORDERING_OPTIONS.get(`${own} ${name}`) : undefined
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
    name.includes(':') ? [] : own.map((option) => `${name} ${option.name}`),
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

/** Forms of the server's sentences, and the same with their parts put in. The first that fits is taken. */
const ID_PROBLEMS: readonly (readonly [said: RegExp, words: string])[] = [
  [/^(.+) is not an http or https URL$/s, '$1 bukan URL http atau https'],
  [
    /^must not carry a user name or a password$/,
    'tidak boleh memuat nama pengguna atau kata sandi',
  ],
  [/^give at least one URL to start from\b.*$/, 'berikan sedikitnya satu URL untuk memulai'],
  [/^takes at most (\d+) seeds, not (\d+)$/, 'menerima paling banyak $1 alamat, bukan $2'],
  [
    /^needs a whole number of at least (\S+), not (.+)$/s,
    'perlu bilangan bulat, sedikitnya $1, bukan $2',
  ],
  [
    /^needs a whole number from (\S+) to (\S+), not (.+)$/s,
    'perlu bilangan bulat dari $1 sampai $2, bukan $3',
  ],
  [/^needs a number of at least (\S+), not (.+)$/s, 'perlu angka, sedikitnya $1, bukan $2'],
  [/^needs a number from (\S+) to (\S+), not (.+)$/s, 'perlu angka dari $1 sampai $2, bukan $3'],
  [/^needs at most (\S+) on this server, not (.+)$/s, 'paling banyak $1 di server ini, bukan $2'],
  [/^needs at least ([\d.e+]+)$/, 'sedikitnya $1'],
  [/^needs at most ([\d.e+]+)$/, 'paling banyak $1'],
  [
    /^needs a size from (\d+) to (\d+) bytes, such as (.+), not (.+)$/s,
    'perlu ukuran dari $1 sampai $2 byte, misalnya $3, bukan $4',
  ],
  [/^needs one of (.+), not (.+)$/s, 'pilih salah satu: $1, bukan $2'],
  [/^needs one of (.+)$/s, 'pilih salah satu: $1'],
  [/^is true or false, not (.+)$/s, 'isinya true atau false, bukan $1'],
  [/^is true or false$/, 'isinya true atau false'],
  [/^needs a text, not (.+)$/s, 'perlu teks, bukan $1'],
  [/^is missing$/, 'wajib diisi'],
  [
    /^needs one line of 1 to (\d+) characters, not (.+)$/s,
    'perlu satu baris dengan 1 sampai $1 karakter, bukan $2',
  ],
  [
    /^(\S+) needs to know what the crawl is about: give (.+)$/,
    '$1 perlu tahu apa yang dicari: berikan $2',
  ],
  [/^needs a topic\b[^:]*: give (.+)$/, 'memerlukan topik: berikan $1'],
  [
    /^is only for servers that were started with "(--[a-z-]+)"$/,
    'hanya untuk server yang dijalankan dengan $1',
  ],
]

/**
 * What the server says is wrong with a field. English comes from the server; what it says most often is
 * said in Indonesian here, and where this lacks something the server's words stand.
 */
export function problemText(said: string): string {
  if (language.value !== 'id') return said
  const [form, words] = ID_PROBLEMS.find(([known]) => known.test(said)) ?? []
  return form === undefined || words === undefined ? said : said.replace(form, words)
}
