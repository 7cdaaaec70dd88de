import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sample, sampleJob, urlFor } from '../../../test/contract/sample-page.ts'
import { testDatabase } from '../../../test/servers/postgres.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import type { Job } from '../../core/job.ts'
import type { Found } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { frontierNeeds } from '../../crawl/frontier-needs.ts'
import { openPostgres } from '../../db/postgres.ts'
import { openRedis } from '../../db/redis.ts'
import type { Frontier, Lease, LeaseRef } from '../../frontier/frontier.ts'
import { createRedisStorage } from '../../frontier/redis/redis-storage.ts'
import { systemClock } from '../../lib/clock.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { PageToSave } from '../../store/page-store.ts'
import { openWorkspace } from '../../workspace/open-workspace.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { runDoctor } from './doctor.ts'

/** Where each page of a small web leads. */
const WEB: Readonly<Record<string, readonly string[]>> = {
  '/': ['/1', '/2', '/3'],
  '/1': ['/4', '/5'],
  '/2': ['/1', '/6'],
  '/3': ['/7'],
  '/4': ['/8'],
}
const ALL = ['/', '/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8'].map(addressOf).toSorted()

/** On one of three hosts. */
function addressOf(path: string): CanonicalUrl {
  return urlFor(`${'abc'[Number(path.slice(1)) % 3]}.test${path}`)
}

function linksOf(url: string): readonly string[] {
  return WEB[new URL(url).pathname] ?? []
}

function pageOf({ url, depth, id }: Lease): PageToSave {
  const links = JSON.stringify(linksOf(url).map((path) => [addressOf(path), path]))
  return { ...sample(url, { depth }, { parts: { links } }), urlId: id }
}

class Crawl implements AsyncDisposable {
  readonly workspace: Workspace
  readonly job: Job
  readonly #hash: (url: CanonicalUrl) => Found['hash']
  readonly #database: AsyncDisposable
  #frontier: Frontier | null = null

  constructor(workspace: Workspace, job: Job, database: AsyncDisposable) {
    this.#database = database
    this.workspace = workspace
    this.job = job
    this.#hash = createUrlHasher(job.salt)
  }

  static async open({ partitions = 1 } = {}): Promise<Crawl> {
    const prefix = `test-${randomBytes(6).toString('hex')}`
    const database = await testDatabase()
    const frontier = `${await sharedRedisUrl()}?prefix=${prefix}&partitions=${partitions}`
    const workspace = openWorkspace({ data: database.url, frontier })
    await using jobs = await workspace.jobStore()
    const { settings, ...job } = sampleJob()
    const quick = { ...settings, delayMs: 0, scope: 'any' } as const
    const plain = { ...quick, ignoreRobots: true, sitemaps: false }
    return new Crawl(workspace, await jobs.create({ ...job, settings: plain }), database)
  }

  get frontier(): Frontier {
    assert.ok(this.#frontier !== null)
    return this.#frontier
  }

  async begin(): Promise<void> {
    const needs = frontierNeeds(this.job, systemClock)
    await this.workspace.beginRun(needs)
    this.#frontier = (await this.workspace.frontier(needs)).frontier
    await this.frontier.add(this.#found(['/']), 'seed')
  }

  async end(): Promise<void> {
    await this.#frontier?.[Symbol.asyncDispose]()
    this.#frontier = null
  }

  /** Fetches up to so many pages; `isCut`: the frontier does not hear of the last one. */
  async fetch(pages: number, { isCut = false } = {}): Promise<void> {
    await using store = await this.workspace.pageStore(this.job)
    for (let nth = 1; nth <= pages; nth++) {
      const [lease] = await this.frontier.lease(1)
      if (lease === undefined) break
      this.frontier.requestSent(lease)
      this.frontier.requestEnded(lease, { ok: true })
      await store.save([pageOf(lease)])
      if (isCut && nth === pages) break
      await this.#settle(lease, nth)
      store.acknowledge([lease.url])
    }
  }

  /** Tells the frontier what it has not heard; how many pages that were. */
  async deliver(): Promise<number> {
    await using store = await this.workspace.pageStore(this.job)
    const receipts = await store.undelivered()
    for (const { urlId, receipt } of receipts) {
      const url = new TextDecoder().decode(receipt).replace('receipt of ', '') as CanonicalUrl
      await this.#settle({ kind: 'page', id: urlId, token: null, url }, urlId)
      store.acknowledge([url])
    }
    return receipts.length
  }

  async #settle(lease: LeaseRef & Pick<Lease, 'url'>, likeness: number): Promise<void> {
    const found = this.#found(linksOf(lease.url))
    const update = { lease, outcome: 'stored', found, judged: null, likeness } as const
    assert.equal(await this.frontier.settle([update]), 1)
  }

  async states(): Promise<Record<string, string>> {
    await using urlStates = await this.workspace.urlStates(this.job)
    const records = (await urlStates?.list({ after: 0, limit: 100 })) ?? []
    return Object.fromEntries(records.map(({ url, state }) => [url, state]))
  }

  /** As a version left it that kept the truth in Redis, and copied states of URLs into the database. */
  async leaveAsEarlier(queued: readonly string[]): Promise<void> {
    const { data, frontier } = this.workspace.text
    await using redis = await openRedis({ url: frontier ?? '' })
    const tags = [0, 1].map((part) => `{${redis.prefix}:${this.job.id}:${part}}:`)
    for (const tag of tags) await redis.call('HSET', `${tag}meta`, 'layout', 1)
    await using db = await openPostgres({ url: data })
    for (const [position, path] of queued.entries()) {
      await db.run(
        (sql) => sql`
          INSERT INTO url_states (crawl_id, position, url, state, via, hops, depth, tries, in_links,
            found_on, found_at, priority, next_at, reason, found_in, signals)
          VALUES (${this.job.id}, ${position + 1}, ${addressOf(path)}, 0, 0, 0, 1, 0, 1,
            NULL, 1, 0, NULL, '', NULL, NULL)`,
      )
    }
  }

  async doctor({ rebuildFrontier = true } = {}): Promise<string> {
    const { data: dataDir, frontier } = this.workspace.text
    const said: string[] = []
    const out = {
      write: async (text: string) => {
        said.push(text)
      },
      warn: () => {},
    }
    const options = { dataDir, frontier, json: false, contact: null, rebuildFrontier }
    const code = await runDoctor(options, out as never)
    return `${said.join('')}ends with ${code}`
  }

  #found(paths: readonly string[]): Found[] {
    return paths.map((path) => {
      const url = addressOf(path)
      return { url, hash: this.#hash(url), nofollow: false, signals: null }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end()
    await this.workspace.discard(this.job.id)
    await this.workspace[Symbol.asyncDispose]()
    await this.#database[Symbol.asyncDispose]()
  }
}

for (const partitions of [1, 3]) {
  test(`what Redis lost is rebuilt by the doctor, and the crawl comes to the same end (${partitions})`, async () => {
    await using crawl = await Crawl.open({ partitions })
    await crawl.begin()
    await crawl.fetch(2)
    const states = await crawl.states()
    await crawl.fetch(4, { isCut: true })
    await crawl.end()
    await crawl.workspace.discard(crawl.job.id)
    await assert.rejects(crawl.begin(), { code: 'store-damaged', message: /--rebuild-frontier/ })
    assert.match(await crawl.doctor(), /crawl 1: its frontier is there again, with \d URLs/)
    const again = await crawl.states()
    for (const url of Object.keys(states)) assert.ok(url in again, url)
    assert.equal(Object.values(again).filter((state) => state === 'stored').length, 5)
    assert.match(await crawl.doctor(), /no frontier is missing/)
    await crawl.begin()
    assert.equal(await crawl.deliver(), 1)
    await crawl.fetch(100)
    assert.deepEqual(Object.keys(await crawl.states()).sort(), ALL)
    assert.equal(crawl.frontier.counts().stored, ALL.length)
    await using pages = await crawl.workspace.pageReader()
    assert.equal((await pages.totals(crawl.job.id)).stored, ALL.length)
  })
}

test('the frontier of an earlier version is rebuilt, with URLs that no stored page leads to', async () => {
  await using crawl = await Crawl.open({ partitions: 3 })
  await crawl.begin()
  await crawl.fetch(2)
  await crawl.end()
  await crawl.workspace.discard(crawl.job.id)
  await crawl.leaveAsEarlier(['/', '/90', '/91'])
  await assert.rejects(crawl.begin(), { message: /by an earlier version.*--rebuild-frontier/ })
  assert.match(await crawl.doctor(), /crawl 1: its frontier is there again/)
  await crawl.begin()
  await crawl.fetch(100)
  const named = ['/90', '/91'].map(addressOf)
  assert.deepEqual(Object.keys(await crawl.states()).sort(), [...ALL, ...named].sort())
})

test('a frontier that was rebuilt only in part is completed', async () => {
  await using crawl = await Crawl.open({ partitions: 3 })
  await crawl.begin()
  await crawl.fetch(4)
  await crawl.end()
  await crawl.workspace.discard(crawl.job.id)
  // The doctor was killed before it had told the new frontier of any page.
  await using redis = await openRedis({ url: crawl.workspace.text.frontier ?? '' })
  await createRedisStorage(redis).divide(crawl.job, 3)
  assert.match(await crawl.doctor(), /crawl 1: its frontier is there again, with \d URLs/)
  const states = Object.values(await crawl.states())
  assert.equal(states.filter((state) => state === 'stored').length, 4)
  assert.match(await crawl.doctor(), /no frontier is missing/)
})

test('a crawl that somebody runs and that lost nothing is no reason to complain', async () => {
  await using crawl = await Crawl.open()
  await crawl.begin()
  await crawl.fetch(1)
  await using _lock = await crawl.workspace.lock(`crawl-${crawl.job.id}`)
  assert.equal(await crawl.doctor(), 'no frontier is missing\nends with 0')
})

test('the doctor sees crawls whose frontiers Redis lost, and says what to do', async () => {
  await using crawl = await Crawl.open()
  await crawl.begin()
  await crawl.fetch(1)
  await crawl.end()
  const healthy = await crawl.doctor({ rebuildFrontier: false })
  assert.match(healthy, /^ok {4}frontiers {3}no crawl has lost its own$/m)
  await crawl.workspace.discard(crawl.job.id)
  const ill = await crawl.doctor({ rebuildFrontier: false })
  assert.match(ill, /^FAIL {2}frontiers {3}crawl 1 has pages, but no frontier\n.*--rebuild/m)
  assert.match(ill, /ends with 1$/)
})

test('the doctor says once that the database lets nobody in, and nothing that it cannot know', async () => {
  const data = new URL(process.env.POSTGRES_URL ?? 'postgres://127.0.0.1:1/x')
  data.pathname = '/nobody-made-this'
  const said: string[] = []
  const out = { write: async (text: string) => void said.push(text), warn: () => {} }
  const frontier = await sharedRedisUrl()
  await runDoctor({ dataDir: data.href, frontier, json: false, contact: null }, out as never)
  const lines = said.join('')
  assert.deepEqual(lines.match(/^FAIL {2}\w+/gm), ['FAIL  database'])
  assert.deepEqual(lines.match(/(?<=^skip {2})\w+/gm), ['frontiers', 'clocks', 'lock', 'server'])
})

test('a crawl that somebody runs is left alone', async () => {
  await using crawl = await Crawl.open()
  await crawl.begin()
  await crawl.fetch(1)
  await crawl.end()
  await crawl.workspace.discard(crawl.job.id)
  await using _lock = await crawl.workspace.lock(`crawl-${crawl.job.id}`)
  assert.match(await crawl.doctor(), /crawl 1: somebody runs it/)
})
