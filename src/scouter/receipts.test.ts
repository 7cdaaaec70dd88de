import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { urlFor } from '../../test/contract/sample-page.ts'
import type { FrontierUpdate } from '../frontier/frontier.ts'
import type { Receipt } from '../wire/receipt.ts'
import { Acknowledger, ReceiptSettler, updateFrom } from './receipts.ts'

const [one, two, three] = [urlFor('a.test/1'), urlFor('a.test/2'), urlFor('a.test/3')]

test('what is settled is sent after the flush that came after it, and only then', async () => {
  const sent: string[][] = []
  const flushes: PromiseWithResolvers<void>[] = []
  const acknowledger = new Acknowledger({
    flush: () => {
      const flush = Promise.withResolvers<void>()
      flushes.push(flush)
      return flush.promise
    },
    send: (urls) => sent.push([...urls]),
    onError: () => assert.fail(),
  })
  acknowledger.add([one])
  acknowledger.add([two])
  const first = acknowledger.finish()
  await Promise.resolve()
  // This flush may have begun before it was settled.
  acknowledger.add([three])
  assert.deepEqual(sent, [])
  flushes[0]?.resolve()
  await first
  assert.deepEqual(sent, [[one, two]])
  const second = acknowledger.finish()
  await Promise.resolve()
  flushes[1]?.resolve()
  await second
  assert.deepEqual(sent, [[one, two], [three]])
})

test('a flush that fails tells nobody, and whoever waits hears why', async () => {
  const acknowledger = new Acknowledger({
    flush: () => Promise.reject(new Error('the disk is gone')),
    send: () => assert.fail('nothing is durable'),
    onError: () => assert.fail(),
  })
  acknowledger.add([one])
  await assert.rejects(acknowledger.finish(), /the disk is gone/)
})

function receiptOf(receipt: Partial<Receipt> = {}): Receipt {
  return {
    ...{ kind: 'page', id: 1, token: 7, outcome: 'stored', reason: '', likeness: 3 },
    ...{ judged: null, sitemaps: [], found: [] },
    ...receipt,
  }
}

function settler() {
  const batches: (readonly FrontierUpdate[])[] = []
  const acknowledged: string[] = []
  const receipts = new ReceiptSettler({
    frontier: {
      settle: async (updates) => {
        batches.push(updates)
        return updates.length
      },
      flush: async () => {},
    },
    acknowledge: (urls) => acknowledged.push(...urls),
    onSettled: () => {},
    onError: (error) => assert.fail(String(error)),
  })
  return { batches, acknowledged, receipts }
}

const found = { url: two, hash: { hi: 1, lo: 2 }, nofollow: false, signals: null }

test('each receipt is one update of the lease that it answers', () => {
  const lease = { kind: 'page', id: 1, token: 7, round: 0 } as const
  const durable = { ...lease, durable: true } as const
  const links = { found: [], judged: null }
  const cases: [Partial<Receipt>, FrontierUpdate][] = [
    [{}, { lease: durable, outcome: 'stored', likeness: 3, ...links }],
    [
      { outcome: 'duplicate', reason: one },
      { lease: durable, outcome: 'duplicate', of: one, ...links },
    ],
    [{ outcome: 'unchanged' }, { lease: durable, outcome: 'unchanged' }],
    [
      { outcome: 'refused', reason: 'noindex' },
      { lease, outcome: 'refused', reason: 'noindex', likeness: 3, ...links },
    ],
    [
      { outcome: 'failed', reason: 'parser-crash', gone: true },
      { lease, outcome: 'failed', reason: 'parser-crash', retryAt: null, gone: true },
    ],
    [
      { outcome: 'redirected', found: [found] },
      { lease, outcome: 'redirected', to: found },
    ],
    [{ outcome: 'over-limit' }, { lease, outcome: 'no-room' }],
    [{ outcome: 'lost' }, { lease, outcome: 'released' }],
  ]
  for (const [receipt, update] of cases) {
    assert.deepEqual(updateFrom(receiptOf(receipt)), update, receipt.outcome)
  }
})

test('a redirect without a target is a failure', () => {
  const { outcome } = updateFrom(receiptOf({ outcome: 'redirected' }))
  assert.equal(outcome, 'failed')
})

test('receipts that arrive together are settled together', async () => {
  const { batches, receipts } = settler()
  for (const id of [1, 2, 3]) receipts.add(receiptOf({ id }))
  assert.equal(batches.length, 0)
  await turn()
  assert.deepEqual(
    batches.map((batch) => batch.map(({ lease }) => lease.id)),
    [[1, 2, 3]],
  )
})

test('pages that arrive while sitemaps are settled do not wait for all of them', async () => {
  const { batches, receipts } = settler()
  for (const id of [1, 2]) receipts.add(receiptOf({ kind: 'sitemap', id, outcome: 'part' }))
  await turn()
  receipts.add(receiptOf({ id: 9 }))
  await turn()
  await turn()
  assert.deepEqual(
    batches.map((batch) => batch.map(({ lease }) => `${lease.kind} ${lease.id}`)),
    [['sitemap 1'], ['page 9'], ['sitemap 2']],
  )
})

test('the store is full until a page of it is gone', async () => {
  const { receipts } = settler()
  receipts.add(receiptOf({ outcome: 'over-limit' }))
  await receipts.settlePages()
  assert.equal(receipts.isStoreFull, true)
  receipts.add(receiptOf({ outcome: 'stored' }))
  await receipts.settlePages()
  assert.equal(receipts.isStoreFull, true)
  receipts.add(receiptOf({ outcome: 'failed', gone: true }))
  await receipts.settlePages()
  assert.equal(receipts.isStoreFull, false)
})

test('only receipts that the store keeps are acknowledged', async () => {
  const { acknowledged, receipts } = settler()
  receipts.add(receiptOf({ url: one }))
  receipts.add(receiptOf({ id: 2, url: two, outcome: 'refused' }))
  receipts.add(receiptOf({ id: 3, url: three, outcome: 'refused', gone: true }))
  await receipts.settlePages()
  await receipts.finish()
  assert.deepEqual(acknowledged, [one, three])
})

test('sitemaps that were not settled are given back, but not those that are still being read', () => {
  const { receipts } = settler()
  receipts.add(receiptOf({ kind: 'sitemap', id: 1, outcome: 'part' }))
  receipts.add(receiptOf({ kind: 'sitemap', id: 2, outcome: 'read' }))
  assert.deepEqual(
    receipts.giveBackSitemaps().map(({ id }) => id),
    [2],
  )
})
