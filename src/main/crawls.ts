// `jelajah crawls`: which crawls there are in a place.
import { EXIT, type ExitCode } from '../cli/exit-codes.ts'
import { type CrawlRow, crawlColumns, crawlJson } from '../cli/print.ts'
import type { ReaderOptions } from '../cli/reader-commands.ts'
import { table } from '../cli/table.ts'
import { openSqlitePageReader } from '../store/sqlite/sqlite-page-reader.ts'
import { openJobReader } from './job-reader.ts'
import { nothingHere } from './nothing-here.ts'
import type { Output } from './output.ts'
import { storePath } from './places.ts'

export async function runCrawls({ dataDir, json }: ReaderOptions, out: Output): Promise<ExitCode> {
  const rows = await rowsOf(dataDir)
  if (json) for (const row of rows) await out.write(crawlJson(row))
  else if (rows.length > 0) await out.write(table(crawlColumns(rows), rows))
  else out.warn(`${nothingHere(dataDir)}\n`)
  return EXIT.done
}

async function rowsOf(dataDir: string): Promise<CrawlRow[]> {
  await using jobs = await openJobReader(dataDir)
  if (jobs === null) return []
  await using pages = await openSqlitePageReader(storePath(dataDir))
  const rows: CrawlRow[] = []
  for (const job of await jobs.list()) {
    const { stored, duplicates, judged, hot } = await pages.totals(job.id)
    rows.push({ ...job, stored, duplicates, judged, hot })
  }
  return rows
}
