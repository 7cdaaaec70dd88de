// A topic from words alone: a text, keywords, phrases. A page is on topic if it uses them often for its
// length, and several of them. Strength is the sum over all words and phrases of the square root of their
// share in the page, each weighted by its rarity: one repeated word says less than several, and a word that
// any page has says little.
import { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'
import { type Background, RAREST } from './background.ts'
import type { JudgedParts, KeptPhrase, TopicColumns } from './topic-record.ts'
import type { TopicWords } from './topic-words.ts'

/** The evidence that a word or phrase of mean rarity adds to a short text. */
export const EVIDENCE = 2
/** Weight of a phrase's single words, if the phrase is not complete. */
const PART_OF_PHRASE = 0.3
/**
 * The strength of a page with even odds: for one word that is every two hundredth word of the page, and it
 * grows slowly with the number of words.
 */
const USUAL_STRENGTH = 0.06
const GROWTH = 0.4

export function fromWords(words: TopicWords, background: Background): JudgedParts {
  const { terms, phrases } = weigh(words, background)
  const units = unitsIn(words)
  return {
    judge: 'words',
    columns: columnsOf(terms, background),
    unknownRarity: background.commonest,
    bias: USUAL_STRENGTH * Math.max(1, units) ** GROWTH,
    promiseBias: 0,
    keywords: words.keywords.length > 0 ? words.keywords : words.text.map((term) => [term]),
    phrases,
    model: null,
  }
}

type Weighed = { readonly terms: TermTable; readonly phrases: readonly KeptPhrase[] }

/** The weight of every term and phrase; 1 on average over the input, where adjacent words count as one. */
export function weigh(words: TopicWords, background: Background): Weighed {
  const { text, keywords, shares } = words
  const terms = new TermTable()
  const raise = (term: TermId, weight: number) => {
    if (weight > terms.get(term)) terms.set(term, weight)
  }
  const single = keywords.filter(({ length }) => length === 1).flat()
  const longer = keywords.filter(({ length }) => length > 1)
  const rarityOf = (term: TermId) => background.rarityOf(term)
  const given = [
    ...text.map((term) => ({ term, weight: rarityOf(term) * (shares.get(term) ?? 1) })),
    ...single.map((term) => ({ term, weight: rarityOf(term) })),
  ]
  const weights = longer.map((phrase) => rarityOfPhrase(phrase, background))
  const sum = [...given.map(({ weight }) => weight), ...weights].reduce((all, one) => all + one, 0)
  const mean = sum / Math.max(1, unitsIn(words))
  for (const { term, weight } of given) raise(term, weight / mean)
  const phrases = longer.map((phrase, at) => {
    const weight = (weights[at] ?? mean) / mean
    for (const term of phrase) {
      raise(term, (PART_OF_PHRASE * rarityOf(term)) / mean)
    }
    // Evidence is a mean over words, and a phrase has several.
    return { terms: phrase, evidence: EVIDENCE * weight * phrase.length, pull: weight }
  })
  return { terms, phrases }
}

/** Rarer than its words, but no rarer than a rare word. */
function rarityOfPhrase(phrase: readonly TermId[], background: Background): number {
  const sum = phrase.reduce((all, term) => all + background.rarityOf(term), 0)
  return Math.min(sum, RAREST)
}

/** Common words have rows too, so that a page's length is not mistaken for rarity. */
function columnsOf(weights: TermTable, background: Background): TopicColumns {
  const terms = Int32Array.from(new Set([...weights.ids, ...background.terms]))
  const pull = Float32Array.from(terms, (term) => weights.get(term))
  const rarity = Float32Array.from(terms, (term) => background.rarityOf(term))
  return {
    terms,
    evidence: pull.map((weight) => EVIDENCE * weight),
    rarity,
    centre: pull.map((weight, at) => weight * (rarity[at] ?? 0)),
    pull,
    promise: new Float32Array(terms.length),
  }
}

/** The number of things that the user named. */
function unitsIn({ text, keywords, shares }: TopicWords): number {
  return text.reduce((sum, term) => sum + (shares.get(term) ?? 1), 0) + keywords.length
}
