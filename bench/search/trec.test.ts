import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJudgements, readTopics, writeJudgements, writeRun, writeTopics } from './trec.ts'

test('topics and judgements are read as they were written', () => {
  const topics = [
    { id: '1', text: 'cat or dog' },
    { id: 'q2', text: 'Jakarta' },
  ]
  assert.deepEqual(readTopics(writeTopics(topics)), topics)
  const judged = new Map([['1', new Map([['http://a.test/', 2]])]])
  assert.deepEqual(readJudgements(writeJudgements(judged)), judged)
})

test('files with other line ends, empty lines and tabs are read too', () => {
  assert.deepEqual(readTopics('1\ta b\r\n\r\n2\tc\td\r\n'), [
    { id: '1', text: 'a b' },
    { id: '2', text: 'c d' },
  ])
  assert.deepEqual(readJudgements('1\t0\tx\t-1\n'), new Map([['1', new Map([['x', -1]])]]))
})

test('a line of another form is named', () => {
  assert.throws(() => readTopics('1\ta\nno tab\n'), /line 2 of the topics/)
  assert.throws(() => readJudgements('1 0 x\n'), /line 1 of the judgements/)
})

test('scores of a run fall from place to place, also where they were equal', () => {
  const ranked = [
    { url: 'b', score: 1.5 },
    { url: 'a', score: 1.5 },
    { url: 'c', score: 0.25 },
  ]
  assert.deepEqual(writeRun('7', ranked, 'both').trim().split('\n'), [
    '7 Q0 b 1 1.500000 both',
    '7 Q0 a 2 1.499999 both',
    '7 Q0 c 3 0.250000 both',
  ])
})
