import { pageBrowserContract } from '../../../test/contract/page-browser.contract.ts'
import { openPostgresFixture } from '../../../test/support/postgres-fixture.ts'
import { createPostgresPageReader } from '../../../test/support/stores.ts'

pageBrowserContract('PostgreSQL', async () => {
  const fixture = await openPostgresFixture()
  return { ...fixture, browser: () => fixture.over(createPostgresPageReader) }
})
