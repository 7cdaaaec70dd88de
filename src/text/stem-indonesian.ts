// The Indonesian stemmer: by dictionary and rules of word formation (indonesian/), because rules alone cannot
// distinguish "pemain" (a player, from "main") from "pesan" (a message, a root).
import { STEMS } from './indonesian/corrections.ts'
import { stemWith } from './indonesian/readings.ts'
import { ROOT_WORDS } from './indonesian/roots.ts'

/** Shorter words have no affixes. */
const MIN_LENGTH = 4
const PLAIN = /^[a-z]+$/

let roots: ReadonlySet<string> | null = null

// Loaded on first use: only crawls that meet the language pay for the list.
function knownRoots(): ReadonlySet<string> {
  roots ??= new Set(ROOT_WORDS.split(' '))
  return roots
}

/** The stem of a lower-cased Indonesian word. */
export function indonesian(word: string): string {
  if (word.length < MIN_LENGTH || !PLAIN.test(word)) return word
  return STEMS.get(word) ?? stemWith(word, knownRoots())
}

/** Whether a lower-cased word is an Indonesian root or derived from one. Many are English words, too. */
export function isIndonesian(word: string): boolean {
  return STEMS.has(word) || knownRoots().has(indonesian(word))
}
