// `jelajah urls`: every URL a crawl has seen, streamed in order of discovery.

import { isSameName } from '../reads/known-host.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { URL_COLUMNS, urlJson } from './print.ts'
import type { RowsOptions } from './reader-commands.ts'
import { table } from './table.ts'

const CHUNK = 500

export async function runUrls(options: RowsOptions, out: Output): Promise<ExitCode> {
  const { crawl, host, state, json } = options
  await using workspace = workspaceOf(options)
  const job = await chooseCrawl(workspace, crawl)
  await using urlStates = await workspace.ledger(job)
  let left = urlStates === null ? 0 : (options.limit ?? Number.POSITIVE_INFINITY)
  let titles = true
  let meant: string | undefined
  for (let after = 0; urlStates !== null && left > 0; ) {
    const filter = state === null ? {} : { state }
    const chunk = await urlStates.list({ after, limit: CHUNK, ...filter })
    const last = chunk.at(-1)
    if (last === undefined) break
    const rows = chunk.filter((row) => host === null || row.host === host).slice(0, left)
    if (host !== null) meant ??= chunk.find((row) => isSameName(host, row.host))?.host
    if (rows.length > 0) {
      await out.write(json ? rows.map(urlJson).join('') : table(URL_COLUMNS, rows, titles))
      titles = false
    }
    after = last.position
    left -= rows.length
  }
  // A host may have URLs in other states: that is no slip.
  const hint = meant === undefined || meant === host ? '' : `; did you mean --host ${meant}?`
  if (titles && !json) out.warn(`no URL matches${hint}\n`)
  return EXIT.done
}
