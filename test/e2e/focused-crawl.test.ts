// A focused crawl as people run it: the topic, what it is built from, when the crawl has enough, and
// how it tells about itself.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query, readUrls, serve, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'

const FAST = ['--delay', '0', '--allow-private', '--json']
const PAGES = 120
const SOLAR = 'Solar panels on a roof turn sunlight into current; an inverter feeds the house.'
const BREAD = 'The dough rests overnight, is folded twice, and bakes in a hot oven until brown.'

/** A web where every third page is about solar power; each page links to the next few. */
async function serveWeb() {
  const asked: string[] = []
  const served = await serve((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const number = /^\/(\d+)$/.exec(path)?.[1]
    response.setHeader('content-type', 'text/html')
    if (path !== '/' && (number === undefined || Number(number) >= PAGES)) response.statusCode = 404
    response.end(path === '/' ? pageOf(0) : pageOf(Number(number)))
  })
  const seed = `http://127.0.0.1:${served.port}/`
  return Object.assign(served, { seed, asked, page: (number: number) => `${seed}${number}` })
}

function isSolar(number: number): boolean {
  return number % 3 === 1
}

function pageOf(number: number): string {
  const title = (at: number) => (isSolar(at) ? `Solar power ${at}` : `Bread ${at}`)
  const text = (isSolar(number) ? SOLAR : BREAD).repeat(6)
  const next = [1, 2, 3, 4, 5].map((step) => number + step).filter((at) => at < PAGES)
  const links = next.map((at) => `<li><a href="/${at}">${title(at)}</a>`).join('')
  return `<title>${title(number)}</title><h1>${title(number)}</h1><p>${text} Number ${number}.</p><ul>${links}</ul>`
}

async function run(...args: readonly string[]) {
  const { code, stdout, stderr } = await runHere(args)
  const isSummary = args[0] === 'crawl' && stdout !== ''
  return { code, stdout, stderr, summary: isSummary ? JSON.parse(stdout) : null }
}

function hotIn(dataDir: string): number {
  const sql = 'SELECT count(*) AS n FROM pages WHERE hot = 1 AND duplicate_of IS NULL'
  return query<{ n: number }>(join(dataDir, 'jelajah.db'), sql)[0]?.n ?? -1
}

test('a crawl with keywords tells its harvest, and its pages how relevant they are', async () => {
  await using web = await serveWeb()
  await using folder = await temporaryFolder()
  const place = ['--data', folder.path]
  const { code, summary, stderr } = await run('crawl', web.seed, ...place, ...FAST, ...KEYWORDS)
  assert.equal(code, 0, stderr)
  const { stored, judged, hot, topic, harvest_rate } = summary
  assert.deepEqual([stored, judged, topic], [PAGES, PAGES, 'solar, inverter'])
  assert.equal(hot, PAGES / 3)
  assert.equal(harvest_rate, 0.333)
  const listed = await run('pages', '--hot', '--json', ...place)
  const pages = listed.stdout.trimEnd().split('\n')
  assert.equal(pages.length, hot)
  for (const line of pages) assert.match(JSON.parse(line).title, /^Solar power/)
  assert.match((await run('pages', ...place)).stdout, /ID +RELEVANT +DEPTH/)
  assert.match((await run('crawls', ...place)).stdout, / 40 .*breadth-first/)
})

const KEYWORDS = ['--keywords', 'solar,inverter']

test('examples are fetched before the crawl, once; the topic is kept until they change', async () => {
  await using web = await serveWeb()
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'examples.txt')
  const numbers = Array.from({ length: 24 }, (_, at) => at + 60)
  const lines = numbers.map((at) => `${isSolar(at) ? '' : '- '}${web.page(at)}`)
  writeFileSync(file, lines.join('\n'))
  const data = join(folder.path, 'data')
  const crawl = (...more: string[]) =>
    run('crawl', web.seed, '--data', data, ...FAST, '--examples', file, ...more)
  const first = await crawl('--max-pages', '10')
  assert.equal(first.code, 0, first.stderr)
  assert.ok(numbers.every((at) => web.asked.includes(`/${at}`)))
  assert.equal(first.summary.judged, 10)
  assert.equal(hotIn(data), 3)
  web.asked.length = 0
  const again = await crawl('--max-pages', '20')
  assert.equal(again.summary.stored, 20)
  assert.ok(!web.asked.includes('/83'), 'no example is asked for again')
  assert.doesNotMatch(again.stderr, /topic changed/)
  writeFileSync(file, lines.slice(1).join('\n'))
  const changed = await crawl('--max-pages', '30')
  assert.match(changed.stderr, /the topic changed/)
  assert.equal(changed.summary.stored, 30)
})

test('examples that a crawl of the folder has stored are not asked for', async () => {
  await using web = await serveWeb()
  await using folder = await temporaryFolder()
  const data = join(folder.path, 'data')
  await run('crawl', web.seed, '--data', data, ...FAST, '--max-pages', '40')
  const file = join(folder.path, 'examples.json')
  const numbers = Array.from({ length: 12 }, (_, at) => at + 2)
  const side = (solar: boolean) => numbers.filter((at) => isSolar(at) === solar).map(web.page)
  writeFileSync(file, JSON.stringify({ positive: side(true), negative: side(false) }))
  web.asked.length = 0
  const flags = ['--examples', file, '--name', 'second', '--max-pages', '1']
  const { code, summary, stderr } = await run('crawl', web.seed, '--data', data, ...FAST, ...flags)
  assert.equal(code, 0, stderr)
  assert.equal(summary.judged, 1)
  assert.ok(!numbers.some((at) => at > 6 && web.asked.includes(`/${at}`)), web.asked.join())
})

test('a few examples that cannot be had are listed, and the crawl goes on without them', async () => {
  await using web = await serveWeb()
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'examples.txt')
  const pages = [1, 4, 7, 10, 2, 3, 5, 6, 8].map(
    (at) => `${isSolar(at) ? '' : '- '}${web.page(at)}`,
  )
  writeFileSync(file, [...pages, `- ${web.page(999)}`].join('\n'))
  const flags = ['--examples', file, '--data', join(folder.path, 'data'), '--max-pages', '3']
  const { code, stderr } = await run('crawl', web.seed, ...FAST, ...flags)
  assert.equal(code, 0, stderr)
  assert.match(stderr, /examples left out: 1 of 10\n.*\/999: the server answered 404/)
})

test('too many examples that cannot be had end it with what to do, before anything is crawled', async () => {
  await using web = await serveWeb()
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'examples.txt')
  const urls = [1, 4, 7, 996, 997, 998].map(web.page)
  writeFileSync(file, urls.join('\n'))
  const data = join(folder.path, 'data')
  const { code, stderr } = await run('crawl', web.seed, '--examples', file, ...FAST, '--data', data)
  assert.equal(code, 4)
  assert.match(stderr, /--examples: only 3 of 6 examples could be had/)
  assert.match(stderr, /\/998: the server answered 404/)
  assert.match(stderr, /Take them out of/)
  assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace')
  assert.match((await run('crawls', '--data', data)).stderr, /no crawl in/)
})

test('--max-hot is exact with any number of workers, and a larger one goes on', async () => {
  await using web = await serveWeb()
  await using folder = await temporaryFolder()
  const flags = ['--data', folder.path, ...FAST, ...KEYWORDS, '--per-host', '16']
  for (const limit of [1, 20]) {
    const { code, summary } = await run('crawl', web.seed, ...flags, '--max-hot', `${limit}`)
    assert.equal(code, 0)
    assert.deepEqual([summary.status, summary.hot], ['completed', limit])
    assert.match(summary.note, /^it has its \d+ hot page/)
    assert.equal(hotIn(folder.path), limit)
  }
  web.asked.length = 0
  await run('crawl', web.seed, ...flags, '--max-hot', '20')
  assert.deepEqual(web.asked, [], 'a crawl that has them all asks for nothing')
})

test('a harvest under the floor ends the crawl, says so, and the same command stays at its end', async () => {
  await using web = await serveWeb()
  await using folder = await temporaryFolder()
  const floor = ['--harvest-floor', '50%', '--harvest-window', '30']
  const flags = ['--data', folder.path, '--delay', '5', '--allow-private', '--json', ...KEYWORDS]
  const { code, summary, stderr } = await run('crawl', web.seed, ...flags, ...floor)
  assert.equal(code, 0)
  assert.equal(summary.status, 'completed')
  assert.equal(summary.note, 'harvest fell under 50 % over the last 30 pages')
  assert.ok(summary.stored >= 30 && summary.stored < PAGES, `${summary.stored} pages`)
  assert.match(stderr, /Stopped by --harvest-floor; .* a lower one goes on/)
  assert.match((await run('crawls', '--data', folder.path)).stdout, /harvest fell under 50 %/)
  web.asked.length = 0
  assert.equal((await run('crawl', web.seed, ...flags, ...floor)).summary.note, summary.note)
  assert.deepEqual(web.asked, [])
  const lower = ['--harvest-floor', '10', '--harvest-window', '30']
  assert.equal((await run('crawl', web.seed, ...flags, ...lower)).summary.stored, PAGES)
})

test('--max-hot does not count what was hot by a lower threshold', async () => {
  await using web = await serveWeb()
  await using folder = await temporaryFolder()
  const flags = ['--data', folder.path, ...FAST, ...KEYWORDS]
  await run('crawl', web.seed, ...flags, '--max-hot', '5')
  const higher = ['--hot-threshold', '0.6', '--max-hot', '5']
  assert.equal((await run('crawl', web.seed, ...flags, ...higher)).summary.hot, 10)
})

test('a crawl that keeps nothing ends all the same, says why, and stays at its end', async () => {
  const asked: string[] = []
  await using web = await serve((request, response) => {
    asked.push(request.url ?? '')
    const number = Number((request.url ?? '').slice(1))
    const links = [1, 2].map((one) => `<a href="/${2 * number + one}">on</a>`).join(' ')
    const text = number % 2 === 0 ? 'Solar.' : BREAD.repeat(3)
    response.setHeader('content-type', 'text/html')
    response.end(`<title>${number}</title><p>${text} ${number}</p>${links}`)
  })
  await using folder = await temporaryFolder()
  const filters = ['--keywords', 'solar', '--min-relevance', '0.9', '--min-terms', '30']
  const flags = ['--data', folder.path, ...FAST, '--trap-budget', '0', ...filters]
  const crawl = () =>
    run('crawl', `http://127.0.0.1:${web.port}/`, '--max-pages', '3', '--per-host', '8', ...flags)
  const { code, summary, stderr } = await crawl()
  assert.equal(code, 0, stderr)
  const { status, stored, note } = summary
  assert.deepEqual([status, stored], ['completed', 0])
  assert.equal(note, '1000 pages were not worth keeping before it had 3 that are')
  assert.match(
    stderr,
    /A lower --min-relevance or --min-terms, more of --language, or a larger --max-pages, goes on/,
  )
  // Whatever kept a page out counts.
  const reasons = readUrls(folder.path).map(({ reason }) => reason?.split(':')[0] ?? '')
  for (const reason of ['off-topic', 'too-short']) assert.ok(reasons.includes(reason), reason)
  asked.length = 0
  assert.equal((await crawl()).summary.note, note)
  assert.deepEqual(asked, [])
})

test('where hot is importance, pages are marked by the graph when the crawl ends', async () => {
  await using web = await serveWeb()
  await using folder = await temporaryFolder()
  const flags = ['--importance', 'location', '--hot-threshold', '0.9', '--data', folder.path]
  const { summary } = await run('crawl', web.seed, ...FAST, ...flags)
  assert.equal(summary.hot, 1, 'the front page alone')
  const { stdout } = await run('explain', web.seed, '--data', folder.path)
  assert.match(stdout, /important +0.95 of 1: 0 backlinks, PageRank [\d.]+, location 0.95/)
})

test('explain tells what a score is made from, and what keeps a page out', async () => {
  await using web = await serveWeb()
  await using folder = await temporaryFolder()
  const flags = ['--ordering', 'shark-search', '--max-pages', '8', '--min-relevance', '0.7']
  const place = ['--data', folder.path]
  const { code, stderr } = await run('crawl', web.seed, ...FAST, ...place, ...KEYWORDS, ...flags)
  assert.equal(code, 0, stderr)
  const urls = readUrls(folder.path)
  const queued = urls.find(({ state }) => state === 'queued')?.url ?? ''
  const waiting = await run('explain', queued, ...place)
  assert.match(waiting.stdout, /^ {2}waits .*\(shark-search, queued with /m)
  assert.match(waiting.stdout, /^ {2}score +[\d.]+: [a-z]/m)
  const parts = JSON.parse((await run('explain', queued, '--json', ...place)).stdout).score_parts
  assert.ok(Object.keys(parts).length > 0)
  const kept = await run('explain', web.page(1), ...place)
  assert.match(kept.stdout, /^ {2}topic +relevance [\d.]+, hot \("solar, inverter"\)$/m)
  assert.match(kept.stdout, /^ {2}important +[\d.]+ of 1: similarity /m)
  const refused = urls.find(({ reason }) => reason?.startsWith('off-topic'))?.url ?? ''
  assert.match((await run('explain', refused, ...place)).stdout, /why +.*--min-relevance/)
})
