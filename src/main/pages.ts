// `jelajah pages`: the pages of a crawl, streamed.
import { EXIT, type ExitCode } from '../cli/exit-codes.ts'
import { pageColumns, pageJson } from '../cli/print.ts'
import type { PagesOptions } from '../cli/reader-commands.ts'
import { table } from '../cli/table.ts'
import { openSqlitePageReader } from '../store/sqlite/sqlite-page-reader.ts'
import { refuseUnknownHost } from './known-host.ts'
import type { Output } from './output.ts'
import { chooseCrawl } from './place-reader.ts'
import { storePath } from './places.ts'

const CHUNK = 200

export async function runPages(options: PagesOptions, out: Output): Promise<ExitCode> {
  const { dataDir, crawl, host, hot, minRelevance, json } = options
  const job = await chooseCrawl(dataDir, crawl)
  await using pages = await openSqlitePageReader(storePath(dataDir))
  let left = options.limit ?? Number.POSITIVE_INFINITY
  let found = false
  const columns = pageColumns(job.topic !== null)
  const filter = {
    ...(host === null ? {} : { host }),
    ...(hot ? { hot } : {}),
    ...(minRelevance === null ? {} : { minRelevance }),
  }
  for (let after = 0; left > 0; ) {
    const limit = Math.min(CHUNK, left)
    const chunk = await pages.list({ crawlId: job.id, after, limit, ...filter })
    const last = chunk.at(-1)
    if (last === undefined) break
    await out.write(json ? chunk.map(pageJson).join('') : table(columns, chunk, after === 0))
    after = last.id
    left -= chunk.length
    found = true
  }
  if (!found && host !== null) await refuseUnknownHost(dataDir, host, [job.id])
  if (!found && !json) out.warn('no page matches\n')
  return EXIT.done
}
