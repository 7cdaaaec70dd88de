import { pageBrowserContract } from '../../../test/contract/page-browser.contract.ts'
import { openPostgresPlace } from '../../../test/support/postgres-place.ts'
import { createPostgresPageReader } from './postgres-store.ts'

pageBrowserContract('PostgreSQL', async () => {
  const place = await openPostgresPlace()
  return { ...place, browser: () => place.over(createPostgresPageReader) }
})
