import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sampleFields } from '../../../test/contract/sample-page.ts'
import { searchIndexContract } from '../../../test/contract/search-index.contract.ts'
import { type TestDatabase, testDatabase } from '../../../test/servers/postgres.ts'
import type { SearchedPage } from '../../core/page.ts'
import { Postgres } from '../../db/postgres.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import type { PagesOf } from '../search-index.ts'
import {
  discardPostgresSearchIndex,
  isUnfitPostgresIndex,
  openPostgresSearchIndex,
  openPostgresSearchReader,
} from './open-search-index.ts'

let database: TestDatabase
let db: Postgres
before(async () => {
  database = await testDatabase()
  db = new Postgres({ url: database.url })
})
after(async () => {
  await db[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const PAGE: SearchedPage = {
  ...sampleFields('a.test/1', { title: "Don't panic", contentText: 'A crawler near to you.' }),
  id: 1,
  crawlId: 1,
}
const pagesOf: PagesOf = async () => [PAGE]
const position = { mark: 'm', cursor: 1 }

searchIndexContract('PostgreSQL', async () => ({
  index: (pages, topicsOf) =>
    openPostgresSearchIndex({ db, pagesOf: pages, ...(topicsOf && { topicsOf }) }),
  reader: (pages) => openPostgresSearchReader({ db, pagesOf: pages }),
  [Symbol.asyncDispose]: () => discardPostgresSearchIndex(db),
}))
