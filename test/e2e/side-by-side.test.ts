// Crawls that run at the same time in one folder: to a host they are one visitor.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { AccessRecord } from '../../src/sample-web/access-log.ts'
import { politenessBreaches } from '../../src/sample-web/checker.ts'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { beside, jelajah, pidOf, query, type Run, serve, temporaryFolder } from './crawling.ts'

const DELAY_MS = 250
/**
 * On a busy machine the server may hear of a request late, and of the next one in time. Two crawls
 * that know nothing of each other leave half of the delay at most.
 */
const TOLERANCE_MS = DELAY_MS / 2

function smallSite(seed: number) {
  return createSite({
    seed,
    hosts: [{ name: 'ramai', pages: 10, language: 'id', style: 'blog' }],
    specials: 0,
  })
}

function crawl(name: string, dataDir: string, seed: string, ...flags: readonly string[]): Run {
  const args = ['crawl', seed, '--name', name, '--data', dataDir, '--user-agent', name]
  return jelajah([...args, '--delay', `${DELAY_MS}`, '--allow-private', '--quiet', ...flags])
}

async function succeed(...runs: readonly Run[]): Promise<void> {
  for (const { code, stderr } of await Promise.all(runs.map(({ ended }) => ended))) {
    assert.equal(code, 0, stderr)
  }
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; !condition(); ) {
    assert.ok(Date.now() < deadline, what)
    await pause(5)
  }
}

const RULES = { delayMs: DELAY_MS, perHost: 1, toleranceMs: TOLERANCE_MS }
const breachesAt = ({ log, unseenMs }: ServedSite) =>
  politenessBreaches(log, { ...RULES, unseenMs })
const askedBy = (log: readonly AccessRecord[], name: string) =>
  log.filter(({ userAgent }) => userAgent.startsWith(name))

test('two crawls ask one host as politely as one, and in turns', async () => {
  await using served = await startSite(smallSite(31))
  await using folder = await temporaryFolder()
  const seed = served.seeds[0]!
  const names = ['one', 'two']
  await succeed(...names.map((name) => crawl(name, folder.path, seed)))
  assert.deepEqual(breachesAt(served), [])
  const [one, two] = names.map((name) => askedBy(served.log, name))
  // From the later beginning to the earlier end neither has the host for itself.
  const from = Math.max(one![0]!.startedAt, two![0]!.startedAt)
  const to = Math.min(one!.at(-1)!.startedAt, two!.at(-1)!.startedAt)
  const counts = [one!, two!].map(
    (log) => log.filter(({ startedAt }) => startedAt >= from && startedAt <= to).length,
  )
  assert.ok(Math.min(...counts) >= Math.max(...counts) / 3, `${counts.join(' and ')} requests`)
  const sql = 'SELECT crawl_id, count(*) AS n FROM pages GROUP BY crawl_id'
  const stored = query<{ n: number }>(`${folder.path}/jelajah.db`, sql).map(({ n }) => n)
  assert.equal(stored.length, 2)
  assert.equal(stored[0], stored[1])
})

test('a crawl whose scouter is killed and started again is as polite beside the other', async () => {
  await using served = await startSite(smallSite(32))
  await using folder = await temporaryFolder()
  const seed = served.seeds[0]!
  const [killed, other] = ['killed', 'other'].map((name) => crawl(name, folder.path, seed))
  await until(
    () => askedBy(served.log, 'killed').length > 3 && askedBy(served.log, 'other').length > 3,
    'both crawls ask',
  )
  const scouter = pidOf(killed!.process.pid!, 'scouter')
  if (scouter !== null) process.kill(scouter, 'SIGKILL')
  await succeed(killed!, other!)
  assert.deepEqual(breachesAt(served), [])
})

test(
  'a host that asks one crawl for rest has rest from both',
  beside(async () => {
    await using folder = await temporaryFolder()
    const asked: { readonly at: number; readonly by: string }[] = []
    let toldAt = 0
    await using server = await serve((request, response) => {
      const at = performance.now()
      const by = request.headers['user-agent'] ?? ''
      asked.push({ at, by })
      response.setHeader('content-type', 'text/html')
      const links = Array.from({ length: 12 }, (_, nth) => `<a href="/p${nth}">p</a>`)
      const isKnown = new Set(asked.map((one) => one.by)).size === 2
      if (request.url === '/robots.txt') response.writeHead(404).end()
      else if (toldAt === 0 && isKnown && request.url?.startsWith('/p')) {
        toldAt = at
        response.writeHead(503, { 'retry-after': '2' }).end()
      } else response.end(`<title>${request.url}</title>${links.join('')}`)
    })
    const seed = `http://127.0.0.1:${server.port}/`
    await succeed(...['one', 'two'].map((name) => crawl(name, folder.path, seed, '--no-sitemaps')))
    assert.ok(toldAt > 0)
    // The other may have been on its way before the word got around; whoever had not heard it would go on.
    const early = asked.filter(({ at }) => at > toldAt + 4 * DELAY_MS && at < toldAt + 1900)
    assert.deepEqual(early, [])
  }),
)
