import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cachedDataVersionTag } from 'node:v8'
import { ThreadFlags } from './work-flags.ts'

test('compiled code of a process without flags serves a thread until it is loaded', async () => {
  const usual = cachedDataVersionTag()
  const flags = new ThreadFlags()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = [flags.during(first.promise)]
  assert.equal(cachedDataVersionTag(), usual)
  first.resolve()
  await done[0]
  assert.notEqual(cachedDataVersionTag(), usual)
  done.push(flags.during(second.promise))
  assert.equal(cachedDataVersionTag(), usual)
  second.resolve()
  await done[1]
  assert.notEqual(cachedDataVersionTag(), usual)
})
