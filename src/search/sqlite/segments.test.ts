import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import {
  madeUpLinks,
  madeUpPages,
  madeUpQueries,
  TOPICS,
} from '../../../test/search/made-up-pages.ts'
import { CrawlerError } from '../../core/errors.ts'
import type { SearchedPage } from '../../core/page.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import type { Found, SearchIndex } from '../search-index.ts'
import { ChangedColumns } from '../segments/doc-columns.ts'
import { NEIGHBOURS, neighbours } from '../segments/merge-plan.ts'
import { SegmentReader } from '../segments/segment-reader.ts'
import { isUnfit, openSqliteSearchIndex } from './open-search-index.ts'
import { SegmentMerges } from './segment-merges.ts'
import { SegmentTables, SegmentWrites } from './segment-tables.ts'

const POSITION = { mark: 'm', cursor: 1 }

function openFolder() {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-segments-'))
  return {
    pathOf: (name: string) => join(dir, name),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true }),
  }
}

function opened(
  path: string,
  pages: readonly SearchedPage[],
  commonFrom?: number,
): Promise<SearchIndex> {
  const byId = new Map(pages.map((page) => [page.id, { ...page, contentText: '' }]))
  return openSqliteSearchIndex({
    path,
    pagesOf: async (ids) => ids.flatMap((id) => byId.get(id) ?? []),
    topicsOf: async () => TOPICS,
    ...(commonFrom !== undefined && { commonFrom }),
  })
}

function told({ hits, ...found }: Found) {
  const places = hits.map(({ page, score, others }) => [page.id, score.toPrecision(9), others])
  return { ...found, hits: places }
}

test('answers are the same however pages came: at once, one by one, again, and with some that went', async () => {
  using folder = openFolder()
  const pages = madeUpPages(5, 90)
  const random = seededRandom(6)
  await using whole = await opened(folder.pathOf('whole.db'), pages)
  const given = madeUpLinks(4, pages)
  const former = madeUpLinks(3, pages)
  await whole.add({ pages, gone: [], given, position: POSITION })
  const path = folder.pathOf('parts.db')
  let parts = await opened(path, pages, 20)
  const others = pages.map((page) => ({
    ...page,
    id: page.id + 1000,
    contentText: `${page.contentText} more`,
  }))
  for (const [at, page] of pages.entries()) {
    const old = { ...page, title: 'former', contentText: 'what was here before' }
    const some = random() < 0.3 ? [old, others[at] ?? page] : [others[at] ?? page]
    const said = new Map(some.map(({ id }) => [id, former.get(page.id) ?? []]))
    await parts.add({ pages: some, gone: [], given: said, position: POSITION })
    await parts.add({ pages: [page], gone: [], given, position: POSITION })
    if (at % 40 !== 0) continue
    await parts[Symbol.asyncDispose]()
    parts = await opened(path, pages, 20)
  }
  for (let at = 0; at < others.length; at += 30) {
    const gone = others.slice(at, at + 30).map(({ id }) => id)
    await parts.add({ pages: [], gone, position: POSITION })
  }
  for (const search of madeUpQueries(7, 80, pages)) {
    const [one, other] = [await whole.query(search), await parts.query(search)]
    assert.deepEqual(told(other), told(one), JSON.stringify(search))
    assert.deepEqual(await parts.matching(search), await whole.matching(search))
  }
  await parts[Symbol.asyncDispose]()
  using db = new DatabaseSync(path)
  const row = db
    .prepare("SELECT count(*) AS live FROM segments WHERE kind = 'pages' AND state = 'live'")
    .get()
  assert.ok(Number(row?.live) < 24, `${row?.live} segments`)
})

test('a merge goes on where it was, in another process too, and changes no answer', async () => {
  using folder = openFolder()
  const pages = madeUpPages(8, 64)
  const path = folder.pathOf('search.db')
  {
    await using index = await opened(path, pages)
    // Less than what is merged with the next one: seven.
    for (let at = 0; at < 56; at += 8) {
      await index.add({ pages: pages.slice(at, at + 8), gone: [], position: POSITION })
    }
  }
  const queries = [...madeUpQueries(9, 30, pages)]
  const answers = async () => {
    await using index = await opened(path, pages)
    const all = []
    for (const search of queries) all.push(told(await index.query(search)))
    return all
  }
  const before = await answers()
  let steps = 0
  for (let isDone = false; !isDone; steps++) {
    using db = new DatabaseSync(path)
    const tables = new SegmentTables(db)
    const [reader, columns] = [new SegmentReader(tables), new ChangedColumns(tables)]
    const merges = new SegmentMerges({
      ...{ db, tables, writes: new SegmentWrites(db), reader, columns, kind: 'pages' },
      isGone: () => false,
    })
    if (steps === 0) {
      // The eighth is empty.
      merges.add({ base: 56, end: 57 }, 100, () => {})
      db.exec('UPDATE search_position SET next_doc = 57')
    }
    merges.work(2000, 100)
    isDone = merges.live().length === 1
    if (steps % 10 === 0) assert.deepEqual(await answers(), before)
  }
  assert.ok(steps > 5, `${steps} steps`)
  assert.deepEqual(await answers(), before)
})

/** Pages of some words that most of them have; none is a stop word. */
function pagesOfFewWords(seed: number, count: number): SearchedPage[] {
  const words = 'green tea house teapot stone water kettle morning'.split(' ')
  const random = seededRandom(seed)
  return madeUpPages(seed, count).map((page) => {
    const text = Array.from({ length: 30 }, () => words[Math.floor(random() * words.length)])
    return { ...page, contentText: text.join(' ') }
  })
}

const FEW_WORDS = [
  '"green tea"',
  '"tea green"',
  '"stone water kettle"',
  '"house teapot stone wat*"',
]

/** The ids of the pages of each phrase. */
async function foundBy(index: SearchIndex): Promise<readonly (readonly number[])[]> {
  return Promise.all(FEW_WORDS.map((text) => index.matching({ text })))
}

test('two words in a row that most pages have are one term in later pages', async () => {
  using folder = openFolder()
  const pages = pagesOfFewWords(3, 90)
  await using plain = await opened(folder.pathOf('plain.db'), pages, 1000)
  await plain.add({ pages, gone: [], position: POSITION })
  const path = folder.pathOf('paired.db')
  await using paired = await opened(path, pages, 40)
  for (let at = 0; at < pages.length; at += 15) {
    await paired.add({ pages: pages.slice(at, at + 15), gone: [], position: POSITION })
  }
  assert.deepEqual(await foundBy(paired), await foundBy(plain))
  using db = new DatabaseSync(path)
  const reader = new SegmentReader(new SegmentTables(db))
  const pagesOf = (term: string) =>
    db
      .prepare("SELECT id FROM segments WHERE kind = 'pages' AND state = 'live' ORDER BY base")
      .all()
      .map(({ id }) => reader.find(Number(id), term)?.pages ?? 0)
  const having = pagesOf('tea green')
  assert.deepEqual(having.slice(0, 3), [0, 0, 0])
  assert.ok(having.slice(3).every((count) => count > 0))
  const since = db.prepare("SELECT max(since) AS since FROM common_words WHERE word = 'tea'").get()
  assert.equal(since?.since, 45)
})

test('a batch that failed makes no word common', async () => {
  using folder = openFolder()
  const pages = pagesOfFewWords(4, 60)
  const path = folder.pathOf('search.db')
  await using index = await opened(path, pages, 20)
  await using plain = await opened(folder.pathOf('plain.db'), pages, 1000)
  await plain.add({ pages, gone: [], position: POSITION })
  using db = new DatabaseSync(path)
  const add = (from: number, to: number) =>
    index.add({ pages: pages.slice(from, to), gone: [], position: POSITION })
  await add(0, 10)
  db.exec(`CREATE TRIGGER fail BEFORE INSERT ON segments WHEN NEW.base = 10
    BEGIN SELECT RAISE(ABORT, 'no'); END`)
  await assert.rejects(add(10, 30))
  db.exec('DROP TRIGGER fail')
  assert.equal(db.prepare('SELECT count(*) AS n FROM common_words').get()?.n, 0)
  await add(10, 15)
  await add(15, 40)
  await add(40, 60)
  assert.deepEqual(await foundBy(index), await foundBy(plain))
  const row = db.prepare("SELECT since FROM common_words WHERE word = 'green'").get()
  assert.equal(row?.since, 40)
})

test('a batch that fails at its very end changes nothing in the batches after it', async () => {
  for (const { title, before, failed, after } of [
    { title: 'pages that come again', before: [[0, 20]], failed: [10, 20], after: [0, 10] },
    // The eighth segment is merged at once, and the next batch gets its number again.
    {
      title: 'a merge',
      before: Array.from({ length: 7 }, (_, nth) => [nth, nth + 1]),
      failed: [20, 30],
      after: [7, 20],
    },
  ]) {
    using folder = openFolder()
    const pages = madeUpPages(6, 30)
    const path = folder.pathOf('search.db')
    await using index = await opened(path, pages)
    await using plain = await opened(folder.pathOf('plain.db'), pages)
    const add = (to: SearchIndex, [from, end]: readonly number[]) =>
      to.add({ pages: pages.slice(from, end), gone: [], position: POSITION })
    for (const batch of before) await add(index, batch)
    using db = new DatabaseSync(path)
    db.exec(`CREATE TRIGGER fail BEFORE UPDATE OF batch ON search_position
      BEGIN SELECT RAISE(ABORT, 'no'); END`)
    await assert.rejects(add(index, failed))
    db.exec('DROP TRIGGER fail')
    await add(index, after)
    for (const batch of [...before, after]) await add(plain, batch)
    for (const search of madeUpQueries(2, 60, pages)) {
      const [one, other] = [await plain.query(search), await index.query(search)]
      assert.deepEqual(told(other), told(one), `${title}: ${JSON.stringify(search)}`)
    }
  }
})

test('words are common by the pages that are there, however often they came', async () => {
  using folder = openFolder()
  const pages = pagesOfFewWords(6, 40)
  const path = folder.pathOf('search.db')
  {
    await using index = await opened(path, pages, 1000)
    for (let nth = 0; nth < 8; nth++) await index.add({ pages, gone: [], position: POSITION })
  }
  await using index = await opened(path, pages, 20)
  await index.add({ pages, gone: [], position: POSITION })
  using db = new DatabaseSync(path)
  const row = db.prepare("SELECT level, since FROM common_words WHERE word = 'green'").get()
  assert.deepEqual({ ...row }, { level: 0, since: 360 })
})

test('an index of the version without common words is kept, and gets them', async () => {
  using folder = openFolder()
  const pages = pagesOfFewWords(5, 60)
  const path = folder.pathOf('search.db')
  await using plain = await opened(folder.pathOf('plain.db'), pages, 1000)
  await plain.add({ pages, gone: [], position: POSITION })
  {
    await using former = await opened(path, pages, 1000)
    await former.add({ pages: pages.slice(0, 30), gone: [], position: POSITION })
  }
  {
    using db = new DatabaseSync(path)
    db.exec('DROP TABLE common_words; PRAGMA user_version = 1')
  }
  await using index = await opened(path, pages, 20)
  assert.deepEqual(await index.position(), POSITION)
  await index.add({ pages: pages.slice(30, 40), gone: [], position: POSITION })
  await index.add({ pages: pages.slice(40), gone: [], position: POSITION })
  assert.deepEqual(await foundBy(index), await foundBy(plain))
  using db = new DatabaseSync(path)
  assert.notEqual(db.prepare('SELECT count(*) AS n FROM common_words').get()?.n, 0)
  await index.clear()
  assert.equal(db.prepare('SELECT count(*) AS n FROM common_words').get()?.n, 0)
})

test('what merges replaced is removed as fast as they replace it', async () => {
  using folder = openFolder()
  const pages = madeUpPages(10, 100)
  const path = folder.pathOf('search.db')
  await using index = await opened(path, pages)
  using db = new DatabaseSync(path)
  for (const page of pages) {
    // As if some minutes went by.
    db.exec("UPDATE segments SET replaced_at = 0 WHERE state = 'replaced'")
    await index.add({ pages: [page], gone: [], position: POSITION })
  }
  const left = db.prepare("SELECT count(*) AS n FROM segments WHERE state = 'replaced'").get()
  assert.ok(Number(left?.n) <= 2 * NEIGHBOURS, `${left?.n} segments are left`)
  const kept = `SELECT count(*) AS n FROM term_blocks WHERE segment NOT IN (SELECT id FROM segments)`
  assert.equal(db.prepare(kept).get()?.n, 0)
})

/** Numbers of hand-made or damaged files, which no part of the program would write. */
const IMPOSSIBLE: Readonly<Record<string, (db: DatabaseSync) => void>> = {
  'more pages than any index has': (db) =>
    db.exec(`UPDATE search_position SET next_doc = 9007199254740991;
      UPDATE segments SET end_doc = 9007199254740991`),
  'more pages than have values': (db) =>
    db.exec(
      'UPDATE search_position SET next_doc = 2147483648; UPDATE segments SET end_doc = 2147483648',
    ),
  'less than none': (db) => db.exec('UPDATE search_position SET next_doc = -1'),
  'a segment beyond the last page': (db) => db.exec('UPDATE segments SET end_doc = 2147483648'),
  'postings that are longer than memory': (db) => {
    const rows = db.prepare('SELECT id, terms FROM term_blocks').all()
    const update = db.prepare('UPDATE term_blocks SET terms = ? WHERE id = ?')
    for (const { id, terms } of rows) {
      const block = Buffer.from(terms as Uint8Array)
      const end = 4 + block.readUInt32LE(0)
      const count = block.toString('utf8', 4, end).split('\n').length
      const numbers = Buffer.from([1, ...Array(7).fill(255), 15, 0])
      const wrong = Buffer.concat([block.subarray(0, end), ...Array(count).fill(numbers)])
      update.run(wrong, Number(id))
    }
  },
}

test('numbers that cannot be are damage, and no loop without end or memory without bounds', async () => {
  using folder = openFolder()
  const pages = madeUpPages(5, 40)
  for (const [what, damage] of Object.entries(IMPOSSIBLE)) {
    const path = folder.pathOf(`${what}.db`)
    await using index = await opened(path, pages)
    await index.add({ pages, gone: [], position: POSITION })
    {
      using db = new DatabaseSync(path)
      damage(db)
    }
    const [search] = madeUpQueries(7, 1, pages)
    assert.ok(search)
    await using reader = await opened(path, pages)
    await assert.rejects(reader.query({ ...search, text: 'a* b* c* d* e*' }), (error) => {
      return error instanceof CrawlerError && isUnfit(error)
    })
  }
})

test('a search sees one state, whatever is written while it runs', async () => {
  using folder = openFolder()
  const pages = madeUpPages(5, 40)
  const path = folder.pathOf('search.db')
  await using index = await opened(path, pages)
  const writing: Promise<void>[] = []
  /** All pages come again when the filter of a search is made. */
  class Topics extends Map<number, string> {
    override [Symbol.iterator]() {
      if (isAgain) writing.push(index.add({ pages, gone: [], position: POSITION }))
      return super[Symbol.iterator]()
    }
  }
  let isAgain = false
  const topicsOf = async () => new Topics(TOPICS)
  await using reader = await openSqliteSearchIndex({ path, pagesOf: async () => [], topicsOf })
  for (let nth = 0; nth < 2; nth++) await index.add({ pages, gone: [], position: POSITION })
  const found = () => reader.matching({ text: '-nowhere', filter: { topic: 'tea' } })
  const before = await found()
  isAgain = true
  for (let nth = 0; nth < 4; nth++) assert.deepEqual(await found(), before)
  await Promise.all(writing)
  assert.equal(writing.length, 4)
})

test('a search while the same program writes ends, and no transaction stays open', async () => {
  using folder = openFolder()
  const pages = madeUpPages(5, 40)
  const path = folder.pathOf('search.db')
  await using index = await opened(path, pages)
  for (let at = 0; at < 40; at += 10) {
    const searches = madeUpQueries(at, 5, pages).map((search) => index.query(search))
    const write = index.add({ pages: pages.slice(at, at + 10), gone: [], position: POSITION })
    await Promise.all([...searches, write])
  }
  using db = new DatabaseSync(path)
  assert.equal(db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy, 0)
})

test('a search that fails half way does not hold the log of the file', async () => {
  using folder = openFolder()
  const pages = madeUpPages(5, 40)
  const path = folder.pathOf('search.db')
  await using index = await opened(path, pages)
  await index.add({ pages, gone: [], position: POSITION })
  await using reader = await opened(path, pages)
  using db = new DatabaseSync(path)
  IMPOSSIBLE['postings that are longer than memory']?.(db)
  const phrase = pages[0]?.contentText.split(' ').slice(0, 3).join(' ')
  await assert.rejects(reader.matching({ text: `"${phrase}"` }))
  assert.equal(db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy, 0)
})

test('neighbours of about the same size are merged, the smallest first', () => {
  const ranges = (...sizes: readonly number[]) => {
    let end = 0
    return sizes.map((size, id) => {
      end += size
      return { id, base: end - size, end }
    })
  }
  const ids = (sizes: readonly number[], busy: readonly number[] = []) =>
    neighbours(ranges(...sizes), new Set(busy))?.map(({ id }) => id) ?? null
  const eight = Array.from({ length: 8 }, () => 500)
  assert.equal(ids(eight.slice(1)), null)
  assert.deepEqual(ids(eight), [0, 1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(ids([4000, ...eight]), [1, 2, 3, 4, 5, 6, 7, 8])
  assert.equal(ids(eight, [3]), null)
  const tiny = Array.from({ length: 8 }, () => 3)
  assert.deepEqual(ids([...eight, ...tiny]), [8, 9, 10, 11, 12, 13, 14, 15])
})
