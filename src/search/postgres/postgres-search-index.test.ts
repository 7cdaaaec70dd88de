import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sampleFields } from '../../../test/contract/sample-page.ts'
import {
  type SearchFixture,
  searchIndexContract,
} from '../../../test/contract/search-index.contract.ts'
import { searchLinksContract } from '../../../test/contract/search-links.contract.ts'
import { searchWordsContract } from '../../../test/contract/search-words.contract.ts'
import { type TestDatabase, testDatabase } from '../../../test/servers/postgres.ts'
import type { SearchedPage } from '../../core/page.ts'
import { Postgres } from '../../db/postgres.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import type { PagesOf } from '../search-index.ts'
import {
  discardPostgresSearchIndex,
  isUnfitPostgresIndex,
  openPostgresSearchIndex,
  openPostgresSearchReader,
} from './open-search-index.ts'

let database: TestDatabase
let db: Postgres
before(async () => {
  database = await testDatabase()
  db = new Postgres({ url: database.url })
})
after(async () => {
  await db[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const PAGE: SearchedPage = {
  ...sampleFields('a.test/1', { title: "Don't panic", contentText: 'A crawler near to you.' }),
  id: 1,
  crawlId: 1,
}
const pagesOf: PagesOf = async () => [PAGE]
const position = { mark: 'm', cursor: 1 }

const openFixture = async (): Promise<SearchFixture> => ({
  index: (pages, topicsOf) =>
    openPostgresSearchIndex({ db, pagesOf: pages, ...(topicsOf && { topicsOf }) }),
  reader: (pages) => openPostgresSearchReader({ db, pagesOf: pages }),
  [Symbol.asyncDispose]: () => discardPostgresSearchIndex(db),
})
searchIndexContract('PostgreSQL', openFixture)
searchLinksContract('PostgreSQL', openFixture)
searchWordsContract('PostgreSQL', openFixture)

async function openFilled() {
  const index = await openPostgresSearchIndex({ db, pagesOf })
  await index.add({ pages: [PAGE], gone: [], position })
  return {
    index,
    find: (text: string) => index.query({ text, limit: 1, offset: 0 }),
    [Symbol.asyncDispose]: () => discardPostgresSearchIndex(db),
  }
}

/** Pieces with a meaning for PostgreSQL, for our own queries, or for nobody. */
const PIECES =
  `" "" * ** ^ - -- + ( ) (( )) { } : :* :A , . ; ' '' \\ \\' / % _ ~ | & = # @ ! !! ? <-> <2> $1
  AND OR NOT and or title: title:" url:( nope:x 'a' E'a' host:* text:- crawler panic don't a the crawl*
  "near to" -panic \u201cnear \u201d \u00e9 e\u0301 \u0130 \u00df 日本 日 ไทย \u0000 \u0001 \u200b \u202e \u2028 \ud83d
  \ude00 😀 \ufffe 1 0x1 1e9 -- /* ; DROP`.split(/\s+/)

/** Set JELAJAH_FUZZ=100000 for a long run. */
const ROUNDS = Number(process.env.JELAJAH_FUZZ ?? 80)

test('no text that anybody could type is an error', async () => {
  await using filled = await openFilled()
  const random = seededRandom(11)
  const pick = () => PIECES[Math.floor(random() * PIECES.length)] ?? ''
  for (let round = 0; round < ROUNDS; round++) {
    const glue = random() < 0.5 ? ' ' : ''
    const text = Array.from({ length: 1 + random() * 12 }, pick).join(glue)
    const { used } = await filled.find(text)
    assert.ok(text.startsWith(used))
  }
  for (const piece of ['(', ' OR a', ' -a', '"', 'title:', 'a* ', "' ", '\\', '\0', '😀']) {
    assert.ok((await filled.find(piece.repeat(100_000))).total <= 1, piece)
  }
  const filter = { host: '\0\ud800', kind: "'\\\0", language: '\0', topic: '\0' }
  const { total } = await filled.index.query({ text: 'panic', filter, limit: 1, offset: 0 })
  assert.equal(total, 0)
})

test('an apostrophe is part of a word', async () => {
  await using filled = await openFilled()
  const totalOf = async (text: string) => (await filled.find(text)).total
  assert.deepEqual(
    [await totalOf("don't"), await totalOf('don\u2019t'), await totalOf('don')],
    [1, 1, 0],
  )
})

test('an index of another version begins again, and readers have none', async () => {
  for (const change of ['version = 999', 'layout = 999']) {
    await using filled = await openFilled()
    assert.equal((await filled.find('panic')).total, 1)
    await db.sql.unsafe(`UPDATE search.search_version SET ${change}`)
    assert.equal(await openPostgresSearchReader({ db, pagesOf }), null, change)
    let anew = 0
    const index = await openPostgresSearchIndex({ db, pagesOf }, () => anew++)
    assert.deepEqual(await index.position(), { mark: '', cursor: 0 }, change)
    assert.equal((await filled.find('panic')).total, 0, 'who has it open reads the new one')
    assert.equal(anew, 1)
  }
})

test('an index of the version without common words is kept', async () => {
  await using filled = await openFilled()
  await db.sql
    .unsafe('DROP TABLE search.common_words; UPDATE search.search_version SET layout = 7')
    .simple()
  const index = await openPostgresSearchIndex({ db, pagesOf }, () => assert.fail('it is rebuilt'))
  assert.deepEqual(await index.position(), position)
  await index.add({ pages: [{ ...PAGE, id: 2 }], gone: [], position })
  assert.deepEqual(await filled.index.matching({ text: '"near to you"' }), [1, 2])
  assert.notEqual(await openPostgresSearchReader({ db, pagesOf }), null)
})

test('common words are known to the next process, and gone with everything else', async () => {
  await using filled = await openFilled()
  const pages = Array.from({ length: 60 }, (_, nth) => ({
    ...{ ...PAGE, id: nth + 1, contentText: `panic crawler number${nth} crawler panic` },
  }))
  const words = async () => (await db.sql`SELECT word FROM search.common_words`).length
  for (let at = 0; at < pages.length; at += 15) {
    const index = await openPostgresSearchIndex({ db, pagesOf, commonFrom: 30 })
    await index.add({ pages: pages.slice(at, at + 15), gone: [], position })
    assert.equal((await words()) > 0, at >= 15)
  }
  const found = await filled.index.matching({ text: '"crawler panic"' })
  assert.equal(found.length, 60)
  assert.equal((await filled.index.matching({ text: '"panic crawler number7"' })).length, 1)
  await filled.index.clear()
  assert.equal(await words(), 0)
})

test('a schema of somebody else is left alone', async () => {
  await db.sql.unsafe('CREATE SCHEMA IF NOT EXISTS search').simple()
  await db.sql.unsafe('CREATE TABLE search.theirs (a int)')
  await assert.rejects(openPostgresSearchIndex({ db, pagesOf }), { code: 'store-damaged' })
  await assert.rejects(discardPostgresSearchIndex(db), { code: 'store-damaged' })
  await db.sql.unsafe('SELECT * FROM search.theirs')
  await db.sql.unsafe('DROP SCHEMA search CASCADE').simple()
})

test('an index that lost a table or rows says so, and can be rebuilt', async () => {
  for (const loss of [
    'DROP TABLE search.segment_pieces',
    'DELETE FROM search.segment_pieces',
    'DELETE FROM search.search_position',
    "UPDATE search.term_blocks SET terms = '\\xff'",
  ]) {
    await using filled = await openFilled()
    await db.sql.unsafe(loss)
    const error = await filled.find('panic').catch((caught: unknown) => caught)
    assert.ok(isUnfitPostgresIndex(error), `${loss}: ${error}`)
    await discardPostgresSearchIndex(db)
    assert.equal(await openPostgresSearchReader({ db, pagesOf }), null)
  }
  const other = await db.run((sql) => sql`SELECT * FROM pages`).catch((caught: unknown) => caught)
  assert.ok(!isUnfitPostgresIndex(other), 'a table of the store is none of its own')
})

test('a merge of an index that lost rows says so', async () => {
  await using filled = await openFilled()
  for (let nth = 2; nth < 8; nth++) {
    await filled.index.add({ pages: [{ ...PAGE, id: nth }], gone: [], position })
  }
  await db.sql.unsafe('DELETE FROM search.segment_pieces')
  const other = await openPostgresSearchIndex({ db, pagesOf })
  const adding = other.add({ pages: [{ ...PAGE, id: 8 }], gone: [], position })
  assert.ok(isUnfitPostgresIndex(await adding.catch((caught: unknown) => caught)))
})

test('two who both believe they may write leave an index that is whole', async () => {
  await using filled = await openFilled()
  const other = await openPostgresSearchIndex({ db, pagesOf })
  const pages = Array.from({ length: 20 }, (_, nth) => ({ ...PAGE, id: nth + 1 }))
  await Promise.all(
    [filled.index, other, filled.index].map((index) => index.add({ pages, gone: [], position })),
  )
  const [row] = await db.sql`
    SELECT pages = (SELECT count(*) FROM search.searched_pages)
      AND length = (SELECT sum(length) FROM search.searched_pages) AS is_right
    FROM search.search_position`
  assert.equal(row?.is_right, true)
  assert.equal((await filled.index.nearDuplicates([20]))[0]?.size, 20)
})

test('all words of a long page are found, and in a row', async () => {
  await using filled = await openFilled()
  const numbered = Array.from({ length: 20_000 }, (_, nth) => `word${nth}`)
  const same = Array(2000).fill('same')
  const long = { ...PAGE, id: 2, contentText: [...numbered, ...same, 'end', "don't"].join(' ') }
  await filled.index.add({ pages: [long], gone: [], position })
  const idsOf = (text: string) => filled.index.matching({ text })
  for (let at = 1; at < numbered.length; at += 3999) {
    assert.deepEqual(await idsOf(`"${numbered[at - 1]} ${numbered[at]}"`), [2])
  }
  const cut = numbered.slice(15_950, 16_050)
  for (let at = 0; at < cut.length - 20; at += 6) {
    assert.deepEqual(await idsOf(`"${cut.slice(at, at + 20).join(' ')}"`), [2], cut[at])
  }
  assert.deepEqual(await idsOf(`word1 word19999 "same same end don't"`), [2])
  assert.deepEqual(await idsOf('"word1 word3"'), [])
  assert.deepEqual(await idsOf('same -word19999'), [])
  await filled.index.add({ pages: [], gone: [2], position })
  assert.deepEqual(await idsOf('word1'), [])
})
