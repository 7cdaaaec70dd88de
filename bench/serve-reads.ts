// What the server's readers take on a large crawl: rows, sorted ids, pages with links, maps. Makes a crawl
// of made-up pages with 60 links each, in a folder that is gone afterwards; with --data in one that stays.
// Usage: bench/serve-reads.ts [pages] [--data FOLDER]
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom } from '../src/lib/seeded-random.ts'
import { DEFAULT_SETTINGS } from '../src/options/settings.ts'
import { openReads } from '../src/reads/open-reads.ts'
import type { WorkspaceReads } from '../src/reads/reads.ts'
import { PAGE_SORTS } from '../src/store/page-reader.ts'
import type { PageToSave } from '../src/store/page-store.ts'
import { openSqlitePageStore } from '../src/store/sqlite/sqlite-page-store.ts'
import { storePath } from '../src/workspace/folder/paths.ts'
import { sample, sampleJob } from '../test/contract/sample-page.ts'
import { openSqliteJobStore } from '../test/support/stores.ts'
import { markdownTable } from './table.ts'
import { round } from './timed.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string' } },
})
const count = Number(positionals[0] ?? 100_000)
const WORDS = 'kesehatan rumah sakit dokter obat berita kota warga desa makan ibu anak data hari'
const BATCH = 200
const ROUNDS = 5

const random = seededRandom(1)
const below = (limit: number): number => Math.floor(random() * limit)
const words = WORDS.split(' ')
const text = (length: number): string =>
  Array.from({ length }, () => words[below(words.length)]).join(' ')
const urlOf = (n: number): string =>
  `http://host-${Math.floor((n * n) / count) % 300}.test/section/${n % 97}/page-${n}.html`

function pageOf(n: number): PageToSave {
  // A third leads out of the crawl; early pages are linked to most.
  const links = Array.from({ length: 60 }, (_, nth) => {
    const url = nth % 3 === 0 ? `http://out.test/${below(50_000)}` : urlOf(below(1 + below(count)))
    return [url, text(3), nth % 20 === 0 ? 'nofollow' : '', text(10)]
  })
  const fields = {
    ...{ title: `${text(6)} ${n}`, contentText: text(below(1000)), contentHash: `hash ${n}` },
    ...{ relevance: random(), hot: n % 10 === 0, depth: below(8), sizeBytes: below(90_000) },
  }
  return sample(urlOf(n), fields, { parts: { links: JSON.stringify(links) } })
}

async function makeCrawl(path: string): Promise<void> {
  await using jobs = await openSqliteJobStore(path)
  const settings = { ...DEFAULT_SETTINGS, maxPages: count }
  const job = await jobs.create(sampleJob({ settings }))
  await using store = await openSqlitePageStore({ path, job })
  for (let first = 0; first < count; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - first) }, (_, at) =>
      pageOf(first + at),
    )
    await store.save(batch)
    store.acknowledge(batch.map(({ page }) => page.fields.url))
  }
}

function readsOf(reads: WorkspaceReads): readonly (readonly [string, () => Promise<unknown>])[] {
  const crawlId = 1
  const middle = Math.floor(count / 2)
  const spread = Array.from({ length: 100 }, (_, n) => 1 + Math.floor((n * count) / 100))
  const rows = (filter: Parameters<WorkspaceReads['pageRows']>[1]['filter']) => () =>
    reads.pageRows(crawlId, { after: 0, limit: 100, filter })
  return [
    ['totals', () => reads.totals([crawlId])],
    ['100 rows', rows({})],
    ['100 rows by ids', () => reads.rowsOf(crawlId, spread)],
    ['rows with a text that is nowhere', rows({ text: 'nowhere' })],
    ['200 pages with links', () => reads.fetchedPages(crawlId, middle, 200)],
    ...PAGE_SORTS.map((sort): [string, () => Promise<unknown>] => [
      `all ids by ${sort}`,
      () => reads.pageIds(crawlId, { filter: {}, sort, descending: true, limit: 200_000 }),
    ]),
    ['one page in full', () => reads.page(crawlId, middle)],
    ['the graph, and the links to a page', () => reads.linksIn(crawlId, middle)],
    ['page map, 1000 pages', () => reads.pageGraph(crawlId, { top: 1000 })],
    ['page map, 10,000 pages', () => reads.pageGraph(crawlId, { top: 10_000 })],
    ['site map', () => reads.siteGraph(crawlId, { top: 1000 })],
  ]
}

const dataDir = values.data ?? mkdtempSync(join(tmpdir(), 'jelajah-bench-'))
try {
  if (!existsSync(storePath(dataDir))) await makeCrawl(storePath(dataDir))
  await using reads = await openReads({ data: dataDir, frontier: null })
  const table: string[][] = []
  for (const [name, read] of readsOf(reads)) {
    const times: number[] = []
    for (let nth = 0; nth <= ROUNDS; nth++) {
      const began = performance.now()
      await read()
      times.push(performance.now() - began)
    }
    const [first = 0, ...later] = times
    const median = later.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
    table.push([name, String(round(first)), String(round(median))])
  }
  console.log(`${count} pages\n`)
  console.log(markdownTable(['read', 'first, ms', 'then, ms'], table))
} finally {
  if (values.data === undefined) rmSync(dataDir, { recursive: true })
}
