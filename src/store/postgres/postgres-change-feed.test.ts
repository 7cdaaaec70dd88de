import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeFeedContract } from '../../../test/contract/change-feed.contract.ts'
import { sampleJob } from '../../../test/contract/sample-page.ts'
import { openPostgresFixture } from '../../../test/support/postgres-fixture.ts'
import { createPostgresChangeFeed } from '../../../test/support/stores.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { tell } from './batch-writer.ts'

changeFeedContract('PostgreSQL', async () => {
  const fixture = await openPostgresFixture()
  return { ...fixture, feed: () => fixture.overKnown(createPostgresChangeFeed) }
})

test('who reads on while many write at once misses nothing and hears nothing twice', async () => {
  await using fixture = await openPostgresFixture()
  const db = await fixture.over((db) => db)
  await using feed = await fixture.over(createPostgresChangeFeed)
  const random = seededRandom(7)
  const write = async (writer: number): Promise<void> => {
    for (let nth = 0; nth < 12; nth++) {
      const urls = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, n) => `${nth}/${n}`)
      await db.inTransaction(async (sql) => {
        const told = urls.map((url) => ({ pageId: 1, change: 'delete', url, reason: '' }) as const)
        await tell(
          sql,
          writer,
          told.map((one, at) => ({ ...one, at })),
        )
        // Between the cursor and the commit others want one, too.
        for (let wait = random() * 4; wait > 1; wait--) await sql`SELECT 1`
      })
    }
  }
  let isWriting = true
  const heard: { cursor: number; crawlId: number; url: string | null }[] = []
  const read = async (): Promise<void> => {
    for (let at = 0; ; ) {
      const wasWriting = isWriting
      const { changes, cursor } = await feed.after(at, 5)
      heard.push(...changes)
      if (cursor === at && !wasWriting) return
      at = cursor
    }
  }
  const reading = read()
  await Promise.all([1, 2, 3, 4].map(write))
  isWriting = false
  await reading
  const rows = await fixture.query('SELECT cursor, crawl_id, url FROM page_changes ORDER BY cursor')
  assert.deepEqual(
    heard.map(({ cursor, crawlId, url }) => ({ cursor, crawl_id: crawlId, url })),
    rows.map((row) => ({ ...row })),
  )
  assert.equal(await feed.last(), heard.at(-1)?.cursor)
})

test('the end of a crawl stirs those who follow', async () => {
  await using fixture = await openPostgresFixture()
  await using jobs = await fixture.jobs()
  await using feed = await fixture.over(createPostgresChangeFeed)
  const [one, two] = [await jobs.create(sampleJob()), await jobs.create(sampleJob())]
  await feed.mayHaveChanged()
  for (const { id } of [one, two]) {
    await jobs.setStatus(id, 'completed')
    assert.equal(await feed.mayHaveChanged(), true)
    assert.equal(await feed.mayHaveChanged(), false)
  }
})
