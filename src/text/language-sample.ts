// What of a text is looked at to tell its language: the words of a few pieces, and their scripts.
import { hashText } from './hash-text.ts'
import { SCRIPTS, scriptOf } from './script.ts'
import { TermTable } from './term-table.ts'
import { finalForm, lowerCased } from './tokens.ts'
import { WordScanner } from './word-scanner.ts'

/** Pieces of a long text: a header in another language is one of them at most. */
export const PIECES = 3

/** Pairs of characters from a script without spaces, against words of others: about two make one. */
const PAIR_WEIGHT = 0.4
/** Share of kana from which Han characters are Japanese; quoted names have less. */
const KANA_SHARE = 0.05

const HAN = SCRIPTS.indexOf('Han')
const KANA = SCRIPTS.indexOf('Kana')
const WEIGHTS = Float64Array.from(SCRIPTS, (script) =>
  ['Han', 'Kana', 'th', 'lo', 'km', 'my', 'bo'].includes(script) ? PAIR_WEIGHT : 1,
)

export type LanguageSample = {
  /** Of most of the words: a script's name, or the language of a script that has just one. */
  readonly script: string
  /** Words in it, and in all scripts. */
  readonly words: number
  readonly total: number
  /** How often each word occurs, by its hash. */
  readonly counts: TermTable
}

/** The words of a text, or of pieces of that length from its first, second and last third. */
export function sampleOf(text: string, pieceLength: number): LanguageSample {
  const lower = lowerCased(piecesOf(text, pieceLength))
  const scanner = new WordScanner(lower)
  const counts = new TermTable(pieceLength >> 1)
  const scripts = new Float64Array(SCRIPTS.length)
  while (scanner.next()) {
    const script = scriptOf(lower.charCodeAt(scanner.start))
    if (script === 0) continue
    const weight = WEIGHTS[script] ?? 1
    scripts[script] = (scripts[script] ?? 0) + weight
    if (weight === 1) counts.add(hashOf(lower, scanner), 1)
  }
  return { ...mainScript(scripts), counts }
}

function piecesOf(text: string, length: number): string {
  if (text.length <= PIECES * length) return text
  const step = (text.length - length) / PIECES
  let pieces = ''
  for (let piece = 0; piece < PIECES; piece++) {
    const start = Math.floor((piece + 0.5) * step)
    pieces += `${text.slice(start, start + length)}\n`
  }
  return pieces
}

function hashOf(lower: string, word: WordScanner): number {
  return word.plain ? word.hash : hashText(finalForm(lower.slice(word.start, word.end)))
}

function mainScript(scripts: Float64Array): Omit<LanguageSample, 'counts'> {
  const [han, kana] = [scripts[HAN] ?? 0, scripts[KANA] ?? 0]
  scripts[KANA] = 0
  scripts[HAN] = han + kana
  let main = 0
  let total = 0
  for (const [script, words] of scripts.entries()) {
    total += words
    if (words > (scripts[main] ?? 0)) main = script
  }
  const eastern = kana > KANA_SHARE * (han + kana) ? 'ja' : 'zh'
  const script = main === HAN ? eastern : (SCRIPTS[main] ?? '')
  return { script, words: scripts[main] ?? 0, total }
}
