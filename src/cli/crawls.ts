// `jelajah crawls`: which crawls there are in a place.

import { openJobReader } from '../jobs/job-reader.ts'
import { noCrawlError } from '../workspace/no-crawl-error.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { type CrawlRow, crawlColumns, crawlJson } from './print.ts'
import type { ReaderOptions } from './reader-commands.ts'
import { table } from './table.ts'

export async function runCrawls(options: ReaderOptions, out: Output): Promise<ExitCode> {
  await using workspace = workspaceOf(options)
  const rows = await rowsOf(workspace, options)
  if (options.json) for (const row of rows) await out.write(crawlJson(row))
  else if (rows.length > 0) await out.write(table(crawlColumns(rows), rows))
  else out.warn(`${noCrawlError(workspace)}\n`)
  return EXIT.done
}

async function rowsOf(workspace: Workspace, { json }: ReaderOptions): Promise<CrawlRow[]> {
  await using jobs = await openJobReader(workspace)
  if (jobs === null) return []
  await using pages = await workspace.pageReader()
  const rows: CrawlRow[] = []
  for (const job of await jobs.list()) {
    const { stored, duplicates, judged, hot } = await pages.totals(job.id)
    const runs = json ? await jobs.runs(job.id) : []
    rows.push({ ...job, stored, duplicates, judged, hot, runs })
  }
  return rows
}
