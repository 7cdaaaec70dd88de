// Searches in an index of very many made-up pages: CPU time of each kind of query, the first time and again, with
// facets, folding and snippets; the cost of indexing, the size of the index, and memory. With --fts5 the same
// pages are indexed by plain FTS5, whose ten best pages are asked for in the same run. Asserts nothing.
//
// With --times each page is there as often, under other URLs (multiply.ts).
//
// Usage: bench/search/scale.ts [--pages N] [--times N] [--queries N] [--rivals] [--at FOLDER] [--only TEXT]
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { seededRandom } from '../../src/lib/seeded-random.ts'
import type { SearchReader } from '../../src/search/search-index.ts'
import {
  discardSqliteSearchIndex,
  openSqliteSearchIndex,
  openSqliteSearchReader,
} from '../../src/search/sqlite/open-search-index.ts'
import { markdownTable } from '../table.ts'
import { madeUpPage } from './made-up-pages.ts'
import { multiply } from './multiply.ts'
import { fts5, type Rival, since, tantivy } from './rivals.ts'
import { asked, BATCH, batchFrom, givenBy, kindsOf, shown } from './scale-queries.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '100000' },
    times: { type: 'string', default: '1' },
    queries: { type: 'string', default: '40' },
    rivals: { type: 'boolean', default: false },
    at: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const PAGES = Number(values.pages)
const TIMES = Number(values.times)
const QUERIES = Number(values.queries)
const dir = values.at ?? mkdtempSync(join(tmpdir(), 'jelajah-bench-scale-'))
mkdirSync(dir, { recursive: true })
const path = join(dir, 'search.db')
const pagesOf = async (ids: readonly number[]) =>
  ids.map((id) => ({ ...madeUpPage(((id - 1) % PAGES) + 1), id }))

try {
  if (!existsSync(path)) {
    await fill()
    if (TIMES > 1) {
      await fillAgain()
      multiply(path, TIMES)
    }
  }
  const rivals = values.rivals ? [fts5(dir), tantivy(dir)].filter((rival) => rival !== null) : []
  for (const rival of rivals) fillRival(rival)
  const reader = await openSqliteSearchReader({ path, pagesOf })
  if (reader === null) throw new Error('there is no index')
  await measure(reader, rivals)
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

/** An index that has become large knows its common words since its first thousands of pages, and so does each copy. */
async function fillAgain(): Promise<void> {
  const [read, write] = [
    'SELECT word, level FROM common_words',
    'INSERT INTO common_words (word, level, since) VALUES (?, ?, 0)',
  ]
  const words = withDatabase((db) => db.prepare(read).all())
  console.log(`${new Set(words.map(({ word }) => word)).size} common words`)
  discardSqliteSearchIndex(path)
  await (await openSqliteSearchIndex({ path, pagesOf }))[Symbol.asyncDispose]()
  withDatabase((db) => {
    const insert = db.prepare(write)
    for (const { word, level } of words) insert.run(String(word), Number(level))
  })
  await fill()
}

function withDatabase<T>(work: (db: DatabaseSync) => T): T {
  using db = new DatabaseSync(path)
  return work(db)
}

function fillRival(rival: Rival): void {
  const each = rival.fill({ pages: PAGES, times: TIMES })
  const cost = each === null ? '' : `${each.toFixed(3)} ms of CPU per page; `
  console.log(`${rival.name}: ${cost}${megabytes(rival.bytes())} MB`)
}

async function measure(reader: SearchReader, rivals: readonly Rival[]): Promise<void> {
  const others = rivals.map((rival) => rival.open())
  const rows: string[][] = []
  for (const [name, next] of kindsOf(seededRandom(11), PAGES)) {
    const texts = Array.from({ length: QUERIES }, next)
    if (!values.only.split(',').some((part) => name.includes(part))) continue
    let found = 0
    const first = await cpuOfEach(texts, async (text) => {
      found += (await asked(reader, text)).pages
    })
    const again = await cpuOfEach(texts, (text) => asked(reader, text))
    const theirs: string[] = []
    for (const ask of others) theirs.push(shown(await cpuOfEach(texts, async (text) => ask(text))))
    rows.push([name, String(Math.round(found / QUERIES)), shown(first), shown(again), ...theirs])
    console.error(rows.at(-1)?.join(' | '))
  }
  console.log(`\n${PAGES * TIMES} pages; CPU ms, p50/p95/max of ${QUERIES} queries\n`)
  const names = ['', 'pages found', 'first', 'again', ...rivals.map(({ name }) => name)]
  console.log(markdownTable(names, rows))
}

async function cpuOfEach(
  texts: readonly string[],
  work: (text: string) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = []
  for (const text of texts) {
    const before = process.cpuUsage()
    await work(text)
    times.push(since(before))
  }
  return times
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
