import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import { testDatabase } from '../../../test/servers/postgres.ts'
import { createPostgresJobStore } from '../../../test/support/stores.ts'
import { openPostgres } from '../../db/postgres.ts'
import { allPagesWithLinks } from '../sql/sql-pages-with-links.ts'
import { openPostgresPageStore } from './postgres-page-store.ts'
import { createPostgresSql } from './postgres-sql.ts'

test('links that a page forbids to follow stay forbidden when a frontier is rebuilt', async () => {
  await using database = await testDatabase()
  await using db = await openPostgres({ url: database.url })
  const job = await createPostgresJobStore(db).create(sampleJob())
  const parts = { links: '[["http://a.test/x","x",""],["http://a.test/y","y","nofollow"]]' }
  const closed = { about: '{"robots":["noarchive","nofollow"]}' }
  const saved = [sample('a.test/1', closed, { parts }), sample('a.test/2', {}, { parts })]
  {
    await using store = await openPostgresPageStore({ db, job })
    await store.save(saved)
  }
  // Pages whose receipt waits are left to it.
  await db.sql`DELETE FROM undelivered WHERE crawl_id = ${job.id}`
  const pages = (await Array.fromAsync(allPagesWithLinks(createPostgresSql(db), job.id))).flat()
  assert.deepEqual(
    pages.map(({ url, links }) => [url, links?.map(({ nofollow }) => nofollow)]),
    [
      ['http://a.test/1', [true, true]],
      ['http://a.test/2', [false, true]],
    ],
  )
})
