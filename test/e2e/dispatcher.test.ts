// Several real crawls under one dispatcher: in turn, paused, stopped, removed, and killed with it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { CrawlSettings } from '../../src/core/job.ts'
import type { Dispatcher } from '../../src/jobs/dispatcher.ts'
import { openDispatcher } from '../../src/jobs/open-dispatcher.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import type { TopicRequest } from '../../src/options/topic-request.ts'
import { openReads } from '../../src/reads/open-reads.ts'
import { extra, missing, twice, wrongStates } from '../../src/sample-web/checker.ts'
import { expectedCrawl } from '../../src/sample-web/oracle.ts'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite, type Site } from '../../src/sample-web/site.ts'
import type { JobOrder, JobStore } from '../../src/store/job-store.ts'
import { frontierPath, storePath } from '../../src/workspace/folder/paths.ts'
import { workspaceOf } from '../../src/workspace/open-workspace.ts'
import { urlFor } from '../contract/sample-page.ts'
import { openSqliteJobJournal, openSqliteJobStore } from '../support/stores.ts'
import { beside, query, serve, temporaryFolder } from './crawling.ts'

const FAST = { delayMs: 0, perHost: 4, allowPrivate: true, maxPages: 100_000, concurrency: 16 }

interface Opened extends AsyncDisposable {
  readonly dispatcher: Dispatcher
  readonly jobs: JobStore
}

async function open(dataDir: string, maxRunning = 3): Promise<Opened> {
  const jobs = await openSqliteJobStore(storePath(dataDir))
  const journal = await openSqliteJobJournal(storePath(dataDir))
  const budget = { maxRunning, maxConnections: 64, maxRssBytes: 4e9 }
  const world = { workspace: workspaceOf({ dataDir }), jobs, journal, clock: systemClock }
  const dispatcher = await openDispatcher({ ...world, ...budget })
  return {
    dispatcher,
    jobs,
    async [Symbol.asyncDispose]() {
      await dispatcher[Symbol.asyncDispose]()
      await journal[Symbol.asyncDispose]()
      await jobs[Symbol.asyncDispose]()
    },
  }
}

async function submit(
  { dispatcher }: Opened,
  seeds: readonly string[],
  changes: Partial<CrawlSettings> = {},
  order: Partial<JobOrder> = {},
): Promise<number> {
  const ordered = await dispatcher.submit({
    name: 'a job',
    seeds: seeds.map(urlFor),
    settings: { ...DEFAULT_SETTINGS, ...FAST, ...changes },
    ...{ topicRequest: null, webhook: null, key: null, fingerprint: '' },
    ...order,
  })
  return ordered.job.id
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 4000; tries++) {
    if (await holds()) return
    await wait(20)
  }
  assert.fail(`it never came to this: ${what}`)
}

function idle({ dispatcher }: Opened): Promise<void> {
  const { load } = dispatcher
  const left = () => load.call(dispatcher).running + load.call(dispatcher).waiting
  return until(() => left() === 0, 'all jobs have come to rest')
}

function pagesOf(dataDir: string, id: number): { url: string; duplicateOf: number | null }[] {
  const sql = `SELECT url, duplicate_of AS duplicateOf FROM pages WHERE crawl_id = ${id}`
  return query(storePath(dataDir), sql)
}

function storedCount(dataDir: string, id: number): number {
  return pagesOf(dataDir, id).filter(({ duplicateOf }) => duplicateOf === null).length
}

/** Everything in which a job and the truth differ. */
function differences(site: Site, seeds: readonly string[], dataDir: string, id: number): string[] {
  const expected = expectedCrawl(site, { seeds, scope: 'domain' })
  const pages = pagesOf(dataDir, id)
  const sql = "SELECT url, state, coalesce(reason, '') AS reason FROM urls"
  const urls = query<{ url: string; state: string; reason: string }>(frontierPath(dataDir, id), sql)
  return [
    ...missing(pages, expected).map((url) => `missing: ${url}`),
    ...extra(pages, expected).map((url) => `not expected: ${url}`),
    ...twice(pages, expected).map((url) => `twice: ${url}`),
    ...wrongStates(urls, expected),
  ]
}

const statusesOf = async ({ jobs }: Opened) =>
  (await jobs.list()).map(({ status }) => status).reverse()

test('jobs that run side by side each store exactly as many pages as they may', async () => {
  const site = createSite({ seed: 41, pages: 40, hosts: 4 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  await using opened = await open(folder.path)
  const limits = [1, 9, 16, 5]
  for (const maxPages of limits) await submit(opened, served.seeds, { maxPages })
  assert.equal(opened.dispatcher.load().running, 3)
  await idle(opened)
  assert.deepEqual(await statusesOf(opened), Array(limits.length).fill('completed'))
  for (const [nth, limit] of limits.entries()) {
    assert.equal(storedCount(folder.path, nth + 1), limit, `job ${nth + 1}`)
  }
  const ran = (await opened.jobs.list()).map(({ ranMs }) => ranMs)
  assert.ok(ran.every((ms) => ms > 0))
})

/** Of scouter and parser, once both were heard of. */
async function pidsOf(dispatcher: Dispatcher, id: number): Promise<number[]> {
  const pids = () => {
    const { scouterPid = 0, parserPid = 0 } = dispatcher.live(id)?.progress ?? {}
    return [scouterPid, parserPid]
  }
  await until(() => !pids().includes(0), 'both processes were heard of')
  return pids()
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`)
}

/** Once this many requests were answered. */
function asked(served: ServedSite, requests: number): Promise<void> {
  return until(() => served.log.length >= requests, `${requests} requests`)
}

test('a job that is paused asks for nothing, and goes on to exactly the truth', async () => {
  const site = createSite({ seed: 42, pages: 60, hosts: 6 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  await using opened = await open(folder.path)
  const { dispatcher } = opened
  const id = await submit(opened, served.seeds, { delayMs: 100, perHost: 1 })
  await asked(served, 20)
  const pids = await pidsOf(dispatcher, id)
  const paused = await dispatcher.pause(id)
  assert.ok(paused.outcome === 'done' && paused.job.status === 'paused')
  assert.deepEqual(pids.filter(isAlive), [])
  await dispatcher.resume(id)
  await idle(opened)
  assert.deepEqual(await statusesOf(opened), ['completed'])
  assert.deepEqual(differences(site, served.seeds, folder.path, id), [])
  const events = await openSqliteJobJournal(storePath(folder.path))
  const told = (await events.list({ after: 0, limit: 100 })).flatMap(({ event }) =>
    event.type === 'status' ? [event.status] : [],
  )
  await events[Symbol.asyncDispose]()
  assert.deepEqual(told, ['started', 'running', 'paused', 'started', 'running', 'completed'])
})

test(
  'a job whose server hangs is paused all the same, and loses nothing by it',
  beside(async () => {
    await using folder = await temporaryFolder()
    let hangs = true
    await using server = await serve((request, response) => {
      response.setHeader('content-type', 'text/html')
      if (request.url === '/slow' && hangs) return
      response.end(request.url === '/' ? '<a href="/slow">slow</a>' : '<title>slow</title>')
    })
    await using opened = await open(folder.path)
    const seed = `http://127.0.0.1:${server.port}/`
    const id = await submit(opened, [seed], { ignoreRobots: true, sitemaps: false })
    await until(() => opened.dispatcher.live(id)?.progress?.stored === 1, 'the first page is there')
    const told = await opened.dispatcher.pause(id)
    assert.ok(told.outcome === 'done' && told.job.status === 'paused')
    hangs = false
    await opened.dispatcher.resume(id)
    await idle(opened)
    assert.equal(storedCount(folder.path, id), 2)
  }),
)

test('a job that is stopped keeps what it has; one that is removed leaves nothing', async () => {
  const site = createSite({ seed: 43, pages: 300, hosts: 3 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  await using opened = await open(folder.path)
  const { dispatcher, jobs } = opened
  const slow = { delayMs: 100, perHost: 1 }
  const [stopped, removed] = [
    await submit(opened, served.seeds, slow),
    await submit(opened, served.seeds, slow),
  ]
  const grown = (id: number) => (dispatcher.live(id)?.progress?.stored ?? 0) > 5
  await until(() => grown(stopped) && grown(removed), 'both have pages')
  const [one, two] = await Promise.all([dispatcher.stop(stopped), dispatcher.remove(removed)])
  assert.equal(one.outcome === 'done' && one.job.status, 'stopped')
  assert.equal(two.outcome, 'done')
  assert.ok(storedCount(folder.path, stopped) > 5)
  assert.equal(await jobs.get(removed), null)
  await until(async () => (await jobs.unswept()).length === 0, 'it is swept')
  assert.deepEqual(pagesOf(folder.path, removed), [])
  assert.equal(existsSync(frontierPath(folder.path, removed)), false)
  const left = query<{ n: number }>(storePath(folder.path), 'SELECT count(*) AS n FROM page_parts')
  const kept = query<{ n: number }>(storePath(folder.path), 'SELECT count(*) AS n FROM pages')
  assert.equal(left[0]?.n, kept[0]?.n)
})

test('a job that nobody may fetch fails, and says what its seeds came to', async () => {
  await using folder = await temporaryFolder()
  await using server = await serve((_request, response) => response.end('secret'))
  await using opened = await open(folder.path)
  const seed = `http://127.0.0.1:${server.port}/`
  const id = await submit(opened, [seed], { allowPrivate: false })
  await idle(opened)
  const job = await opened.jobs.get(id)
  assert.equal(job?.status, 'failed')
  assert.match(job?.note ?? '', /^no seed could be fetched: http:\S+ refused: private-address/)
  assert.match(job?.note ?? '', /--allow-private$/)
  assert.equal(server.connections(), 0)
})

test('a job whose seed is gone when it is looked at again has completed all the same', async () => {
  await using folder = await temporaryFolder()
  let isGone = false
  await using server = await serve(({ url }, response) => {
    const page = url === '/' ? '<a href="/other">other</a>' : 'a page of its own'
    const isThere = url === '/other' || (url === '/' && !isGone)
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/html' }).end(page)
  })
  await using opened = await open(folder.path)
  const id = await submit(opened, [`http://127.0.0.1:${server.port}/`])
  await idle(opened)
  isGone = true
  assert.equal((await opened.dispatcher.refresh(id, { due: false })).outcome, 'done')
  await idle(opened)
  assert.equal((await opened.jobs.get(id))?.status, 'completed')
  assert.deepEqual(
    pagesOf(folder.path, id).map(({ url }) => new URL(url).pathname),
    ['/other'],
  )
  // Who copies only this file, while the server goes on, has the job whole.
  const copy = join(folder.path, 'copy.db')
  copyFileSync(storePath(folder.path), copy)
  const sql = 'SELECT status, (SELECT count(*) FROM pages) AS pages FROM crawls'
  const [kept] = query<{ status: string; pages: number }>(copy, sql)
  assert.deepEqual({ ...kept }, { status: 'completed', pages: 1 })
})

test('a job whose host is not there says so, and not that a robots.txt was missing', async () => {
  await using folder = await temporaryFolder()
  await using opened = await open(folder.path)
  const gone = await serve((_request, response) => response.end())
  await gone[Symbol.asyncDispose]()
  const id = await submit(opened, [`http://127.0.0.1:${gone.port}/`], { retries: 0 })
  await idle(opened)
  const { status, note = '' } = (await opened.jobs.get(id)) ?? {}
  assert.equal(status, 'failed')
  const said =
    /^no seed could be fetched: http:\S+ failed: connect: ECONNREFUSED: nothing listens there$/
  assert.match(note, said)
  await using reads = await openReads({ data: folder.path, frontier: null })
  const [host] = (await reads.hosts(id, { limit: 9 })).hosts
  assert.deepEqual([host?.condition, host?.trouble], ['troubled', 'connect: ECONNREFUSED'])
})

test('a job goes on past its limit on pages, and has exactly as many as it then may', async () => {
  const site = createSite({ seed: 48, pages: 40, hosts: 2 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  await using opened = await open(folder.path)
  const id = await submit(opened, served.seeds, { maxPages: 10 })
  await idle(opened)
  const told = await opened.dispatcher.resume(id)
  assert.ok(told.outcome === 'conflict' && /^it has its 10 pages; give a max_pages/.test(told.note))
  assert.equal((await opened.dispatcher.resume(id, { maxPages: 25 })).outcome, 'done')
  await idle(opened)
  const job = await opened.jobs.get(id)
  assert.deepEqual([job?.status, job?.settings.maxPages], ['completed', 25])
  assert.equal(storedCount(folder.path, id), 25)
  await opened.dispatcher.resume(id, { maxPages: 100_000 })
  await idle(opened)
  const end = await opened.dispatcher.resume(id, { maxPages: 200_000 })
  assert.ok(end.outcome === 'conflict' && /no URL is left to fetch/.test(end.note))
})

test('the time of a job is counted over all its runs; when it is up, more of it goes on', async () => {
  const site = createSite({ seed: 49, pages: 300, hosts: 2 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  await using opened = await open(folder.path)
  const id = await submit(opened, served.seeds, { delayMs: 200, perHost: 1, durationMs: 600_000 })
  await asked(served, 3)
  await opened.dispatcher.pause(id)
  const { ranMs = 0 } = (await opened.jobs.get(id)) ?? {}
  assert.ok(ranMs > 0)
  const noMore = await opened.dispatcher.resume(id, { durationMs: ranMs })
  assert.ok(noMore.outcome === 'conflict' && /give a duration above/.test(noMore.note))
  await opened.dispatcher.resume(id, { durationMs: ranMs + 1000 })
  await idle(opened)
  const job = await opened.jobs.get(id)
  assert.deepEqual([job?.status, job?.note], ['stopped', 'its time was up'])
  assert.ok((job?.ranMs ?? 0) >= ranMs + 1000)
  const told = await opened.dispatcher.resume(id)
  assert.ok(told.outcome === 'conflict' && /give a duration above \d+ to go on/.test(told.note))
  const before = storedCount(folder.path, id)
  await opened.dispatcher.resume(id, { durationMs: 60_000, maxPages: before + 2 })
  await idle(opened)
  assert.equal(storedCount(folder.path, id), before + 2)
})

function topicRequest(changes: Partial<TopicRequest>): TopicRequest {
  const nothing = { words: '', keywords: [], examples: null, model: null, key: 'key' }
  return { ...nothing, ...changes }
}

test('what a job is about is built when its turn comes, and kept with it', async () => {
  const site = createSite({ seed: 47, pages: 40, hosts: 2 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  await using opened = await open(folder.path)
  const words = 'kopi dan teh dari pegunungan'
  const about = { topicRequest: topicRequest({ words }) }
  const focused = { topic: words, ordering: 'best-first', maxPages: 10 }
  const id = await submit(opened, served.seeds, focused, about)
  assert.equal((await opened.jobs.get(id))?.topic, null)
  await idle(opened)
  const job = await opened.jobs.get(id)
  assert.equal(job?.status, 'completed')
  assert.ok(job?.topic?.fingerprint)
  const sql = 'SELECT count(*) AS n FROM pages WHERE relevance IS NOT NULL'
  assert.equal(query<{ n: number }>(storePath(folder.path), sql)[0]?.n, 10)
})

test('a job whose topic cannot be built fails, and says why without a path or a stack', async () => {
  await using folder = await temporaryFolder()
  await using server = await serve((_request, response) => {
    response.statusCode = 404
    response.end()
  })
  await using opened = await open(folder.path)
  const seed = `http://127.0.0.1:${server.port}/`
  const page = (path: string) => ({ kind: 'url', url: urlFor(`${seed}${path}`) }) as const
  const pages = { positive: ['a', 'b', 'c'].map(page), negative: [] }
  const about = { topicRequest: topicRequest({ examples: { file: 'examples', pages } }) }
  const id = await submit(opened, [seed], {}, about)
  await idle(opened)
  const job = await opened.jobs.get(id)
  assert.equal(job?.status, 'failed')
  assert.match(job?.note ?? '', /only 0 of 3 examples could be had/)
  assert.ok(!job?.note.includes(folder.path) && !/^\s+at /m.test(job?.note ?? ''))
  assert.deepEqual(pagesOf(folder.path, id), [])
})

test(
  'a job is stopped while its examples are fetched, and builds its topic when it goes on',
  beside(async () => {
    await using folder = await temporaryFolder()
    let hangs = true
    let asked = 0
    await using server = await serve((request, response) => {
      asked++
      if (hangs) return
      response.setHeader('content-type', 'text/html')
      response.end(`<title>kopi</title><p>kopi dan teh dari pegunungan ${request.url}</p>`)
    })
    await using opened = await open(folder.path)
    const seed = `http://127.0.0.1:${server.port}/`
    const page = (path: string) => ({ kind: 'url', url: urlFor(`${seed}${path}`) }) as const
    const pages = { positive: ['a', 'b', 'c'].map(page), negative: [] }
    const about = { topicRequest: topicRequest({ examples: { file: 'examples', pages } }) }
    const id = await submit(opened, [seed], { ignoreRobots: true, sitemaps: false }, about)
    await until(() => asked > 0, 'an example is asked for')
    const told = await opened.dispatcher.stop(id)
    assert.ok(told.outcome === 'done' && told.job.status === 'stopped')
    assert.equal(existsSync(frontierPath(folder.path, id)), false)
    hangs = false
    await opened.dispatcher.resume(id)
    await idle(opened)
    const job = await opened.jobs.get(id)
    assert.deepEqual([job?.status, job?.note], ['completed', ''])
    assert.ok(job?.topic?.fingerprint)
  }),
)

test('jobs that were put down by a shutdown go on with the next start', async () => {
  const site = createSite({ seed: 45, pages: 36, hosts: 6 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  const pids: number[] = []
  {
    await using opened = await open(folder.path, 2)
    for (let n = 0; n < 3; n++) await submit(opened, served.seeds, { delayMs: 60, perHost: 1 })
    await asked(served, 30)
    for (const id of [1, 2]) pids.push(...(await pidsOf(opened.dispatcher, id)))
  }
  assert.deepEqual(pids.filter(isAlive), [])
  await using next = await open(folder.path, 3)
  await idle(next)
  for (const id of [1, 2, 3]) {
    assert.deepEqual(differences(site, served.seeds, folder.path, id), [], `job ${id}`)
  }
})

const SCRIPT = join(import.meta.dirname, '..', 'support', 'dispatching.ts')

function dispatch(dataDir: string, orders: readonly unknown[]) {
  const args = ['--disable-warning=ExperimentalWarning', SCRIPT, dataDir, JSON.stringify(orders)]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

test('two jobs whose dispatcher is killed again and again end with exactly the truth', async () => {
  const site = createSite({ seed: 46, pages: 50, hosts: 6 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  const settings = { ...FAST, delayMs: 50, perHost: 1 }
  const orders = Array(2).fill({ seeds: served.seeds, settings })
  for (const [nth, requests] of [15, 50].entries()) {
    const child = dispatch(folder.path, nth === 0 ? orders : [])
    await asked(served, requests)
    child.kill('SIGKILL')
    if (child.exitCode === null) await once(child, 'exit')
  }
  const last = dispatch(folder.path, [])
  const [code] = await once(last, 'exit')
  assert.equal(code, 0)
  const statuses = query<{ status: string }>(
    storePath(folder.path),
    'SELECT status FROM crawls ORDER BY id',
  )
  assert.deepEqual(
    statuses.map(({ status }) => status),
    ['completed', 'completed'],
  )
  for (const id of [1, 2]) {
    assert.deepEqual(differences(site, served.seeds, folder.path, id), [], `job ${id}`)
  }
})
