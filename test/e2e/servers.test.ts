// The same program on PostgreSQL and Redis as in a folder: the same set, states and sequence, and the same
// answers to every question.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { extra, missing, twice, wrongStates } from '../../src/sample-web/checker.ts'
import { expectedCrawl } from '../../src/sample-web/oracle.ts'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite, type Site } from '../../src/sample-web/site.ts'
import { testDatabase } from '../servers/postgres.ts'
import { sharedRedisUrl } from '../servers/redis.ts'
import { temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'

const stack = new AsyncDisposableStack()
after(() => stack.disposeAsync())

const FAST = ['--delay', '0', '--allow-private', '--quiet', '--json'] as const
/** Whatever else takes its time, there is always one URL that is next. */
const ONE_HOST = createSite({
  seed: 31,
  hosts: [{ name: 'toko-buku', pages: 40, language: 'id', style: 'shop' }],
  specials: 4,
  sitemaps: false,
})
const ONE_BY_ONE = ['--concurrency', '1', '--ordering', 'breadth-first'] as const

const folder = stack.use(await temporaryFolder())
const database = stack.use(await testDatabase())
const frontier = `${await sharedRedisUrl()}?prefix=test-${randomBytes(6).toString('hex')}`
/** How commands are told where crawls live. */
const FOLDER = ['--data', folder.path]
const SERVERS = ['--data', database.url, '--frontier', frontier]
const lone = stack.use(await testDatabase())
const POSTGRES_ALONE = ['--data', lone.url]

async function answer(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(args)
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Two crawls of the same web differ in their times, and two engines in the last digit of a sum. */
function comparable(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, 'TIME')
    .replaceAll(/\b1[6-9]\d{11}\b/g, 'TIME')
    .replaceAll(/"score":([-\d.e]+)/g, (_, score) => Number(score).toPrecision(12))
    .replaceAll(/"command":"[^"]*"/g, '')
    .replaceAll(/"(seconds|pages_per_second|fetch_ms|parse_ms)":[\d.]+/g, '"$1":0')
}

/** Shows where texts begin to differ: all of them would fill many screens. */
function assertSame(actual: string, expected: string, what: string): void {
  let at = 0
  while (at < expected.length && actual[at] === expected[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 200), at + 200)
  assert.equal(around(actual), around(expected), what)
  assert.equal(actual.length, expected.length, what)
}

type Crawled = { readonly summary: string; readonly asked: readonly string[] }

async function crawl(served: ServedSite, options: readonly string[]): Promise<Crawled> {
  const from = served.log.length
  const summary = await answer(['crawl', ...served.seeds, ...options, ...FAST])
  const asked = served.log.slice(from).map(({ host, path }) => `${host}${path}`)
  return { summary: comparable(summary), asked }
}

async function differences(site: Site, served: ServedSite): Promise<readonly string[]> {
  const expected = expectedCrawl(site, { seeds: served.seeds, scope: 'domain' })
  const rowsOf = async (command: string) => {
    const lines = (await answer([command, ...SERVERS, '--json'])).trim().split('\n')
    return lines.map((line) => JSON.parse(line))
  }
  const pages = (await rowsOf('pages')).map((row) => ({ ...row, duplicateOf: row.duplicate_of }))
  return [
    ...missing(pages, expected),
    ...extra(pages, expected),
    ...twice(pages, expected),
    ...wrongStates(await rowsOf('urls'), expected),
  ]
}

const served = stack.use(await startSite(ONE_HOST))

test('in a folder and on servers the same URLs are asked for in the same order', async () => {
  const inFolder = await crawl(served, [...FOLDER, ...ONE_BY_ONE])
  const onServers = await crawl(served, [...SERVERS, ...ONE_BY_ONE])
  assert.deepEqual(onServers.asked, inFolder.asked)
  assert.equal(onServers.summary, inFolder.summary)
  assert.deepEqual(await differences(ONE_HOST, served), [])
})

const [seed = ''] = served.seeds
const found = [...expectedCrawl(ONE_HOST, { seeds: served.seeds, scope: 'domain' }).redirected]
const redirect = found[0]?.[0] ?? ''
const QUESTIONS: readonly (readonly string[])[] = [
  ['crawls', '--json'],
  ['pages', '--json'],
  ['pages', '--limit', '7'],
  ['urls', '--json'],
  ['urls', '--state', 'refused'],
  ['explain', seed, '--json'],
  ['explain', redirect],
  ['search', 'buku', 'harga', '--json'],
  ['rank', '--json'],
  ['rank', '--hosts', '--json'],
  ['rank', '--kept', '--json'],
  ['graph', 'pages', '--format', 'json'],
  ['graph', 'sites', '--format', 'gexf'],
  ['simulate', '--budget', '50%', '--orderings', 'breadth-first,pagerank', '--quiet', '--json'],
]

test('every question is answered alike in a folder and on servers, with a Redis and without', async () => {
  await crawl(served, [...POSTGRES_ALONE, ...ONE_BY_ONE])
  for (const question of QUESTIONS) {
    const inFolder = comparable(await answer([...question, ...FOLDER]))
    for (const place of [SERVERS, POSTGRES_ALONE]) {
      const other = comparable(await answer([...question, ...place]))
      assertSame(other, inFolder, `${question.join(' ')} ${place.join(' ')}`)
    }
  }
})

test('an export of a database has the same pages as one of a folder', async () => {
  const written = async (place: readonly string[], name: string): Promise<string> => {
    const out = join(folder.path, name)
    await answer(['export', ...place, '--format', 'ndjson', '--out', out, '--quiet'])
    return comparable(readFileSync(out, 'utf8'))
  }
  assertSame(await written(SERVERS, 'b'), await written(FOLDER, 'a'), 'export')
})

test('doctor finds servers healthy', async () => {
  const { healthy, checks } = JSON.parse(await answer(['doctor', ...SERVERS, '--json']))
  assert.equal(healthy, true, JSON.stringify(checks))
})

test('a frontier in few partitions: exactly what can be reached', async () => {
  const site = createSite({ seed: 12, pages: 100, specials: 2.5 })
  await using web = await startSite(site)
  const divided = ['--data', database.url, '--frontier', `${frontier}&partitions=3`]
  await crawl(web, [...divided, '--per-host', '4'])
  assert.deepEqual(await differences(site, web), [])
})
