// Word properties for Porter's two English stemmers: vowels, regions, short syllables. A "y" that sounds as a
// consonant is written "Y" during stemming.

const VOWEL = 'aeiouy'
/** Double letters at the end that become single. */
const DOUBLES = new Set(['bb', 'dd', 'ff', 'gg', 'mm', 'nn', 'pp', 'rr', 'tt'])

export function isVowel(letter: string | undefined): boolean {
  return letter !== undefined && letter !== '' && VOWEL.includes(letter)
}

export function hasVowel(text: string): boolean {
  for (const letter of text) if (isVowel(letter)) return true
  return false
}

/** Marks each y that is a consonant: at the start, or after a vowel. */
export function markConsonantY(word: string): string {
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
export function regionAfter(word: string, from: number): number {
  let at = from
  while (at < word.length && !isVowel(word[at])) at++
  while (at < word.length && isVowel(word[at])) at++
  return Math.min(at + 1, word.length)
}

/** Whether a word ends in consonant, vowel, consonant other than w, x and Y. */
export function endsInShortSyllable(word: string): boolean {
  const end = word.length
  return (
    end > 2 &&
    !isVowel(word[end - 3]) &&
    isVowel(word[end - 2]) &&
    !isVowel(word[end - 1]) &&
    !'wxY'.includes(word[end - 1] ?? '')
  )
}

export function endsInDouble(word: string): boolean {
  return DOUBLES.has(word.slice(-2))
}

/** A table of endings and their replacements, longest first, by their last letter. */
export type Endings = ReadonlyMap<string, readonly (readonly [ending: string, by: string])[]>

/** From "ending:replacement" words; nothing after the colon removes the ending. */
export function endings(table: string): Endings {
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
export function endingOf(word: string, table: Endings): readonly [string, string] | undefined {
  return table.get(word[word.length - 1] ?? '')?.find(([ending]) => word.endsWith(ending))
}
