// Search over the crawls of a data folder: how fast an index of them is made, beside how fast the crawls
// were, how large it is, and how long queries take, with snippets and facets. The index is made aside;
// the folder stays as it is. With --pages there are so many, the same again in other words' order.
// Queries are words of the pages themselves, picked by a seed. Asserts nothing.
//
// Usage: bench/search-latency.ts FOLDER [--pages N] [--rank-weight X]
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/lib/clock.ts'
import { seededRandom } from '../src/lib/seeded-random.ts'
import { catchUp } from '../src/search/index/index-writer.ts'
import type { Scoring, SearchIndex } from '../src/search/search-index.ts'
import { openSqliteSearchIndex } from '../src/search/sqlite/open-search-index.ts'
import { wordsOf } from '../src/search/words.ts'
import type { ChangeFeed } from '../src/store/change-feed.ts'
import type { PageReader } from '../src/store/page-reader.ts'
import { storePath } from '../src/workspace/folder/paths.ts'
import {
  openSqliteChangeFeed,
  openSqliteJobReader,
  openSqlitePageReader,
} from '../test/support/stores.ts'
import { type Copies, copiesOf } from './search/more-pages.ts'
import { megabytes, round, type Spent, timed } from './timed.ts'

const QUERIES = 50
/** Of queries that are the same each time. */
const ROUNDS = 5
const EACH = 5
const COMMON = 'the of and to in a is for that with'
const BEGINNINGS = 'con pro int sta per com dis pre for tra str app cha ser ind par res ref mod'
  .replaceAll(/\w+/g, '$&*')
  .replaceAll(' ', ' OR ')
const FOREVER_MS = 1e9

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: 'string', default: '0' }, 'rank-weight': { type: 'string' } },
})
const weight = values['rank-weight']
const scoring: Scoring = weight === undefined ? {} : { rankWeight: Number(weight) }
const store = storePath(positionals[0] ?? 'jelajah-data')
const feed = await openSqlitePageReader(store)
const changes = await openSqliteChangeFeed(store)
if (feed === null || changes === null)
  throw new Error('usage: bench/search-latency.ts FOLDER, one with crawls in it')
const dir = mkdtempSync(join(tmpdir(), 'jelajah-bench-search-'))
try {
  const path = join(dir, 'search.db')
  const stored = await changes.last()
  const copies = copiesOf(feed, stored, Number(values.pages))
  await using index = await openSqliteSearchIndex({ path, pagesOf: copies.pagesOf })
  await measureCrawls()
  await measureIndexing({ feed, changes, index }, path)
  if (Number(values.pages) > stored) await measureCopies(copies, index, path)
  await measureQueries(index, await wordsFrom(feed, stored))
} finally {
  await feed[Symbol.asyncDispose]()
  await changes[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
}

/** Delays between requests are part of these: a crawl of many hosts without delays is the fastest. */
async function measureCrawls(): Promise<void> {
  await using jobs = await openSqliteJobReader(store)
  await using pages = await openSqlitePageReader(store)
  for (const { id, startedAt, endedAt } of (await jobs?.list()) ?? []) {
    const { stored } = await pages.totals(id)
    if (endedAt === null) continue
    const seconds = Math.max(1, endedAt - startedAt) / 1000
    print({ crawl: id, pages: stored, pages_per_second: Math.round(stored / seconds) })
  }
}

async function measureIndexing(
  parts: { readonly feed: PageReader; readonly changes: ChangeFeed; readonly index: SearchIndex },
  path: string,
): Promise<void> {
  const spent = await timed(() => catchUp({ ...parts, clock: systemClock, budgetMs: FOREVER_MS }))
  printIndexed('index of the crawls', await parts.changes.last(), spent, path)
}

async function measureCopies(copies: Copies, index: SearchIndex, path: string): Promise<void> {
  let count = 0
  const position = await index.position()
  const spent: Spent = { us: 0, cpuUs: 0 }
  for await (const pages of copies.batches) {
    const { us, cpuUs } = await timed(() => index.add({ pages, gone: [], position }))
    spent.us += us
    spent.cpuUs += cpuUs
    count += pages.length
  }
  printIndexed('copies on top of it', count, spent, path)
}

function printIndexed(indexed: string, pages: number, { us, cpuUs }: Spent, path: string): void {
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  print({
    indexed,
    pages,
    pages_per_second: Math.round(pages / (us / 1e6)),
    cpu_us_per_page: Math.round(cpuUs / pages),
    index_mb: megabytes(statSync(path).size + wal),
  })
}

/** Words as people look for them: of titles, four letters at least. */
async function wordsFrom(pages: PageReader, last: number): Promise<string[]> {
  const random = seededRandom(7)
  const ids = Array.from({ length: 400 }, () => 1 + Math.floor(random() * last))
  const found = await pages.pagesOf(ids)
  return found.flatMap(({ title }) => wordsOf(title).filter((word) => /^[a-z]{4,}$/.test(word)))
}

async function measureQueries(index: SearchIndex, words: readonly string[]): Promise<void> {
  const random = seededRandom(8)
  const pick = (): string => words[Math.floor(random() * words.length)] ?? ''
  const several = (count: number): string => Array.from({ length: count }, pick).join(' ')
  await measure(index, 'one word', pick)
  await measure(index, 'two words', () => several(2))
  await measure(index, 'four words', () => several(4))
  await measure(index, 'eight words', () => several(8))
  await measure(index, 'one of three', () => several(3).replaceAll(' ', ' OR '))
  await measure(index, 'beginning of three letters', () => `${pick().slice(0, 3)}*`)
  await measure(index, 'the most common word', () => 'the', ROUNDS)
  await measure(index, 'ten of the most common words', () => COMMON, ROUNDS)
  await measure(index, 'many beginnings of many words', () => BEGINNINGS, ROUNDS)
}

async function measure(
  index: SearchIndex,
  name: string,
  next: () => string,
  queries = QUERIES,
): Promise<void> {
  const times: number[] = []
  let matches = 0
  for (let query = 0; query < queries; query++) {
    const text = next()
    const each: number[] = []
    for (let round = 0; round < EACH; round++) {
      const began = performance.now()
      const { total } = await index.query({ text, scoring, limit: 10, offset: 0 })
      each.push(performance.now() - began)
      if (round === 0) matches += total
    }
    times.push(Math.min(...each))
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => round(times[Math.floor((times.length - 1) * share)] ?? 0)
  const mean = Math.round(matches / queries)
  print({ queries: name, mean_matches: mean, p50_ms: at(0.5), p95_ms: at(0.95), max_ms: at(1) })
}

function print(figures: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify(figures))
}
