import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problems } from '../request/bad-options.ts'
import { topicRequest } from '../request/topic-request.ts'
import { checkTopic } from './topic-source.ts'

/** Nothing can be learnt from these: no text has a word in it. */
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
