// What a frontier promises of a crawl that is gone over again.
import assert from 'node:assert/strict'
import type { FrontierUpdate, Lease } from '../../../src/frontier/frontier.ts'
import type { PageToRevisit } from '../../../src/frontier/recrawls.ts'
import { found, founds, type Promises, type Rig, refused, shortOf, stored, urlOf } from './rig.ts'

function page(short: string, more: Partial<PageToRevisit> = {}): PageToRevisit {
  const known = { etag: `"${short}"`, lastModified: 'Tue', contentHash: 'hash', priority: 0.5 }
  return { url: urlOf(short), ...known, ...more }
}

function unchanged(lease: FrontierUpdate['lease']): FrontierUpdate {
  return { lease, outcome: 'unchanged' }
}

function failed(lease: FrontierUpdate['lease'], reason = 'http-404', gone?: true): FrontierUpdate {
  return { lease, outcome: 'failed', reason, retryAt: null, ...(gone ? { gone } : {}) }
}

/** Stores these pages of a crawl, and that is all there is. */
async function crawled(rig: Rig, ...pages: readonly string[]): Promise<void> {
  await rig.seed(...pages)
  for (const _ of pages) await rig.store()
}

/** Visits all that can be visited now or later. */
async function visitAll(rig: Rig, settle: (lease: Lease) => FrontierUpdate): Promise<string[]> {
  const visited: string[] = []
  while (rig.frontier.status().readyAt !== null) {
    const lease = await rig.visitNext()
    visited.push(shortOf(lease.url))
    assert.equal(await rig.frontier.settle([settle(lease)]), 1)
  }
  return visited
}

export function roundsContract(promise: Promises): void {
  promise('a round visits stored pages again, with what is known of them', async (rig) => {
    await crawled(rig, 'a.test/1', 'b.test/2')
    assert.equal(rig.frontier.status().readyAt, null)
    await rig.round([page('a.test/1'), page('b.test/2', { etag: '', lastModified: '' })])
    assert.equal(rig.frontier.status().revisits, 2)
    const leases = [await rig.visitNext(), await rig.visitNext()]
    const known = new Map(leases.map(({ url, revisit }) => [shortOf(url), revisit]))
    assert.deepEqual(known.get('a.test/1'), {
      ...{ stored: true, etag: '"a.test/1"', lastModified: 'Tue', contentHash: 'hash' },
    })
    assert.equal(known.get('b.test/2')?.etag, '')
    assert.deepEqual(await rig.frontier.lease(5), [])
    const { revisits, revisiting, unsettled } = rig.frontier.status()
    assert.deepEqual([revisits, revisiting, unsettled], [0, 2, 2])
    assert.equal(await rig.frontier.settle(leases.map(unchanged)), 2)
    assert.equal(rig.frontier.status().readyAt, null)
    assert.equal(rig.frontier.status().revisiting, 0)
  })

  promise('a URL keeps its state until its visit has come to something', async (rig) => {
    await crawled(rig, 'a.test/1', 'a.test/2', 'a.test/3')
    const [before, counts] = [await rig.states(), rig.frontier.counts()]
    await rig.round([page('a.test/1'), page('a.test/2'), page('a.test/3')])
    assert.deepEqual(await rig.states(), before)
    const lease = await rig.visitNext()
    assert.deepEqual([await rig.states(), rig.frontier.counts()], [before, counts])
    await rig.frontier.settle([unchanged(lease)])
    await rig.crash()
    assert.deepEqual([await rig.states(), rig.frontier.counts()], [before, counts])
    assert.equal(rig.frontier.status().revisits, 2)
    assert.deepEqual(await visitAll(rig, unchanged), ['a.test/2', 'a.test/3'])
  })

  promise('a reader is told how many pages a round has still to visit', async (rig) => {
    await crawled(rig, 'a.test/1', 'a.test/2', 'a.test/3')
    const left = async (round: number) => {
      await rig.crash()
      await using urlStates = await rig.fixture.urlStates(rig.job)
      return urlStates.pagesToRevisit(round)
    }
    assert.equal(await left(1), null)
    await rig.round([page('a.test/1'), page('a.test/2')])
    assert.deepEqual([await left(1), await left(2)], [2, null])
    await rig.frontier.settle([unchanged(await rig.visitNext())])
    assert.equal(await left(1), 1)
  })

  promise('what was under way is visited again after a crash, or a restart', async (rig) => {
    await crawled(rig, 'a.test/1')
    await rig.round([page('a.test/1')])
    await rig.visitNext()
    await rig.crash()
    const lease = await rig.visitNext()
    assert.equal(lease.tries, 1)
    await rig.restart()
    assert.equal(await rig.frontier.settle([unchanged(lease)]), 0)
    assert.deepEqual(await visitAll(rig, unchanged), ['a.test/1'])
  })

  promise('of a host the likeliest go first', async (rig) => {
    await crawled(rig, 'a.test/1', 'a.test/2', 'a.test/3')
    await rig.round([
      page('a.test/1', { priority: 0.1 }),
      page('a.test/2', { priority: 0.9 }),
      page('a.test/3', { priority: 0.5 }),
    ])
    assert.deepEqual(await visitAll(rig, unchanged), ['a.test/2', 'a.test/3', 'a.test/1'])
  })

  promise('a page that is gone has the state its URL came to', async (rig) => {
    await crawled(rig, 'a.test/1', 'b.test/2', 'c.test/3')
    await rig.round([page('a.test/1'), page('b.test/2'), page('c.test/3')])
    const to = found('d.test/4')
    await visitAll(rig, (lease) => {
      if (lease.host === 'a.test') return failed(lease, 'http-404', true)
      if (lease.host === 'b.test') return { ...refused(lease, 'type: image/png'), gone: true }
      return lease.host === 'c.test'
        ? { lease, outcome: 'redirected', to, gone: true }
        : stored(lease)
    })
    assert.deepEqual(await rig.states(), {
      'a.test/1': 'failed: http-404',
      'b.test/2': 'refused: type: image/png',
      'c.test/3': 'redirected: http://d.test/4',
      'd.test/4': 'stored',
    })
    assert.equal(rig.frontier.counts().stored, 1)
    const stored1 = rig.frontier.hosts(9).map(({ host, stored }) => [host, stored])
    assert.deepEqual(Object.fromEntries(stored1), {
      ...{ 'a.test': 0, 'b.test': 0, 'c.test': 0, 'd.test': 1 },
    })
  })

  promise('without news of a page it stays stored, and the reason tells', async (rig) => {
    await crawled(rig, 'a.test/1', 'b.test/2', 'c.test/3')
    await rig.round([page('a.test/1'), page('b.test/2'), page('c.test/3')])
    await visitAll(rig, (lease) => {
      if (lease.host === 'a.test') return failed(lease, 'http-503')
      if (lease.host === 'b.test') return refused(lease, 'robots')
      return { lease, outcome: 'redirected', to: found('c.test/3') }
    })
    const kept = {
      'a.test/1': 'stored: not-refreshed: http-503',
      'b.test/2': 'stored: not-refreshed: robots',
      'c.test/3': 'stored: not-refreshed: redirect-loop: http://c.test/3',
    }
    assert.deepEqual(await rig.states(), kept)
    assert.equal(rig.frontier.counts().stored, 3)
    await rig.round([page('a.test/1')], { round: 2, onlyPages: true })
    await visitAll(rig, unchanged)
    assert.deepEqual(await rig.states(), { ...kept, 'a.test/1': 'stored' })
  })

  promise('a try that failed for now is made again, after a crash too', async (rig) => {
    await crawled(rig, 'a.test/1')
    await rig.round([page('a.test/1')])
    const lease = await rig.visitNext()
    const retryAt = rig.clock.now() + 60_000
    await rig.frontier.settle([{ lease, outcome: 'failed', reason: 'http-503', retryAt }])
    assert.deepEqual(await rig.states(), { 'a.test/1': 'stored' })
    await rig.crash()
    assert.equal(rig.frontier.status().revisits, 1)
    assert.equal(rig.frontier.status().readyAt, retryAt)
    rig.wait()
    const again = await rig.visit()
    assert.deepEqual([again.tries, again.revisit?.etag], [2, '"a.test/1"'])
    await rig.frontier.settle([{ lease: again, outcome: 'released' }])
    assert.equal((await rig.visitNext()).tries, 2)
  })

  promise('links of a page that is visited again are found, and new ones fetched', async (rig) => {
    await crawled(rig, 'a.test/1', 'a.test/2')
    await rig.round([page('a.test/1'), page('a.test/2')])
    const visited = await visitAll(rig, (lease) =>
      stored(lease, lease.url.endsWith('/1') ? founds('a.test/2', 'a.test/new') : []),
    )
    // They take turns, so that what is new does not wait for all that is old.
    assert.deepEqual(visited, ['a.test/1', 'a.test/new', 'a.test/2'])
    assert.equal(rig.frontier.counts().stored, 3)
    assert.equal(rig.frontier.hosts(1)[0]?.stored, 3)
  })

  promise('what led to no page is asked for again, after the pages', async (rig) => {
    await rig.seed('a.test/1', 'a.test/2', 'a.test/3', 'a.test/4')
    await rig.store()
    await rig.frontier.settle([failed(await rig.visitNext())])
    const lease = await rig.visitNext()
    await rig.frontier.settle([{ lease, outcome: 'redirected', to: found('a.test/1') }])
    await rig.frontier.settle([refused(await rig.visitNext(), 'type')])
    await rig.round([page('a.test/1')])
    const again = await rig.visitNext()
    await rig.frontier.settle([unchanged(again)])
    const next = await rig.visitNext()
    const nothing = { stored: false, etag: '', lastModified: '', contentHash: '' }
    assert.deepEqual([shortOf(next.url), next.revisit], ['a.test/2', nothing])
    assert.equal((await rig.record('a.test/2')).state, 'failed')
    await rig.frontier.settle([stored(next)])
    await rig.frontier.settle([failed(await rig.visitNext(), 'http-410')])
    assert.equal(rig.frontier.status().readyAt, null)
    assert.deepEqual(await rig.states(), {
      ...{ 'a.test/1': 'stored', 'a.test/2': 'stored' },
      ...{ 'a.test/3': 'failed: http-410', 'a.test/4': 'refused: type' },
    })
    const { stored: pages, failed: failures, redirected } = rig.frontier.counts()
    assert.deepEqual([pages, failures, redirected], [2, 1, 0])
  })

  promise(
    'what led to no page and is forbidden for a round is asked for in the next',
    async (rig) => {
      await rig.seed('a.test/1', 'b.test/2')
      await visitAll(rig, (lease) => failed(lease))
      const before = [await rig.states(), rig.frontier.counts()]
      await rig.round([])
      await visitAll(rig, (lease) =>
        refused(lease, lease.host === 'a.test' ? 'robots: Disallow: /' : 'robots-unreachable'),
      )
      assert.deepEqual([await rig.states(), rig.frontier.counts()], before)
      await rig.round([], { round: 2 })
      await visitAll(rig, stored)
      assert.deepEqual(await rig.states(), { 'a.test/1': 'stored', 'b.test/2': 'stored' })
    },
  )

  promise('a round of some pages leaves all others alone', async (rig) => {
    await crawled(rig, 'a.test/1', 'a.test/2')
    await rig.round([page('a.test/2')], { onlyPages: true })
    assert.deepEqual(await visitAll(rig, unchanged), ['a.test/2'])
  })

  promise('a round that has begun is not begun again', async (rig) => {
    await crawled(rig, 'a.test/1', 'a.test/2')
    const pages = [page('a.test/1'), page('a.test/2')]
    await rig.round(pages)
    await rig.frontier.settle([unchanged(await rig.visitNext())])
    await rig.round(pages)
    assert.equal(rig.frontier.status().revisits, 1)
    await rig.round(pages, { round: 2 })
    assert.equal(rig.frontier.status().revisits, 2)
  })

  promise(
    'without room for new pages those that are stored are visited all the same',
    async (rig) => {
      await crawled(rig, 'a.test/1', 'b.test/2')
      await rig.round([page('a.test/1'), page('b.test/2')])
      await rig.seed('a.test/new', 'c.test/new')
      rig.clock.advance(10_000)
      const leases = await rig.frontier.lease(10, 0)
      assert.deepEqual(leases.map(({ url }) => shortOf(url)).sort(), ['a.test/1', 'b.test/2'])
      for (const lease of leases) rig.send(lease)
      await rig.frontier.settle(leases.map(unchanged))
      rig.clock.advance(1000)
      assert.deepEqual(await rig.frontier.lease(10, 0), [])
      const [rest, none] = [await rig.frontier.lease(10, 1), await rig.frontier.lease(10, 0)]
      assert.deepEqual([rest.length, none.length], [1, 0])
    },
  )

  promise('what finds no room stays as it was, or waits', async (rig) => {
    await crawled(rig, 'a.test/1')
    await rig.seed('b.test/2')
    await rig.frontier.settle([failed(await rig.visitNext())])
    await rig.round([page('a.test/1')])
    for (let visits = 0; visits < 2; visits++) {
      await rig.frontier.settle([{ lease: await rig.visitNext(), outcome: 'no-room' }])
    }
    const states = { 'a.test/1': 'stored: not-refreshed: over-limit', 'b.test/2': 'queued' }
    assert.deepEqual(await rig.states(), states)
    assert.equal(rig.frontier.status().revisits, 0)
    assert.equal(rig.frontier.counts().queued, 1)
    assert.deepEqual(await rig.drain(), ['b.test/2'])
  })

  promise('duplicates that move on with a page are in their new state', async (rig) => {
    await rig.seed('a.test/1', 'b.test/2', 'c.test/3')
    await rig.store()
    for (let nth = 0; nth < 2; nth++) {
      const of = urlOf('a.test/1')
      const lease = await rig.visitNext()
      await rig.frontier.settle([{ lease, outcome: 'duplicate', of, found: [], judged: null }])
    }
    await rig.round([page('a.test/1')], { onlyPages: true })
    const moved = [
      { url: urlOf('b.test/2'), of: null },
      { url: urlOf('c.test/3'), of: urlOf('b.test/2') },
      { url: urlOf('unknown.test/'), of: null },
    ]
    await visitAll(
      rig,
      (lease) => ({ ...failed(lease, 'http-410', true), moved }) as FrontierUpdate,
    )
    assert.deepEqual(await rig.states(), {
      'a.test/1': 'failed: http-410',
      'b.test/2': 'stored',
      'c.test/3': 'duplicate: http://b.test/2',
    })
    const { stored: pages, duplicate } = rig.frontier.counts()
    assert.deepEqual([pages, duplicate], [1, 1])
  })

  promise('receipts of this round settle what waits, older ones change nothing', async (rig) => {
    await rig.seed('a.test/1')
    const first = await rig.store()
    await rig.seed('b.test/2')
    const second = await rig.store()
    await rig.round([page('a.test/1'), page('b.test/2')])
    const lease = { kind: 'page', id: first.id, token: null } as const
    assert.equal(await rig.frontier.settle([stored(lease)]), 0)
    assert.equal(rig.frontier.status().revisits, 2)
    const settled = { ...lease, round: 1 }
    assert.equal(await rig.frontier.settle([failed(settled, 'http-404', true)]), 1)
    assert.equal(await rig.frontier.settle([failed(settled, 'http-404', true)]), 1)
    const other = { ...settled, id: second.id }
    assert.equal(await rig.frontier.settle([unchanged(other)]), 1)
    assert.equal(await rig.frontier.settle([unchanged(other)]), 0)
    assert.equal(rig.frontier.status().readyAt, null)
    assert.deepEqual(await rig.states(), { 'a.test/1': 'failed: http-404', 'b.test/2': 'stored' })
    assert.equal(rig.frontier.counts().stored, 1)
  })

  promise('a receipt of an earlier round does not stand for the visit of this one', async (rig) => {
    await crawled(rig, 'a.test/1')
    await rig.round([page('a.test/1')])
    await visitAll(rig, (lease) => failed(lease, 'http-404', true))
    await rig.round([], { round: 2 })
    const late = { kind: 'page', id: 1, token: null, round: 1 } as const
    assert.equal(await rig.frontier.settle([failed(late, 'http-404', true)]), 0)
    assert.deepEqual(await visitAll(rig, stored), ['a.test/1'])
    assert.deepEqual(await rig.states(), { 'a.test/1': 'stored' })
  })

  promise('what is out of reach is given up as it was', async (rig) => {
    await crawled(rig, 'a.test/1', 'a.test/2', 'b.test/3')
    await rig.round([page('a.test/1'), page('a.test/2'), page('b.test/3')])
    for (let nth = 0; nth < 8; nth++) {
      rig.clock.advance(100_000)
      const [lease] = await rig.frontier.lease(1)
      if (lease === undefined) break
      rig.frontier.requestSent(lease)
      const isUp = lease.host === 'b.test'
      rig.frontier.requestEnded(lease, isUp ? { ok: true } : { ok: false, trouble: 'connect' })
      const retryAt = rig.clock.now() + 1
      const update = isUp
        ? unchanged(lease)
        : ({ lease, outcome: 'failed', reason: 'connect', retryAt } as const)
      await rig.frontier.settle([update])
    }
    assert.equal(rig.frontier.status().allUnreachable, true)
    await rig.frontier.refuseUnreachable()
    const reason = 'stored: not-refreshed: host-unreachable'
    assert.deepEqual(await rig.states(), {
      ...{ 'a.test/1': reason, 'a.test/2': reason, 'b.test/3': 'stored' },
    })
    assert.equal(rig.frontier.status().readyAt, null)
    assert.equal(rig.frontier.counts().stored, 3)
  })

  promise(
    'robots.txt is asked for anew, and sitemaps are read again',
    async (rig) => {
      await rig.seed('a.test/1')
      const visit = async (): Promise<string> => {
        const lease = await rig.visitNext()
        if (lease.kind === 'robots') {
          await rig.frontier.saveRobots(lease, rig.robotsRecord('http://a.test'))
        } else if (lease.kind === 'sitemap') {
          const none = { found: [], sitemaps: [] }
          await rig.frontier.settle([{ lease, outcome: 'read', ...none }])
        } else await rig.frontier.settle([stored(lease)])
        return shortOf(lease.url)
      }
      const all = ['a.test/1', 'a.test/robots.txt', 'a.test/sitemap.xml']
      const first = [await visit(), await visit(), await visit()]
      assert.deepEqual(first.sort(), all)
      await rig.round([page('a.test/1')])
      const again = [await visit(), await visit(), await visit()]
      assert.equal(again[0], 'a.test/robots.txt')
      assert.deepEqual(again.sort(), all)
      assert.equal(rig.frontier.status().readyAt, null)
    },
    { settings: { ignoreRobots: false, sitemaps: true } },
  )

  promise(
    'a large site that is visited again does not wait for small ones',
    async (rig) => {
      await crawled(rig, 'a.test/1', 'a.test/2', 'a.test/3', 'a.test/4', 'a.test/5', 'b.test/1')
      const pages = ['a.test/1', 'a.test/2', 'a.test/3', 'a.test/4', 'a.test/5', 'b.test/1']
      await rig.round(pages.map((short) => page(short)))
      rig.clock.advance(10_000)
      const leases = await rig.frontier.lease(10)
      assert.deepEqual(leases.map(({ host }) => host).sort(), ['a.test', 'b.test'])
    },
    { seeds: ['a.test/', 'b.test/'] },
  )
}
