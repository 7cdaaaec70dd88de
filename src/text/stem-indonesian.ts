// The Snowball stemmer for Indonesian, after Tala (2003): affixes are taken off by rule while more
// than two vowels are left, without a dictionary. Letters of prefixes change before some sounds
// ("menyapu" from "sapu"), which is undone.

/** Prefix families: which one is gone decides which suffixes may still go. */
const NONE = 0
const VERB = 1
const PER = 2
const NOUN = 3
const BER = 4

type Cut = {
  readonly stem: string
  readonly family: number
  /** Whether the stem got a letter back; then it starts no second prefix. */
  readonly restored?: boolean
}

/** The stem of a lower-cased Indonesian word. */
export function indonesian(word: string): string {
  let vowels = countVowels(word)
  if (vowels <= 2) return word
  let stem = word
  if (/(?:kah|lah|pun)$/.test(stem)) {
    stem = stem.slice(0, -3)
    if (--vowels <= 2) return stem
  }
  const possessive = /(?:nya|ku|mu)$/.exec(stem)?.[0].length ?? 0
  if (possessive > 0) {
    stem = stem.slice(0, -possessive)
    if (--vowels <= 2) return stem
  }
  return withoutAffixes(stem)
}

function withoutAffixes(word: string): string {
  const first = withoutFirstPrefix(word)
  if (!first) {
    const second = withoutSecondPrefix(word, NONE)
    return manyVowels(second.stem) ? withoutSuffix(second) : second.stem
  }
  if (!manyVowels(first.stem)) return first.stem
  const rest = withoutSuffix(first)
  if (rest === first.stem || first.restored || !manyVowels(rest)) return rest
  return withoutSecondPrefix(rest, first.family).stem
}

/** The prefixes of verbs in the active and passive, of results and of doers. */
function withoutFirstPrefix(word: string): Cut | null {
  const [, prefix = '', next = ''] =
    /^(meny|peny|meng|peng|mem|pem|men|pen|me|ter|di|ke)(.?)/.exec(word) ?? []
  const rest = word.slice(prefix.length)
  const restored = isVowel(next)
  const family = prefix.startsWith('p') || prefix === 'ke' ? NOUN : VERB
  switch (prefix) {
    case '':
      return null
    case 'meny':
    case 'peny':
      return { stem: (restored ? 's' : 'y') + rest, family, restored }
    case 'mem':
    case 'pem':
      return { stem: (restored ? 'p' : '') + rest, family, restored }
    default:
      return { stem: rest, family }
  }
}

function withoutSecondPrefix(word: string, family: number): Cut {
  if (word.startsWith('belajar')) return { stem: word.slice(3), family: BER }
  if (word.startsWith('pelajar')) return { stem: word.slice(3), family }
  if (word.startsWith('per')) return { stem: word.slice(3), family: PER }
  if (word.startsWith('pe')) return { stem: word.slice(2), family: PER }
  if (word.startsWith('ber')) return { stem: word.slice(3), family: BER }
  if (/^be[^aeiou]er/.test(word)) return { stem: word.slice(2), family: BER }
  return { stem: word, family }
}

function withoutSuffix({ stem, family }: Cut): string {
  if (stem.endsWith('kan') && family !== NOUN && family !== PER) return stem.slice(0, -3)
  if (stem.endsWith('an') && family !== VERB) return stem.slice(0, -2)
  if (stem.endsWith('i') && family <= PER && !stem.endsWith('si')) return stem.slice(0, -1)
  return stem
}

function manyVowels(word: string): boolean {
  return countVowels(word) > 2
}

/** By code: taking a word apart into letters would be half of the time of a stem. */
function countVowels(word: string): number {
  let count = 0
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    if (code === 97 || code === 101 || code === 105 || code === 111 || code === 117) count++
  }
  return count
}

function isVowel(letter: string): boolean {
  return letter !== '' && 'aeiou'.includes(letter)
}
