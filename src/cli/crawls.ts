// `jelajah crawls`: lists the crawls of a workspace.
import type { CrawlSettings, JobRecord, JobRunRecord } from '../core/job.ts'
import { withoutPassword } from '../core/workspace-url.ts'
import { showCount, showTime, showTook } from '../lib/format.ts'
import { jsonLine, snakeCased } from '../lib/json-line.ts'
import type { ChosenBy } from '../options/option.ts'
import type { PageTotals } from '../store/page-reader.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Command, readCommand } from './command.ts'
import { JSON_OUTPUT } from './common-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import type { Surroundings } from './sources.ts'
import { type Column, table } from './table.ts'
import { STORE_OPTIONS } from './workspace-options.ts'

const OPTIONS = [...STORE_OPTIONS, JSON_OUTPUT] as const

export const command: Command = {
  usage: '[options]',
  options: OPTIONS,
  examples: [['crawls --data ./news', 'which crawls there are, and how they ended']],
  run: (argv, around, out) => runCrawls(parseCrawls(argv, around), out),
}

type CrawlsOptions = ReturnType<typeof parseCrawls>

function parseCrawls(argv: readonly string[], around: Surroundings) {
  const read = readCommand<ChosenBy<typeof OPTIONS>>(OPTIONS, argv, around)
  read.problems.throwIfAny()
  return { json: false, ...read.chosen, ...read.workspace }
}

export async function runCrawls(options: CrawlsOptions, out: Output): Promise<ExitCode> {
  const { workspaceOf } = await import('../workspace/open-workspace.ts')
  const { noCrawlError } = await import('../workspace/find-crawl.ts')
  await using workspace = workspaceOf(options)
  const rows = await rowsOf(workspace, options)
  if (options.json) for (const row of rows) await out.write(crawlJson(row))
  else if (rows.length > 0) await out.write(table(crawlColumns(rows), rows))
  else out.warn(`${noCrawlError(workspace)}\n`)
  return EXIT.done
}

/** A job with what it has stored. */
type CrawlRow = JobRecord &
  Pick<PageTotals, 'stored' | 'duplicates' | 'judged' | 'hot'> & {
    /** Oldest first. */
    readonly runs: readonly JobRunRecord[]
  }

async function rowsOf(workspace: Workspace, { json }: CrawlsOptions): Promise<CrawlRow[]> {
  const { openJobReader } = await import('../jobs/job-reader.ts')
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

export function crawlJson(row: CrawlRow): string {
  const { id, name, status, note, seeds, stored, duplicates, startedAt, endedAt, topic } = row
  const { judged, hot, round } = row
  return jsonLine({
    ...{ id, name, status, note, seeds, stored, duplicates, startedAt, endedAt },
    ...(topic === null ? {} : { judged, hot }),
    ...(round === undefined ? {} : { round }),
    settings: settingsJson(row.settings),
    runs: row.runs.map(({ startedAt, settings, topicFingerprint }) => ({
      started_at: startedAt,
      options: settingsJson(settings),
      ...(topicFingerprint === null ? {} : { topic_fingerprint: topicFingerprint }),
    })),
  })
}

function settingsJson(settings: CrawlSettings): Record<string, unknown> {
  return snakeCased({ ...settings, proxies: settings.proxies.map(withoutPassword) })
}

/** With hot pages and orderings where some crawl was after something. */
export function crawlColumns(rows: readonly CrawlRow[]): readonly Column<CrawlRow>[] {
  const focused = rows.some(({ topic }) => topic !== null)
  const refreshed = rows.some(({ round }) => round !== undefined)
  const hidden = [...(focused ? [] : FOCUSED), ...(refreshed ? [] : [ROUND])]
  return CRAWL_COLUMNS.filter(({ title }) => !hidden.includes(title))
}

const FOCUSED = ['HOT', 'ORDERING']
const ROUND = 'ROUND'

const CRAWL_COLUMNS: readonly Column<CrawlRow>[] = [
  { title: 'ID', of: ({ id }) => String(id), align: 'right' },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'PAGES', of: ({ stored }) => showCount(stored), align: 'right' },
  { title: 'HOT', of: ({ topic, hot }) => (topic === null ? '' : showCount(hot)), align: 'right' },
  { title: ROUND, of: ({ round = 0 }) => (round === 0 ? '' : String(round)), align: 'right' },
  { title: 'STARTED', of: ({ startedAt }) => showTime(startedAt) },
  {
    title: 'TOOK',
    of: ({ endedAt, ranMs }) => (endedAt === null ? '' : showTook(ranMs / 1000)),
    align: 'right',
  },
  { title: 'ORDERING', of: ({ settings }) => settings.ordering },
  { title: 'NAME', of: ({ name, note }) => (note === '' ? name : `${name} (${note})`) },
]
