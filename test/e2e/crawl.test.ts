// The program as people use it: one command on the sample web, compared with the computed truth.
import assert from 'node:assert/strict'
import { cpSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { extra, missing, twice, wrongStates } from '../../src/sample-web/checker.ts'
import { expectedCrawl } from '../../src/sample-web/oracle.ts'
import { threeUnequalSites } from '../../src/sample-web/samples.ts'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite, type Site } from '../../src/sample-web/site.ts'
import { jelajah, query, readPages, readUrls, serve, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'

const FAST = ['--delay', '0', '--per-host', '4', '--allow-private', '--quiet', '--json']

function differences(site: Site, served: ServedSite, dataDir: string): string[] {
  const expected = expectedCrawl(site, { seeds: served.seeds, scope: 'domain' })
  const pages = readPages(dataDir).map((row) => ({ url: row.url, duplicateOf: row.duplicate_of }))
  const urls = readUrls(dataDir).map((row) => ({ ...row, reason: row.reason ?? '' }))
  return [
    ...missing(pages, expected),
    ...extra(pages, expected),
    ...twice(pages, expected),
    ...wrongStates(urls, expected),
  ]
}

/** What who copies only the databases would miss. */
function filledLogs(dataDir: string): string[] {
  const logs = readdirSync(dataDir).filter((name) => name.endsWith('-wal'))
  return logs.filter((name) => statSync(join(dataDir, name)).size > 0)
}

const rig = new AsyncDisposableStack()
after(() => rig.disposeAsync())

/** A crawl that came to its end, for all who only look at it or run it again. */
const wholeCrawl = (async () => {
  const site = createSite({ seed: 12, pages: 600, specials: 2.5 })
  const served = rig.use(await startSite(site))
  const folder = rig.use(await temporaryFolder())
  const args = ['crawl', ...served.seeds, '--data', folder.path, '--max-pages', '5000', ...FAST]
  return { site, served, folder, args, end: await jelajah(args).ended }
})()

test('a crawl stores exactly what can be reached, and every other URL has a state and a reason', async () => {
  const { site, served, folder, end } = await wholeCrawl
  const { code, stdout } = end
  assert.equal(code, 0)
  assert.deepEqual(filledLogs(folder.path), [], 'all is in the .db files')
  assert.deepEqual(differences(site, served, folder.path), [])
  const summary = JSON.parse(stdout)
  const expected = expectedCrawl(site, { seeds: served.seeds, scope: 'domain' })
  const { stored, duplicates, refused, failed, queued, status } = summary
  assert.deepEqual(
    { stored, duplicates, refused, failed, queued, status },
    {
      stored: expected.stored.size,
      duplicates: expected.duplicates.size,
      refused: expected.refused.size,
      failed: expected.failed.size,
      queued: 0,
      status: 'completed',
    },
  )
  const others = ['bytes', 'crawl', 'fairness', 'hosts', 'pages_per_second', 'seconds']
  for (const field of others) assert.ok(field in summary, `${field} is in the summary`)
})

test('the same command again asks for nothing that was settled', async () => {
  const { site, served, args, folder } = await wholeCrawl
  const before = served.log.length
  const { code, stdout } = await runHere(args)
  assert.equal(code, 0)
  assert.equal(served.log.length, before)
  assert.equal(JSON.parse(stdout).crawl, 1)
  assert.deepEqual(differences(site, served, folder.path), [])
})

test('a finished crawl run again prints nothing but its own lines, with many threads to start', async () => {
  const { args: before } = await wholeCrawl
  const loud = before.filter((option) => option !== '--quiet' && option !== '--json')
  for (let again = 0; again < 2; again++) {
    const { code, stdout, stderr } = await jelajah([...loud, '--parser-threads', '8']).ended
    assert.equal(code, 0)
    // Where it takes five seconds to start, it says so.
    const said = stderr.split('\n').filter((line) => !/^[\d,/]+ pages · /.test(line))
    const nothing = 'Nothing was left to fetch: --refresh looks again at what is stored.'
    assert.deepEqual(said, [
      'continuing crawl 1; --fresh would start again from the seeds',
      nothing,
      '',
    ])
    const ours =
      /^(?:Crawl 1 completed: | {2}\d+ duplicates, | {2}most often: | +and \d+ more hosts$| +\d+ {2}\S+$)/
    for (const line of stdout.trimEnd().split('\n')) assert.match(line, ours)
  }
})

test('--max-pages is never overrun, and a larger one goes on from there', async () => {
  const site = createSite({ seed: 13, pages: 100 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  const args = ['crawl', ...served.seeds, '--data', folder.path, ...FAST, '--concurrency', '64']
  for (const limit of [1, 50, 51]) {
    const { stdout } = await runHere([...args, '--max-pages', `${limit}`])
    assert.equal(JSON.parse(stdout).stored, limit)
    const sql = 'SELECT count(*) AS n FROM pages WHERE duplicate_of IS NULL'
    assert.equal(query<{ n: number }>(join(folder.path, 'jelajah.db'), sql)[0]?.n, limit)
  }
})

test('the fair policy shares the pages of a limited crawl among unequal sites', async () => {
  await using served = await startSite(threeUnequalSites(1))
  await using folder = await temporaryFolder()
  const args = ['crawl', ...served.seeds, '--data', folder.path, '--max-pages', '300', ...FAST]
  const { stdout } = await runHere([...args, '--host-policy', 'fair'])
  const { stored, fairness } = JSON.parse(stdout)
  assert.equal(stored, 300)
  assert.ok(fairness >= 0.95, `Jain's index is ${fairness}`)
})

test('Ctrl-C drains and keeps everything; the same command ends the crawl', async () => {
  const site = createSite({ seed: 14, pages: 120, hosts: 4 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  const args = ['crawl', ...served.seeds, '--data', folder.path, '--allow-private', '--json']
  const run = jelajah([...args, '--delay', '150'])
  while (served.log.length < 20) await new Promise((resolve) => setTimeout(resolve, 10))
  run.process.kill('SIGINT')
  const { code, stdout, stderr } = await run.ended
  assert.equal(code, 11)
  assert.match(stderr, /same command/)
  const { stored, status, queued } = JSON.parse(stdout)
  assert.equal(status, 'stopped')
  assert.ok(stored > 0 && queued > 0)
  const states = new Set(readUrls(folder.path).map(({ state }) => state))
  assert.ok(!states.has('leased'), 'a drained crawl leaves no lease behind')
  assert.equal((await runHere([...args, '--delay', '0'])).code, 0)
  assert.deepEqual(differences(site, served, folder.path), [])
})

test('the time limit ends a crawl with its own exit code', async () => {
  const site = createSite({ seed: 15, pages: 300, hosts: 3 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  const args = ['crawl', ...served.seeds, '--data', folder.path, '--duration', '1', '--json']
  const { code } = await runHere([...args, '--delay', '200', '--allow-private'])
  assert.equal(code, 15)
})

test('the same crawl is refused while it runs, another one in the same folder is not', async () => {
  const site = createSite({ seed: 16, pages: 300, hosts: 3 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  const args = ['crawl', ...served.seeds, '--data', folder.path, '--quiet', '--allow-private']
  const first = jelajah([...args, '--delay', '500'])
  while (served.log.length < 5) await new Promise((resolve) => setTimeout(resolve, 10))
  const { code, stderr } = await runHere(args)
  assert.equal(code, 8)
  assert.match(stderr, /crawl 1 is already running in/)
  const other = await runHere([...args, '--name', 'other', '--delay', '0', '--max-pages', '5'])
  assert.equal(other.code, 0)
  first.process.kill('SIGINT')
  assert.equal((await first.ended).code, 11)
  const sql = 'SELECT id, status FROM crawls ORDER BY id'
  assert.deepEqual(
    query<{ id: number; status: string }>(join(folder.path, 'jelajah.db'), sql).map((row) => ({
      ...row,
    })),
    [
      { id: 1, status: 'stopped' },
      { id: 2, status: 'completed' },
    ],
  )
})

test('of equal commands at the same moment one makes the crawl, the others find it', async () => {
  const othersLeft = Promise.withResolvers<void>()
  await using server = await serve(async (_request, response) => {
    // Before, the crawl cannot be over.
    await othersLeft.promise
    response.setHeader('content-type', 'text/html').end('<title>page</title>')
  })
  await using folder = await temporaryFolder()
  const args = ['crawl', `http://127.0.0.1:${server.port}/`, '--data', folder.path, '--delay', '0']
  let left = 0
  const run = async () => {
    const end = await jelajah(args).ended
    if (++left === 2) othersLeft.resolve()
    return end
  }
  const runs = await Promise.all([run(), run(), run()])
  const codes = runs.map(({ code }) => code).sort()
  assert.deepEqual(codes, [0, 8, 8], runs.map(({ stderr }) => stderr).join())
  const sql = 'SELECT count(*) AS n FROM crawls'
  assert.equal(query<{ n: number }>(join(folder.path, 'jelajah.db'), sql)[0]?.n, 1)
})

/** A small crawl that is over, to be damaged. */
async function finishedCrawl() {
  const stack = new AsyncDisposableStack()
  const served = stack.use(await startSite(createSite({ seed: 17, pages: 20, hosts: 2 })))
  const folder = stack.use(await temporaryFolder())
  const args = ['crawl', ...served.seeds, '--data', folder.path, ...FAST]
  assert.equal((await runHere(args)).code, 0)
  const asked = served.log.length
  /** Runs the same command on a copy of the folder. */
  const runDamaged = async (damage: (dataDir: string) => void) => {
    await using copy = await temporaryFolder()
    cpSync(folder.path, copy.path, { recursive: true, filter: (path) => !isSocket(path) })
    damage(copy.path)
    const { code, stderr } = await runHere(
      args.map((arg) => (arg === folder.path ? copy.path : arg)),
    )
    assert.equal(served.log.length, asked, 'nothing is asked for')
    return { code, stderr }
  }
  return { runDamaged, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const isSocket = (path: string) => statSync(path).isSocket()

test('a folder that is newer, or lost its frontier or its store, is refused and left alone', async () => {
  await using finished = await finishedCrawl()
  const { runDamaged } = finished
  const newer = await runDamaged((dataDir) => {
    using db = new DatabaseSync(join(dataDir, 'jelajah.db'))
    db.exec('PRAGMA user_version = 999')
  })
  assert.equal(newer.code, 8)
  assert.match(newer.stderr, /newer Jelajah/)
  const lost = await runDamaged((dataDir) => rmSync(join(dataDir, 'frontier-1.db')))
  assert.equal(lost.code, 8)
  assert.match(lost.stderr, /frontier-1\.db is missing.*doctor --rebuild-frontier/)
  const without = await runDamaged((dataDir) => rmSync(join(dataDir, 'jelajah.db')))
  assert.equal(without.code, 8)
  assert.match(without.stderr, /jelajah\.db is missing, though frontier-1\.db is beside it/)
})

test('a private address that nobody named is refused, with the reason', async () => {
  await using folder = await temporaryFolder()
  await using inside = await serve((_request, response) => response.end('secret'))
  await using outside = await serve((request, response) => {
    response.setHeader('content-type', 'text/html')
    if (request.url === '/away') {
      response.writeHead(302, { location: `http://localhost:${inside.port}/` })
    }
    response.end(`<a href="http://127.0.0.1:${inside.port}/">in</a><a href="/away">away</a>`)
  })
  const seed = `http://seed.localhost:${outside.port}/`
  const args = ['crawl', seed, '--data', folder.path, '--scope', 'any', '--delay', '0', '--quiet']
  assert.equal((await runHere(args)).code, 0)
  const reasons = readUrls(folder.path)
    .filter(({ state }) => state === 'refused')
    .map(({ reason }) => reason?.split(':')[0])
  assert.deepEqual(reasons, ['private-address', 'private-address'])
  assert.equal(inside.connections(), 0)
})

test('an unreachable robots.txt forbids its host, is recorded, and is tried again by a later run', async () => {
  await using folder = await temporaryFolder()
  let broken = true
  await using server = await serve((request, response) => {
    if (request.url === '/robots.txt') response.statusCode = broken ? 503 : 404
    response.setHeader('content-type', 'text/html')
    response.end('<title>page</title>')
  })
  const seed = `http://127.0.0.1:${server.port}/`
  const args = ['crawl', seed, '--data', folder.path, '--delay', '0', '--quiet', '--retries', '0']
  const first = await runHere([...args, '--json'])
  assert.equal(first.code, 1)
  assert.equal(JSON.parse(first.stdout).status, 'failed')
  assert.match(
    JSON.parse(first.stdout).note,
    /robots-unreachable: http-503: its server is in trouble/,
  )
  const [row] = readUrls(folder.path)
  assert.deepEqual([row?.state, row?.reason], ['refused', 'robots-unreachable'])
  broken = false
  assert.equal((await runHere(args)).code, 0)
  assert.equal(readUrls(folder.path)[0]?.state, 'stored')
})

test('a crawl whose only seed fails has failed, also when the seed was given with tracking parameters', async () => {
  await using folder = await temporaryFolder()
  await using server = await serve((_, response) => {
    response.statusCode = 404
    response.end()
  })
  const seed = `http://127.0.0.1:${server.port}/gone?utm_source=mail`
  const flags = ['--data', folder.path, '--delay', '0', '--quiet', '--json']
  const { code, stdout } = await runHere(['crawl', seed, ...flags])
  assert.equal(code, 1)
  const { status, note } = JSON.parse(stdout)
  assert.equal(status, 'failed')
  assert.match(note, /\/gone failed: http-404/)
})

test('the same seeds with other options are refused, with what differs and what to do', async () => {
  await using folder = await temporaryFolder()
  await using server = await serve((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>page</title>')
  })
  const seed = `http://127.0.0.1:${server.port}/`
  const args = ['crawl', seed, '--data', folder.path, '--delay', '0', '--quiet', '--ignore-robots']
  assert.equal((await runHere(args)).code, 0)
  assert.equal((await runHere([...args, '--max-pages', '7'])).code, 0)
  const other = await runHere([...args, '--scope', 'any'])
  assert.equal(other.code, 2)
  assert.match(other.stderr, /--scope {2}domain → any[\s\S]*--fresh[\s\S]*--name/)
  assert.equal((await runHere([...args, '--scope', 'any', '--fresh'])).code, 0)
})

test('the options of every run stay on record, also of one that goes over a crawl again', async () => {
  await using folder = await temporaryFolder()
  await using server = await serve((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>page</title>')
  })
  const seed = `http://127.0.0.1:${server.port}/`
  const data = ['--data', folder.path]
  const args = ['crawl', seed, ...data, '--delay', '0', '--quiet', '--ignore-robots']
  for (const more of [[], ['--max-pages', '7'], ['--refresh', '--concurrency', '3']]) {
    const { code, stderr } = await runHere([...args, ...more])
    assert.equal(code, 0, stderr)
  }
  const listed = await runHere(['crawls', '--json', ...data])
  assert.equal(listed.code, 0, listed.stderr)
  const { runs, started_at } = JSON.parse(listed.stdout)
  type Shown = { started_at: number; options: Record<string, unknown> }
  assert.deepEqual(
    runs.map(({ options }: Shown) => [options.max_pages, options.concurrency]),
    [
      [1000, 32],
      [7, 32],
      [7, 3],
    ],
  )
  const times: number[] = [started_at, ...runs.map((run: Shown) => run.started_at)]
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
})
