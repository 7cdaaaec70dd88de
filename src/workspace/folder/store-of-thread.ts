// Loaded by threads of the parser: each saves its own pages.
import type { StoreModule } from '../../store/page-store.ts'
import { openSqlitePageStore } from '../../store/sqlite/sqlite-page-store.ts'

export const openStoreOfThread: StoreModule['openStoreOfThread'] = (options) =>
  openSqlitePageStore({ ...options, isOfThread: true })
