import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problems } from '../options/bad-options.ts'
import { topicRequest } from '../options/topic-request.ts'
import { checkTopic, lookedFor, wantedLabels } from './topic-source.ts'

/** Nothing can be learnt from these: the texts contain no word. */
function problemsOf(texts: readonly string[], maxCharacters?: number): number {
  const problems = new Problems()
  const text = JSON.stringify({ positive: texts })
  const given = { examples: { file: 'examples', text }, classifier: null, stopWords: null }
  const request = topicRequest({ examples: 'examples' }, given, problems)
  assert.ok(request)
  checkTopic(request, problems, maxCharacters)
  return problems.all.length
}

test('examples that nothing can be learnt from are refused beforehand, unless there are too many to try', () => {
  const texts = ['- - - -', '+ + + +', '. . . .']
  assert.equal(problemsOf(texts), 1)
  assert.equal(problemsOf(texts, 21), 1)
  assert.equal(problemsOf(texts, 20), 0)
})

function told(chosen: Parameters<typeof topicRequest>[0], examples: string | null = null) {
  const problems = new Problems()
  const text = examples === null ? null : { file: 'examples', text: examples }
  const request = topicRequest(
    chosen,
    { examples: text, classifier: null, stopWords: null },
    problems,
  )
  assert.ok(request)
  return lookedFor(request)
}

test('what a topic in words looks for is reported with weights, and what it leaves out', () => {
  const { kind, stems, words, dropped, fetches } = told({ topic: 'vaksin dan sistem imun' })
  assert.deepEqual([kind, stems, dropped, fetches], ['words', 'id', ['dan'], 0])
  assert.deepEqual(
    words.map(({ stem, forms, weight }) => [stem, forms, weight]),
    [
      ['vaksin', ['vaksin'], 1],
      ['sistem', ['sistem'], 0.5],
      ['imun', ['imun'], 0.5],
    ],
  )
})

test('a topic that is a language is reported as one', () => {
  const { kind, languages, words } = told({ topic: 'Pages written in French' })
  assert.deepEqual([kind, languages, words], ['language', ['fr'], []])
})

test('of examples that are still to be fetched it is told how many', () => {
  const examples = JSON.stringify({ positive: ['http://a.test/1', 'http://a.test/2', 'a text'] })
  const { kind, fetches, words } = told({ examples: 'examples' }, examples)
  assert.deepEqual([kind, fetches, words], ['examples', 2, []])
})

const LABELS = ['health', 'science, technology', 'Sports']

test('a label is named in any case, several with commas between them', () => {
  assert.deepEqual(wantedLabels('HEALTH', LABELS, 'm'), ['health'])
  assert.deepEqual(wantedLabels('sports, health', LABELS, 'm'), ['Sports', 'health'])
  assert.deepEqual(wantedLabels('Science, Technology', LABELS, 'm'), ['science, technology'])
})

test('of several labels one must be named, and the message lists them', () => {
  assert.throws(
    () => wantedLabels('', LABELS, 'm.json'),
    /m.json tells these apart: health, science, technology, Sports; say which with --topic/,
  )
})

test('a label that the model does not have is answered with those it has', () => {
  const unknown = () => wantedLabels('health,cooking', LABELS, 'm.json')
  assert.throws(unknown, /not "cooking"; m.json has: health, /)
})

test('of a positive and a negative label the positive one is meant', () => {
  assert.deepEqual(wantedLabels('', ['negative', 'positive'], 'm'), ['positive'])
  assert.deepEqual(wantedLabels('', ['0', '1'], 'm'), ['1'])
  assert.deepEqual(wantedLabels('negative', ['negative', 'positive'], 'm'), ['negative'])
  assert.throws(() => wantedLabels('', ['cats', 'dogs'], 'm'), /cats, dogs/)
})

test('a ready topic looks for words of both languages', () => {
  const { kind, words } = told({ topicModel: ['health'] })
  assert.equal(kind, 'model')
  const stems = words.map(({ stem }) => stem)
  for (const stem of ['dokter', 'patient', 'vaccin']) assert.ok(stems.includes(stem), stem)
})
