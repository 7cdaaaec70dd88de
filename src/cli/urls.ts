// `jelajah urls`: lists every URL a crawl has seen, streamed in order of discovery.
import type { UrlRecord } from '../core/visit.ts'
import { URL_STATES } from '../core/visit.ts'
import { jsonLine } from '../lib/json-line.ts'
import { type ChosenBy, choice } from '../options/option.ts'
import { type Command, readCommand } from './command.ts'
import { CRAWL, HOST, JSON_OUTPUT, ROW_LIMIT } from './common-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import type { Surroundings } from './sources.ts'
import { type Column, table } from './table.ts'
import { WORKSPACE_OPTIONS } from './workspace-options.ts'

const STATE = choice({
  name: 'state',
  choices: URL_STATES,
  value: 'STATE',
  help: `only URLs that are ${URL_STATES.join(', ')}`,
})
const OPTIONS = [...WORKSPACE_OPTIONS, CRAWL, STATE, HOST, ROW_LIMIT, JSON_OUTPUT] as const

export const command: Command = {
  usage: '[options]',
  options: OPTIONS,
  examples: [['urls --state refused', 'what was not fetched, and why']],
  run: (argv, around, out) => runUrls(parseUrls(argv, around), out),
}

/** Null: the newest crawl, any host, any state, all rows. */
const DEFAULTS = { json: false, crawl: null, host: null, state: null, limit: null }

export type UrlsOptions = ReturnType<typeof parseUrls>

function parseUrls(argv: readonly string[], around: Surroundings) {
  const read = readCommand<ChosenBy<typeof OPTIONS>>(OPTIONS, argv, around)
  read.problems.throwIfAny()
  return { ...DEFAULTS, ...read.chosen, ...read.workspace }
}

const CHUNK = 500

export async function runUrls(options: UrlsOptions, out: Output): Promise<ExitCode> {
  const { workspaceOf } = await import('../workspace/open-workspace.ts')
  const { chooseCrawl } = await import('../workspace/find-crawl.ts')
  const { isSameName } = await import('../reads/known-host.ts')
  const { crawl, host, state, json } = options
  await using workspace = workspaceOf(options)
  const job = await chooseCrawl(workspace, crawl)
  await using urlStates = await workspace.urlStates(job)
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

/** Exactly the columns of `urls`, in their order. */
export function urlJson(row: UrlRecord): string {
  const { crawlId, url, host, state, reason, depth, foundOn, priority, tries, nextAt } = row
  const known = { crawlId, url, host, state, reason, depth, foundOn, priority, tries, nextAt }
  return jsonLine(known)
}

const URL_COLUMNS: readonly Column<UrlRecord>[] = [
  { title: 'STATE', of: ({ state }) => state, min: 10 },
  { title: 'DEPTH', of: ({ depth }) => String(depth), align: 'right' },
  { title: 'URL', of: ({ url }) => url, min: 60, max: 200 },
  { title: 'REASON', of: ({ reason }) => reason, max: 200 },
]
