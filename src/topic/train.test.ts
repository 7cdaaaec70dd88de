import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTermReader } from '../../test/support/term-reader.ts'
import { METHODS } from '../core/topic-text.ts'
import { seededRandom } from '../lib/seeded-random.ts'
import { bestMethod, crossValidate } from './cross-validation.ts'
import { countTexts, trainOnAll } from './train.ts'

const WORDS: Readonly<Record<string, string>> = {
  sea: 'tide boat harbour wave sailor anchor salt fish island captain',
  kitchen: 'onion butter oven spoon recipe flour pepper boil plate salt',
  music: 'violin chord melody drum choir rhythm concert string tune captain',
}
const COMMON = 'the a of to and in it was that for with his on as at by'

/** Sentences in which about every third word says what they are about. */
function sentences(count: number, seed: number) {
  const random = seededRandom(seed)
  const pick = (list: string) => {
    const words = list.split(' ')
    return words[Math.floor(random() * words.length)] ?? ''
  }
  return Array.from({ length: count }, (_, at) => {
    const label = Object.keys(WORDS)[at % 3] ?? ''
    const words = Array.from({ length: 12 }, () =>
      pick(random() < 0.3 ? (WORDS[label] ?? '') : COMMON),
    )
    return { text: words.join(' '), label }
  })
}

test('cross-validation judges both methods on the same folds, and finds them good', () => {
  const results = crossValidate(countTexts(sentences(150, 1)), { folds: 5, seed: 1 })
  assert.deepEqual(
    results.map(({ method }) => method),
    [...METHODS],
  )
  for (const { accuracy, macroF1, pooled } of results) {
    assert.equal(pooled.texts, 150)
    assert.ok(accuracy.mean > 0.8 && macroF1.mean > 0.8, String(accuracy.mean))
    assert.ok(Math.abs(accuracy.mean - pooled.accuracy) < 1e-9, 'folds are of one size')
  }
})

test('the method with the higher accuracy judges, and logistic regression where both are equal', () => {
  const results = crossValidate(countTexts(sentences(30, 1)), { folds: 2, seed: 1 })
  const withAccuracies = (bayes: number, regression: number) =>
    results.map((one) => {
      const mean = one.method === 'naive-bayes' ? bayes : regression
      return { ...one, accuracy: { mean, deviation: 0 } }
    })
  assert.equal(bestMethod(withAccuracies(0.8, 0.7)), 'naive-bayes')
  assert.equal(bestMethod(withAccuracies(0.7, 0.8)), 'logistic-regression')
  assert.equal(bestMethod(withAccuracies(0.8, 0.8)), 'logistic-regression')
})

test('the same texts and seed give the same figures and weights, again and again', () => {
  const run = () => {
    const counted = countTexts(sentences(90, 2))
    const figures = crossValidate(counted, { folds: 3, seed: 7 })
    return { figures, weights: trainOnAll(counted).logisticRegression.knowledge.weights }
  }
  assert.deepEqual(run(), run())
})

test('folds are reported one by one, and there are never more than texts', () => {
  const told: string[] = []
  const onFold = (fold: number, folds: number) => told.push(`${fold}/${folds}`)
  crossValidate(countTexts(sentences(6, 3)), { folds: 50, seed: 1, onFold })
  assert.deepEqual(told, ['1/6', '2/6', '3/6', '4/6', '5/6', '6/6'])
})

test('the language is that of the texts, unless it is given', () => {
  const rulesOf = (language?: string) => countTexts(sentences(60, 4), language).readings[0].rules
  assert.equal(rulesOf().language, 'en')
  assert.equal(rulesOf('id').language, 'id')
  assert.deepEqual(rulesOf(''), { language: '', keepsStopWords: true, usesWordParts: false })
})

test('labels that only stop words tell apart are told apart', () => {
  const texts = Array.from({ length: 60 }, (_, at) => ({
    label: at % 2 === 0 ? 'you' : 'they',
    text: `${at % 2 === 0 ? 'you and your' : 'they and their'} boat number ${at >> 1}`,
  }))
  const counted = countTexts(texts, 'en')
  const { reading } = trainOnAll(counted)
  assert.equal(reading.keepsStopWords, true)
  const [, regression] = crossValidate(counted, { folds: 5, seed: 1 })
  assert.equal(regression?.accuracy.mean, 1)
})

test('texts that are all alike, or hold no words, do no harm', () => {
  const same = Array.from({ length: 12 }, (_, at) => ({ text: 'tide', label: String(at % 2) }))
  const none = Array.from({ length: 12 }, (_, at) => ({ text: '!?', label: String(at % 2) }))
  for (const texts of [same, none]) {
    const { naiveBayes, logisticRegression } = trainOnAll(countTexts(texts))
    const counts = createTermReader('').count('tide')
    for (const classifier of [naiveBayes, logisticRegression]) {
      const [first = 0, second = 0] = classifier.probabilities(counts)
      assert.ok(Math.abs(first - 0.5) < 1e-6 && Math.abs(second - 0.5) < 1e-6)
    }
  }
})
