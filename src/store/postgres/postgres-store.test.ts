// The contract suites of what keeps pages and jobs.
import { jobJournalContract } from '../../../test/contract/job-journal.contract.ts'
import { jobStoreContract } from '../../../test/contract/job-store.contract.ts'
import { pageStoreContract } from '../../../test/contract/page-store.contract.ts'
import { roundsContract } from '../../../test/contract/recrawls.contract.ts'
import { savedSearchesContract } from '../../../test/contract/saved-searches.contract.ts'
import { webhookOutboxContract } from '../../../test/contract/webhook-outbox.contract.ts'
import { openPostgresFixture } from '../../../test/support/postgres-fixture.ts'
import {
  createPostgresChangeFeed,
  createPostgresJobJournal,
  createPostgresJobStore,
  createPostgresPageReader,
  createPostgresRecrawlStore,
  createPostgresSavedSearches,
  createPostgresWebhookOutbox,
} from '../../../test/support/stores.ts'
import type { Job } from '../../core/job.ts'
import type { Clock } from '../../lib/clock.ts'
import { openPostgresPageStore } from './postgres-page-store.ts'

async function openFixture() {
  const fixture = await openPostgresFixture()
  const over = fixture.over
  return {
    // Whoever had it open before is taken to be dead.
    pages: async (job: Job) =>
      openPostgresPageStore({ db: await over((db) => db), job, deadAfterMs: 0 }),
    jobs: fixture.jobs,
    reader: () => over((db) => createPostgresPageReader(db)),
    rounds: (clock: Clock) => over((db) => createPostgresRecrawlStore(db, clock)),
    feed: () => over((db) => createPostgresChangeFeed(db)),
    over,
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}

pageStoreContract('PostgreSQL', openFixture)
roundsContract('PostgreSQL', openFixture)
jobStoreContract('PostgreSQL', async () => {
  const fixture = await openFixture()
  return { ...fixture, open: (clock) => fixture.over((db) => createPostgresJobStore(db, clock)) }
})
jobJournalContract('PostgreSQL', async () => {
  const fixture = await openFixture()
  return { ...fixture, open: (clock) => fixture.over((db) => createPostgresJobJournal(db, clock)) }
})
savedSearchesContract('PostgreSQL', async () => {
  const fixture = await openFixture()
  return { ...fixture, open: () => fixture.over((db) => createPostgresSavedSearches(db)) }
})
webhookOutboxContract('PostgreSQL', async () => {
  const fixture = await openFixture()
  return {
    ...fixture,
    open: (limits) => fixture.over((db) => createPostgresWebhookOutbox(db, limits)),
  }
})
