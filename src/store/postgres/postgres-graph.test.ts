import { clusterStoreContract } from '../../../test/contract/cluster-store.contract.ts'
import { graphReaderContract } from '../../../test/contract/graph-reader.contract.ts'
import { importanceStoreContract } from '../../../test/contract/importance-store.contract.ts'
import { openPostgresFixture } from '../../../test/support/postgres-fixture.ts'
import {
  createPostgresClusterStore,
  createPostgresGraphReader,
  createPostgresImportanceStore,
  createPostgresPageReader,
} from '../../../test/support/stores.ts'

graphReaderContract('PostgreSQL', async () => {
  const fixture = await openPostgresFixture()
  return { ...fixture, graph: () => fixture.over(createPostgresGraphReader) }
})

clusterStoreContract('PostgreSQL', async () => {
  const fixture = await openPostgresFixture()
  return {
    ...fixture,
    clusterStore: () => fixture.over(createPostgresClusterStore),
    pageReader: () => fixture.over(createPostgresPageReader),
  }
})

importanceStoreContract('PostgreSQL', async () => {
  const fixture = await openPostgresFixture()
  // The suite has pages whose crawls nobody made.
  await fixture.query(`
    SELECT make_partitions(crawl) FROM generate_series(1, 2) crawl;
    INSERT INTO page_batches (first_id, crawl_id) VALUES (0, 1)`)
  return {
    ...fixture,
    store: () => fixture.over(createPostgresImportanceStore),
    reader: () => fixture.over(createPostgresImportanceStore),
    pageReader: () => fixture.over(createPostgresPageReader),
  }
})
