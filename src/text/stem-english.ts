// The Snowball stemmer for English ("Porter 2"): Porter's own correction of his first. A "y" that sounds as a
// consonant is written "Y" during stemming.

const VOWEL = 'aeiouy'
/** Double letters at the end that become single. */
const DOUBLES = new Set(['bb', 'dd', 'ff', 'gg', 'mm', 'nn', 'pp', 'rr', 'tt'])

function isVowel(letter: string | undefined): boolean {
  return letter !== undefined && letter !== '' && VOWEL.includes(letter)
}

function hasVowel(text: string): boolean {
  for (const letter of text) if (isVowel(letter)) return true
  return false
}

/** Marks each y that is a consonant: at the start, or after a vowel. */
function markConsonantY(word: string): string {
  if (!word.includes('y')) return word
  let marked = ''
  for (let at = 0; at < word.length; at++) {
    const letter = word[at] ?? ''
    const consonant = letter === 'y' && (at === 0 || isVowel(marked[at - 1]))
    marked += consonant ? 'Y' : letter
  }
  return marked
}

/**
 * The index behind the first consonant that follows a vowel at or after `from`; the length if there is none.
 */
function regionAfter(word: string, from: number): number {
  let at = from
  while (at < word.length && !isVowel(word[at])) at++
  while (at < word.length && isVowel(word[at])) at++
  return Math.min(at + 1, word.length)
}

/** Whether a word ends in consonant, vowel, consonant other than w, x and Y. */
function endsInShortSyllable(word: string): boolean {
  const end = word.length
  return (
    end > 2 &&
    !isVowel(word[end - 3]) &&
    isVowel(word[end - 2]) &&
    !isVowel(word[end - 1]) &&
    !'wxY'.includes(word[end - 1] ?? '')
  )
}

function endsInDouble(word: string): boolean {
  return DOUBLES.has(word.slice(-2))
}

/** A table of endings and their replacements, longest first, by their last letter. */
type Endings = ReadonlyMap<string, readonly (readonly [ending: string, by: string])[]>

/** From "ending:replacement" words; nothing after the colon removes the ending. */
function endings(table: string): Endings {
  const byLast = new Map<string, [string, string][]>()
  for (const entry of table.trim().split(/\s+/)) {
    const [ending = '', by = ''] = entry.split(':')
    const last = ending.slice(-1)
    byLast.set(last, [...(byLast.get(last) ?? []), [ending, by]])
  }
  for (const list of byLast.values()) list.sort((a, b) => b[0].length - a[0].length)
  return byLast
}

/** The longest ending of the table that a word has. */
function endingOf(word: string, table: Endings): readonly [string, string] | undefined {
  return table.get(word[word.length - 1] ?? '')?.find(([ending]) => word.endsWith(ending))
}

const STEP_2 = endings(`
  tional:tion enci:ence anci:ance abli:able entli:ent izer:ize ization:ize ational:ate ation:ate
  ator:ate alism:al aliti:al alli:al fulness:ful ousli:ous ousness:ous iveness:ive iviti:ive
  biliti:ble bli:ble ogi:og ogist:og fulli:ful lessli:less li:`)
const STEP_3 = endings(`
  tional:tion ational:ate alize:al icate:ic iciti:ic ical:ic ful: ness: ative:`)
const STEP_4 = endings(`
  al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ism: ate: iti: ous: ive: ize: ion:`)

/** Whole words that the rules get wrong, with their stems. */
const EXCEPTIONS = new Map(
  `skis:ski skies:sky idly:idl gently:gentl ugly:ugli early:earli
  only:onli singly:singl sky:sky news:news howe:howe atlas:atlas cosmos:cosmos bias:bias
  andes:andes`
    .split(/\s+/)
    .map((entry) => entry.split(':') as [string, string]),
)
/** Words that are finished once their plural is removed. */
const FINISHED = new Set(
  'inning outing canning herring earring evening proceed exceed succeed'.split(' '),
)
/** Beginnings that end where the first region starts; the rules would start it too early. */
const LONG_STARTS = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/

/** The stem of a lower-cased English word. */
export function english(word: string): string {
  if (word.length < 3) return word
  const exception = EXCEPTIONS.get(word)
  if (exception !== undefined) return exception
  let stem = markConsonantY(word.startsWith("'") ? word.slice(1) : word)
  const r1 = LONG_STARTS.exec(stem)?.[0].length ?? regionAfter(stem, 0)
  const r2 = regionAfter(stem, r1)
  stem = withoutPlural(withoutPossessive(stem))
  if (FINISHED.has(stem)) return stem
  stem = withoutPast(stem, r1)
  if (/[^aeiouy][yY]$/.test(stem) && stem.length > 2) stem = `${stem.slice(0, -1)}i`
  stem = withoutDerivation(stem, r1, r2)
  return withoutLast(stem, r1, r2).replaceAll('Y', 'y')
}

function withoutPossessive(word: string): string {
  if (word.endsWith("'s'")) return word.slice(0, -3)
  if (word.endsWith("'s")) return word.slice(0, -2)
  return word.endsWith("'") ? word.slice(0, -1) : word
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ied') || word.endsWith('ies')) {
    return word.slice(0, word.length > 4 ? -2 : -1)
  }
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word
  return hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word
}

function withoutPast(word: string, r1: number): string {
  const ending = /(?:eedly|eed|ingly|edly|ing|ed)$/.exec(word)?.[0] ?? ''
  const stem = word.slice(0, word.length - ending.length)
  if (ending.startsWith('ee')) return stem.length >= r1 ? `${stem}ee` : word
  if (ending === '' || !hasVowel(stem)) return word
  if (ending === 'ing' && /^[^aeiouy]y$/.test(stem)) return `${stem.slice(0, -1)}ie`
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsInDouble(stem)) return /^[aeo]..$/.test(stem) ? stem : stem.slice(0, -1)
  return stem.length <= r1 && endsShort(stem) ? `${stem}e` : stem
}

function withoutDerivation(word: string, r1: number, r2: number): string {
  let stem = word
  const second = endingOf(stem, STEP_2)
  if (second && mayGo(stem, second[0])) stem = replaced(stem, second, r1)
  const third = endingOf(stem, STEP_3)
  if (third) stem = replaced(stem, third, third[0] === 'ative' ? Math.max(r1, r2) : r1)
  const fourth = endingOf(stem, STEP_4)
  if (fourth && mayGo(stem, fourth[0])) stem = replaced(stem, fourth, r2)
  return stem
}

/** Three endings are removed only after certain letters. */
function mayGo(word: string, ending: string): boolean {
  const before = word[word.length - ending.length - 1] ?? ''
  if (ending === 'ogi' || ending === 'ogist') return before === 'l'
  if (ending === 'li') return before !== '' && 'cdeghkmnrt'.includes(before)
  return ending !== 'ion' || before === 's' || before === 't'
}

function replaced(word: string, [ending, by]: readonly [string, string], region: number): string {
  const at = word.length - ending.length
  return at >= region ? word.slice(0, at) + by : word
}

function withoutLast(word: string, r1: number, r2: number): string {
  const at = word.length - 1
  const stem = word.slice(0, at)
  if (word.endsWith('e')) return at >= r2 || (at >= r1 && !endsShort(stem)) ? stem : word
  return word.endsWith('ll') && at >= r2 ? stem : word
}

/** A short syllable, a word of a vowel and a consonant, or the stem of "paste". */
function endsShort(word: string): boolean {
  if (word === 'past') return true
  if (word.length === 2) return isVowel(word[0]) && !isVowel(word[1])
  return endsInShortSyllable(word)
}
