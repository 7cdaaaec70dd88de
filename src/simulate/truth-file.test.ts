import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallWorld } from '../../test/simulate/small-world.ts'
import { readTruth } from './truth-file.ts'

const WORLD = smallWorld({ 'a.test/1': [], 'a.test/2': [], 'a.test/3': [] })

test('each line marks one page for its topics; URLs that are no pages are only counted', () => {
  const file = `\ufeff{"url": "http://A.test/1", "topics": ["tea"]}\r
{"url": "http://a.test/3", "topics": ["tea", "milk"], "more": 1}

{"url": "http://a.test/2", "topics": []}
{"url": "http://elsewhere.test/", "topics": ["salt"]}
`
  const { lines, known, unknown, topics } = readTruth(file, 't', WORLD)
  assert.deepEqual([lines, known, unknown], [4, 3, ['http://elsewhere.test/']])
  const marks = [...topics.keys()].map((topic) => `${topic} ${topics.get(topic)?.join('')}`)
  assert.deepEqual(marks, ['tea 101', 'milk 001', 'salt 000'])
})

test('a file that names very many topics costs no more than its own size', () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `"t${at}"`)
  const file = `{"url": "http://a.test/1", "topics": [${names.join()}]}`
  // A mark for each page of each topic would take four terabytes.
  const large = { find: () => 7, pages: 200_000_000 }
  const { topics } = readTruth(file, 't', large)
  assert.equal(topics.size, names.length)
  assert.equal(topics.get('none'), undefined)
})

const WRONG: readonly (readonly [file: string, says: RegExp])[] = [
  ['', /t is empty/],
  ['\n \n', /t is empty/],
  ['{"url": "http://a.test/1", "topics": []}\n{"url"', /t line 2: is not valid JSON/],
  ['[]', /t line 1: needs a field "url"/],
  ['null', /needs a field "url"/],
  ['{"url": 1, "topics": []}', /needs a field "url"/],
  ['{"url": "x"}', /needs a field "topics"/],
  ['{"url": "x", "topics": "tea"}', /needs a field "topics"/],
  ['{"url": "x", "topics": [1]}', /has a topic that is not a text/],
]

test('what is wrong is named with its line', () => {
  for (const [file, says] of WRONG) assert.throws(() => readTruth(file, 't', WORLD), says, file)
})

test('after some wrong lines the rest is not read', () => {
  assert.throws(
    () => readTruth('x\n'.repeat(100), 't', WORLD),
    (error: Error) => {
      return error.message.split('\n').length === 5
    },
  )
})
