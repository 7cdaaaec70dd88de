// `jelajah rank`: the best pages or hosts of a crawl by its link graph.

import { InvalidInput } from '../core/errors.ts'
import { isFinal } from '../core/job.ts'
import { showNumber, showTime } from '../lib/format.ts'
import { jsonLine } from '../lib/json-line.ts'
import { readGraph } from '../reads/crawl-graph.ts'
import { refuseUnknownHost } from '../reads/known-host.ts'
import {
  hostsByGraph,
  pagesAsKept,
  pagesByGraph,
  type RankedHost,
  type RankedPage,
} from '../reads/rank-rows.ts'
import { type CrawlHere, WorkspaceFiles } from '../reads/workspace-files.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { HOST_RANK_COLUMNS, PAGE_RANK_COLUMNS } from './print-rank.ts'
import type { RankOptions } from './rank-command.ts'
import { fitLines, table } from './table.ts'

type Ranking = {
  readonly pages: readonly RankedPage[]
  readonly hosts: readonly RankedHost[]
  /** What the figures are of, and of when. */
  readonly note: string
}

export async function runRank(
  options: RankOptions,
  out: Output,
  { width = Number.POSITIVE_INFINITY }: { readonly width?: number } = {},
): Promise<ExitCode> {
  await using workspace = workspaceOf(options)
  const { id } = await chooseCrawl(workspace, options.crawl)
  await using files = new WorkspaceFiles(workspace)
  const here = await files.crawl(id)
  if (here === null) throw new InvalidInput('--crawl', `crawl ${id} is gone`)
  const ranking = options.kept ? await asKept(here, options) : await byGraph(files, here, options)
  const { pages, hosts, note } = ranking
  if (pages.length + hosts.length === 0 && options.host !== null) {
    await refuseUnknownHost(workspace, options.host, [id])
  }
  if (options.json) for (const row of [...pages, ...hosts]) await out.write(jsonLine(row))
  else if (pages.length + hosts.length === 0) out.warn('no page matches\n')
  else if (options.hosts) await out.write(fitLines(table(HOST_RANK_COLUMNS, hosts), width))
  else await out.write(fitLines(table(PAGE_RANK_COLUMNS, pages), width))
  if (!options.quiet) out.warn(`${note}\n`)
  return EXIT.done
}

async function byGraph(
  files: WorkspaceFiles,
  here: CrawlHere,
  options: RankOptions,
): Promise<Ranking> {
  const crawl = await readGraph(files, here)
  const of = `${showNumber(crawl.pages, 'page')}, ${showNumber(crawl.edges, 'link')} between them`
  const isOver = isFinal(here.job.status)
  const note = `computed now: ${of}${isOver ? '' : '; this crawl is not finished'}`
  return options.hosts
    ? { note, pages: [], hosts: await hostsByGraph(here, crawl, options) }
    : { note, pages: await pagesByGraph(here, crawl, options), hosts: [] }
}

async function asKept(here: CrawlHere, options: RankOptions): Promise<Ranking> {
  const { id, endedAt } = here.job
  const [any] = await here.store.importance.best(id, 1)
  if (any === undefined) {
    throw new InvalidInput('--kept', `nothing was computed for crawl ${id} yet; leave it away`)
  }
  const when = endedAt === null ? 'when a run of this crawl ended' : `at ${showTime(endedAt)}`
  return { note: `as computed ${when}`, pages: await pagesAsKept(here, options), hosts: [] }
}
