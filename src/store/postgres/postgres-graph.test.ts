import { clusterStoreContract } from '../../../test/contract/cluster-store.contract.ts'
import { graphReaderContract } from '../../../test/contract/graph-reader.contract.ts'
import { importanceStoreContract } from '../../../test/contract/importance-store.contract.ts'
import { openPostgresPlace } from '../../../test/support/postgres-place.ts'
import {
  createPostgresClusterStore,
  createPostgresGraphReader,
  createPostgresImportanceReader,
  createPostgresImportanceStore,
  createPostgresPageReader,
} from './postgres-store.ts'

graphReaderContract('PostgreSQL', async () => {
  const place = await openPostgresPlace()
  return { ...place, graph: () => place.over(createPostgresGraphReader) }
})

clusterStoreContract('PostgreSQL', async () => {
  const place = await openPostgresPlace()
  return {
    ...place,
    clusterStore: () => place.over(createPostgresClusterStore),
    pageReader: () => place.over(createPostgresPageReader),
  }
})

importanceStoreContract('PostgreSQL', async () => {
  const place = await openPostgresPlace()
  // The suite has pages whose crawls nobody made.
  await place.query(`
    SELECT make_partitions(crawl) FROM generate_series(1, 2) crawl;
    INSERT INTO page_batches (first_id, crawl_id) VALUES (0, 1)`)
  return {
    ...place,
    store: () => place.over(createPostgresImportanceStore),
    reader: () => place.over(createPostgresImportanceReader),
    pageReader: () => place.over(createPostgresPageReader),
  }
})
