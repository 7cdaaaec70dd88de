import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NoAnswer, ServerWatch } from './postgres-pool.ts'

const QUICK = { everyMs: 5, slowMs: 10 }
const never = new Promise<never>(() => {})

test('an answer is handed on, and so is an error', async () => {
  const watch = new ServerWatch({ ...QUICK, ask: () => never })
  assert.equal(await watch.answer(Promise.resolve(1), 60_000), 1)
  await assert.rejects(watch.answer(Promise.reject(new Error('no')), 60_000), /^Error: no$/)
})

test('a server that answers nobody is not waited for past the deadline', async () => {
  for (const ask of [() => never, () => Promise.reject(new Error('refused'))]) {
    const watch = new ServerWatch({ ...QUICK, ask })
    await assert.rejects(watch.answer(never, 60), NoAnswer)
  }
})

test('a slow one that answers others is waited for', async () => {
  let asked = 0
  const slow = Promise.withResolvers<string>()
  const watch = new ServerWatch({
    ...QUICK,
    ask: async () => {
      asked += 1
      // Much longer than the deadline, by then.
      if (asked === 20) slow.resolve('late')
    },
  })
  assert.equal(await watch.answer(slow.promise, 60), 'late')
})

test('what was asked on connections that are gone is not waited for, though the server answers others', async () => {
  const watch = new ServerWatch({ ...QUICK, ask: async () => {} })
  const [gone, there] = [{}, {}]
  const slow = Promise.withResolvers<string>()
  const forgotten = watch.answer(never, 60_000, gone)
  const waited = watch.answer(slow.promise, 60_000, there)
  watch.giveUp(gone)
  await assert.rejects(forgotten, NoAnswer)
  slow.resolve('late')
  assert.equal(await waited, 'late')
})
