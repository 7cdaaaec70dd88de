// A server that lost its last moment, and what sessions know that it has forgotten.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found, founds, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import { SharedCrawl } from '../../../test/contract/frontier/shared-crawl.ts'
import type { Lease, Settled } from '../frontier.ts'

/** A page of an earlier life, as a receipt tells of it. */
function durable({ id, url, depth }: Pick<Lease, 'id' | 'url' | 'depth'>): Settled {
  return { kind: 'page', id, token: null, url, depth }
}

for (const ordering of ['breadth-first', 'opic']) {
  test(`a durable page is settled by its URL, whoever has its id now (${ordering})`, async () => {
    await using crawl = await SharedCrawl.begin({ ordering })
    const frontier = await crawl.open()
    await frontier.add(founds('a.test/1', 'a.test/2'), 'seed')
    const other = { id: 1, url: urlOf('a.test/2'), depth: 0 }
    assert.equal(await frontier.settle([stored(durable(other), founds('a.test/3'))]), 1)
    const ledger = await crawl.ledger()
    assert.equal((await ledger.find(urlOf('a.test/1')))?.state, 'queued')
    assert.equal((await ledger.find(urlOf('a.test/2')))?.state, 'stored')
    assert.equal((await ledger.find(urlOf('a.test/3')))?.depth, 1)
  })

  test(`a durable page whose URL was forgotten is known again, with its links (${ordering})`, async () => {
    await using crawl = await SharedCrawl.begin({ ordering })
    const frontier = await crawl.open()
    await frontier.add(founds('a.test/1'), 'seed')
    const forgotten = { id: 1, url: urlOf('b.test/9'), depth: 4 }
    assert.equal(await frontier.settle([stored(durable(forgotten), [found('b.test/10')])]), 1)
    assert.equal(await frontier.settle([stored(durable(forgotten))]), 0)
    const ledger = await crawl.ledger()
    assert.equal((await ledger.find(urlOf('a.test/1')))?.state, 'queued')
    assert.equal((await ledger.find(urlOf('b.test/9')))?.state, 'stored')
    assert.equal((await ledger.find(urlOf('b.test/10')))?.depth, 5)
    assert.deepEqual([frontier.counts().stored, frontier.counts().queued], [1, 2])
  })
}

test('a page that is in the store is taken when its lease was lost', async () => {
  await using crawl = await SharedCrawl.begin()
  const frontier = await crawl.open()
  await frontier.add(founds('a.test/'), 'seed')
  const [lease] = await frontier.lease(1)
  const lost = { ...lease!, token: lease!.token + 1 }
  assert.equal(await frontier.settle([stored(lost)]), 0)
  assert.equal(await frontier.settle([stored({ ...lost, durable: true }, founds('a.test/1'))]), 1)
  assert.deepEqual([frontier.counts().stored, frontier.counts().leased], [1, 0])
  assert.equal(frontier.counts().queued, 1)
})
