// Indonesian affixes as rules: the possible rests of a word without a prefix or a suffix. A prefix changes
// with the letter it meets ("menulis" from "tulis"), so there may be several results, likelier ones first.
// The dictionary decides whether one is a word.

/** `pe` and `me` include all their nasal forms. */
export type Prefix = 'di' | 'ke' | 'se' | 'ber' | 'ter' | 'per' | 'me' | 'pe'
export type Suffix = 'kan' | 'an' | 'i' | 'wan' | 'wati'

export type PrefixCut = {
  readonly prefix: Prefix
  readonly rest: string
  /** Whether its roots may have one syllable (`di-`), or must have only one (`menge-`, `penge-`). */
  readonly short?: 'may' | 'must'
}

/** Suffixes that combine with the outermost prefix; those of a word without a prefix are below. */
const SUFFIXES: Readonly<Record<Prefix, readonly Suffix[]>> = {
  di: ['kan', 'i'],
  me: ['kan', 'i'],
  ter: ['kan', 'i'],
  ber: ['an', 'kan'],
  per: ['an', 'kan', 'i'],
  ke: ['an'],
  pe: ['an'],
  se: ['an'],
}

/** "karyawan" has this suffix, "sekawan" (se-kawan) does not. */
const MIN_PERSON = 8

/** The rests without a derivational suffix, for words with this outermost prefix. */
export function withoutSuffix(word: string, prefix: Prefix | null): string[] {
  const allowed = prefix === null ? bareSuffixes(word) : SUFFIXES[prefix]
  return allowed
    .filter((suffix) => word.endsWith(suffix))
    .map((suffix) => word.slice(0, -suffix.length))
}

/** A bare word in -ai is nearly always a root ("nilai", "pantai"); people in -wan have long roots. */
function bareSuffixes(word: string): readonly Suffix[] {
  if (word.endsWith('ai')) return []
  return word.length < MIN_PERSON ? ['an', 'kan', 'i'] : ['an', 'kan', 'i', 'wan', 'wati']
}

/** Every way to remove one prefix. */
export function withoutPrefix(word: string): PrefixCut[] {
  switch (word.slice(0, 2)) {
    case 'di':
      return [{ prefix: 'di', rest: word.slice(2), short: 'may' }]
    case 'ke':
      return cuts('ke', [word.slice(2)])
    case 'se':
      return cuts('se', [word.slice(2)])
    case 'be':
      return cuts('ber', withR(word, 'ber'))
    case 'te':
      return cuts('ter', withR(word, 'ter'))
    case 'me':
      return [...cuts('me', withNasal(word)), ...withNge(word, 'me')]
    case 'pe':
      return [
        ...cuts('per', withR(word, 'per')),
        ...cuts('pe', withNasal(word)),
        ...withNge(word, 'pe'),
      ]
    default:
      return []
  }
}

function cuts(prefix: Prefix, rests: readonly string[]): PrefixCut[] {
  return rests.map((rest) => ({ prefix, rest }))
}

/** `ber-`, `ter-` and `per-` lose their r before another one, and become `bel-`, `pel-` before "ajar". */
function withR(word: string, prefix: string): string[] {
  if (word.startsWith('ajar', 3) && word[2] === 'l') return [word.slice(3)]
  if (!word.startsWith(prefix)) {
    return /^.e[^aeiour]er/.test(word) ? [word.slice(2)] : []
  }
  const rest = word.slice(3)
  return isVowel(rest[0]) ? [rest, `r${rest}`] : [rest]
}

/** `me-` and `pe-` with the nasal that fits the next letter, which may be dropped: k, p, s or t. */
function withNasal(word: string): string[] {
  const plain = word.slice(2)
  if (word.startsWith('lajar', 2)) return [word.slice(3)]
  const [, nasal = '', next = ''] = /^.e(ny|ng|n|m)?(.?)/.exec(word) ?? []
  const rest = word.slice(2 + nasal.length)
  switch (nasal) {
    case 'ny':
      return [`s${rest}`, plain]
    case 'ng':
      return isVowel(next) ? [rest, `k${rest}`] : [rest]
    case 'n':
      return isVowel(next) ? [plain, `t${rest}`] : [rest]
    case 'm':
      if (next === 'r') return [`p${rest}`, rest]
      return isVowel(next) ? [plain, `p${rest}`] : [rest]
    default:
      return [plain]
  }
}

/** Before roots of one syllable: "mengecat", "pengeboman". */
function withNge(word: string, prefix: Prefix): PrefixCut[] {
  return word.startsWith('nge', 2) ? [{ prefix, rest: word.slice(5), short: 'must' }] : []
}

function isVowel(letter: string | undefined): boolean {
  return letter !== undefined && 'aeiou'.includes(letter)
}
