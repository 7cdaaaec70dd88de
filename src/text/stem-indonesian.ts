// The Indonesian stemmer: by dictionary and rules of word formation (indonesian/), because rules alone
// cannot tell "pemain" (a player, from "main") from "pesan" (a message, from nothing).
import { STEMS } from './indonesian/corrections.ts'
import { stemWith } from './indonesian/readings.ts'
import { ROOT_WORDS } from './indonesian/roots.ts'

/** Shorter words have nothing to take off. */
const MIN_LENGTH = 4
const PLAIN = /^[a-z]+$/

let roots: ReadonlySet<string> | null = null

/** The stem of a lower-cased Indonesian word. */
export function indonesian(word: string): string {
  if (word.length < MIN_LENGTH || !PLAIN.test(word)) return word
  // Only crawls that meet the language pay for the list.
  roots ??= new Set(ROOT_WORDS.split(' '))
  return STEMS.get(word) ?? stemWith(word, roots)
}
