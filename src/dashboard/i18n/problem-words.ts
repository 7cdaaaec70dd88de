// What the server says is wrong with a field. English comes from the server; what it says most often
// is said in Indonesian here, and where this lacks something the server's words stand.
import { language } from './i18n.ts'

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

export function problemText(said: string): string {
  if (language.value !== 'id') return said
  const [form, words] = ID_PROBLEMS.find(([known]) => known.test(said)) ?? []
  return form === undefined || words === undefined ? said : said.replace(form, words)
}
