import { partViewsContract } from '../../../test/contract/part-views.contract.ts'
import { openPostgresPlace } from '../../../test/support/postgres-place.ts'

partViewsContract('PostgreSQL', openPostgresPlace)
