import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { changeFeedContract } from '../../../test/contract/change-feed.contract.ts'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import { openSqliteChangeFeed, openSqliteJobStore } from '../../../test/support/stores.ts'
import { openSqlitePageStore } from './sqlite-page-store.ts'

function openFixture() {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-changes-'))
  const path = join(dir, 'jelajah.db')
  return {
    path,
    jobs: () => openSqliteJobStore(path),
    pages: (job: Parameters<typeof openSqlitePageStore>[0]['job']) =>
      openSqlitePageStore({ path, job }),
    feed: () => openSqliteChangeFeed(path),
    async [Symbol.asyncDispose]() {
      rmSync(dir, { recursive: true })
    },
  }
}

changeFeedContract('SQLite', async () => openFixture())

test('pages that came before there was a log are reported as added, but for those of removed crawls', async () => {
  await using fixture = openFixture()
  makeVersion3(
    fixture.path,
    `INSERT INTO crawls (id, name, status, seeds, settings, salt, started_at)
     VALUES (1, 'kept', 'completed', '[]', '{}', 1, 0);
     INSERT INTO removed_crawls (crawl_id) VALUES (2);`,
    [
      { id: 1, crawl: 2, url: 'http://a.test/removed', fetchedAt: 10 },
      { id: 5, crawl: 1, url: 'http://a.test/late', fetchedAt: 30 },
      { id: 7, crawl: 1, url: 'http://a.test/early', fetchedAt: 20 },
    ],
  )
  await using feed = await fixture.feed()
  assert.ok(feed)
  assert.deepEqual(
    (await feed.after(0, 9)).changes.map(({ cursor, change, crawlId, pageId, url, at }) => [
      cursor,
      change,
      crawlId,
      pageId,
      url,
      at,
    ]),
    [
      [1, 'add', 1, 5, 'http://a.test/late', 30],
      [2, 'add', 1, 7, 'http://a.test/early', 20],
    ],
  )
  assert.match(await feed.mark(), /^[0-9a-f]{16}$/)
  await using jobs = await fixture.jobs()
  while (await jobs.sweep(2));
  await using pages = await fixture.pages(await jobs.create(sampleJob()))
  const [saved] = await pages.save([sample('a.test/new')])
  assert.ok(saved?.outcome === 'stored')
  assert.equal(saved.id, 8)
})

test('a large log is swept in steps, and what others wrote in it stays', async () => {
  await using fixture = openFixture()
  await using jobs = await fixture.jobs()
  const one = await jobs.create(sampleJob())
  await jobs.remove(one.id)
  const db = new DatabaseSync(fixture.path)
  db.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
    INSERT INTO page_changes (crawl_id, page_id, change, at, url)
    SELECT CASE WHEN i % 3 = 0 THEN 99 ELSE ${one.id} END, i, 'delete', 0, 'http://a.test/' FROM n`)
  let steps = 0
  while (await jobs.sweep(one.id)) steps++
  const left = db.prepare('SELECT crawl_id, count(*) AS n FROM page_changes GROUP BY 1').all()
  db.close()
  assert.deepEqual(
    left.map((row) => [row.crawl_id, row.n]),
    [
      [one.id, 1],
      [99, 4000],
    ],
  )
  assert.equal(steps, 2)
})

type OldPage = { id: number; crawl: number; url: string; fetchedAt: number }

/** A store as it was before there was a log of changes. */
function makeVersion3(path: string, sql: string, pages: readonly OldPage[]): void {
  const folder = join(import.meta.dirname, 'migrations')
  const db = new DatabaseSync(path)
  db.exec('PRAGMA journal_mode = WAL')
  for (const file of readdirSync(folder).sort().slice(0, 3)) {
    db.exec(readFileSync(join(folder, file), 'utf8'))
  }
  db.exec(`PRAGMA user_version = 3; PRAGMA application_id = 0x4a4c4a48; ${sql}`)
  const columns = db
    .prepare("SELECT name, type FROM pragma_table_info('pages') WHERE [notnull] = 1")
    .all()
  const insert = db.prepare(`
    INSERT INTO pages (id, ${columns.map(({ name }) => name).join(', ')})
    VALUES (?, ${columns.map(() => '?').join(', ')})`)
  for (const page of pages) {
    const known: Record<string, string | number> = {
      crawl_id: page.crawl,
      url: page.url,
      fetched_at: page.fetchedAt,
    }
    const values = columns.map(({ name, type }) => known[`${name}`] ?? (type === 'TEXT' ? '' : 0))
    insert.run(page.id, ...values)
  }
  db.close()
}
