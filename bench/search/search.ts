// How good search is: plain BM25, with stems, with PageRank, with both, side by side, on the newest crawl
// of a data folder. Queries and judgements come in the form of TREC, documents named by URL; without them
// they are made from the texts of links between hosts (known-items.ts), half of them to tune with, half
// to report on. The index is made aside, the folder stays as it is. Asserts nothing.
//
// Usage: bench/search/search.ts FOLDER [--crawl ID] [--topics FILE --qrels FILE] [--out FOLDER]
//          [--half report|tune] [--queries N] [--seed N] [--rank-weight X] [--show N] [--links none|strict|others]
//
// A query that was made from the text of a link must not find its page by that very text: links between hosts
// with exactly the words of a query are left out of the index, wherever they lead (--links others). With
// --links strict, a site's own links with these words are left out, too; with --links none, all texts of links.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Link } from '../../src/core/link.ts'
import type { SearchedPage } from '../../src/core/page.ts'
import { type CanonicalUrl, hostOf } from '../../src/core/url.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { catchUp } from '../../src/search/index/index-writer.ts'
import type { SearchIndex } from '../../src/search/search-index.ts'
import { openSqliteSearchIndex } from '../../src/search/sqlite/open-search-index.ts'
import { wordsOf } from '../../src/search/words.ts'
import type { PageReader } from '../../src/store/page-reader.ts'
import { chooseCrawl } from '../../src/workspace/find-crawl.ts'
import { storePath } from '../../src/workspace/folder/paths.ts'
import { workspaceOf } from '../../src/workspace/open-workspace.ts'
import { openSqliteChangeFeed, openSqlitePageReader } from '../../test/support/stores.ts'
import { contenders, outcomeOf } from './contenders.ts'
import {
  halvesFromLinks,
  type JudgedQueries,
  queriesFromFiles,
  queriesFromItems,
} from './judged-queries.ts'
import type { KnownItem } from './known-items.ts'
import { comparison, failures } from './report.ts'
import { writeJudgements, writeTopics } from './trec.ts'

const FOREVER_MS = 1e9
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    crawl: { type: 'string' },
    topics: { type: 'string' },
    qrels: { type: 'string' },
    out: { type: 'string' },
    half: { type: 'string', default: 'report' },
    queries: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    'rank-weight': { type: 'string' },
    show: { type: 'string', default: '0' },
    links: { type: 'string', default: 'others' },
  },
})
const [dataDir] = positionals
if (dataDir === undefined) {
  throw new Error('usage: bench/search/search.ts FOLDER [--topics FILE --qrels FILE]')
}
const crawl = await chooseCrawl(workspaceOf({ dataDir }), values.crawl ?? null)
const { queries, isOwn } = await queriesFor(dataDir)
const dir = mkdtempSync(join(tmpdir(), 'jelajah-bench-search-'))
try {
  await using feed = await openSqlitePageReader(storePath(dataDir))
  await using changes = await openSqliteChangeFeed(storePath(dataDir))
  if (feed === null || changes === null) throw new Error(`there is no store in ${dataDir}`)
  const path = join(dir, 'search.db')
  await using index = await openSqliteSearchIndex({ path, pagesOf: withoutTexts(feed) })
  const told = withoutLinks(feed, values.links === 'none' ? () => true : isOwn)
  await catchUp({ feed: told, changes, index, clock: systemClock, budgetMs: FOREVER_MS })
  await compare(index, queries)
} finally {
  rmSync(dir, { recursive: true })
}

type IsOwn = (from: CanonicalUrl, link: Link) => boolean

async function queriesFor(place: string): Promise<{ queries: JudgedQueries; isOwn: IsOwn }> {
  const { topics, qrels, queries: most, seed, half } = values
  if (topics !== undefined && qrels !== undefined) {
    return { queries: queriesFromFiles(topics, qrels), isOwn: () => false }
  }
  const asked = { dataDir: place, crawl: values.crawl ?? null }
  const halves = await halvesFromLinks({ ...asked, seed: Number(seed), most: Number(most) })
  const queries = queriesFromItems(half === 'tune' ? halves.tune : halves.report)
  return { queries, isOwn: ownLinks([...halves.tune, ...halves.report], values.links === 'strict') }
}

/** Whether a link between hosts has the words of a query; `strictly`: any link. */
function ownLinks(items: readonly KnownItem[], strictly: boolean): IsOwn {
  const keyOf = (text: string) => wordsOf(text).join(' ')
  const own = new Set(items.map(({ text }) => keyOf(text)))
  return (from, { anchor, url }) =>
    own.has(keyOf(anchor)) && (strictly || hostOf(url) !== hostOf(from))
}

/** The same reader, but for some links. */
function withoutLinks(feed: PageReader, isLeftOut: IsOwn): PageReader {
  async function* linksOfPages(ids: readonly number[]) {
    const urls = new Map((await feed.pagesOf(ids)).map(({ id, url }) => [id, url]))
    for await (const { pageId, links } of feed.linksOfPages(ids)) {
      const from = urls.get(pageId)
      if (from === undefined) continue
      yield { pageId, links: links.filter((link) => !isLeftOut(from, link)) }
    }
  }
  return new Proxy(feed, {
    get(target, name) {
      if (name === 'linksOfPages') return linksOfPages
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Hits are wanted by their URLs: a thousand texts for each query would take most of the time. */
function withoutTexts(feed: PageReader) {
  const known = new Map<number, SearchedPage>()
  return async (ids: readonly number[]): Promise<readonly SearchedPage[]> => {
    for (const page of await feed.pagesOf(ids.filter((id) => !known.has(id)))) {
      known.set(page.id, { ...page, contentText: '', description: '' })
    }
    return ids.flatMap((id) => known.get(id) ?? [])
  }
}

async function compare(index: SearchIndex, judged: JudgedQueries): Promise<void> {
  const asked = { ...judged, reader: index, crawlId: crawl.id }
  const weight = values['rank-weight']
  const outcomes = []
  for (const contender of contenders(weight === undefined ? {} : { rankWeight: Number(weight) })) {
    outcomes.push(await outcomeOf(contender, asked))
  }
  console.log(`${judged.topics.length} queries, ${await index.size(crawl.id)} pages\n`)
  console.log(comparison(outcomes))
  const last = outcomes.at(-1)
  if (last !== undefined) console.log(failures(last, judged, Number(values.show)))
  if (values.out === undefined) return
  mkdirSync(values.out, { recursive: true })
  writeFileSync(join(values.out, 'topics.tsv'), writeTopics(judged.topics))
  writeFileSync(join(values.out, 'qrels.txt'), writeJudgements(judged.judgements))
  for (const { contender, run } of outcomes) {
    writeFileSync(join(values.out, `${contender.file}.run`), run)
  }
}
