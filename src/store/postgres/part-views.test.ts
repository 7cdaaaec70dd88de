import { partViewsContract } from '../../../test/contract/part-views.contract.ts'
import { openPostgresFixture } from '../../../test/support/postgres-fixture.ts'

partViewsContract('PostgreSQL', openPostgresFixture)
