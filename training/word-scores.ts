// What words speak for or against main content: words of classes and ids, and words of the text. A word
// counts once per site, so that no site's habits become a rule, and a word that few sites use is left out.

import {
  type LearnedWords,
  MAX_WORD_SCORE,
  type WordScores,
} from '../src/parser/features/block-features.ts'
import { wordHash } from '../src/parser/features/block-shapes.ts'
import { type LabelledPage, readPage } from './labelled-page.ts'

/** Sites a word has to be on. */
const MIN_HINT_SITES = 6
const MIN_LEXICON_SITES = 15
/** Scores nearer to nothing than this are left out, in sixteenths. */
const MIN_SCORE = 5
/** Longer blocks are told by their shape; only their words would bring noise. */
const MAX_BLOCK_WORDS = 30
/** What a word counts that nothing is known of, and how many sites that view is worth. */
const PRIOR = 0.35
const PRIOR_SITES = 4
const LETTERS = /^\p{L}{2,}$/u

type HintCounts = Map<number, Map<string, { right: number; all: number; fold: number }>>

export class WordCounts {
  readonly #hints: HintCounts = new Map()
  readonly #lexicon: HintCounts = new Map()

  /** Takes a page of a site that is in this fold. */
  add(page: LabelledPage, site: string, fold: number): void {
    if (page.metric === 'snippet') return
    this.#addText(page, site, fold)
    const { containers } = readPage(page.truth).reading.outline
    const right = runningTotal(page.words, (words, row) => words * (page.labels[row] ?? 0))
    const all = runningTotal(page.words, (words) => words)
    for (let row = 0; row < containers.count; row++) {
      const from = containers.blockFrom[row] ?? 0
      const to = containers.blockTo[row] ?? 0
      if (from === to) continue
      const words = containers.words.subarray(containers.wordFrom[row], containers.wordTo[row])
      for (const hash of new Set(words)) {
        const share = {
          right: (right[to] ?? 0) - (right[from] ?? 0),
          all: (all[to] ?? 0) - (all[from] ?? 0),
        }
        count(this.#hints, hash, site, fold, share)
      }
    }
  }

  /** What all folds but one say. */
  without(fold: number): LearnedWords {
    return {
      hints: scores(this.#hints, fold, MIN_HINT_SITES),
      lexicon: scores(this.#lexicon, fold, MIN_LEXICON_SITES),
    }
  }

  #addText({ texts, labels }: LabelledPage, site: string, fold: number): void {
    for (const [row, text] of texts.entries()) {
      const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
      if (words.length > MAX_BLOCK_WORDS) continue
      for (const word of new Set(words)) {
        if (!LETTERS.test(word)) continue
        count(this.#lexicon, wordHash(word), site, fold, { right: labels[row] ?? 0, all: 1 })
      }
    }
  }
}

function count(
  tally: HintCounts,
  hash: number,
  site: string,
  fold: number,
  share: { right: number; all: number },
): void {
  const sites = tally.get(hash) ?? new Map()
  tally.set(hash, sites)
  const known = sites.get(site)
  if (known === undefined) sites.set(site, { ...share, fold })
  else {
    known.right += share.right
    known.all += share.all
  }
}

function scores(tally: HintCounts, without: number, minSites: number): WordScores {
  const found = new Map<number, number>()
  for (const [hash, sites] of tally) {
    const shares = [...sites.values()]
      .filter(({ fold, all }) => fold !== without && all > 0)
      .map(({ right, all }) => right / all)
    if (shares.length < minSites) continue
    const sum = shares.reduce((total, share) => total + share, 0)
    const mean = (sum + PRIOR * PRIOR_SITES) / (shares.length + PRIOR_SITES)
    const odds = Math.log(mean / (1 - mean)) - Math.log(PRIOR / (1 - PRIOR))
    const score = Math.max(-MAX_WORD_SCORE, Math.min(MAX_WORD_SCORE, Math.round(16 * odds)))
    if (Math.abs(score) >= MIN_SCORE) found.set(hash, score)
  }
  return found
}

function runningTotal(
  words: Float32Array,
  of: (words: number, row: number) => number,
): Float64Array {
  const total = new Float64Array(words.length + 1)
  for (const [row, number] of words.entries()) total[row + 1] = (total[row] ?? 0) + of(number, row)
  return total
}
