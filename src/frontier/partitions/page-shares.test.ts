import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OwnersStage, SmallWeb } from '../../../test/support/owners-stage.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { PageShares, type PagesSeen } from './page-shares.ts'

const seen = (left: number, reservedByOthers = 0, now = 0): PagesSeen => {
  return { owners: ['a', 'b'], now, left, reservedByOthers }
}

test('while many pages are left, each program has an equal share of them', () => {
  const shares = new PageShares('a')
  shares.see(seen(1001), true)
  assert.deepEqual([shares.grant, shares.mustReserve, shares.reserved], [501, false, 0])
  shares.leased(1)
  assert.equal(shares.grant, 500)
})

test('a program that is alone has all', () => {
  const shares = new PageShares('a')
  shares.see({ ...seen(3), owners: ['a'] }, true)
  assert.deepEqual([shares.grant, shares.mustReserve], [Number.POSITIVE_INFINITY, false])
})

test('when few pages are left, nothing is leased before it was reserved', async () => {
  const shares = new PageShares('a')
  shares.see(seen(10), true)
  assert.deepEqual([shares.grant, shares.mustReserve], [0, true])
  await shares.reserve(async () => {
    assert.equal(shares.reserved, 5)
    return seen(10, 3)
  })
  assert.deepEqual([shares.grant, shares.reserved], [5, 5])
  shares.leased(2)
  // Others see all of it until they see the leases, too.
  assert.deepEqual([shares.grant, shares.reserved, shares.showsTooMany], [3, 5, true])
  shares.show()
  assert.deepEqual([shares.reserved, shares.showsTooMany], [3, false])
})

test('of two that reserve the same page both may get nothing, and ask again after a report', async () => {
  const shares = new PageShares('a')
  shares.see(seen(1), true)
  await shares.reserve(async () => seen(1, 1))
  assert.deepEqual([shares.grant, shares.showsTooMany, shares.mustReserve], [0, true, false])
  shares.see(seen(1), true)
  assert.equal(shares.mustReserve, true)
})

test('of the last pages, one that nothing can be leased for is given back', async () => {
  const shares = new PageShares('a')
  shares.see(seen(1), true)
  await shares.reserve(async () => seen(1))
  assert.equal(shares.reserved, 1)
  shares.leased(0)
  assert.deepEqual([shares.grant, shares.showsTooMany], [0, true])
  shares.show()
  assert.equal(shares.reserved, 0)
})

test('the last page goes round', () => {
  const turns = [0, 1500, 3000].map((now) => {
    const shares = new PageShares('a')
    shares.see(seen(1, 0, now), true)
    return shares.mustReserve
  })
  assert.deepEqual(turns, [true, false, true])
})

test('at a page limit hardly any page is requested that no longer fits', async () => {
  // Without reservations 60 of these 1,900 pages are requested in vain.
  let inVain = 0
  for (let seed = 1; seed <= 8; seed += 1) {
    const random = seededRandom(seed)
    const below = (limit: number): number => Math.floor(random() * limit)
    const sizes = Array.from({ length: 8 + below(40) }, () => 5 + Math.floor(random() ** 2 * 40))
    const web = new SmallWeb(sizes, () => 10 + below(200))
    const maxPages = 20 + below(0.8 * web.pages)
    const seeds = sizes.map((_, host) => host).filter(() => random() < 0.5)
    const stage = new OwnersStage({ web, seeds, partitions: 16, settings: { maxPages } })
    await stage.beginTogether(2 + below(5), 4)
    await stage.end()
    assert.equal(stage.store.pages.size, Math.min(maxPages, web.pages), `seed ${seed}`)
    inVain += stage.refusedAtEnd
  }
  assert.ok(inVain <= 2, `${inVain}`)
})
