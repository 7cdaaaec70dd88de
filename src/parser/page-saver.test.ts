import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sample } from '../../test/contract/sample-page.ts'
import type { PageStore } from '../store/page-store.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { PageSaver } from './page-saver.ts'

test('pages that nobody waits for are saved together, a moment later', async (t) => {
  const { saver, batches, pass } = open(t)
  for (let id = 1; id <= 5; id++) add(saver, id)
  await settled()
  assert.deepEqual(batches, [])
  pass(100)
  await settled()
  assert.deepEqual(batches, [[1, 2, 3, 4, 5]])
})

test('a page that the scouter waits for is saved at once, and takes the others along', async (t) => {
  const { saver, batches } = open(t)
  add(saver, 1)
  add(saver, 2, { isAwaited: true })
  await settled()
  assert.deepEqual(batches, [[1, 2]])
})

test('a page that the scouter waits for waits only for what is being parsed', async (t) => {
  const { saver, batches, world } = open(t)
  world.isIdle = false
  add(saver, 1, { isAwaited: true })
  await settled()
  assert.deepEqual(batches, [])
  world.isIdle = true
  saver.flushIfDue()
  await settled()
  assert.deepEqual(batches, [[1]])
})

test('a batch that is full does not wait', async (t) => {
  const { saver, batches } = open(t)
  for (let id = 1; id <= 64; id++) add(saver, id)
  await settled()
  assert.equal(batches[0]?.length, 64)
})

test('all that was added is saved when it is drained', async (t) => {
  const { saver, batches } = open(t)
  for (let id = 1; id <= 130; id++) add(saver, id)
  await saver.drained()
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [64, 64, 2],
  )
})

function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const batches: number[][] = []
  const world = { isIdle: true }
  const store: PageStore = {
    save: async (batch) => batch.map(({ urlId }) => ({ outcome: 'stored', id: urlId })),
    undelivered: async () => [],
    acknowledge: () => {},
    inherit: () => {},
    count: async () => 0,
    [Symbol.asyncDispose]: async () => {},
  }
  const saver = new PageSaver({
    ...{
      store,
      storeIsShared: false,
      isIdle: () => world.isIdle,
      onBroken: (error) => assert.ifError(error),
    },
    onSaved: (pages) => batches.push(pages.map(({ head }) => head.id)),
  })
  return { saver, batches, world, pass: (ms: number) => t.mock.timers.tick(ms) }
}

function add(saver: PageSaver, id: number, more: Pick<HandoverHead, 'isAwaited'> = {}): void {
  const { page } = sample(`a.test/${id}`)
  const sent = { contentType: 'text/html', contentEncoding: '', robotsTag: [], etag: '' }
  const fetched = { lastModified: '', fetchedAt: 0, fetchMs: 0, truncated: false, status: 200 }
  const lease = { kind: 'page', id, token: 1, url: page.fields.url, depth: 0 } as const
  const found = { foundBlock: new Uint8Array(0), likeness: 0, judged: null }
  saver.add({ ...lease, ...sent, ...fetched, ...more }, { outcome: 'page', page, ...found })
}

/** Resolves when everything that waits only for promises is done. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
