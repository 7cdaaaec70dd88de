import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRig } from '../../test/support/api-rig.ts'

const ASKED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/crawl?limit=1000&after=foo&x=1': {
    limit: 'needs at most 100',
    after: 'needs an id such as crawl_1',
    x: 'there is no such field',
  },
  '/crawl?limit=1.5': { limit: 'needs a whole number' },
  '/search?limit=0&hot=maybe': {
    q: 'is missing',
    limit: 'needs at least 1',
    hot: 'is true or false',
  },
  '/events?after=x': { after: 'needs an id such as 12.345' },
}

test('what a schema finds is said in plain words', async () => {
  await using rig = await openRig()
  for (const [path, expected] of Object.entries(ASKED)) {
    const answer = await fetch(`${rig.url}${path}`)
    assert.equal(answer.status, 400, path)
    const { error } = (await answer.json()) as { error: { problems: Record<string, string>[] } }
    const said = Object.fromEntries(error.problems.map(({ at, message }) => [at, message]))
    assert.deepEqual(said, expected, path)
  }
})
