// Searches in an index of very many made-up pages: CPU time of each kind of query, the first time and again, with
// facets, folding and snippets; the cost of indexing, the size of the index, and memory. With --fts5 the same
// pages are indexed by plain FTS5, whose ten best pages are asked for in the same run. Asserts nothing.
//
// With --times each page is there as often, under other URLs (multiply.ts).
//
// Usage: bench/search/scale.ts [--pages N] [--times N] [--queries N] [--fts5] [--at FOLDER] [--only TEXT]
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { seededRandom } from '../../src/lib/seeded-random.ts'
import type { SearchReader } from '../../src/search/search-index.ts'
import {
  openSqliteSearchIndex,
  openSqliteSearchReader,
} from '../../src/search/sqlite/open-search-index.ts'
import { markdownTable } from '../table.ts'
import { madeUpPage } from './made-up-pages.ts'
import { multiply } from './multiply.ts'
import { asked, BATCH, batchFrom, givenBy, kindsOf, shown } from './scale-queries.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '100000' },
    times: { type: 'string', default: '1' },
    queries: { type: 'string', default: '40' },
    fts5: { type: 'boolean', default: false },
    at: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const PAGES = Number(values.pages)
const TIMES = Number(values.times)
const QUERIES = Number(values.queries)
const dir = values.at ?? mkdtempSync(join(tmpdir(), 'jelajah-bench-scale-'))
mkdirSync(dir, { recursive: true })
const [path, ftsPath] = [join(dir, 'search.db'), join(dir, 'fts5.db')]
const pagesOf = async (ids: readonly number[]) =>
  ids.map((id) => ({ ...madeUpPage(((id - 1) % PAGES) + 1), id }))

try {
  if (!existsSync(path)) {
    await fill()
    if (TIMES > 1) multiply(path, TIMES)
  }
  if (values.fts5) fillFts5()
  const reader = await openSqliteSearchReader({ path, pagesOf })
  if (reader === null) throw new Error('there is no index')
  await measure(reader, values.fts5 ? new DatabaseSync(ftsPath) : null)
  console.log(`memory: ${megabytes(process.memoryUsage().rss)} MB`)
  await reader[Symbol.asyncDispose]()
} finally {
  if (values.at === undefined) rmSync(dir, { recursive: true })
}

async function fill(): Promise<void> {
  await using index = await openSqliteSearchIndex({ path, pagesOf })
  const from = (await index.position()).cursor
  let cpuMs = 0
  for (let first = from + 1; first <= PAGES; first += BATCH) {
    const pages = batchFrom(first, PAGES)
    const position = { mark: 'm', cursor: first + pages.length - 1 }
    const before = process.cpuUsage()
    await index.add({ pages, gone: [], given: givenBy(pages, PAGES), position })
    cpuMs += since(before)
    if ((first - 1) % 50_000 === 0) console.error(`${first - 1} pages`)
  }
  if (from === PAGES) return
  const each = (cpuMs / (PAGES - from)).toFixed(3)
  const size = statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0)
  console.log(
    `index: ${each} ms of CPU per page, ${Math.round((1000 * (PAGES - from)) / cpuMs)} pages per CPU second; ` +
      `${megabytes(size)} MB, ${Math.round(size / PAGES)} bytes per page`,
  )
}

function fillFts5(): void {
  if (existsSync(ftsPath)) return
  const db = new DatabaseSync(ftsPath)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE VIRTUAL TABLE words USING fts5(title, text, content = '', tokenize = 'porter ascii')`)
  const insert = db.prepare('INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)')
  let cpuMs = 0
  for (let first = 1; first <= PAGES; first += BATCH) {
    const pages = batchFrom(first, PAGES)
    const before = process.cpuUsage()
    db.exec('BEGIN')
    for (const { id, title, contentText } of pages) {
      for (let nth = 0; nth < TIMES; nth++) insert.run(id + nth * PAGES, title, contentText)
    }
    db.exec('COMMIT')
    cpuMs += since(before)
  }
  db.close()
  console.log(
    `FTS5: ${(cpuMs / PAGES / TIMES).toFixed(3)} ms of CPU per page; ${megabytes(statSync(ftsPath).size)} MB`,
  )
}

async function measure(reader: SearchReader, fts5: DatabaseSync | null): Promise<void> {
  const best = fts5?.prepare(
    'SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 10, 1) LIMIT 10',
  )
  const rows: string[][] = []
  for (const [name, next] of kindsOf(seededRandom(11), PAGES)) {
    const texts = Array.from({ length: QUERIES }, next)
    if (!name.includes(values.only)) continue
    const [first, again, theirs]: [number[], number[], number[]] = [[], [], []]
    let found = 0
    for (const text of texts) {
      first.push(await cpuOf(async () => (found += (await asked(reader, text)).pages)))
    }
    for (const text of texts) again.push(await cpuOf(() => asked(reader, text)))
    for (const text of texts) {
      if (best !== undefined) theirs.push(await cpuOf(async () => best.all(forFts5(text))))
    }
    rows.push([
      name,
      String(Math.round(found / QUERIES)),
      shown(first),
      shown(again),
      ...(best === undefined ? [] : [shown(theirs)]),
    ])
    console.error(rows.at(-1)?.join(' | '))
  }
  console.log(`\n${PAGES * TIMES} pages; CPU ms, p50/p95/max of ${QUERIES} queries\n`)
  const names = [
    '',
    'pages found',
    'first',
    'again',
    ...(best === undefined ? [] : ['FTS5, again']),
  ]
  console.log(markdownTable(names, rows))
}

/** As we ask it: pages with all words, or of more than four, with some. */
function forFts5(text: string): string {
  const bare = text.replace('title:', 'title : ')
  const words = bare.split(' ')
  return words.length > 4 && !/[":]|OR/.test(text) ? words.join(' OR ') : bare
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return since(before)
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
