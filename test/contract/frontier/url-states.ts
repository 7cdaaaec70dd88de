// What readers see, while a crawl runs and after.
import assert from 'node:assert/strict'
import type { FrontierUpdate, Lease } from '../../../src/frontier/frontier.ts'
import type { Ordering } from '../../../src/ordering/ordering.ts'
import { found, type Promises, type Rig, refused, shortOf, urlOf } from './rig.ts'

/** Counts pages. */
const learner: Ordering = {
  name: 'learner',
  about: 'counts pages',
  rescoreOn: ['signals', 'inLinks'],
  createScorer: () => {
    let pages = 0
    return {
      score: ({ inLinks }) => inLinks,
      pass: () => [1, 0.5],
      settled: () => {
        pages += 1
      },
      save: () => Uint8Array.of(pages),
    }
  },
}

/** Visits the next page and settles it so. */
async function end(rig: Rig, update: (lease: Lease) => FrontierUpdate): Promise<void> {
  const lease = await rig.visitNext()
  assert.equal(await rig.frontier.settle([update(lease)]), 1)
}

export function urlStatesContract(promise: Promises): void {
  promise('a reader finds any URL with all there is to say about it', async (rig) => {
    await rig.seed('a.test/')
    await rig.store('a.test/1', 'b.test/')
    const { priority, ...record } = await rig.record('a.test/1')
    assert.equal(priority, -1)
    assert.deepEqual(record, {
      crawlId: 3,
      url: 'http://a.test/1',
      host: 'a.test',
      state: 'queued',
      reason: '',
      depth: 1,
      foundOn: 'http://a.test/',
      tries: 0,
      nextAt: null,
    })
    const seed = await rig.record('a.test/')
    assert.deepEqual([seed.state, seed.foundOn, seed.tries], ['stored', null, 1])
    await using urlStates = await rig.fixture.urlStates(rig.job)
    assert.equal(await urlStates.find(urlOf('a.test/unknown')), null)
  })

  promise('a reader pages through URLs in order of discovery, of one state or all', async (rig) => {
    await rig.seed('a.test/')
    await rig.store('a.test/1', found('a.test/2', { nofollow: true }), 'a.test/3')
    await using urlStates = await rig.fixture.urlStates(rig.job)
    const first = await urlStates.list({ after: 0, limit: 2 })
    const rest = await urlStates.list({ after: first.at(-1)!.position, limit: 9 })
    assert.deepEqual(
      [...first, ...rest].map(({ url }) => shortOf(url)),
      ['a.test/', 'a.test/1', 'a.test/2', 'a.test/3'],
    )
    const queued = await urlStates.list({ after: 0, limit: 9, state: 'queued' })
    assert.deepEqual(
      queued.map(({ url }) => shortOf(url)),
      ['a.test/1', 'a.test/3'],
    )
  })

  promise('a reader tells how many URLs came to what end, and which they were', async (rig) => {
    await rig.seed('a.test/')
    const trap = 'robots: with a word more'
    await rig.store('a.test/1', 'a.test/2', 'a.test/3', 'a.test/4', 'a.test/5', 'a.test/6')
    await end(rig, (lease) => refused(lease, 'robots'))
    await end(rig, (lease) => refused(lease, trap))
    await end(rig, (lease) => ({ lease, outcome: 'failed', reason: 'http-404', retryAt: null }))
    const of = 'http://a.test/'
    await end(rig, (lease) => ({ lease, outcome: 'duplicate', of, found: [], judged: null }))
    await using urlStates = await rig.fixture.urlStates(rig.job)
    const ends = await urlStates.outcomes()
    assert.deepEqual(
      ends.map(({ state, code, count, example }) => [state, code, count, shortOf(example.url)]),
      [
        ['queued', '', 2, 'a.test/5'],
        ['refused', 'robots', 2, 'a.test/1'],
        ['stored', '', 1, 'a.test/'],
        ['duplicate', '', 1, 'a.test/4'],
        ['failed', 'http-404', 1, 'a.test/3'],
      ],
    )
    assert.equal(ends[3]?.example.reason, of)
    const listed = async (code: string) =>
      (await urlStates.list({ after: 0, limit: 9, code })).map(({ url }) => shortOf(url))
    assert.deepEqual(await listed('robots'), ['a.test/1', 'a.test/2'])
    assert.deepEqual(await listed('http-404'), ['a.test/3'])
    assert.deepEqual(await listed('http'), [])
    assert.deepEqual(await listed("' OR 1=1 --"), [])
    assert.deepEqual(
      await urlStates.list({ after: 0, limit: 9, state: 'failed', code: 'robots' }),
      [],
    )
  })

  promise(
    'URLs that wait for their next try, or were out of reach, count as what they are',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store('a.test/1', 'a.test/2')
      const retryAt = rig.clock.now() + 1_000_000
      await end(rig, (lease) => ({ lease, outcome: 'failed', reason: 'http-503', retryAt }))
      await using urlStates = await rig.fixture.urlStates(rig.job)
      const ends = await urlStates.outcomes()
      assert.deepEqual(
        ends.map(({ state, code, count }) => [state, code, count]),
        [
          ['queued', '', 1],
          ['queued', 'http-503', 1],
          ['stored', '', 1],
        ],
      )
    },
  )

  promise('a reader finds one host by its name', async (rig) => {
    await rig.seed('a.test/', 'b.test/')
    await rig.store('a.test/1')
    await using urlStates = await rig.fixture.urlStates(rig.job)
    const hosts = await urlStates.hosts(9)
    assert.deepEqual(
      await urlStates.host('a.test'),
      hosts.find(({ host }) => host === 'a.test'),
    )
    assert.equal(await urlStates.host('c.test'), null)
  })

  promise(
    'a reader sees what is known of a robots.txt',
    async (rig) => {
      await rig.seed('a.test/')
      const lease = await rig.visitNext()
      const record = rig.robotsRecord('http://a.test', { body: 'User-agent: *\nDisallow: /' })
      await rig.frontier.saveRobots(lease, record)
      await using urlStates = await rig.fixture.urlStates(rig.job)
      assert.deepEqual(await urlStates.robots('http://a.test'), record)
      assert.equal(await urlStates.robots('https://a.test'), null)
    },
    { settings: { ignoreRobots: false } },
  )

  promise('a reader’s counts and hosts are the frontier’s', async (rig) => {
    await rig.seed('a.test/')
    await rig.store('a.test/1', 'a.test/2')
    await rig.seed('b.test/')
    await using urlStates = await rig.fixture.urlStates(rig.job)
    assert.deepEqual(await urlStates.counts(), rig.frontier.counts())
    assert.deepEqual(await urlStates.hosts(9), rig.frontier.hosts(9))
    assert.deepEqual(
      (await urlStates.hosts(1)).map(({ host, site, queued, stored }) => [
        host,
        site,
        queued,
        stored,
      ]),
      [['a.test', 'a.test', 2, 1]],
    )
  })

  promise(
    'a reader sees what an ordering weighs about a URL, and what it has learned',
    async (rig) => {
      await rig.seed('a.test/')
      await rig.store('a.test/1', 'a.test/2')
      await rig.store('a.test/2')
      await rig.restart()
      await using urlStates = await rig.fixture.urlStates(rig.job)
      assert.deepEqual(await urlStates.candidate(urlOf('a.test/2')), {
        ...{ url: 'http://a.test/2', depth: 1, foundAt: 2, inLinks: 2, signals: [1, 0.5] },
      })
      assert.equal((await urlStates.candidate(urlOf('a.test/')))?.signals, null)
      assert.equal(await urlStates.candidate(urlOf('a.test/unknown')), null)
      const [{ name, bytes } = assert.fail('nothing was learned')] = await urlStates.learned()
      assert.deepEqual([name, ...bytes], ['learner', 2])
    },
    { ordering: learner },
  )

  promise('an ordering that learns nothing has nothing to show', async (rig) => {
    await rig.seed('a.test/')
    await rig.store()
    await using urlStates = await rig.fixture.urlStates(rig.job)
    assert.deepEqual(await urlStates.learned(), [])
  })

  promise('a reader tells how many URLs of its host go before one', async (rig) => {
    await rig.seed('a.test/')
    await rig.store('a.test/1', 'a.test/2', 'b.test/', 'a.test/3')
    await using urlStates = await rig.fixture.urlStates(rig.job)
    assert.equal(await urlStates.ahead(urlOf('a.test/3')), 2)
    assert.equal(await urlStates.ahead(urlOf('a.test/1')), 0)
    assert.equal(await urlStates.ahead(urlOf('a.test/')), 0)
    assert.equal(await urlStates.ahead(urlOf('a.test/unknown')), 0)
  })
}
