// How good search is on judged collections: each document is served as a page, crawled, stored and indexed, and
// each query is asked with the defaults. nDCG@10 and recall@100 of the even queries, of the odd ones, and of
// all. A collection is a JSON file, gzipped or not: {docs: [{id, title, text, extra?}], queries: [{id, text}],
// qrels: {query: {doc: grade}}}. Asserts nothing.
//
// Usage: bench/search/collection.ts FILE…
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { systemClock } from '../../src/lib/clock.ts'
import { catchUp } from '../../src/search/index/index-writer.ts'
import { openSqliteSearchIndex } from '../../src/search/sqlite/open-search-index.ts'
import { storePath } from '../../src/workspace/folder/paths.ts'
import { openSqliteChangeFeed, openSqlitePageReader } from '../../test/support/stores.ts'
import { markdownTable } from '../table.ts'
import { isUseful, type Measures, meanOf, measuresOf } from './metrics.ts'

type Document = {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly extra?: string
}
type Collection = {
  readonly docs: readonly Document[]
  readonly queries: readonly { readonly id: string; readonly text: string }[]
  readonly qrels: Readonly<Record<string, Readonly<Record<string, number>>>>
}

const FOREVER_MS = 1e9
const DEPTH = 100
const JELAJAH = join(import.meta.dirname, '../../bin/jelajah')

const files = process.argv.slice(2)
if (files.length === 0) throw new Error('usage: bench/search/collection.ts FILE…')
const rows: string[][] = []
for (const file of files) {
  for (const row of await rowsFor(file)) rows.push(row)
}
console.log(markdownTable(['collection', 'queries', 'number', 'nDCG@10', 'recall@100'], rows))

async function rowsFor(file: string): Promise<string[][]> {
  const collection = readCollection(file)
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-bench-collection-'))
  try {
    await crawl(collection, dir)
    const measures = await measured(collection, dir)
    const row = (queries: string, of: readonly Measures[]) => {
      const { ndcg10, recall100 } = meanOf(of)
      const name = basename(file).replace(/\.json(\.gz)?$/, '')
      return [name, queries, String(of.length), ndcg10.toFixed(4), recall100.toFixed(4)]
    }
    return [
      row(
        'even',
        measures.filter((_, at) => at % 2 === 0),
      ),
      row(
        'odd',
        measures.filter((_, at) => at % 2 === 1),
      ),
      row('all', measures),
    ]
  } finally {
    rmSync(dir, { recursive: true })
  }
}

function readCollection(file: string): Collection {
  const isPacked = file.endsWith('.gz')
  const text = isPacked
    ? execFileSync('gzip', ['-dc', file], { encoding: 'utf8', maxBuffer: 2 ** 30 })
    : readFileSync(file, 'utf8')
  return JSON.parse(text)
}

async function crawl({ docs }: Collection, dir: string): Promise<void> {
  const pages = new Map(docs.map((doc, at) => [`/${at}.html`, pageOf(doc)]))
  const list = `<title>List</title><meta name=robots content=noindex>${[...pages.keys()]
    .map((path) => `<a href="${path}">page</a>`)
    .join(' ')}`
  const server = createServer(({ url = '' }, response) => {
    const page = url === '/' ? list : pages.get(url)
    response.writeHead(page === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
    })
    response.end(page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const seed = `http://127.0.0.1:${port}/`
  const limits = ['--max-pages', '10000000', '--trap-budget', '0', '--max-body', '100000000']
  const options = ['--delay', '0', '--per-host', '8', '--quiet', '--data', dir]
  const child = spawn(JELAJAH, ['crawl', seed, ...limits, ...options], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  server.closeAllConnections()
  server.close()
  if (code !== 0) throw new Error(`the crawl ended with code ${code}`)
}

/** The comment keeps documents apart that say the same. */
function pageOf({ id, title, text, extra = '' }: Document): string {
  const [head, body, more] = [title, text, extra].map((each) =>
    each.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  )
  return `<!doctype html><html lang="en"><!-- ${id.replaceAll('-', '_')} --><head><title>${head}</title></head>
    <body><main><h1>${head}</h1><p>${body}</p><p>${more}</p></main></body></html>`
}

async function measured({ docs, queries, qrels }: Collection, dir: string): Promise<Measures[]> {
  await using feed = await openSqlitePageReader(storePath(dir))
  await using changes = await openSqliteChangeFeed(storePath(dir))
  if (feed === null || changes === null) throw new Error(`there is no store in ${dir}`)
  const pagesOf = (ids: readonly number[]) => feed.pagesOf(ids)
  await using index = await openSqliteSearchIndex({ path: join(dir, 'bench-search.db'), pagesOf })
  await catchUp({ feed, changes, index, clock: systemClock, budgetMs: FOREVER_MS })
  const measures: Measures[] = []
  for (const { id, text } of queries) {
    const judged = new Map(Object.entries(qrels[id] ?? {}))
    if (!isUseful(judged)) continue
    const { hits } = await index.query({ text, limit: DEPTH, offset: 0 })
    const found = hits.map(({ page }) => docs[Number(/(\d+)\.html$/.exec(page.url)?.[1])]?.id ?? '')
    measures.push(measuresOf(found, judged))
  }
  return measures
}
