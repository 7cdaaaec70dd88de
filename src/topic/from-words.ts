// A topic that is nothing but words: a text, keywords, phrases. A page is on topic when it uses them
// often for its length, and several of them. Strength is the sum over all words and phrases of the
// square root of their share in the page, each weighed by its rarity: one word again and again says
// less than several, and a word that any page has says little.
import { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'
import type { Background } from './background.ts'
import type { JudgedParts, KeptPhrase, TopicColumns } from './topic-record.ts'
import type { TopicWords } from './topic-words.ts'

/** What a word or phrase of mean rarity adds to the evidence of a short text. */
const EVIDENCE = 2
/** A phrase's single words, where it does not stand whole. */
const PART_OF_PHRASE = 0.3
/**
 * The strength of a page that is as likely on topic as not: for one word that is every two
 * hundredth word of the page, and grows slowly with the number of words.
 */
const USUAL_STRENGTH = 0.06
const GROWTH = 0.4

export function fromWords(words: TopicWords, background: Background): JudgedParts {
  const { terms, phrases } = weigh(words, background)
  const units = words.text.length + words.keywords.length
  return {
    judge: 'words',
    columns: columnsOf(terms, background),
    unknownRarity: background.rarest,
    bias: USUAL_STRENGTH * Math.max(1, units) ** GROWTH,
    promiseBias: 0,
    keywords: words.keywords.length > 0 ? words.keywords : words.text.map((term) => [term]),
    phrases,
    model: null,
  }
}

type Weighed = { readonly terms: TermTable; readonly phrases: readonly KeptPhrase[] }

/** Every term's and every phrase's weight; 1 on average over what was given. */
export function weigh({ text, keywords }: TopicWords, background: Background): Weighed {
  const terms = new TermTable()
  const raise = (term: TermId, weight: number) => {
    if (weight > terms.get(term)) terms.set(term, weight)
  }
  const single = keywords.filter(({ length }) => length === 1).flat()
  const longer = keywords.filter(({ length }) => length > 1)
  const given = [...text, ...single].map((term) => ({ term, weight: background.rarityOf(term) }))
  const weights = longer.map((phrase) => rarityOfPhrase(phrase, background))
  const mean = meanOf([...given.map(({ weight }) => weight), ...weights])
  for (const { term, weight } of given) raise(term, weight / mean)
  const phrases = longer.map((phrase, at) => {
    const weight = (weights[at] ?? mean) / mean
    for (const term of phrase) {
      raise(term, (PART_OF_PHRASE * background.rarityOf(term)) / mean)
    }
    // Evidence is a mean over words, of which a phrase has several.
    return { terms: phrase, evidence: EVIDENCE * weight * phrase.length, pull: weight }
  })
  return { terms, phrases }
}

/** Rarer than its words, but no rarer than a rare word. */
function rarityOfPhrase(phrase: readonly TermId[], background: Background): number {
  const sum = phrase.reduce((all, term) => all + background.rarityOf(term), 0)
  return Math.min(sum, background.rarest)
}

/** Common words have rows too, so that a page's length is not taken for rarity. */
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

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length)
}
