import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sample, sampleJob, urlFor } from '../../../test/contract/sample-page.ts'
import { openSqliteJobStore, openSqliteRecrawlStore } from '../../../test/support/stores.ts'
import type { Job } from '../../core/job.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { PageBuffer } from '../../simulate/buffers.ts'
import type { PageOutcome, PageStore } from '../page-store.ts'
import { openSqlitePageStore } from './sqlite-page-store.ts'

const GONE = { to: 'refused', reason: 'not-among-best' }

async function openFixture(settings: Partial<Job['settings']>) {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-best-'))
  const path = join(folder, 'jelajah.db')
  const made = sampleJob()
  await using jobs = await openSqliteJobStore(path)
  const job = await jobs.create({ ...made, settings: { ...made.settings, ...settings } })
  return {
    job,
    path,
    open: (round = 0): Promise<PageStore> => openSqlitePageStore({ path, job: { ...job, round } }),
    all: (sql: string) => {
      const db = new DatabaseSync(path, { readOnly: true })
      const rows = db
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }))
      db.close()
      return rows
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

function page(url: string, targets: readonly string[] = [], changes = {}) {
  const links = targets.map((target) => [urlFor(target), 'x', ''])
  return sample(url, changes, { parts: { links: JSON.stringify(links) } })
}

function movedOf(saved: PageOutcome | undefined) {
  return saved !== undefined && 'moved' in saved ? saved.moved : undefined
}

test('a full store drops the page with the fewest links, as the simulated buffer does', async () => {
  for (const seed of [1, 2, 3]) {
    using fixture = await openFixture({ keepBest: 6, importance: { backlinks: 1 } })
    await using store = await fixture.open()
    const random = seededRandom(seed)
    const buffer = new PageBuffer(6)
    const inLinks = new Map<number, number>()
    for (let nth = 0; nth < 40; nth++) {
      const targets = new Set(Array.from({ length: 5 }, () => Math.floor(random() * 40)))
      targets.delete(nth)
      const gone = buffer.add(nth, inLinks.get(nth) ?? 0)
      for (const target of targets) {
        inLinks.set(target, (inLinks.get(target) ?? 0) + 1)
        buffer.linked(target, inLinks.get(target) ?? 0)
      }
      const [saved] = await store.save([
        page(
          `a.test/${nth}`,
          [...targets].map((to) => `a.test/${to}`),
        ),
      ])
      if (gone === nth) assert.deepEqual(saved, { outcome: 'gone', came: GONE, moved: [] })
      else if (gone !== null) {
        assert.deepEqual(movedOf(saved), [
          { url: urlFor(`a.test/${gone}`), of: null, isDropped: true },
        ])
      } else assert.equal(movedOf(saved), undefined)
      assert.equal(await store.count(), Math.min(nth + 1, 6))
    }
    const kept = fixture.all('SELECT url FROM pages ORDER BY id').map(({ url }) => url)
    assert.deepEqual(
      kept,
      [...buffer.pages()].map((at) => urlFor(`a.test/${at}`)),
    )
    assert.deepEqual(fixture.all('SELECT count(*) AS n FROM best_pages'), [{ n: 6 }])
    const [{ n } = { n: 0 }] = fixture.all(
      `SELECT count(*) AS n FROM page_changes WHERE change = 'delete' AND reason = 'not-among-best'`,
    )
    assert.equal(n, 34)
  }
})

test('relevance and location count as they are weighed', async () => {
  using fixture = await openFixture({ keepBest: 1, importance: { similarity: 1, location: 0.1 } })
  await using store = await fixture.open()
  await store.save([page('a.test/x/y', [], { relevance: 0.5 })])
  const [worse] = await store.save([page('a.test/', [], { relevance: 0.2 })])
  assert.equal(worse?.outcome, 'gone')
  const [better] = await store.save([page('a.test/x', [], { relevance: 0.5 })])
  assert.equal(better?.outcome, 'stored')
})

test('pages that were dropped count for the limit on pages', async () => {
  using fixture = await openFixture({ keepBest: 2, maxPages: 4 })
  await using store = await fixture.open()
  const names = ['1', '2', '3', '4', '5', '6']
  const saved = await store.save(names.map((name) => page(`a.test/${name}`)))
  assert.deepEqual(
    saved.map(({ outcome }) => outcome),
    ['stored', 'stored', 'stored', 'stored', 'over-limit', 'over-limit'],
  )
  assert.equal(await store.count(), 2)
})

test('what repeats a page goes with it', async () => {
  using fixture = await openFixture({ keepBest: 1 })
  await using store = await fixture.open()
  const same = { contentHash: 'same' }
  await store.save([page('a.test/1', [], same), page('a.test/2', [], same)])
  const [saved] = await store.save([page('a.test/3', ['a.test/3'])])
  const urls = movedOf(saved)?.map(({ url }) => url)
  assert.deepEqual(urls, [urlFor('a.test/2'), urlFor('a.test/1')])
  assert.deepEqual(
    fixture.all('SELECT sum(stored) AS stored, sum(duplicates) AS duplicates FROM host_totals'),
    [{ stored: 1, duplicates: 0 }],
  )
})

test('pages that repeat one that stays are not looked at whenever a page has to go', async () => {
  using fixture = await openFixture({ keepBest: 2, importance: { backlinks: 1 } })
  await using store = await fixture.open()
  const same = { contentHash: 'same' }
  await store.save([page('a.test/1', [], same)])
  const repeating = ['2', '3', '4'].map((name) =>
    page(`a.test/${name}`, ['a.test/1', 'a.test/2'], same),
  )
  await store.save(repeating)
  await store.save([page('a.test/5'), page('a.test/6', ['a.test/3'])])
  const inLine = 'SELECT url FROM pages JOIN best_pages ON page_id = id WHERE worth < 1e300'
  assert.deepEqual(
    fixture.all(`${inLine} ORDER BY worth`).map(({ url }) => url),
    [urlFor('a.test/6'), urlFor('a.test/1')],
  )
  assert.deepEqual(fixture.all('SELECT count(*) AS n FROM pages WHERE duplicate_of IS NOT NULL'), [
    { n: 3 },
  ])
})

test('a page that repeats no other any more, after a refresh, is worth what it is again', async () => {
  using fixture = await openFixture({ keepBest: 2, importance: { backlinks: 1 } })
  const same = { contentHash: 'same' }
  {
    await using store = await fixture.open()
    await store.save([page('a.test/1', ['a.test/2'], same), page('a.test/2', ['a.test/1'], same)])
    await store.save([page('a.test/3')])
    await using rounds = await openSqliteRecrawlStore(fixture.path)
    await rounds.begin(fixture.job.id, { due: false })
  }
  await using store = await fixture.open(1)
  const [saved] = await store.save([page('a.test/2', [], { contentHash: 'other' })])
  assert.deepEqual(movedOf(saved), [{ url: urlFor('a.test/3'), of: null, isDropped: true }])
  const [{ least } = {}] = fixture.all('SELECT max(worth) AS least FROM best_pages')
  assert.ok(Number(least) < 1, String(least))
})

test('after a crash receipts tell again who was dropped, in the order of the pages', async () => {
  using fixture = await openFixture({ keepBest: 1 })
  {
    await using store = await fixture.open()
    await store.save([page('a.test/1', ['a.test/2']), page('a.test/2')])
    await store.save([page('a.test/3')])
  }
  await using store = await fixture.open()
  const told = (await store.undelivered()).map(({ url, saved }) => [
    url,
    saved.outcome,
    movedOf(saved),
  ])
  assert.deepEqual(told, [
    [urlFor('a.test/1'), 'gone', undefined],
    [urlFor('a.test/2'), 'stored', [{ url: urlFor('a.test/1'), of: null, isDropped: true }]],
    [urlFor('a.test/3'), 'gone', []],
  ])
})
