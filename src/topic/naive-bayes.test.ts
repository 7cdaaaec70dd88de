import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashText } from '../text/hash-text.ts'
import { TermTable } from '../text/term-table.ts'
import { createExamples } from './examples.ts'
import { trainNaiveBayes } from './naive-bayes.ts'

function counts(text: string): TermTable {
  const table = new TermTable()
  for (const word of text.split(' ')) if (word !== '') table.add(hashText(word), 1)
  return table
}

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`)

// The textbook's: three texts about China, one about Japan.
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
  const bayes = trainNaiveBayes(EXAMPLES, 1)
  const [china = 0, japan = 0] = bayes.probabilities(counts('chinese chinese chinese tokyo japan'))
  // 3/4 · (6/14)³ · 1/14 · 1/14 against 1/4 · (2/9)³ · 2/9 · 2/9.
  const forChina = (3 / 4) * (6 / 14) ** 3 * (1 / 14) ** 2
  const forJapan = (1 / 4) * (2 / 9) ** 5
  near(china, forChina / (forChina + forJapan))
  near(japan, forJapan / (forChina + forJapan))
})

test('log-odds of terms are as computed by hand', () => {
  const bayes = trainNaiveBayes(EXAMPLES, 1)
  const chinese = Math.log(6 / 14 / (2 / 9))
  const tokyo = Math.log(1 / 14 / (2 / 9))
  near(bayes.logOdds(hashText('chinese')), chinese)
  near(bayes.logOdds(hashText('tokyo')), tokyo)
})

test('an unknown word says nothing', () => {
  const bayes = trainNaiveBayes(EXAMPLES, 1)
  const [known, mixed] = [counts('tokyo'), counts('tokyo seoul')]
  assert.equal(bayes.logOdds(hashText('seoul')), 0)
  assert.deepEqual(bayes.probabilities(mixed), bayes.probabilities(known))
})

test('a text without known words gets what is usual', () => {
  const [china = 0] = trainNaiveBayes(EXAMPLES, 1).probabilities(counts(''))
  near(china, 3 / 4)
})

test('without a smoothing one is chosen that suits the texts', () => {
  const { smoothing } = trainNaiveBayes(EXAMPLES).knowledge
  assert.ok(smoothing > 0 && smoothing <= 1)
})
