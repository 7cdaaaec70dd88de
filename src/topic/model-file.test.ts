import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageText } from '../../test/support/topic-pages.ts'
import { InvalidInput } from '../core/errors.ts'
import { METHODS } from '../core/topic-text.ts'
import { buildTopic } from './build-topic.ts'
import { decodeModel, encodeModel } from './model-file.ts'
import { openTopic } from './open-topic.ts'
import { createTextReader } from './reading.ts'
import { tellingWords, wordsOf } from './term-words.ts'
import { shownIn } from './topic-record.ts'
import { classifierOf, countTexts, trainOnAll } from './train.ts'

const TEXTS = [
  { text: 'laut dan pantai', label: 'laut "biru"' },
  { text: 'kapal di laut', label: 'laut "biru"' },
  { text: 'nasi dan sayur', label: 'dapur' },
  { text: 'sayur di dapur', label: 'dapur' },
]
const trained = trainOnAll(countTexts(TEXTS, 'id'))
const words = wordsOf(
  trained.logisticRegression.knowledge.terms,
  TEXTS.map(({ text }) => text),
  trained.reading,
)
const wordOf = (term: number) => words.get(term) ?? null
const method = 'naive-bayes'
const FILE = encodeModel(trained, { method, accuracy: { 'naive-bayes': 0.5 }, wordOf })

test('a model judges the same after it was written and read', () => {
  const model = decodeModel(FILE, 'm.json')
  assert.deepEqual(model.reading, trained.reading)
  assert.equal(model.method, method)
  for (const method of METHODS) {
    const [before, after] = [classifierOf(trained, method), classifierOf(model, method)]
    assert.deepEqual(after.labels, before.labels)
    for (const text of ['laut', 'sayur nasi laut', 'entah', '']) {
      const counts = createTextReader(model.reading).count(text)
      const expected = before.probabilities(counts)
      for (const [label, share] of after.probabilities(counts).entries()) {
        assert.ok(Math.abs(share - expected[label]!) < 1e-3, `${method}: ${text}`)
      }
    }
  }
})

test('a model that was read is written as it was', () => {
  const again = { ...decodeModel(FILE, 'm.json'), prunedTerms: 0 }
  assert.equal(encodeModel(again, { method, accuracy: { 'naive-bayes': 0.5 }, wordOf }), FILE)
})

test('a topic of a model that was read shows the words that speak for it', () => {
  const model = { ...decodeModel(FILE, 'm.json'), wanted: ['dapur'] }
  const nothing = { words: '', keywords: [], positive: [], negative: [], language: '' }
  const { words: shown } = shownIn(buildTopic({ ...nothing, model }))
  assert.equal(shown[0]?.stem, 'sayur')
  assert.ok(!shown.some(({ stem }) => stem === 'laut'))
})

test('people can read the words in the file, one line each', () => {
  assert.match(FILE, /^\["laut",2,\[0,2\],\[-/m)
  assert.match(FILE, /"language": "id"/)
})

test('the words that tell a label are those of its texts, whole ones', () => {
  const { labels } = trained.naiveBayes
  const label = labels.indexOf('dapur')
  assert.equal(tellingWords(trained, words, { label, count: 1 })[0], 'sayur')
})

/** The file with the value at a path changed: `labels.0.texts`. */
function changed(path: string, value: unknown): string {
  const model = JSON.parse(FILE)
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  const place = keys.reduce((part, key) => part[key], model)
  place[last] = value
  return JSON.stringify(model)
}

test('the largest numbers that are taken still make a topic that judges', () => {
  const { labels, terms, naive_bayes: bayes, ...rest } = JSON.parse(FILE)
  for (const [method, input] of [
    ['logistic-regression', 'tf-idf'],
    ['naive-bayes', 'tf-idf'],
    ['naive-bayes', 'counts'],
  ]) {
    const sums = input === 'counts' ? [] : [[1e12, 0]]
    const text = JSON.stringify({
      ...rest,
      method,
      labels: labels.map(({ label }: { label: string }) => {
        return { label, texts: 2 ** 31 - 1, bias: 1e6, bayes_bias: 1e6 }
      }),
      naive_bayes: { ...bayes, input, smoothing: 1e-9, scale: 1e6 },
      terms: terms.map(([word]: [string]) => [word, 2 ** 31 - 1, [1e12, 0], [1e6, -1e6], ...sums]),
    })
    const model = { ...decodeModel(text, 'm.json'), wanted: ['dapur'] }
    const nothing = { words: '', keywords: [], positive: [], negative: [], language: '' }
    const kept = buildTopic({ ...nothing, model })
    const { relevance, evidence } = openTopic(kept, { hotThreshold: 0.5 }).judge(
      pageText({ text: 'laut dan sayur '.repeat(1000) }),
    )
    assert.ok(relevance >= 0 && relevance <= 1, `${method}: relevance ${relevance}`)
    assert.ok(Number.isFinite(evidence), `${method}: evidence ${evidence}`)
  }
})

test('a file of the first version is judged as it was then', () => {
  const model = decodeModel(
    JSON.stringify({
      format: 'jelajah-model',
      version: 1,
      reading: { language: '', stop_words: 'kept', word_parts: false },
      labels: [
        { label: 'china', texts: 3, bias: 0.5 },
        { label: 'japan', texts: 1, bias: 0 },
      ],
      smoothing: 1,
      accuracy: {},
      pruned_terms: 0,
      terms: [
        ['chinese', 4, [5, 1], [1, -1]],
        ['beijing', 1, [1, 0], [0, 0]],
        ['shanghai', 1, [1, 0], [0, 0]],
        ['macao', 1, [1, 0], [0, 0]],
        ['tokyo', 1, [0, 1], [-1, 1]],
        ['japan', 1, [0, 1], [-1, 1]],
      ],
    }),
    'm.json',
  )
  assert.equal(model.method, 'logistic-regression')
  const counts = createTextReader(model.reading).count('chinese chinese chinese tokyo japan')
  const forChina = (3 / 4) * (6 / 14) ** 3 * (1 / 14) ** 2
  const forJapan = (1 / 4) * (2 / 9) ** 5
  const [china = 0] = model.naiveBayes.probabilities(counts)
  assert.ok(Math.abs(china - forChina / (forChina + forJapan)) < 1e-12)
  const [regressed = 0] = model.logisticRegression.probabilities(
    createTextReader(model.reading).count('chinese'),
  )
  assert.ok(Math.abs(regressed - 1 / (1 + Math.exp(-2.5))) < 1e-12)
})

test('what is no such file is refused with the reason', () => {
  const { labels, terms } = JSON.parse(FILE)
  const cases: [text: string, says: RegExp][] = [
    ['', /not JSON/],
    [FILE.slice(0, -20), /not JSON/],
    ['[]', /damaged: not an object/],
    ['{}', /is not a model/],
    [changed('format', 'other'), /is not a model/],
    [changed('version', 3), /version 3, and this Jelajah reads versions 1 and 2/],
    [changed('version', undefined), /of version/],
    [changed('labels', null), /labels.*not a list/],
    [changed('labels', labels.slice(1)), /two or more/],
    [changed('labels.1', labels[0]), /twice/],
    [changed('labels.0.texts', 0), /labels\[0\].*out of range/],
    [changed('labels.0.bias', null), /labels\[0\].*number/],
    [changed('labels.0.texts', 1e300), /labels\[0\].*out of range/],
    [changed('labels.0.bias', -1e39), /labels\[0\].*out of range/],
    [changed('naive_bayes.smoothing', 0), /smoothing/],
    [changed('naive_bayes.smoothing', 1e308), /smoothing/],
    [changed('naive_bayes.smoothing', 5e-324), /smoothing/],
    [changed('method', 'guess'), /method.*naive-bayes, logistic-regression/],
    [changed('naive_bayes', null), /naive_bayes.*not an object/],
    [changed('naive_bayes.scale', -1), /scale.*out of range/],
    [changed('naive_bayes.input', 'words'), /input must be one of counts, tf-idf/],
    [changed('naive_bayes.described_by', 'nobody'), /described_by must be one of/],
    [changed('labels.0.bayes_bias', undefined), /labels\[0\].*number/],
    [changed('reading', []), /reading.*not an object/],
    [changed('reading.stop_words', 'some'), /stop_words/],
    [changed('reading.word_parts', 'some'), /word_parts/],
    [changed('reading.own_stop_words', 'some'), /own_stop_words.*list/],
    [changed('reading.language', 5), /language.*text/],
    [changed('terms', 'many'), /terms.*not a list/],
    [changed('terms.1', ['x']), /terms\[1\].*number/],
    [changed('terms.1', [...terms[1], 0]), /terms\[1\].*too many/],
    [changed('terms.1.1', 99), /more texts than all/],
    [changed('terms.1.2', [1]), /there must be 2 numbers/],
    [changed('terms.1.2.0', -1), /terms\[1\].*out of range/],
    [changed('terms.1.2.0', 1e308), /terms\[1\].*out of range/],
    [changed('terms.1.3.0', 1e39), /terms\[1\].*out of range/],
    [changed('terms.1.3.0', null), /terms\[1\].*number/],
    [changed('terms.1.0', terms[0][0]), /twice/],
    [FILE.replace(/\[-?[\d.]+,-?[\d.]+\]\]/, '[1e999,0]]'), /terms\[0\].*out of range/],
  ]
  for (const [text, says] of cases) {
    const refused = (error: unknown) => {
      assert.ok(error instanceof InvalidInput, String(error))
      assert.match(`${error.at}: ${error.message}`, says)
      return true
    }
    assert.throws(() => decodeModel(text, 'm.json'), refused, says.source)
  }
})

test("the user's own stop words are a part of the model, however texts are read", () => {
  const texts = ['gratis laut kapal', 'gratis gunung hutan'].flatMap((text, at) =>
    Array.from({ length: 8 }, (_, nth) => ({ text: `${text} yang ${nth}`, label: String(at) })),
  )
  const counted = countTexts(texts, 'id', ['Gratis'])
  for (const { rules } of counted.readings) {
    assert.equal(createTextReader(rules).count('gratis GRATIS').size, 0)
  }
  const encoded = encodeModel(trainOnAll(counted), {
    method,
    accuracy: {},
    wordOf: (term) => `t${term}`,
  })
  const { reading } = decodeModel(encoded, 'model')
  assert.deepEqual(reading.ownStopWords, ['Gratis'])
})
