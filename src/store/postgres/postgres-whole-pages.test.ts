import { wholePagesContract } from '../../../test/contract/whole-pages.contract.ts'
import { openPostgresFixture } from '../../../test/support/postgres-fixture.ts'
import { createPostgresPageReader } from '../../../test/support/stores.ts'

wholePagesContract('PostgreSQL', async () => {
  const fixture = await openPostgresFixture()
  return { ...fixture, whole: () => fixture.over(createPostgresPageReader) }
})
