// Tells the language of a text by its script and its most common words, and which language a page
// has when its own claim says otherwise. The common words of a page tell its language in a quarter of
// the time, and without the 46 MB, of a table of letter groups, which knows no Indonesian; for a single
// sentence such a table would be better (bench/text.ts). What is unclear gets no answer.
import { PIECES, sampleOf } from './language-sample.ts'
import { areRelatives, type Votes, votesIn } from './language-votes.ts'
import { canonicalTag, primaryLanguage } from './text.ts'

export type DetectedLanguage = {
  /** Two letters; '' when the text is too short, too mixed or in none we know. */
  readonly language: string
  /** From 0 to 1; 0 when no language is given. */
  readonly confidence: number
}

const UNSURE: DetectedLanguage = { language: '', confidence: 0 }

/** Words in a script of its own that are enough for a language. */
const LEAST_WORDS = 2
/** Below, nothing is better than a guess. */
const LEAST_CONFIDENCE = 0.25
/** From here on the text is believed more than what the page says of itself. */
const SURE = 0.5
/** The same between close relatives: their texts differ in a word here and there. */
const SURE_AMONG_RELATIVES = 0.9

/** Characters of each piece that is read: enough for most texts, and for lists and mixed ones. */
const SHORT_PIECE = 300
const LONG_PIECE = 1000
/** A short look that gives less is followed by a long one. */
const CLEAR = 0.8

/** The language that a text is written in. */
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
 * Full for a text that has what running text has: a fifth of its words known, six different ones,
 * and a lead of a third over any other language. Half of that in one of them halves it.
 */
function confidenceIn({ hits, distinct, lead, leadOverRelative }: Votes, words: number): number {
  const certain =
    Math.min(1, (hits / words) * 5) * Math.min(1, distinct / 6) * Math.min(1, lead * 3)
  return leadOverRelative < 0.1 ? certain * 0.8 : certain
}

/**
 * The tag for a page from what it declares and what its text is. The text wins where it is clear;
 * where both agree the declared region and script are kept ("en-GB"). '' when neither tells.
 */
export function pickLanguage(declared: string, detected: DetectedLanguage): string {
  const tag = canonicalTag(declared)
  const claimed = primaryLanguage(tag)
  if (detected.language === '' || claimed === detected.language) return tag
  const needed = areRelatives(claimed, detected.language) ? SURE_AMONG_RELATIVES : SURE
  return claimed === '' || detected.confidence >= needed ? detected.language : tag
}
