// The indexer on PostgreSQL: the same program (`catchUp`) with other adapters.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import { testDatabase } from '../../../test/servers/postgres.ts'
import {
  createPostgresChangeFeed,
  createPostgresJobStore,
  createPostgresPageReader,
} from '../../../test/support/stores.ts'
import { openPostgres } from '../../db/postgres.ts'
import { ManualClock } from '../../lib/clock.ts'
import { openPostgresPageStore } from '../../store/postgres/postgres-page-store.ts'
import { openPostgresSearchIndex } from '../postgres/open-search-index.ts'
import { catchUp } from './index-writer.ts'

test('an index in PostgreSQL follows the store there: pages come, crawls end and go', async () => {
  await using database = await testDatabase()
  await using db = await openPostgres({ url: database.url })
  const jobs = createPostgresJobStore(db)
  const feed = createPostgresPageReader(db)
  const changes = createPostgresChangeFeed(db)
  const index = await openPostgresSearchIndex({
    db,
    pagesOf: (ids) => feed.pagesOf(ids),
    topicsOf: () => feed.topics(),
  })
  const follow = () => catchUp({ changes, feed, index, clock: new ManualClock(), budgetMs: 1 })
  const found = async (hot?: boolean) => {
    const filter = hot === undefined ? {} : { hot }
    const { hits } = await index.query({ text: 'page', filter, all: true, limit: 9, offset: 0 })
    return hits.map(({ page }) => `${page.crawlId} ${new URL(page.url).pathname}`).sort()
  }
  const [one, two] = [await jobs.create(sampleJob()), await jobs.create(sampleJob())]
  for (const job of [one, two]) {
    await using pages = await openPostgresPageStore({ db, job })
    const hash = (at: string) => ({ title: 'Page', contentHash: at })
    await pages.save([
      ...['1', '2'].map((at) => sample(`a.test/${at}`, hash(at))),
      sample('a.test/hidden', { ...hash('hidden'), noindex: true }),
      sample('a.test/again', hash('1')),
      sample('a.test/hot', { ...hash('hot'), hot: true }),
    ])
  }
  assert.deepEqual(await follow(), { behind: 0 })
  const of = (id: number) => ['1', '2', 'hot'].map((at) => `${id} /${at}`)
  assert.deepEqual(await found(), [...of(one.id), ...of(two.id)])
  await index.markHot(one.id, [], 'none')
  await jobs.setStatus(one.id, 'completed')
  await jobs.remove(two.id)
  assert.deepEqual(await follow(), { behind: 0 })
  assert.deepEqual(await found(), of(one.id))
  assert.deepEqual(await found(true), [`${one.id} /hot`])
})
