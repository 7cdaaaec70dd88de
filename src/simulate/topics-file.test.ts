import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInput } from '../core/errors.ts'
import { readTopics } from './topics-file.ts'

function complaintAbout(file: string): string {
  try {
    readTopics(file, 't.json')
  } catch (error) {
    if (error instanceof InvalidInput) return `${error.at}: ${error.message}`
    throw error
  }
  return assert.fail('it was accepted')
}

test('a topic has words, keywords, seeds and examples under either name; the rest is left alone', () => {
  const file = JSON.stringify([
    {
      id: 'tea',
      name: 'Tea',
      description: ' All about tea ',
      keywords: ['tea', ' green tea '],
      corpus: 'x',
      seeds: ['http://A.test'],
      examples_pos: ['http://a.test/1#top'],
      negative: ['http://a.test/2'],
    },
    { name: 'Coffee', positive: ['http://a.test/3'] },
  ])
  const nothing = { description: '', keywords: [], seeds: [], positive: [], negative: [], bad: [] }
  assert.deepEqual(readTopics(`\ufeff${file}`, 't.json'), [
    {
      id: 'tea',
      description: 'All about tea',
      keywords: ['tea', 'green tea'],
      seeds: ['http://a.test/'],
      positive: ['http://a.test/1'],
      negative: ['http://a.test/2'],
      bad: [],
    },
    { ...nothing, id: 'Coffee', positive: ['http://a.test/3'] },
  ])
})

test('one object is one topic', () => {
  assert.equal(readTopics('{"id": "a", "keywords": ["b"]}', 't.json').length, 1)
})

const WRONG: readonly (readonly [file: string, says: RegExp])[] = [
  ['', /^--topics: t.json: is not valid JSON/],
  ['[', /is not valid JSON/],
  ['[]', /has no topic/],
  ['7', /topics\[0\]: needs an object, not 7/],
  ['[[]]', /topics\[0\]: needs an object, not \[\]/],
  ['[{"keywords": ["x"]}]', /topics\[0\]\.id: is missing/],
  ['[{"id": 5, "keywords": ["x"]}]', /topics\[0\]\.id: needs a text, not 5/],
  ['[{"id": "a", "keywords": "x"}]', /topics\[0\]\.keywords: needs an array of texts/],
  ['[{"id": "a", "keywords": ["x", 1]}]', /topics\[0\]\.keywords\[1\]: needs a text, not 1/],
  [
    '[{"id": "a", "keywords": ["x"]}, {"id": "a", "keywords": ["x"]}]',
    /topics\[1\]\.id: "a" is there twice/,
  ],
]

test('what is wrong is named with its place', () => {
  for (const [file, says] of WRONG) assert.match(complaintAbout(file), says, file)
})

test('what is no http or https URL is told apart from those that are, and stops nothing', () => {
  const file = '{"id": "a", "positive": ["http://a.test/1", "mailto:x", 7], "seeds": ["not one"]}'
  const [topic] = readTopics(file, 't.json')
  assert.deepEqual([topic?.positive, topic?.seeds], [['http://a.test/1'], []])
  assert.deepEqual(topic?.bad, [
    { field: 'seeds', given: 'not one' },
    { field: 'positive', given: 'mailto:x' },
    { field: 'positive', given: 7 },
  ])
})

test('of many wrong fields the first few are shown, and how many more there are', () => {
  const file = JSON.stringify({ id: 'a', keywords: ['x', 1, 2, 3, 4, 5, 6, 7] })
  const lines = complaintAbout(file).split('\n')
  assert.equal(lines.length, 6)
  assert.match(lines.at(-1)!, /^--topics: t.json: 2 more fields are wrong$/)
})
