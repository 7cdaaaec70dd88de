// Sitemaps: named by robots.txt or guessed, read once each, in turns with pages.
import assert from 'node:assert/strict'
import type { Lease } from '../../../src/frontier/frontier.ts'
import { founds, type Promises, type Rig, shortOf, stored, urlOf } from './rig.ts'

async function begin(rig: Rig, sitemaps: readonly string[]): Promise<void> {
  const lease = await rig.visitNext()
  assert.equal(lease.kind, 'robots')
  const origin = lease.url.replace('/robots.txt', '')
  await rig.frontier.saveRobots(lease, rig.robotsRecord(origin, { sitemaps: sitemaps.map(urlOf) }))
}

/** The next sitemap; pages in between are stored without links. */
async function nextSitemap(rig: Rig): Promise<Lease | null> {
  while (rig.frontier.status().readyAt !== null) {
    const lease = await rig.visitNext()
    if (lease.kind === 'sitemap') return lease
    if (lease.kind === 'page') await rig.frontier.settle([stored(lease)])
    else
      await rig.frontier.saveRobots(lease, rig.robotsRecord(lease.url.replace('/robots.txt', '')))
  }
  return null
}

function read(lease: Lease, pages: readonly string[], sitemaps: readonly string[] = []) {
  return {
    lease,
    outcome: 'read',
    found: founds(...pages),
    sitemaps: sitemaps.map(urlOf),
  } as const
}

function filesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `a.test/${index}.xml`)
}

/** Reads what sitemaps there are; how many. */
async function readAll(rig: Rig, pagesOf: (nth: number) => readonly string[]): Promise<number> {
  let count = 0
  for (let lease = await nextSitemap(rig); lease !== null; lease = await nextSitemap(rig)) {
    await rig.frontier.settle([read(lease, pagesOf(count))])
    count += 1
  }
  return count
}

export function sitemapsContract(promise: Promises): void {
  const mapped = { settings: { ignoreRobots: false, sitemaps: true } }

  promise(
    'the sitemaps that robots.txt names take turns with pages',
    async (rig) => {
      await rig.seed('a.test/1', 'a.test/2', 'a.test/3')
      await begin(rig, ['a.test/s1.xml', 'a.test/s2.xml'])
      const kinds: string[] = []
      for (let turn = 0; turn < 5; turn += 1) {
        const lease = await rig.visitNext()
        kinds.push(lease.kind)
        await rig.frontier.settle([lease.kind === 'page' ? stored(lease) : read(lease, [])])
      }
      assert.deepEqual(kinds, ['page', 'sitemap', 'page', 'sitemap', 'page'])
    },
    mapped,
  )

  promise(
    'a frontier that is made from pages of the store reads the sitemaps of their hosts again',
    async (rig) => {
      for (const name of ['a.test/1', 'a.test/2', 'www.a.test/']) {
        const lease = { kind: 'page', id: 0, token: null, url: urlOf(name), depth: 0 } as const
        await rig.frontier.settle([stored(lease)])
      }
      const asked: string[] = []
      while (rig.frontier.status().readyAt !== null) {
        const lease = await rig.visitNext()
        asked.push(shortOf(lease.url))
        const origin = lease.url.replace('/robots.txt', '')
        const record = rig.robotsRecord(origin, { sitemaps: [urlOf(`${shortOf(origin)}/s.xml`)] })
        if (lease.kind === 'robots') await rig.frontier.saveRobots(lease, record)
        else await rig.frontier.settle([read(lease, [])])
      }
      const files = ['robots.txt', 's.xml']
      const expected = ['a.test', 'www.a.test'].flatMap((host) =>
        files.map((file) => `${host}/${file}`),
      )
      assert.deepEqual(asked.sort(), expected)
    },
    mapped,
  )

  promise(
    'pages a sitemap lists are one link away from a seed',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, ['a.test/s.xml'])
      const sitemap = await nextSitemap(rig)
      assert.equal(sitemap?.depth, 0)
      assert.equal(await rig.frontier.settle([read(sitemap!, ['a.test/x'])]), 1)
      const { depth, foundOn } = await rig.record('a.test/x')
      assert.deepEqual([depth, foundOn], [1, 'http://a.test/s.xml'])
      const page = await rig.visitNext()
      assert.equal(shortOf(page.url), 'a.test/x')
    },
    mapped,
  )

  promise(
    'the usual place is tried when robots.txt names none',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, [])
      assert.equal((await nextSitemap(rig))?.url, 'http://a.test/sitemap.xml')
    },
    mapped,
  )

  promise(
    'a sitemap at a host of which no page is known is read, too',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, ['files.a.test/s1.xml'])
      const all: string[] = []
      for (let lease = await nextSitemap(rig); lease; lease = await nextSitemap(rig)) {
        all.push(shortOf(lease.url))
        const named = lease.url.endsWith('/s1.xml') ? ['more.a.test/s2.xml'] : []
        await rig.frontier.settle([read(lease, [], named)])
      }
      assert.ok(all.includes('files.a.test/s1.xml') && all.includes('more.a.test/s2.xml'), `${all}`)
    },
    mapped,
  )

  promise(
    'a sitemap is read once, whoever names it',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, ['a.test/s.xml', 'a.test/s.xml'])
      const first = await nextSitemap(rig)
      await rig.frontier.settle([read(first!, [], ['a.test/s.xml'])])
      assert.equal(await nextSitemap(rig), null)
    },
    mapped,
  )

  promise(
    'sitemaps may name sitemaps, three levels deep',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, ['a.test/1.xml'])
      const read_: string[] = []
      for (let level = 2; ; level += 1) {
        const lease = await nextSitemap(rig)
        if (lease === null) break
        read_.push(shortOf(lease.url))
        await rig.frontier.settle([read(lease, [], [`a.test/${level}.xml`])])
      }
      assert.deepEqual(read_, ['a.test/1.xml', 'a.test/2.xml', 'a.test/3.xml'])
    },
    mapped,
  )

  promise(
    'sitemaps of hosts outside the crawl are left alone',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, ['out.test/s.xml'])
      assert.equal(await nextSitemap(rig), null)
    },
    mapped,
  )

  const few = { settings: { ...mapped.settings, delayMs: 0, maxSitemaps: 12 } }

  promise(
    'a host has at most as many sitemaps as are allowed',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, filesOf(20))
      assert.equal(await readAll(rig, (nth) => [`a.test/page/${nth}`]), 12)
    },
    few,
  )

  promise(
    'the next sitemap of a host is asked for when the last was read, and pages meanwhile',
    async (rig) => {
      await rig.seed('a.test/1', 'a.test/2', 'a.test/3')
      await begin(rig, filesOf(3))
      const first = await nextSitemap(rig)
      const kinds: string[] = []
      while (rig.frontier.status().readyAt !== null) {
        const lease = await rig.visitNext()
        kinds.push(lease.kind)
        await rig.frontier.settle([stored(lease)])
      }
      assert.ok(!kinds.includes('sitemap'))
      await rig.frontier.settle([{ lease: first!, outcome: 'released' }])
      assert.equal((await nextSitemap(rig))?.url, first?.url)
    },
    { settings: { ...mapped.settings, delayMs: 0, perHost: 4 } },
  )

  promise(
    'sitemaps that bring nothing new, file after file, are not read on',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, filesOf(40))
      assert.equal(
        await readAll(rig, (nth) => (nth < 3 ? [`a.test/page/${nth}`] : ['a.test/'])),
        13,
      )
      assert.equal(rig.frontier.status().readyAt, null)
      await rig.restart()
      assert.equal(await nextSitemap(rig), null)
    },
    { settings: { ...mapped.settings, delayMs: 0 } },
  )

  promise(
    'a sitemap that comes in parts is held until its last part, and counts as what all of them brought',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, filesOf(12))
      for (let nth = 0; nth < 12; nth += 1) {
        const lease = await nextSitemap(rig)
        assert.ok(lease !== null, `file ${nth}`)
        const part = { lease, outcome: 'part', found: founds(`a.test/page/${nth}`) } as const
        assert.equal(await rig.frontier.settle([part]), 1)
        assert.equal(await rig.frontier.settle([read(lease, [])]), 1)
        assert.equal(await rig.frontier.settle([part]), 0)
      }
      const visited = await rig.drain()
      assert.ok(visited.includes('a.test/page/11'))
    },
    { settings: { ...mapped.settings, delayMs: 0 } },
  )

  promise(
    'a host whose sitemaps list more than any crawl could fetch has had its turn',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, filesOf(5))
      const first = await nextSitemap(rig)
      const size = { bytes: 1000, entries: 49_999 }
      await rig.frontier.settle([{ ...read(first!, ['a.test/x']), size }])
      const second = await nextSitemap(rig)
      await rig.frontier.settle([
        { ...read(second!, ['a.test/y']), size: { bytes: 9, entries: 1 } },
      ])
      assert.equal(await nextSitemap(rig), null)
    },
    { settings: { ...mapped.settings, delayMs: 0 } },
  )

  promise(
    'a crawl of the seeds alone reads no sitemaps',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, ['a.test/s.xml'])
      assert.equal(await nextSitemap(rig), null)
    },
    { settings: { ...mapped.settings, maxDepth: 0 } },
  )

  promise(
    'a crawl without sitemaps reads none',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, ['a.test/s.xml'])
      assert.equal(await nextSitemap(rig), null)
    },
    { settings: { ignoreRobots: false, sitemaps: false } },
  )

  promise(
    'a sitemap that fails is tried again at its time, or never',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, ['a.test/s.xml'])
      const lease = await nextSitemap(rig)
      const retryAt = rig.clock.now() + 60_000
      const failed = { outcome: 'failed', reason: 'http-500' } as const
      await rig.frontier.settle([{ ...failed, lease: lease!, retryAt }])
      assert.equal(rig.frontier.status().readyAt, retryAt)
      await rig.crash()
      const again = await nextSitemap(rig)
      assert.deepEqual([again?.url, again?.tries], [lease?.url, 2])
      assert.ok(rig.clock.now() >= retryAt)
      await rig.frontier.settle([{ ...failed, lease: again!, retryAt: null }])
      assert.equal(await nextSitemap(rig), null)
    },
    mapped,
  )

  for (const [what, unwanted, wanted] of [
    ['without sitemaps', { sitemaps: false }, { sitemaps: true }],
    ['of the seeds alone', { maxDepth: 0 }, { maxDepth: null }],
    ['that leaves their host out', { scope: 'host' }, { scope: 'domain' }],
  ] as const) {
    promise(
      `a later run ${what} leaves the queued sitemaps to one that wants them again`,
      async (rig) => {
        await rig.seed('a.test/', 'b.a.test/')
        await begin(rig, ['b.a.test/s1.xml', 'b.a.test/s2.xml'])
        const lease = await nextSitemap(rig)
        const retryAt = rig.clock.now() + 60_000
        const failed = { lease: lease!, outcome: 'failed', reason: 'http-500', retryAt } as const
        await rig.frontier.settle([failed])
        await rig.restart({ settings: unwanted })
        assert.equal(await nextSitemap(rig), null)
        await rig.restart({ settings: wanted })
        const again: string[] = []
        for (let each = await nextSitemap(rig); each !== null; each = await nextSitemap(rig)) {
          again.push(shortOf(each.url))
          await rig.frontier.settle([read(each, [])])
        }
        assert.ok(again.includes('b.a.test/s1.xml') && again.includes('b.a.test/s2.xml'))
      },
      mapped,
    )
  }

  promise(
    'sitemaps not read yet survive a crash',
    async (rig) => {
      await rig.seed('a.test/')
      await begin(rig, ['a.test/s1.xml', 'a.test/s2.xml'])
      const first = await nextSitemap(rig)
      await rig.frontier.settle([read(first!, ['a.test/x'])])
      await nextSitemap(rig)
      await rig.crash()
      assert.equal((await nextSitemap(rig))?.url, 'http://a.test/s2.xml')
    },
    mapped,
  )
}
