// The probability that a page is on topic, by the kind of its topic, from the sums over its words.
import { type DetectedLanguage, detectLanguage } from '../text/language.ts'
import type { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'
import { LinearClassifier } from './linear-classifier.ts'
import { headOf, startOf } from './page-words.ts'
import { createTextReader } from './reading.ts'
import type { Sums } from './term-rows.ts'
import type { PageText } from './topic.ts'
import type { KeptModel, KeptPhrase } from './topic-record.ts'

export type Likelihood = {
  /** 0 to 1. */
  readonly relevance: number
  /** Mean log-odds per word, or an approximation. */
  readonly evidence: number
  readonly promise?: number
}

/** By logistic regression over examples; evidence is the mean over the words. */
export function byExamples(
  sums: Sums,
  { bias, promiseBias }: { readonly bias: number; readonly promiseBias: number },
): Likelihood {
  const length = sums.knownSquares === 0 ? 1 : Math.sqrt(sums.knownSquares)
  return {
    relevance: sigmoid(sums.pull / length + bias),
    evidence: meanEvidence(sums),
    promise: sigmoid(sums.promise / length + promiseBias),
  }
}

/**
 * How strongly likeness decides whether a page is on topic, and whether it is near; chosen on replayed
 * crawls.
 */
const LIKENESS_STEEPNESS = 6
const NEARNESS_STEEPNESS = 3
/** The likeness of a page that shares no word with the topic. */
const NO_LIKENESS = 0.005

/** By likeness to the pages on topic, for topics without pages off topic. */
export function byLikeness(sums: Sums, likeness: number, usual: number): Likelihood {
  const odds = Math.log((likeness + NO_LIKENESS) / usual)
  return {
    relevance: sigmoid(LIKENESS_STEEPNESS * odds),
    evidence: meanEvidence(sums),
    promise: sigmoid(NEARNESS_STEEPNESS * odds),
  }
}

/** Added to a page's length: three words are not a page, however well chosen. */
const SHORT_PAGE = 30
/** The strength of a page that has none of the words. */
const NO_STRENGTH = 0.01
/** How strongly strength decides, and its worth as evidence; chosen on development crawls. */
const STEEPNESS = 3
const EVIDENCE_OF_STRENGTH = 0.5
/** A few words judge poorly: a crawl that learns from them gives every page the benefit of the doubt. */
const DOUBT = 0.5

type SpokenWords = {
  readonly phrases: readonly KeptPhrase[]
  readonly phraseCounts: Uint32Array
  /** The pull that the title adds. */
  readonly titlePull: number
}

/** By how strongly the page uses the topic's words; see from-words.ts. */
export function byWords(
  sums: Sums,
  { phrases, phraseCounts, titlePull }: SpokenWords,
  usual: number,
): Likelihood {
  let pull = sums.rootPull + titlePull
  for (const [at, phrase] of phrases.entries()) {
    pull += phrase.pull * Math.sqrt(phraseCounts[at] ?? 0)
  }
  const odds = oddsOf(pull / reachOf(sums.words), usual)
  return {
    relevance: sigmoid(STEEPNESS * odds),
    // A page without the words is no evidence against its links: portals link to topics that they do not
    // mention.
    evidence:
      EVIDENCE_OF_STRENGTH * Math.max(0, odds) + (sums.roots === 0 ? 0 : sums.promise / sums.roots),
    promise: sigmoid(odds + DOUBT),
  }
}

/** Strength is measured relative to this: the root of a page's length. */
export function reachOf(words: number): number {
  return Math.sqrt(words + SHORT_PAGE)
}

/** The probability that a page of this strength is on topic. */
export function relevanceOfStrength(strength: number, usual: number): number {
  return sigmoid(STEEPNESS * oddsOf(strength, usual))
}

function oddsOf(strength: number, usual: number): number {
  return Math.log((strength + NO_STRENGTH) / usual)
}

/** Words of a title count this many times more: the title says what the page is about. */
const TITLE_TIMES = 4

/** The pull that the words of a title add to the sum, each word once. */
export function titlePullOf(
  title: readonly TermId[],
  counts: TermTable,
  pullOf: (term: TermId) => number,
): number {
  let sum = 0
  for (let at = 0; at < title.length; at++) {
    const term = title[at] ?? 0
    const pull = pullOf(term)
    if (pull === 0 || title.indexOf(term) < at) continue
    const count = counts.get(term)
    sum += pull * (Math.sqrt(count + TITLE_TIMES) - Math.sqrt(count))
  }
  return sum
}

/** The relevance of a page whose language is unclear: too low to be hot. */
const UNCLEAR = 0.3

/** By the language of the page. */
export function byLanguage(
  sums: Sums,
  { title, description, text }: PageText,
  languages: readonly string[],
): Likelihood {
  const detected = detectLanguage(`${headOf(title)}\n${headOf(description)}\n${startOf(text)}`)
  const relevance = relevanceOf(detected, languages)
  return { relevance, evidence: meanEvidence(sums), promise: relevance }
}

function relevanceOf(
  { language, confidence }: DetectedLanguage,
  languages: readonly string[],
): number {
  if (language === '') return UNCLEAR
  return languages.includes(language) ? 0.5 + confidence / 2 : 0.5 - confidence / 2
}

export function meanEvidence({ evidence, roots }: Sums): number {
  return roots === 0 ? 0 : evidence / roots
}

/** By a trained model, which reads texts by its own rules. */
export class ModelJudge {
  readonly #classifier: LinearClassifier
  readonly #wanted: readonly number[]
  /** Null if the model reads words as the topic does. */
  readonly #count: ((page: PageText) => TermTable) | null

  constructor(model: KeptModel) {
    this.#classifier = new LinearClassifier({
      ...model,
      weights: Float64Array.from(model.weights),
      bias: Float64Array.from(model.bias),
    })
    this.#wanted = model.wanted
    this.#count = model.usesWordParts ? createCounter(model) : null
  }

  /** `counts` are those of title, description and text. */
  relevance(page: PageText, counts: TermTable): number {
    const shares = this.#classifier.probabilities(this.#count?.(page) ?? counts)
    return this.#wanted.reduce((sum, label) => sum + (shares[label] ?? 0), 0)
  }
}

function createCounter(model: KeptModel): (page: PageText) => TermTable {
  const reader = createTextReader(model)
  return ({ title, description, text }) => {
    const counts = reader.count(headOf(title))
    reader.count(headOf(description), counts)
    return reader.count(startOf(text), counts)
  }
}

function sigmoid(odds: number): number {
  return 1 / (1 + Math.exp(-odds))
}
