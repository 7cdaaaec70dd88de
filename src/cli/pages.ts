// `jelajah pages`: the pages of a crawl, streamed.

import { refuseUnknownHost } from '../reads/known-host.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { pageColumns, pageJson } from './print.ts'
import type { PagesOptions } from './reader-commands.ts'
import { table } from './table.ts'

const CHUNK = 200

export async function runPages(options: PagesOptions, out: Output): Promise<ExitCode> {
  const { crawl, host, hot, minRelevance, json } = options
  await using workspace = workspaceOf(options)
  const job = await chooseCrawl(workspace, crawl)
  await using pages = await workspace.pageReader()
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
  if (!found && host !== null) await refuseUnknownHost(workspace, host, [job.id])
  if (!found && !json) out.warn('no page matches\n')
  return EXIT.done
}
