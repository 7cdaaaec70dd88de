// Crawls that several programs share, over a real Redis and a real PostgreSQL: what is stored is the
// truth, whoever fetched it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import postgres from 'postgres'
import { openServer } from '../../src/cli/serve/run-server.ts'
import { parseServe } from '../../src/cli/serve/serve.ts'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { openWorkspace } from '../../src/workspace/open-workspace.ts'
import { sampleJob } from '../contract/sample-page.ts'
import { testDatabase } from '../servers/postgres.ts'
import { startRedis } from '../servers/redis.ts'
import { type TestFixture, testPlace } from '../servers/server-fixture.ts'
import { readUrlRows } from '../servers/url-rows.ts'
import { jelajah, type Run } from './crawling.ts'
import { runHere } from './in-process.ts'
import { brokenByRows, type Rows } from './kills.ts'
import { until } from './serving.ts'

async function readRows({ data, frontier }: TestFixture): Promise<Rows> {
  const sql = postgres(data, { max: 1, onnotice: () => {} })
  try {
    return {
      pages: await sql`SELECT url, duplicate_of FROM pages`,
      urls: await readUrlRows({ data, frontier }),
    }
  } finally {
    await sql.end()
  }
}

/** The master in this process: it never fetches, so that all that is stored is the workers'. */
async function openMaster({ data, frontier }: TestFixture) {
  const env = { JELAJAH_DATA: data, JELAJAH_FRONTIER: frontier, PORT: '0' }
  const around = { cwd: '/', env, cores: 2, memoryBytes: 2 ** 30 }
  const log: string[] = []
  const options = parseServe(['--allow-private', '--delay', '20'], around)
  const server = await openServer({ ...options, log: (text) => log.push(text) })
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says, a test looks into it.
  const ask = async (path: string, body?: unknown): Promise<any> => {
    const init =
      body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }
    return (await fetch(`${server.url}${path}`, init)).json()
  }
  return { ask, log, [Symbol.asyncDispose]: () => server.close() }
}

function startWorker({ env }: TestFixture, name: string): Run & AsyncDisposable {
  const run = jelajah(['worker', '--name', name, '--pairs', '1', '--allow-private', '--json'], {
    env,
  })
  return {
    ...run,
    [Symbol.asyncDispose]: async () => {
      run.process.kill('SIGKILL')
      await run.ended
    },
  }
}

test('a master and two workers: the crawl waits for them, pauses, goes on, and stores the truth', async () => {
  const site = createSite({ seed: 5, pages: 150, hosts: 6 })
  await using served = await startSite(site)
  await using place = await testPlace()
  await using master = await openMaster(place)
  const { job_id: id } = await master.ask('/crawl', { urls: served.seeds, max_pages: 1000 })
  const overview = () => master.ask(`/crawl/${id}/overview`)
  await until(async () => (await overview()).progress?.busy === 'waiting for workers', 'it waits')
  assert.equal(served.log.length, 0)
  await using one = startWorker(place, 'one')
  await using two = startWorker(place, 'two')
  await until(() => served.log.length > 10, 'a worker to fetch')
  assert.equal((await master.ask(`/crawl/${id}/pause`, {})).job.status, 'paused')
  const asked = served.log.length
  const { stdout } = await runHere(['worker', '--list', '--json', ...place.flags])
  const names = stdout
    .trim()
    .split('\n')
    .map((line): string => JSON.parse(line).name)
  assert.deepEqual(names.sort(), ['one', 'two'])
  assert.equal(served.log.length, asked)
  await master.ask(`/crawl/${id}/resume`, {})
  await until(async () => (await overview()).job.status === 'completed', 'the crawl to end')
  const evidence = { site, served, seeds: served.seeds, delayMs: 20 }
  assert.deepEqual(brokenByRows(evidence, await readRows(place)), [])
  for (const { process: worker, ended } of [one, two]) {
    worker.kill('SIGTERM')
    assert.equal((await ended).code, 0)
  }
})

test('a crawl that runs already is reported, with who runs it; so is a second master', async () => {
  await using place = await testPlace()
  const other = openWorkspace({ data: place.data, frontier: place.frontier })
  await using _other = other
  await other.make()
  await using jobs = await other.jobStore()
  const { id } = await jobs.create(sampleJob({ name: 'news' }))
  await using _lock = await other.lock(`crawl-${id}`)
  const args = ['crawl', 'http://a.test/', '--name', 'news', ...place.flags]
  const { code, stderr } = await runHere(args)
  assert.equal(code, 8)
  assert.match(
    stderr,
    new RegExp(`crawl ${id} is already running in postgres://.*process ${process.pid}`),
  )
  await using _master = await other.lock('server')
  await assert.rejects(openMaster(place), /another server runs in postgres:\/\/.*process \d+/)
})

test('a worker whose Redis is away for too long ends with exit code 8, and no password in what it says', async () => {
  await using redis = await startRedis()
  await using database = await testDatabase()
  const data = new URL(database.url)
  data.password = 'rahasia'
  const place = ['--data', data.href, '--frontier', redis.url]
  const worker = runHere(['worker', '--store-timeout', '0.2', ...place])
  await using registry = openWorkspace({ data: data.href, frontier: redis.url })
  const isThere = async () => ((await (await registry.workers())?.workers()) ?? []).length > 0
  await until(isThere, 'the worker to be there')
  await redis.stop()
  const { code, stderr } = await worker
  assert.equal(code, 8)
  assert.match(stderr, /the Redis at redis:\/\/127\.0\.0\.1:\d+ could not be reached for \d+ s/)
  assert.doesNotMatch(stderr, /rahasia/)
})
