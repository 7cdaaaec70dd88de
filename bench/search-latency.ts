// Search over the crawls of a data folder: how fast an index of them is made, how large it is, and how
// long queries take, with snippets and facets. The index is made aside; the folder stays as it is.
// Queries are words of the pages themselves, picked by a seed. Asserts nothing.
//
// Usage: bench/search-latency.ts FOLDER
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catchUp } from '../src/indexer/catch-up.ts'
import { systemClock } from '../src/lib/clock.ts'
import { seededRandom } from '../src/lib/seeded-random.ts'
import { storePath } from '../src/main/places.ts'
import type { SearchIndex } from '../src/search/search-index.ts'
import { openSqliteSearchIndex } from '../src/search/sqlite/open-search-index.ts'
import { wordsOf } from '../src/search/words.ts'
import type { ChangeFeed } from '../src/store/change-feed.ts'
import type { PageFeed } from '../src/store/page-feed.ts'
import { openSqliteChangeFeed } from '../src/store/sqlite/sqlite-change-feed.ts'
import { openSqlitePageFeed } from '../src/store/sqlite/sqlite-page-feed.ts'
import { megabytes, round, timed } from './timed.ts'

const QUERIES = 50
/** Of queries that are the same each time. */
const ROUNDS = 5
const EACH = 5
const COMMON = 'the of and to in a is for that with'
const BEGINNINGS = 'con pro int sta per com dis pre for tra str app cha ser ind par res ref mod'
  .replaceAll(/\w+/g, '$&*')
  .replaceAll(' ', ' OR ')
const FOREVER_MS = 1e9

const folder = storePath(process.argv[2] ?? 'jelajah-data')
const feed = await openSqlitePageFeed(folder)
const changes = await openSqliteChangeFeed(folder)
if (feed === null || changes === null)
  throw new Error('usage: bench/search-latency.ts FOLDER, one with crawls in it')
const dir = mkdtempSync(join(tmpdir(), 'jelajah-bench-search-'))
try {
  const path = join(dir, 'search.db')
  await using index = await openSqliteSearchIndex({ path, pagesOf: (ids) => feed.pages(ids) })
  await measureIndexing({ feed, changes, index }, path)
  const random = seededRandom(7)
  const words = await wordsFrom(feed, await changes.last(), random)
  const pick = (): string => words[Math.floor(random() * words.length)] ?? ''
  await measure(index, 'one word', pick)
  await measure(index, 'two words', () => `${pick()} ${pick()}`)
  await measure(index, 'one of three', () => `${pick()} OR ${pick()} OR ${pick()}`)
  await measure(index, 'beginning of three letters', () => `${pick().slice(0, 3)}*`)
  await measure(index, 'the most common word', () => 'the', ROUNDS)
  await measure(index, 'ten of the most common words', () => COMMON, ROUNDS)
  await measure(index, 'many beginnings of many words', () => BEGINNINGS, ROUNDS)
} finally {
  await feed[Symbol.asyncDispose]()
  await changes[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
}

async function measureIndexing(
  parts: { readonly feed: PageFeed; readonly changes: ChangeFeed; readonly index: SearchIndex },
  path: string,
): Promise<void> {
  const spent = await timed(() => catchUp({ ...parts, clock: systemClock, budgetMs: FOREVER_MS }))
  const count = await parts.changes.last()
  const bytes =
    statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0)
  print({
    pages: count,
    pages_per_second: Math.round(count / (spent.us / 1e6)),
    cpu_us_per_page: Math.round(spent.cpuUs / count),
    index_mb: megabytes(bytes),
    bytes_per_page: Math.round(bytes / count),
  })
}

/** Words as people look for them: of titles, four letters at least. */
async function wordsFrom(pages: PageFeed, last: number, random: () => number): Promise<string[]> {
  const ids = Array.from({ length: 400 }, () => 1 + Math.floor(random() * last))
  const found = await pages.pages(ids)
  return found.flatMap(({ title }) => wordsOf(title).filter((word) => /^[a-z]{4,}$/.test(word)))
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
      const { total } = await index.query({ text, limit: 10, offset: 0 })
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
