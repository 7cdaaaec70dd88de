// Indonesian affixes as rules: the possible rests of a word without a prefix or a suffix. A prefix changes
// with the letter it meets ("menulis" from "tulis"), so there may be several results, likelier ones first.
// The dictionary decides whether one is a word.

/** `pe` and `me` include all their nasal forms. */
export type Prefix = 'di' | 'ke' | 'se' | 'ber' | 'ter' | 'per' | 'me' | 'pe'
type Suffix = 'kan' | 'an' | 'i' | 'wan' | 'wati'

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

/** Shorter rests are mostly coincidence: "kutai" is a place, not "ku" and "tai". */
const MIN_ROOT = 4
const ACTOR = /^(?:ku|kau)(?=(?:n[gy]|[^aeiou])?[aeiou].{2})/
const DOUBLED = /^([^aeiou])e(?=\1[aeiou])/
/** Suffixes of loan words, which may follow others: "nasionalisme", "imunisasi". */
const OF_LOANS = /^(.{4,})is(?:me|asi)$|^(.{2,}al)is$/
const NEGATED = /^ketidak(.{4,})an$/
const NASAL = /^(?:nge|(?:ng|ny|n|m)(?=[aeiou]))/
/** Too many words start with the other nasals by coincidence: "ninja" is no "tinja". */
const CLEAR_NASAL = /^n[gy]/

/** Any of these, with any clitic behind. Most words have none, and a closer look costs more. */
const RARE = /^(?:ku|kau|n[gy]|ketidak|([^aeiou])e\1)|in(?:lah|kah|tah|pun|nya|[km]u)*$/

/**
 * Affixes that dictionaries omit or hardly cover: spoken forms ("ngambil", "mikirin"), the actor before the
 * verb ("kubaca"), a doubled first syllable ("bebatuan"), negation in a noun ("ketidakadilan"). They are
 * tried last, so the usual rules take precedence. The suffixes of loan words ("imunisasi") are here, too:
 * they may occur under any other affix.
 */
export function isRare(word: string): boolean {
  return RARE.test(word)
}

/** Possible bases of a word, likelier ones first. */
export function rareReadings(word: string): string[] {
  const roots = [
    ...afterActor(word),
    ...undoubled(word),
    ...(NEGATED.exec(word)?.slice(1) ?? []),
    ...spoken(word),
  ]
  return roots.filter((root) => root.length >= MIN_ROOT)
}

/** Called for every form of every word, so it must be cheap. */
export function hasLoanSuffix(word: string): boolean {
  switch (word[word.length - 1]) {
    case 'i':
      return word.endsWith('isasi')
    case 'e':
      return word.endsWith('isme')
    case 's':
      return word.endsWith('alis')
    default:
      return false
  }
}

/** "ideal" for "idealisme", "idealisasi" and "idealis". */
export function withoutLoanSuffix(word: string): string[] {
  const [, before, adjective] = OF_LOANS.exec(word) ?? []
  return [before, adjective].filter((root) => root !== undefined)
}

/** The same as after "di-". */
function afterActor(word: string): string[] {
  if (!ACTOR.test(word)) return []
  const verb = word.replace(ACTOR, '')
  return [verb, ...withoutAny(verb, ['kan', 'i'])]
}

function undoubled(word: string): string[] {
  if (!DOUBLED.test(word)) return []
  const rest = word.replace(DOUBLED, '')
  return [rest, ...withoutAny(rest, ['an'])]
}

/**
 * The nasal of "me-" without its "me", and "-in" for "-kan" and "-i": both together, or one that is clear.
 */
function spoken(word: string): string[] {
  const alone = CLEAR_NASAL.test(word) ? withoutNasal(word) : []
  return [...alone, ...withoutAny(word, ['in']).flatMap(spokenVerb)]
}

/** Roots that end in a consonant and "in" are mostly names of substances: "heparin". */
function spokenVerb(verb: string): string[] {
  return /[aiueo]$/.test(verb) ? [verb, ...withoutNasal(verb)] : withoutNasal(verb)
}

function withoutNasal(word: string): string[] {
  const [nasal] = NASAL.exec(word) ?? []
  if (nasal === undefined) return []
  const rest = word.slice(nasal.length)
  switch (nasal) {
    case 'nge':
      return [rest, `e${rest}`, `ke${rest}`]
    case 'ng':
      return [rest, `k${rest}`]
    case 'ny':
      return [`c${rest}`, `s${rest}`]
    case 'n':
      return [`t${rest}`]
    default:
      return [`p${rest}`]
  }
}

function withoutAny(word: string, suffixes: readonly string[]): string[] {
  return suffixes
    .filter((suffix) => word.endsWith(suffix))
    .map((suffix) => word.slice(0, -suffix.length))
}
