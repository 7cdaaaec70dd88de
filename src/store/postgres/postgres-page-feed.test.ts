import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageFeedContract } from '../../../test/contract/page-feed.contract.ts'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import { openPostgresPlace } from '../../../test/support/postgres-place.ts'
import { createPostgresImportanceStore, createPostgresPageReader } from './postgres-store.ts'

pageFeedContract('PostgreSQL', async () => {
  const place = await openPostgresPlace()
  return { ...place, feed: () => place.overKnown(createPostgresPageReader) }
})

test('texts are counted by characters, however many bytes those take', async () => {
  await using place = await openPostgresPlace()
  await using jobs = await place.jobs()
  await using pages = await place.pages(await jobs.create(sampleJob()))
  const contentText = '日'.repeat(1000)
  const saved = await pages.save([1, 2, 3, 4].map((n) => sample(`a.test/${n}`, { contentText })))
  const ids = saved.map((page) => ('id' in page ? page.id : 0))
  await using feed = await place.over(createPostgresPageReader)
  const some = await feed.somePages(ids, 2500)
  assert.deepEqual([some.pages.length, some.read], [3, 3])
  const repeated = await feed.pagesOf([ids[1]!, ids[0]!, ids[1]!])
  assert.deepEqual(
    repeated.map(({ id }) => id),
    [ids[1], ids[0], ids[1]],
  )
})

test('ranks come by id, as the end of a crawl left them', async () => {
  await using place = await openPostgresPlace()
  await place.query('SELECT make_partitions(7)')
  await using importance = await place.over(createPostgresImportanceStore)
  await using feed = await place.over(createPostgresPageReader)
  const ranks = [3, 1, 2].map((pageId) => [pageId, 1 / (pageId + 2)] as const)
  const rest = { similarity: null, backlinks: 0, location: 0, importance: 0 }
  await importance.replace(
    7,
    ranks.map(([pageId, pagerank]) => ({ pageId, pagerank, ...rest })),
  )
  assert.deepEqual([...(await feed.ranks(7))], [ranks[1], ranks[2], ranks[0]])
  assert.deepEqual([...(await feed.ranks(8))], [])
})
