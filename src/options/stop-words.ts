// The user's own stop words: a word per line, # begins a comment. This checks that a text is such a list;
// src/text/ reads the words.
import { InvalidInput, shown } from '../core/errors.ts'

/** Far more than any list has, and little enough to be kept with a crawl. */
export const MAX_STOP_WORDS = 10_000
export const MAX_STOP_WORDS_BYTES = 1 << 20
/** Characters, and words, of a line: longer lines are prose, not a list. */
const MAX_LINE = 100
const MAX_LINE_WORDS = 3

/** The words, each once. InvalidInput at `at`, naming the line that is wrong. */
export function readStopWords(text: string, at: string): readonly string[] {
  const words = new Set<string>()
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const word = line.replace(/#.*/, '').trim()
    if (word === '') continue
    const problem = problemWith(word)
    if (problem !== null) throw new InvalidInput(at, `line ${index + 1}: ${problem}`)
    words.add(word)
  }
  if (words.size === 0) throw new InvalidInput(at, 'has no words')
  if (words.size > MAX_STOP_WORDS) {
    throw new InvalidInput(at, `has ${words.size} words; at most ${MAX_STOP_WORDS} are taken`)
  }
  return [...words]
}

/** The same from bytes, which must be UTF-8. */
export function decodeStopWords(bytes: Uint8Array, at: string): readonly string[] {
  try {
    return readStopWords(new TextDecoder('utf-8', { fatal: true }).decode(bytes), at)
  } catch (error) {
    if (error instanceof InvalidInput) throw error
    throw new InvalidInput(at, 'is not UTF-8 text')
  }
}

function problemWith(word: string): string | null {
  if (/[\0-\x08\x0e-\x1f\x7f]/.test(word)) return 'is not a text'
  if (!/[\p{L}\p{N}]/u.test(word)) return `${shown(word)} has no letters or digits`
  if (word.length > MAX_LINE || word.split(/\s+/).length > MAX_LINE_WORDS) {
    return `${shown(word)} is not a word; give one per line`
  }
  return null
}
