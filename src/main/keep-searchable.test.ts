import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DispatchListener } from '../crawl/dispatcher.ts'
import type { JobEvent } from '../store/job-journal.ts'
import { keepSearchable } from './keep-searchable.ts'

function world(behind: number[]) {
  const listeners: DispatchListener[] = []
  const calls = { made: 0 }
  const idle = Promise.withResolvers<void>()
  const dispatcher = {
    subscribe(listener: DispatchListener) {
      listeners.push(listener)
      return () => {
        listeners.length = 0
      }
    },
  }
  const reads = {
    async catchUp() {
      calls.made++
      const left = behind.shift() ?? 0
      if (behind.length === 0) idle.resolve()
      return { behind: left }
    },
  }
  const tell = (event: JobEvent) => {
    for (const { onEvent } of listeners) onEvent({ id: 1, crawlId: 1, at: 0, event })
  }
  return { dispatcher, reads, calls, idle: idle.promise, tell, log: assert.fail, listeners }
}

test('what an earlier server left is made searchable at once, to the end', async () => {
  const { calls, idle, ...searchable } = world([500, 200, 0])
  await using _kept = keepSearchable(searchable)
  await idle
  assert.equal(calls.made, 3)
})

test('an index that does not move is left alone', async () => {
  const { calls, idle, ...searchable } = world([500, 500, 0])
  const kept = keepSearchable(searchable)
  await Promise.race([idle, kept[Symbol.asyncDispose]()])
  assert.ok(calls.made <= 2)
})

test('a job that comes to rest is followed, one that begins is not, and nobody after the end', async () => {
  const { calls, idle, ...searchable } = world([0, 0])
  const kept = keepSearchable(searchable)
  searchable.tell({ type: 'status', status: 'running', note: '' })
  searchable.tell({ type: 'status', status: 'completed', note: '' })
  await idle
  await kept[Symbol.asyncDispose]()
  assert.equal(calls.made, 2)
  assert.equal(searchable.listeners.length, 0)
})
