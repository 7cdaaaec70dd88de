// Who copies the files of a crawl that has ended, and not what SQLite keeps beside them, has it whole.
import { emptyLog } from '../db/sqlite.ts'
import { frontierPath, storePath } from './places.ts'

export function emptyLogs(dataDir: string, crawlId: number): void {
  emptyLog(frontierPath(dataDir, crawlId))
  emptyLog(storePath(dataDir))
}
