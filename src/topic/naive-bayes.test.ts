import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../lib/seeded-random.ts'
import { TermTable } from '../text/term-table.ts'
import { hashText } from '../text/text.ts'
import { createExamples, type Example } from './examples.ts'
import { likeliest } from './linear-classifier.ts'
import { NaiveBayes } from './naive-bayes.ts'
import { termLogOdds, trainNaiveBayes, trainTextbookBayes } from './train-naive-bayes.ts'

function counts(text: string): TermTable {
  const table = new TermTable()
  for (const word of text.split(' ')) if (word !== '') table.add(hashText(word), 1)
  return table
}

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`)

// The textbook's example: three texts about China, one about Japan.
const EXAMPLES = createExamples(
  ['china', 'japan'],
  [
    { counts: counts('chinese beijing chinese'), label: 0 },
    { counts: counts('chinese chinese shanghai'), label: 0 },
    { counts: counts('chinese macao'), label: 0 },
    { counts: counts('tokyo japan chinese'), label: 1 },
  ],
)

test('probabilities are those computed by hand, with Laplace smoothing', () => {
  const bayes = trainTextbookBayes(EXAMPLES, 1)
  const [china = 0, japan = 0] = bayes.probabilities(counts('chinese chinese chinese tokyo japan'))
  // 3/4 · (6/14)³ · 1/14 · 1/14 against 1/4 · (2/9)³ · 2/9 · 2/9.
  const forChina = (3 / 4) * (6 / 14) ** 3 * (1 / 14) ** 2
  const forJapan = (1 / 4) * (2 / 9) ** 5
  near(china, forChina / (forChina + forJapan))
  near(japan, forJapan / (forChina + forJapan))
})

test('complement Naive Bayes asks how unlikely a text is in the texts of all other labels', () => {
  const { knowledge } = trainTextbookBayes(EXAMPLES, 1)
  const bias = new Float64Array(2)
  const bayes = new NaiveBayes({ ...knowledge, kind: 'complement', bias })
  const [china = 0] = bayes.probabilities(counts('chinese tokyo'))
  // China: words that Japan's texts lack, 2/9 · 2/9; Japan: words that China's lack, 6/14 · 1/14.
  const forChina = 1 / ((2 / 9) * (2 / 9))
  const forJapan = 1 / ((6 / 14) * (1 / 14))
  near(china, forChina / (forChina + forJapan))
})

test('log-odds of terms are as computed by hand', () => {
  const odds = termLogOdds(EXAMPLES, 1)
  near(odds.get(hashText('chinese')), Math.log(6 / 14 / (2 / 9)))
  near(odds.get(hashText('tokyo')), Math.log(1 / 14 / (2 / 9)))
})

test('an unknown word says nothing', () => {
  const [known, mixed] = [counts('tokyo'), counts('tokyo seoul')]
  for (const bayes of [trainTextbookBayes(EXAMPLES, 1), trainNaiveBayes(EXAMPLES)]) {
    assert.deepEqual(bayes.probabilities(mixed), bayes.probabilities(known))
  }
})

test('a text without known words gets what is usual', () => {
  const [china = 0] = trainTextbookBayes(EXAMPLES, 1).probabilities(counts(''))
  near(china, 3 / 4)
})

/** Texts of 30 words, about every fifth of them the label's own; labels of very unequal size. */
function unequalTexts(random: () => number, sizes: readonly number[]): Example[] {
  return sizes.flatMap((size, label) =>
    Array.from({ length: size }, () => {
      const table = new TermTable()
      for (let n = 0; n < 30; n++) {
        const own = random() < 0.2
        table.add(1 + Math.floor(random() * (own ? 60 : 400)) + (own ? 1000 * (label + 1) : 0), 1)
      }
      return { counts: table, label }
    }),
  )
}

test('its probabilities are right about as often as they say, also with labels of unequal size', () => {
  const random = seededRandom(3)
  const labels = ['rare', 'common', 'usual']
  const bayes = trainNaiveBayes(createExamples(labels, unequalTexts(random, [12, 150, 60])))
  let [right, expected] = [0, 0]
  const judged = unequalTexts(random, [24, 300, 120])
  for (const { counts, label } of judged) {
    const answer = bayes.probabilities(counts)
    if (likeliest(answer) === label) right++
    expected += Math.max(...answer)
  }
  assert.ok(right / judged.length > 0.9, `${right} of ${judged.length}`)
  assert.ok(Math.abs(expected - right) / judged.length < 0.05, `${expected} for ${right}`)
})

test('where labels are of unequal size the complement is chosen, and a rare label is still found', () => {
  const random = seededRandom(5)
  const bayes = trainNaiveBayes(createExamples(['a', 'b'], unequalTexts(random, [8, 200])))
  const found = unequalTexts(random, [50, 0]).filter(
    ({ counts }) => likeliest(bayes.probabilities(counts)) === 0,
  )
  assert.ok(found.length >= 40, String(found.length))
})
