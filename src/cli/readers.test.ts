import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sample, sampleJob, urlFor } from '../../test/contract/sample-page.ts'
import { openSqliteJobStore } from '../../test/support/stores.ts'
import { createAdmission } from '../core/admission.ts'
import { templateOf } from '../core/template.ts'
import { openLock } from '../db/lock.ts'
import { hostPolicyNamed } from '../frontier/policy/index.ts'
import { openSqliteFrontier } from '../frontier/sqlite/sqlite-frontier.ts'
import { ManualClock } from '../lib/clock.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import { breadthFirst } from '../ordering/breadth-first.ts'
import { openSqlitePageStore } from '../store/sqlite/sqlite-page-store.ts'
import { frontierPath, lockPath, storePath } from '../workspace/folder/paths.ts'
import { runCrawls } from './crawls.ts'
import { checkNode, checkOpenFiles } from './doctor/checks.ts'
import { runDoctor } from './doctor/doctor.ts'
import { runExplain } from './explain.ts'
import type { Output } from './output.ts'
import { type PagesOptions, runPages } from './pages.ts'
import { runUrls, type UrlsOptions } from './urls.ts'

const PAGES = 1200
const HOT_PAGES = 7
const dataDir = mkdtempSync(join(tmpdir(), 'jelajah-readers-'))
after(() => rmSync(dataDir, { recursive: true }))

before(async () => {
  await using jobs = await openSqliteJobStore(storePath(dataDir), new ManualClock())
  await jobs.create(sampleJob({ name: 'older' }))
  const job = await jobs.create(sampleJob({ name: 'newer' }))
  await using store = await openSqlitePageStore({ path: storePath(dataDir), job: limitless(job) })
  const urls = Array.from({ length: PAGES }, (_, n) => `${n % 2 ? 'a' : 'b'}.test/${n}`)
  const hot = { hot: true, relevance: 0.9 }
  const contentText = 'long '.repeat(50)
  await store.save(
    urls.map((url, n) => sample(url, { contentText, ...(n < HOT_PAGES ? hot : {}) })),
  )
  await using frontier = await openSqliteFrontier({
    path: frontierPath(dataDir, job.id),
    job,
    ordering: breadthFirst,
    scorer: breadthFirst.createScorer({}, 1),
    policy: hostPolicyNamed('fair'),
    admit: createAdmission(job.seeds, job.settings),
    templateOf,
    clock: new ManualClock(),
  })
  const hash = createUrlHasher(job.salt)
  const found = ['a.test/', 'a.test/1', 'other.test/'].map((text) => {
    const url = urlFor(text)
    return { url, hash: hash(url), nofollow: false, signals: null }
  })
  await frontier.add(found, 'seed')
})

function limitless<J extends ReturnType<typeof sampleJob>>(job: J): J {
  return { ...job, settings: { ...job.settings, maxPages: 1_000_000 } }
}

/** What a command printed, line by line, and its exit code. */
async function printed(run: (out: Output) => Promise<number>) {
  let stdout = ''
  let stderr = ''
  const code = await run({
    write: async (text) => {
      stdout += text
    },
    warn: (text) => {
      stderr += text
    },
  })
  return { code, stderr, lines: stdout.split('\n').filter(Boolean) }
}

type Rows = UrlsOptions & PagesOptions

function rows(changes: Partial<Rows> = {}): Rows {
  const all = { hot: false, minRelevance: null }
  const none = { crawl: null, host: null, state: null, limit: null, ...all }
  return { dataDir, json: true, ...none, ...changes }
}

test('crawls are listed newest first with what they stored', async () => {
  const { lines } = await printed((out) => runCrawls({ dataDir, json: true }, out))
  const crawls = lines.map((line) => JSON.parse(line))
  assert.deepEqual(
    crawls.map(({ name, stored }) => [name, stored]),
    [
      ['newer', PAGES],
      ['older', 0],
    ],
  )
})

test('a crawl that was killed is shown as interrupted, one that runs as running', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-killed-'))
  after(() => rmSync(folder, { recursive: true }))
  await using jobs = await openSqliteJobStore(storePath(folder), new ManualClock())
  for (const name of ['first', 'second']) {
    await jobs.setStatus((await jobs.create(sampleJob({ name }))).id, 'running')
  }
  const statuses = async () => {
    const { lines } = await printed((out) => runCrawls({ dataDir: folder, json: true }, out))
    return lines.map((line) => JSON.parse(line)).map(({ status, note }) => `${status} ${note}`)
  }
  assert.deepEqual(await statuses(), ['stopped interrupted', 'stopped interrupted'])
  await using _second = await openLock(lockPath(folder, 'crawl-2'))
  assert.deepEqual(await statuses(), ['running ', 'stopped interrupted'])
  await using _first = await openLock(lockPath(folder, 'crawl-1'))
  assert.deepEqual(await statuses(), ['running ', 'running '])
  assert.equal((await jobs.get(1))?.status, 'running')
})

test('a folder without crawls is not an error, and is left as it is', async () => {
  const nowhere = join(dataDir, 'nowhere')
  const { code, stderr, lines } = await printed((out) =>
    runCrawls({ dataDir: nowhere, json: false }, out),
  )
  assert.deepEqual([code, lines], [0, []])
  assert.match(
    stderr,
    /^there is no folder .*nowhere; 'jelajah crawl <seed> --data .*' makes one\n$/,
  )
})

test('pages come all, of the newest crawl, or as few as asked for', async () => {
  assert.equal((await printed((out) => runPages(rows(), out))).lines.length, PAGES)
  const some = await printed((out) => runPages(rows({ host: 'b.test', limit: 333 }), out))
  assert.equal(some.lines.length, 333)
  assert.ok(some.lines.every((line) => JSON.parse(line).url.startsWith('http://b.test/')))
})

test('pages are chosen by how relevant they are, and whether they are hot', async () => {
  const count = async (changes: Partial<Rows>) =>
    (await printed((out) => runPages(rows(changes), out))).lines.length
  assert.equal(await count({ hot: true }), HOT_PAGES)
  assert.equal(await count({ minRelevance: 0.9 }), HOT_PAGES)
  assert.equal(await count({ minRelevance: 0.1 }), PAGES)
  assert.equal(await count({ minRelevance: 1, hot: true }), 0)
})

test('a crawl is chosen by its number or its name', async () => {
  for (const crawl of ['1', 'crawl_1', 'older']) {
    assert.deepEqual((await printed((out) => runPages(rows({ crawl }), out))).lines, [])
  }
  await assert.rejects(
    printed((out) => runPages(rows({ crawl: 'none' }), out)),
    { name: 'InvalidInput', at: '--crawl' },
  )
})

test('URLs are listed with their state, by state and by host', async () => {
  const all = await printed((out) => runUrls(rows(), out))
  assert.equal(all.lines.length, 3)
  const refused = await printed((out) => runUrls(rows({ state: 'refused' }), out))
  assert.deepEqual(
    refused.lines.map((line) => JSON.parse(line).url),
    ['http://other.test/'],
  )
  const host = await printed((out) => runUrls(rows({ host: 'a.test', limit: 1 }), out))
  assert.equal(host.lines.length, 1)
  const text = await printed((out) => runUrls(rows({ json: false }), out))
  assert.match(text.lines[0]!, /^STATE +DEPTH +URL/)
})

test('when nothing matches it is said, but never among JSON', async () => {
  const none = rows({ host: 'a.test', minRelevance: 1, state: 'failed', json: false })
  const pages = await printed((out) => runPages(none, out))
  assert.deepEqual([pages.lines, pages.stderr], [[], 'no page matches\n'])
  const urls = await printed((out) => runUrls(none, out))
  assert.deepEqual([urls.lines, urls.stderr], [[], 'no URL matches\n'])
  for (const run of [runPages, runUrls]) {
    assert.equal((await printed((out) => run({ ...none, json: true }, out))).stderr, '')
    assert.equal((await printed((out) => run(rows({ json: false }), out))).stderr, '')
  }
})

test('a crawl without a page is named, with what became of it', async () => {
  await using jobs = await openSqliteJobStore(storePath(dataDir))
  await jobs.setStatus(1, 'failed', 'no seed could be fetched')
  const none = { ...rows({ json: false }), crawl: 'older' }
  const { lines, stderr } = await printed((out) => runPages(none, out))
  assert.deepEqual(lines, [])
  const why =
    'crawl 1, older, has failed (no seed could be fetched) and has no page; --crawl takes another'
  assert.equal(stderr, `no page matches: ${why}\n`)
})

test('a host that is not there is reported, with the one that was meant', async () => {
  const wrong = rows({ host: 'a.test:8080', json: false })
  await assert.rejects(
    printed((out) => runPages(wrong, out)),
    { at: '--host', message: /no page of a\.test:8080; did you mean a\.test\?/ },
  )
  const urls = await printed((out) => runUrls(wrong, out))
  assert.deepEqual([urls.code, urls.stderr], [0, 'no URL matches; did you mean --host a.test?\n'])
})

test('a crawl that has not begun has no URLs', async () => {
  assert.deepEqual((await printed((out) => runUrls(rows({ crawl: 'older' }), out))).lines, [])
})

test('a URL is explained, a URL never seen is an answer of its own', async () => {
  const explain = (url: string) =>
    printed((out) => runExplain({ dataDir, json: true, crawl: null, url: urlFor(url) }, out))
  const known = await explain('a.test/1')
  assert.equal(known.code, 0)
  const { state, page, host } = JSON.parse(known.lines[0]!)
  assert.deepEqual([state, page.title, host], ['queued', 'Title of a.test/1', 'a.test'])
  const unknown = await explain('a.test/nowhere')
  assert.equal(unknown.code, 1)
  assert.equal(JSON.parse(unknown.lines[0]!).known, false)
})

test('of a URL that a crawl has never seen it is told which other crawl has it', async () => {
  const explain = (url: string) =>
    printed((out) => runExplain({ dataDir, json: false, crawl: '1', url: urlFor(url) }, out))
  const { code, lines } = await explain('a.test/1')
  assert.deepEqual([code, lines.at(-1)], [1, '  Crawl 2 has: --crawl 2'])
  assert.match((await explain('a.test/nowhere')).lines.at(-1)!, /Crawl 1 has never seen this URL/)
})

test('the doctor finds this place sound', async () => {
  const { code, lines } = await printed((out) =>
    runDoctor({ dataDir, json: true, contact: 'me@a.test' }, out),
  )
  const { healthy, checks } = JSON.parse(lines[0]!)
  assert.deepEqual([code, healthy], [0, true])
  const stores = checks.find(({ check }: { check: string }) => check === 'stores')
  assert.match(stores.detail, /^2 sound/)
})

test('the doctor says what to do about what is wrong', async () => {
  assert.equal(checkNode('22.1.0').result, 'fail')
  assert.equal(checkNode('24.21.0').result, 'ok')
  assert.match(checkOpenFiles(64).advice, /ulimit/)
  const { code, lines } = await printed((out) =>
    runDoctor({ dataDir: '/proc/nothing', json: false, contact: null }, out),
  )
  assert.equal(code, 1)
  assert.match(lines.join('\n'), /FAIL {2}data folder.*\n.*--data/)
})

test('the doctor tells how to go on with a damaged store', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-damaged-'))
  after(() => rmSync(folder, { recursive: true }))
  writeFileSync(storePath(folder), 'this is not a database, whatever its name says'.repeat(100))
  const { code, lines } = await printed((out) =>
    runDoctor({ dataDir: folder, json: false, contact: null }, out),
  )
  assert.equal(code, 1)
  assert.match(
    lines.join('\n'),
    /FAIL {2}stores.*jelajah.db is damaged.*Put back a copy, or save what can be read/,
  )
  assert.doesNotMatch(lines.join('\n'), /--fresh/)
})

const entry = join(import.meta.dirname, '../main/jelajah.ts')

test('the program reports a mistake in one line, without a stack', () => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [entry, 'pages', '--limit', 'x'])
  assert.equal(status, 2)
  assert.equal(String(stdout), '')
  assert.equal(
    String(stderr).replace(/^\(node.*\n.*\n/m, ''),
    'jelajah: --limit: needs a whole number of at least 1, not "x"\n',
  )
})

test('a reader that has seen enough ends the program quietly', async () => {
  const child = spawn(process.execPath, [entry, 'pages', '--json', '--data', dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  let stderr = ''
  child.stderr.on('data', (text) => {
    stderr += text
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const code = await new Promise((resolve) => child.once('close', resolve))
  assert.deepEqual([code, stderr], [0, ''])
})
