import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sampleFields } from '../../../test/contract/sample-page.ts'
import {
  type SearchFixture,
  searchIndexContract,
} from '../../../test/contract/search-index.contract.ts'
import { searchLinksContract } from '../../../test/contract/search-links.contract.ts'
import { searchWordsContract } from '../../../test/contract/search-words.contract.ts'
import type { SearchedPage } from '../../core/page.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { openSqliteSearchIndex, openSqliteSearchReader } from './open-search-index.ts'

function openFolder() {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-search-'))
  return {
    path: join(dir, 'search.db'),
    async [Symbol.asyncDispose]() {
      rmSync(dir, { recursive: true })
    },
  }
}

const PAGE: SearchedPage = {
  ...sampleFields('a.test/1', { title: "Don't panic", contentText: 'A crawler near to you.' }),
  id: 1,
  crawlId: 1,
}
const pagesOf = async () => [PAGE]

const openFixture = async (): Promise<SearchFixture> => {
  const folder = openFolder()
  const { path } = folder
  return {
    ...folder,
    index: (pages, topicsOf) =>
      openSqliteSearchIndex({ path, pagesOf: pages, ...(topicsOf && { topicsOf }) }),
    reader: (pages) => openSqliteSearchReader({ path, pagesOf: pages }),
  }
}
searchIndexContract('SQLite', openFixture)
searchLinksContract('SQLite', openFixture)
searchWordsContract('SQLite', openFixture)

/** Pieces with a meaning for other engines, for our own queries, or for nobody. */
const PIECES =
  `" "" * ** ^ - -- + ( ) (( )) { } : , . ; ' '' \\ / % _ ~ | & = # @ ! ? AND OR NOT NEAR
  NEAR( NEAR(a,2) and or title: title:" url:( nope:x rowid: rank page_words host:* text:- {title}:
  crawler panic don't a the crawl* "near to" -panic \u201cnear \u201d \u00e9 e\u0301 \u0130 \u00df 日本 日 ไทย
  \u0000 \u0001 \u200b \u202e \u2028 \ud83d \ude00 😀 \ufffe 1 0x1 1e9 -- /* ; DROP`.split(/\s+/)

/** Set JELAJAH_FUZZ=100000 for a long run. */
const ROUNDS = Number(process.env.JELAJAH_FUZZ ?? 400)

test('no text that anybody could type is an error', async () => {
  await using folder = openFolder()
  await using index = await openSqliteSearchIndex({ path: folder.path, pagesOf })
  await index.add({ pages: [PAGE], gone: [], position: { mark: 'm', cursor: 1 } })
  const random = seededRandom(11)
  const pick = () => PIECES[Math.floor(random() * PIECES.length)] ?? ''
  for (let round = 0; round < ROUNDS; round++) {
    const glue = random() < 0.5 ? ' ' : ''
    const text = Array.from({ length: 1 + random() * 12 }, pick).join(glue)
    const { used } = await index.query({ text, limit: 1, offset: 0 })
    assert.ok(text.startsWith(used))
  }
})

test('texts of nothing but operators and brackets, however long, are answered', async () => {
  await using folder = openFolder()
  await using index = await openSqliteSearchIndex({ path: folder.path, pagesOf })
  await index.add({ pages: [PAGE], gone: [], position: { mark: 'm', cursor: 1 } })
  for (const piece of ['(', ' OR a', ' -a', '"', 'title:', 'a* ', 'NEAR(', '\0', '😀']) {
    const { total } = await index.query({ text: piece.repeat(100_000), limit: 1, offset: 0 })
    assert.ok(total <= 1, piece)
  }
  const { total } = await index.query({ text: `crawler${' OR b'.repeat(40)}`, limit: 1, offset: 0 })
  assert.equal(total, 1)
})

test('an index of another version begins again, and readers have none', async () => {
  await using folder = openFolder()
  const { path } = folder
  {
    await using index = await openSqliteSearchIndex({ path, pagesOf })
    await index.add({ pages: [PAGE], gone: [], position: { mark: 'm', cursor: 1 } })
  }
  for (const change of ['UPDATE search_version SET version = 999', 'PRAGMA user_version = 999']) {
    const db = new DatabaseSync(path)
    db.exec(change)
    db.close()
    assert.equal(await openSqliteSearchReader({ path, pagesOf }), null, change)
    await using index = await openSqliteSearchIndex({ path, pagesOf })
    assert.deepEqual(await index.position(), { mark: '', cursor: 0 }, change)
    assert.equal((await index.query({ text: 'panic', limit: 1, offset: 0 })).total, 0)
  }
})

test('a file that is no database begins again, one of somebody else is left alone', async () => {
  await using folder = openFolder()
  const { path } = folder
  writeFileSync(path, 'not a database '.repeat(1000))
  assert.equal(await openSqliteSearchReader({ path, pagesOf }), null)
  {
    await using index = await openSqliteSearchIndex({ path, pagesOf })
    assert.deepEqual(await index.position(), { mark: '', cursor: 0 })
  }
  rmSync(path)
  const db = new DatabaseSync(path)
  db.exec('CREATE TABLE theirs (a)')
  db.close()
  await assert.rejects(openSqliteSearchIndex({ path, pagesOf }), { code: 'store-damaged' })
  const kept = new DatabaseSync(path, { readOnly: true })
  assert.ok(kept.prepare('SELECT count(*) FROM theirs').get())
  kept.close()
})

test('an apostrophe is part of a word', async () => {
  await using folder = openFolder()
  await using index = await openSqliteSearchIndex({ path: folder.path, pagesOf })
  await index.add({ pages: [PAGE], gone: [], position: { mark: 'm', cursor: 1 } })
  const totalOf = async (text: string) => (await index.query({ text, limit: 1, offset: 0 })).total
  assert.deepEqual(
    [await totalOf("don't"), await totalOf('don\u2019t'), await totalOf('don')],
    [1, 1, 0],
  )
})

test('many pages that are nearly the same come, change and go one by one', async () => {
  await using folder = openFolder()
  await using index = await openSqliteSearchIndex({ path: folder.path, pagesOf })
  const words = Array.from({ length: 60 }, (_, nth) => `word${nth}`).join(' ')
  const made = (text: string) =>
    Array.from({ length: 300 }, (_, nth) => ({
      ...PAGE,
      id: nth + 1,
      url: sampleFields(`a.test/${nth}`).url,
      contentText: `${words} ${text}`,
    }))
  const position = { mark: 'm', cursor: 1 }
  const sizeOf = async (id: number) => (await index.nearDuplicates([id]))[0]?.size ?? 0
  await index.add({ pages: made('first'), gone: [], position })
  assert.equal(await sizeOf(1), 300)
  const other = made(words.replaceAll('word', 'other'))
  await index.add({ pages: other.slice(0, 299), gone: [], position })
  assert.deepEqual([await sizeOf(1), await sizeOf(300)], [299, 0])
  const gone = Array.from({ length: 298 }, (_, nth) => nth + 1)
  await index.add({ pages: other.slice(299), gone, position })
  assert.deepEqual([await sizeOf(1), await sizeOf(299), await sizeOf(300)], [0, 2, 2])
})
