import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterStoreContract } from '../../../test/contract/cluster-store.contract.ts'
import { graphReaderContract } from '../../../test/contract/graph-reader.contract.ts'
import { importanceStoreContract } from '../../../test/contract/importance-store.contract.ts'
import { openStoreFolder } from '../../../test/support/store-folder.ts'
import {
  openSqliteClusterStore,
  openSqliteGraphReader,
  openSqliteImportanceReader,
  openSqliteImportanceStore,
  openSqliteJobStore,
  openSqlitePageReader,
} from '../../../test/support/stores.ts'
import { openSqlitePageStore } from './sqlite-page-store.ts'

graphReaderContract('SQLite', async () => {
  const folder = openStoreFolder()
  const { path } = folder
  return {
    ...folder,
    jobs: () => openSqliteJobStore(path),
    pages: (job) => openSqlitePageStore({ path, job }),
    graph: () => openSqliteGraphReader(path),
  }
})

clusterStoreContract('SQLite', async () => {
  const folder = openStoreFolder()
  const { path } = folder
  return {
    ...folder,
    clusterStore: () => openSqliteClusterStore(path),
    jobs: () => openSqliteJobStore(path),
    pages: (job) => openSqlitePageStore({ path, job }),
    pageReader: () => openSqlitePageReader(path),
  }
})

importanceStoreContract('SQLite', async () => {
  const folder = openStoreFolder()
  const { path } = folder
  return {
    ...folder,
    store: () => openSqliteImportanceStore(path),
    reader: () => openSqliteImportanceReader(path),
    jobs: () => openSqliteJobStore(path),
    pages: (job) => openSqlitePageStore({ path, job }),
    pageReader: () => openSqlitePageReader(path),
  }
})

test('where there is no store, readers of the graph and of importance say so', async () => {
  await using folder = openStoreFolder()
  for (const open of [openSqliteGraphReader, openSqliteImportanceReader]) {
    await assert.rejects(open(folder.path), { code: 'store-unreachable' })
  }
})
