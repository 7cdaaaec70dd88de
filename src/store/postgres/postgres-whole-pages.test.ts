import { wholePagesContract } from '../../../test/contract/whole-pages.contract.ts'
import { openPostgresPlace } from '../../../test/support/postgres-place.ts'
import { createPostgresPageReader } from './postgres-store.ts'

wholePagesContract('PostgreSQL', async () => {
  const place = await openPostgresPlace()
  return { ...place, whole: () => place.over(createPostgresPageReader) }
})
