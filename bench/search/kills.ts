// Kills the indexer at random moments and compares the answers of what it leaves with those of an index that was
// made in one go. Throws an Error if they differ.
//
// Usage: bench/search/kills.ts [KILLS] [SEED]
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SearchedPage } from '../../src/core/page.ts'
import { seededRandom } from '../../src/lib/seeded-random.ts'
import { givenTexts } from '../../src/search/link-texts.ts'
import type { SearchIndex } from '../../src/search/search-index.ts'
import { openSqliteSearchIndex } from '../../src/search/sqlite/open-search-index.ts'
import { madeUpPage, usualRank, wordAt } from './made-up-pages.ts'

const BATCH = 10
const EXTRA = 1_000_000
const QUERIES = 200
const pagesOf = async (ids: readonly number[]) => ids.map(madeUpPage)

if (process.argv[2] === 'index') await indexOn(process.argv[3] ?? '')
else await main(Number(process.argv[2] ?? 50), Number(process.argv[3] ?? 1))

/** Goes on where the index is, until it is killed. Each page comes twice, and another one comes and goes. */
async function indexOn(path: string): Promise<void> {
  await using index = await openSqliteSearchIndex({ path, pagesOf })
  let { cursor } = await index.position()
  console.log('open')
  for (;;) {
    await index.add(batchAt(cursor))
    cursor += BATCH
  }
}

function batchAt(cursor: number) {
  const ids = Array.from({ length: BATCH }, (_, nth) => cursor + nth + 1)
  const again = cursor === 0 ? [] : ids.map((id) => id - BATCH)
  const passing = { ...madeUpPage(cursor + 7), id: EXTRA + cursor }
  const pages = [...again, ...ids].map(madeUpPage).concat(passing)
  return {
    pages,
    given: givenBy(pages),
    gone: cursor === 0 ? [] : [EXTRA + cursor - BATCH],
    position: { mark: 'm', cursor: cursor + BATCH },
  }
}

/** Each page links to three others, some of which come later, by words of their titles. */
function givenBy(pages: readonly SearchedPage[]) {
  return new Map(
    pages.map((page) => {
      const links = [3, 30, 90].map((step) => {
        const { url, title } = madeUpPage((page.id % EXTRA) + step)
        return { url, anchor: title.split(' ').slice(0, 2).join(' '), rel: '' }
      })
      return [page.id, givenTexts(page, links)] as const
    }),
  )
}

async function main(kills: number, seed: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-kills-'))
  const [path, wholePath] = [join(dir, 'killed.db'), join(dir, 'whole.db')]
  const random = seededRandom(seed)
  try {
    for (let nth = 0; nth < kills; nth++) await killOnce(path, random() * 2500)
    await using killed = await openSqliteSearchIndex({ path, pagesOf })
    const { cursor } = await killed.position()
    await killed.add({ pages: [], gone: [EXTRA + cursor - BATCH], position: { mark: 'm', cursor } })
    await using whole = await openSqliteSearchIndex({ path: wholePath, pagesOf })
    const pages = Array.from({ length: cursor }, (_, at) => madeUpPage(at + 1))
    const given = givenBy(pages)
    await whole.add({ pages, gone: [], given, position: { mark: 'm', cursor } })
    await compare(killed, whole, random)
    using db = new DatabaseSync(path)
    const check = db.prepare('PRAGMA integrity_check').get()?.integrity_check
    const segments = db.prepare('SELECT state, count(*) AS n FROM segments GROUP BY state').all()
    const states = segments.map(({ state, n }) => `${n} ${state}`).join(', ')
    console.log(`${kills} kills, ${cursor} pages, ${QUERIES} queries: the same answers`)
    console.log(`integrity: ${check}; segments: ${states}`)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

async function killOnce(path: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [import.meta.filename, 'index', path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  setTimeout(() => child.kill('SIGKILL'), afterMs)
  await once(child, 'exit')
}

async function compare(one: SearchIndex, other: SearchIndex, random: () => number): Promise<void> {
  for (let nth = 0; nth < QUERIES; nth++) {
    const words = Array.from({ length: 1 + (nth % 5) }, () => wordAt(usualRank(random)))
    const plain = nth % 7 === 0 ? `anchor:${words[0]}` : words.join(' ')
    const text = nth % 3 === 0 ? `"${words.join(' ')}"` : plain
    const [a, b] = await Promise.all([one, other].map((index) => told(index, text)))
    assert.deepEqual(a, b, text)
  }
}

async function told(index: SearchIndex, text: string) {
  const { hits, ...found } = await index.query({ text, limit: 20, offset: 0 })
  const places = hits.map(({ page, score, others }) => [page.id, score.toPrecision(9), others])
  return { ...found, suggestion: null, hits: places }
}
