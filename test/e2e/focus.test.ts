// Crawls that look for something, on small webs of their own: what is judged, what is kept, and what
// reaches the frontier.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { query, readUrls, serve, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'

const FAST = ['--delay', '0', '--per-host', '2', '--allow-private', '--quiet', '--json']

/** A web of pages on one host; links by their path, with their anchor text. */
type Page = readonly [title: string, text: string, links: Readonly<Record<string, string>>]
type Web = Readonly<Record<string, Page>>

function serveWeb(web: Web): ReturnType<typeof serve> {
  return serve((request, response) => {
    const page = web[request.url ?? '']
    response.setHeader('content-type', 'text/html')
    if (page === undefined) {
      response.statusCode = 404
      response.end()
      return
    }
    const [title, text, links] = page
    const items = Object.entries(links).map(
      ([path, anchor]) => `<li><a href="${path}">${anchor}</a>`,
    )
    response.end(`<title>${title}</title><h1>${title}</h1><p>${text}</p><ul>${items.join('')}</ul>`)
  })
}

/** So many words, none of which is in another page. */
function words(count: number, stem: string): string {
  return Array.from({ length: count }, (_, nth) => `${stem}${nth}`).join(' ')
}

async function crawl(port: number, dataDir: string, flags: readonly string[]) {
  const seed = `http://127.0.0.1:${port}/`
  const args = ['crawl', seed, '--data', dataDir, ...flags, ...FAST]
  const { code, stdout, stderr } = await runHere(args)
  assert.equal(code, 0, stderr)
  const short = (url: string) => url.slice(seed.length - 1)
  return {
    summary: JSON.parse(stdout),
    states: Object.fromEntries(
      readUrls(dataDir).map(({ url, state, reason }) => [
        short(url),
        reason ? `${state}: ${reason}` : state,
      ]),
    ),
    pages: query<PageRow>(
      join(dataDir, 'jelajah.db'),
      'SELECT url, relevance, hot FROM pages ORDER BY url',
    ).map(({ url, relevance, hot }) => ({ path: short(url), relevance, hot })),
  }
}

type PageRow = { url: string; relevance: number | null; hot: number }

test('--min-terms keeps short pages out of the store, follows them, and counts none of them', async () => {
  await using web = await serveWeb({
    '/': ['Home', words(80, 'home'), { '/hub': 'hub' }],
    '/hub': ['Hub', 'almost nothing', { '/deep': 'one', '/deeper': 'two', '/deepest': 'three' }],
    '/deep': ['Deep', words(90, 'deep'), {}],
    '/deeper': ['Deeper', words(90, 'deeper'), {}],
    '/deepest': ['Deepest', words(90, 'deepest'), {}],
  })
  await using folder = await temporaryFolder()
  const flags = ['--min-terms', '50', '--max-pages', '3']
  const { summary, states, pages } = await crawl(web.port, folder.path, flags)
  assert.equal(summary.stored, 3)
  assert.match(states['/hub'] ?? '', /^refused: too-short: \d+ of 50 words$/)
  assert.deepEqual(
    pages.map(({ path }) => path.startsWith('/deep')),
    [false, true, true],
  )
  assert.deepEqual(new Set(pages.map(({ relevance }) => relevance)), new Set([null]))
})

const BRIDGE = {
  en: 'The council has decided that the old bridge will be closed, and they know what it means. ',
  id: 'Pemerintah kota telah memutuskan bahwa jembatan lama itu akan ditutup dan warga sudah tahu. ',
}

test('--language keeps pages of other languages out of the store, and finds what is behind them', async () => {
  const pages: Record<string, Page> = {
    '/': ['Jembatan', BRIDGE.id.repeat(5), { '/news': 'news', '/nomor': 'nomor' }],
    '/news': ['News', BRIDGE.en.repeat(5), { '/lama': 'lama' }],
    '/nomor': ['12 345', '6789', {}],
    '/lama': ['Lama', `${BRIDGE.id.repeat(5)} Lagi.`, {}],
  }
  await using web = await serveWeb(pages)
  await using folder = await temporaryFolder()
  const first = await crawl(web.port, folder.path, ['--language', 'id'])
  assert.equal(first.states['/news'], 'refused: language: en, not id')
  assert.deepEqual([first.summary.stored, first.summary.refused], [3, 1])
  assert.deepEqual(
    first.pages.map(({ path }) => path),
    ['/', '/lama', '/nomor'],
  )
  // A page that changed its language leaves the store.
  pages['/lama'] = ['Old', `${BRIDGE.en.repeat(5)} Again.`, {}]
  const again = await crawl(web.port, folder.path, ['--refresh'])
  assert.equal(again.states['/lama'], 'refused: language: en, not id')
  assert.deepEqual(
    again.pages.map(({ path }) => path),
    ['/', '/nomor'],
  )
  // Who wants more languages gets what was left out.
  const both = await crawl(web.port, folder.path, ['--language', 'id,en'])
  assert.equal(both.summary.stored, 4)
})

test('--stop-words are kept with the crawl: the same words go on, others are another topic', async () => {
  await using web = await serveWeb(TEA_AND_CARS)
  await using folder = await temporaryFolder()
  const list = join(folder.path, 'stop.txt')
  await writeFile(list, '# of this topic\nTea\n')
  const flags = ['--topic', 'tea engine valves', '--stop-words', list]
  const { pages } = await crawl(web.port, folder.path, flags)
  assert.deepEqual(
    pages.filter(({ hot }) => hot === 1).map(({ path }) => path),
    ['/cars', '/tyres'],
  )
  const alone = ['crawl', `http://127.0.0.1:${web.port}/`, '--topic', 'tea', '--stop-words', list]
  const refused = await runHere([...alone, '--data', folder.path, ...FAST])
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /--topic: only stop words \(tea\)/)
})

const TEA = 'The leaves of green tea are steamed, those of black tea are left to wither. '.repeat(8)
const CARS = 'Every engine of these cars was taken apart and its valves were cleaned. '.repeat(8)

const TEA_AND_CARS: Web = {
  '/': ['Tea houses', `${TEA} Welcome.`, { '/cars': 'old cars', '/green': 'green tea' }],
  '/green': ['Green tea', `${TEA} Sencha and others.`, { '/tyres': 'tyres' }],
  '/cars': ['Cars', `${CARS} All of them.`, { '/black': 'other things', '/tyres': 'tyres' }],
  '/black': ['Black tea', `${TEA} Assam and others.`, {}],
  '/tyres': ['Tyres', `${CARS} Four of them.`, {}],
}

test('a crawl with a topic judges every page, and keeps them all when nothing is asked of them', async () => {
  await using web = await serveWeb(TEA_AND_CARS)
  await using folder = await temporaryFolder()
  const { summary, pages } = await crawl(web.port, folder.path, ['--keywords', 'tea'])
  assert.deepEqual(
    pages.map(({ path, hot }) => [path, hot]),
    [
      ['/', 1],
      ['/black', 1],
      ['/cars', 0],
      ['/green', 1],
      ['/tyres', 0],
    ],
  )
  for (const { path, relevance, hot } of pages) {
    assert.ok(relevance !== null && relevance >= 0 && relevance <= 1, path)
    assert.equal(relevance >= 0.5, hot === 1, `${path} has ${relevance}`)
    assert.equal(relevance, Math.round(relevance * 10_000) / 10_000)
  }
  assert.deepEqual([summary.judged, summary.hot], [5, 3])
})

test('--min-relevance refuses pages off topic, and what they link to is still found', async () => {
  await using web = await serveWeb(TEA_AND_CARS)
  await using folder = await temporaryFolder()
  const flags = ['--keywords', 'tea', '--min-relevance', '0.5']
  const { summary, states, pages } = await crawl(web.port, folder.path, flags)
  assert.deepEqual(
    pages.map(({ path }) => path),
    ['/', '/black', '/green'],
  )
  for (const path of ['/cars', '/tyres']) {
    assert.match(states[path] ?? '', /^refused: off-topic: relevance 0(?:\.\d+)? below 0\.5$/)
  }
  assert.deepEqual([summary.stored, summary.refused, summary.judged, summary.hot], [3, 2, 5, 3])
  // Less is asked of a page: what was refused for that is fetched again, and nothing else.
  const later = await crawl(web.port, folder.path, ['--keywords', 'tea'])
  assert.equal(later.summary.stored, 5)
})

test('what the parser notes about links is what the frontier scores them by', async () => {
  await using web = await serveWeb(TEA_AND_CARS)
  await using folder = await temporaryFolder()
  const focus = ['--keywords', 'tea', '--ordering', 'shark-search', '--concurrency', '1']
  const { states } = await crawl(web.port, folder.path, [...focus, '--max-pages', '2'])
  assert.deepEqual([states['/green'], states['/cars']], ['stored', 'queued'])
  const rows = query<{ url: string; signals: Uint8Array | null }>(
    join(folder.path, 'frontier-1.db'),
    'SELECT url, signals FROM url ORDER BY id',
  )
  const noted = rows.map(({ url, signals }) => [new URL(url).pathname, signals !== null])
  assert.deepEqual(noted, [
    ['/', false],
    ['/cars', true],
    ['/green', true],
    ['/tyres', true],
  ])
})
