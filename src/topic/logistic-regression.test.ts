import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../lib/seeded-random.ts'
import { TermTable } from '../text/term-table.ts'
import { hashText } from '../text/text.ts'
import { trainCalibrated } from './choose-regression.ts'
import { createExamples, type Example, type Examples } from './examples.ts'
import { LinearClassifier, likeliest } from './linear-classifier.ts'
import {
  objectiveOf,
  startFromBayes,
  startFromNothing,
  trainLogisticRegression,
} from './train-logistic-regression.ts'

function counts(text: string): TermTable {
  const table = new TermTable()
  for (const word of text.split(' ')) if (word !== '') table.add(hashText(word), 1)
  return table
}

const two = (texts: [string, number][]) =>
  createExamples(
    ['yes', 'no'],
    texts.map(([text, label]) => ({ counts: counts(text), label })),
  )

const OPTIONS = { freedom: 4, balance: 0, tolerance: 1e-9 }

test('on one word per label the weights solve the equation of the optimum', () => {
  // By symmetry each word has weights w and -w, and the bias is 0. The slope is 0 where w / freedom = 1 / (1
  // + exp(2w)): one text of length 1 pulls with the remaining error.
  const examples = two([
    ['tea', 0],
    ['rust', 1],
  ])
  const { knowledge } = trainLogisticRegression(examples, startFromNothing(examples), OPTIONS)
  const [w = 0, minus = 0] = knowledge.weights
  assert.ok(Math.abs(w / OPTIONS.freedom - 1 / (1 + Math.exp(2 * w))) < 1e-6, String(w))
  assert.ok(Math.abs(w + minus) < 1e-6)
  assert.ok(Math.abs(knowledge.bias[0]!) < 1e-6)
})

test('at the result the ground is level, from either start', () => {
  const examples = two([
    ['tea tea milk', 0],
    ['tea leaf', 0],
    ['rust milk steel', 1],
    ['rust', 1],
    ['steel leaf', 1],
  ])
  for (const start of [startFromNothing(examples), startFromBayes(examples)]) {
    const { knowledge } = trainLogisticRegression(examples, start, OPTIONS)
    const away = knowledge.weights.map((weight, at) => weight - start.weights[at]!)
    const slope = new Float64Array(away.length + 2)
    objectiveOf(examples, start, OPTIONS)(Float64Array.from([...away, ...knowledge.bias]), slope)
    for (const steepness of slope) assert.ok(Math.abs(steepness) < 1e-7, String(slope))
  }
})

test('the slope is that of the loss, by differences', () => {
  const examples = createExamples(
    ['a', 'b', 'c'],
    [
      { counts: counts('one two two'), label: 0 },
      { counts: counts('two three'), label: 1 },
      { counts: counts('three four one'), label: 2 },
      { counts: counts('four'), label: 2 },
    ],
  )
  const random = seededRandom(2)
  const objective = objectiveOf(examples, startFromBayes(examples), { freedom: 2, balance: 0.5 })
  const at = Float64Array.from({ length: 15 }, () => random() - 0.5)
  const slope = new Float64Array(15)
  objective(at, slope)
  const ignored = new Float64Array(15)
  for (let index = 0; index < 15; index++) {
    const [up, down] = [at.slice(), at.slice()]
    up[index]! += 1e-5
    down[index]! -= 1e-5
    const difference = (objective(up, ignored) - objective(down, ignored)) / 2e-5
    assert.ok(Math.abs(difference - slope[index]!) < 1e-6, `${index}`)
  }
})

test('probabilities are those computed by hand', () => {
  const regression = new LinearClassifier({
    labels: ['yes', 'no'],
    texts: 3,
    terms: Int32Array.from([hashText('tea'), hashText('milk')]),
    textsWith: Int32Array.from([1, 3]),
    weights: Float64Array.from([2, -2, 0.5, 0]),
    bias: Float64Array.from([0.1, 0]),
    input: 'tf-idf',
  })
  // Rarity of tea: 1 + ln(4/2), of milk 1; two teas count 1 + ln 2.
  const [tea, milk] = [(1 + Math.log(2)) ** 2, 1]
  const length = Math.hypot(tea, milk)
  const [yes, no] = [(2 * tea + 0.5 * milk) / length + 0.1, (-2 * tea) / length]
  const [actual = 0] = regression.probabilities(counts('tea milk unknown tea'))
  assert.ok(Math.abs(actual - 1 / (1 + Math.exp(no - yes))) < 1e-12)
  const [usual = 0] = regression.probabilities(counts(''))
  assert.ok(Math.abs(usual - 1 / (1 + Math.exp(-0.1))) < 1e-12)
})

const plainly = (examples: Examples) => trainLogisticRegression(examples)

/** Pages of 600 words: some words of the topic among many that all pages share. */
function page(random: () => number, topical: number): TermTable {
  const table = new TermTable()
  for (let n = 0; n < 600; n++) {
    const own = random() < topical
    const word = own ? 100_000 + Math.floor(random() * 50) : 1 + Math.floor(random() ** 3 * 20_000)
    table.add(word, 1)
  }
  return table
}

test('twenty pages on topic and a hundred off it are enough', () => {
  const random = seededRandom(4)
  const examples: Example[] = []
  for (let n = 0; n < 20; n++) examples.push({ counts: page(random, 0.03), label: 0 })
  for (let n = 0; n < 100; n++) examples.push({ counts: page(random, 0.001), label: 1 })
  const regression = trainCalibrated(createExamples(['topic', 'rest'], examples), plainly)
  let right = 0
  for (let n = 0; n < 100; n++) {
    const label = n % 2
    const answer = regression.probabilities(page(random, label === 0 ? 0.03 : 0.001))
    if (likeliest(answer) === label) right++
    assert.ok(
      answer.every((share) => share > 1e-9 && share < 1 - 1e-9),
      'never certain',
    )
  }
  assert.ok(right >= 90, String(right))
})

test('a label of three texts among three hundred is still given', () => {
  const random = seededRandom(6)
  const examples = Array.from({ length: 303 }, (_, at) => ({
    counts: page(random, at < 3 ? 0.1 : 0.001),
    label: at < 3 ? 0 : 1,
  }))
  const regression = trainCalibrated(createExamples(['rare', 'common'], examples), plainly)
  assert.ok(regression.probabilities(page(random, 0.1))[0]! > 0.5)
  assert.ok(regression.probabilities(page(random, 0.001))[0]! < 0.5)
})
