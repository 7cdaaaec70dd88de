import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom, shuffledNumbers } from '../lib/seeded-random.ts'
import { TermTable } from '../text/term-table.ts'
import { WordWeights } from './word-weights.ts'

const PAGES = 400
/** The initial weights count as much as this many pages. */
const PRIOR_PAGES = 20
const TERMS = [11, 12, 13]
const PULL = [1, 0.5, 0.25]
const RARITY = [6, 4, 2]
/** In how many of the pages a term is. */
const SHARES = [0.05, 0.3, 0.9]

/** No page has so much of the words that some of them make it hot without another. */
const FAR = 1000

function weightsOf(bias: number): WordWeights {
  const column = (values: readonly number[]) => Float32Array.from(values)
  const nothing = new Float32Array(TERMS.length)
  const columns = {
    ...{ terms: Int32Array.from(TERMS), evidence: nothing, centre: nothing, promise: nothing },
    ...{ rarity: column(RARITY), pull: column(PULL) },
  }
  return new WordWeights({ columns, phrases: [], bias })
}

function randomPages(seed: number): TermTable[] {
  const random = seededRandom(seed)
  return Array.from({ length: PAGES }, () => {
    const page = new TermTable()
    for (const [at, term] of TERMS.entries()) {
      if (random() < (SHARES[at] ?? 0)) page.set(term, 1 + Math.floor(random() * 5))
    }
    return page
  })
}

/** The weights from the document frequencies of all pages, counted at once. */
function batchWeights(pages: readonly TermTable[]): number[] {
  const rarities = TERMS.map((term, at) => {
    const having = pages.filter((page) => page.get(term) > 0).length
    const prior = Math.exp(1 - (RARITY[at] ?? 0))
    return 1 - Math.log((PRIOR_PAGES * prior + having) / (PRIOR_PAGES + pages.length))
  })
  const raw = rarities.map((rarity, at) => ((PULL[at] ?? 0) / (RARITY[at] ?? 1)) * rarity)
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)
  const scale = (sum(PULL) / sum(raw)) ** 0.75
  return raw.map((weight) => weight * scale)
}

test('what is learned page by page, in any order and in any steps, is what a batch computes at the end', () => {
  for (const seed of [1, 2, 3]) {
    const pages = randomPages(seed)
    const expected = batchWeights(pages)
    for (const every of [1, 7, PAGES]) {
      const weights = weightsOf(FAR)
      const order = shuffledNumbers(PAGES, seededRandom(seed + every))
      for (const [nth, at] of order.entries()) {
        const page = pages[at] ?? new TermTable()
        weights.learn(weights.pull(page, new Uint32Array()), 1)
        if ((nth + 1) % every === 0) weights.settle()
      }
      weights.settle()
      for (const [at, weight] of weights.weights.entries()) {
        assert.ok(Math.abs(weight - (expected[at] ?? 0)) < 1e-12, `seed ${seed}, word ${at}`)
      }
    }
  }
})

test('a page that other words make hot is not counted for a word, by the weights of that moment', () => {
  const weights = weightsOf(0.9)
  const page = new TermTable()
  for (const term of TERMS) page.set(term, 1)
  // The first word weighs 1: without it the others have 0.75, and with it more than 0.9.
  for (let nth = 0; nth < 50; nth++) weights.learn(weights.pull(page, new Uint32Array()), 1)
  weights.settle()
  const [first = 0, second = 0, third = 0] = weights.weights
  assert.ok(first / second < 2 && second / third > 0.99, `${first}, ${second}, ${third}`)
})
