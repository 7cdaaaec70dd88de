// Detects the language of a text by its script and its most common words, and decides the language of a page
// that declares another one. Common words take a quarter of the time of a table of letter groups, and save
// its 46 MB; such a table knows no Indonesian, but would be better for a single sentence (bench/text.ts).
// Unclear texts get no language.
import { areRelatives, type Votes, votesIn } from './language-votes.ts'
import { TermTable } from './term-table.ts'
import { canonicalTag, hashText, primaryLanguage } from './text.ts'
import { finalForm, lowerCased } from './tokens.ts'
import { WordScanner } from './word-scanner.ts'

/** First code unit of each run of letters and its script, in order; '' for runs without letters. */
const RUNS: readonly (readonly [first: number, script: string])[] = [
  [0, ''],
  [0x41, 'Latin'],
  [0x5b, ''],
  [0x61, 'Latin'],
  [0x7b, ''],
  [0xc0, 'Latin'],
  [0x2b0, ''],
  [0x370, 'el'],
  [0x400, 'Cyrillic'],
  [0x530, 'hy'],
  [0x590, 'he'],
  [0x600, 'Arabic'],
  [0x660, ''],
  [0x66e, 'Arabic'],
  [0x6f0, ''],
  [0x6fa, 'Arabic'],
  [0x780, ''],
  [0x900, 'Devanagari'],
  [0x964, ''],
  [0x980, 'bn'],
  [0xa00, 'pa'],
  [0xa80, 'gu'],
  [0xb00, 'or'],
  [0xb80, 'ta'],
  [0xc00, 'te'],
  [0xc80, 'kn'],
  [0xd00, 'ml'],
  [0xd80, 'si'],
  [0xe00, 'th'],
  [0xe80, 'lo'],
  [0xf00, 'bo'],
  [0x1000, 'my'],
  [0x10a0, 'ka'],
  [0x1100, 'ko'],
  [0x1200, 'am'],
  [0x13a0, ''],
  [0x1780, 'km'],
  [0x1800, ''],
  [0x1e00, 'Latin'],
  [0x1f00, 'el'],
  [0x2000, ''],
  [0x3041, 'Kana'],
  [0x3100, ''],
  [0x3400, 'Han'],
  [0xa000, ''],
  [0xac00, 'ko'],
  [0xd7b0, ''],
  [0xf900, 'Han'],
  [0xfb00, ''],
]

/** Names of scripts that many languages share, and tags of languages with a script of their own. */
export const SCRIPTS: readonly string[] = [...new Set(RUNS.map(([, script]) => script))]

const firsts = Int32Array.from(RUNS, ([first]) => first)
const indexes = Int32Array.from(RUNS, ([, script]) => SCRIPTS.indexOf(script))
const LATIN = SCRIPTS.indexOf('Latin')

/** The script of a letter as an index in SCRIPTS; 0 for none. */
export function scriptOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return LATIN
  let low = 0
  let high = firsts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((firsts[middle] ?? 0) <= code) low = middle
    else high = middle - 1
  }
  return indexes[low] ?? 0
}

export type DetectedLanguage = {
  /** Two letters; '' if the text is too short, too mixed or in no known language. */
  readonly language: string
  /** From 0 to 1; 0 without a language. */
  readonly confidence: number
}

const UNSURE: DetectedLanguage = { language: '', confidence: 0 }

/** Number of words that is enough for a language with a script of its own. */
const LEAST_WORDS = 2
/** Below this confidence, no language is better than a guess. */
const LEAST_CONFIDENCE = 0.25
/** From this confidence on, the text counts more than the page's own declaration. */
const SURE = 0.5
/** The same between close relatives: their texts differ in few words. */
const SURE_AMONG_RELATIVES = 0.9

/** Characters read of each piece: enough for most texts, and for lists and mixed texts. */
const SHORT_PIECE = 300
const LONG_PIECE = 1000
/** A short look with less confidence is followed by a long one. */
const CLEAR = 0.8

/** The script of a letter, as far as it distinguishes languages. */
export function detectLanguage(text: string): DetectedLanguage {
  const glance = detectIn(text, SHORT_PIECE)
  if (glance.confidence >= CLEAR || text.length <= PIECES * SHORT_PIECE) return glance
  return detectIn(text, LONG_PIECE)
}

function detectIn(text: string, pieceLength: number): DetectedLanguage {
  const { script, words, total, counts } = sampleOf(text, pieceLength)
  if (script === '' || words < LEAST_WORDS) return UNSURE
  const votes = votesIn(script, counts)
  const confidence = (words / total) * (votes === null ? 1 : confidenceIn(votes, words))
  if (confidence < LEAST_CONFIDENCE) return UNSURE
  return { language: votes === null ? script : votes.language, confidence }
}

/**
 * Full for a text with the properties of running text: a fifth of its words known, six different ones, and a
 * lead of a third over any other language. Half the value of one property halves the confidence.
 */
function confidenceIn({ hits, distinct, lead, leadOverRelative }: Votes, words: number): number {
  const certain =
    Math.min(1, (hits / words) * 5) * Math.min(1, distinct / 6) * Math.min(1, lead * 3)
  return leadOverRelative < 0.1 ? certain * 0.8 : certain
}

/**
 * The tag of a page from its declaration and its detected language. The text wins if it is clear; if both
 * agree, the declared region and script are kept ("en-GB"). '' if both are unknown.
 */
export function pickLanguage(declared: string, detected: DetectedLanguage): string {
  const tag = canonicalTag(declared)
  const claimed = primaryLanguage(tag)
  if (detected.language === '' || claimed === detected.language) return tag
  const needed = areRelatives(claimed, detected.language) ? SURE_AMONG_RELATIVES : SURE
  return claimed === '' || detected.confidence >= needed ? detected.language : tag
}

/** Pieces of a long text: a header in another language is at most one of them. */
const PIECES = 3

/** Weight of a pair of characters from a script without spaces: about two make a word. */
const PAIR_WEIGHT = 0.4
/** Share of kana from which Han characters are Japanese; quoted names have less. */
const KANA_SHARE = 0.05

const HAN = SCRIPTS.indexOf('Han')
const KANA = SCRIPTS.indexOf('Kana')
const WEIGHTS = Float64Array.from(SCRIPTS, (script) =>
  ['Han', 'Kana', 'th', 'lo', 'km', 'my', 'bo'].includes(script) ? PAIR_WEIGHT : 1,
)

type LanguageSample = {
  /** The script of most words: its name, or the language of a script with a single one. */
  readonly script: string
  /** Number of words in it, and in all scripts. */
  readonly words: number
  readonly total: number
  /** How often each word occurs, by its hash; valid until the next sample. */
  readonly counts: TermTable
}

/** Working memory: every page is sampled once or twice. */
const COUNTS = new TermTable(LONG_PIECE >> 1)

/**
 * The sample of a text that its language is detected from, with the scripts: the words of the text, or of
 * pieces of that length from its first, second and last third.
 */
function sampleOf(text: string, pieceLength: number): LanguageSample {
  const lower = lowerCased(piecesOf(text, pieceLength))
  const scanner = new WordScanner(lower)
  const counts = COUNTS
  counts.clear()
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
