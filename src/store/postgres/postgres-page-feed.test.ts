import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageFeedContract } from '../../../test/contract/page-feed.contract.ts'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import { openPostgresFixture } from '../../../test/support/postgres-fixture.ts'
import {
  createPostgresImportanceStore,
  createPostgresPageReader,
} from '../../../test/support/stores.ts'

pageFeedContract('PostgreSQL', async () => {
  const fixture = await openPostgresFixture()
  return { ...fixture, feed: () => fixture.overKnown(createPostgresPageReader) }
})

test('texts are counted by characters, however many bytes those take', async () => {
  await using fixture = await openPostgresFixture()
  await using jobs = await fixture.jobs()
  await using pages = await fixture.pages(await jobs.create(sampleJob()))
  const contentText = '日'.repeat(1000)
  const saved = await pages.save([1, 2, 3, 4].map((n) => sample(`a.test/${n}`, { contentText })))
  const ids = saved.map((page) => ('id' in page ? page.id : 0))
  await using feed = await fixture.over(createPostgresPageReader)
  const some = await feed.somePages(ids, 2500)
  assert.deepEqual([some.pages.length, some.read], [3, 3])
  const repeated = await feed.pagesOf([ids[1]!, ids[0]!, ids[1]!])
  assert.deepEqual(
    repeated.map(({ id }) => id),
    [ids[1], ids[0], ids[1]],
  )
})

test('ranks come by id, as the end of a crawl left them', async () => {
  await using fixture = await openPostgresFixture()
  await fixture.query('SELECT make_partitions(7)')
  await using importance = await fixture.over(createPostgresImportanceStore)
  await using feed = await fixture.over(createPostgresPageReader)
  const ranks = [3, 1, 2].map((pageId) => [pageId, 1 / (pageId + 2)] as const)
  const rest = { similarity: null, backlinks: 0, location: 0, importance: 0 }
  await importance.replace(
    7,
    ranks.map(([pageId, pagerank]) => ({ pageId, pagerank, ...rest })),
  )
  assert.deepEqual([...(await feed.ranks(7))], [ranks[1], ranks[2], ranks[0]])
  assert.deepEqual([...(await feed.ranks(8))], [])
})
