// `jelajah rank`: lists the best pages or hosts of a crawl by its link graph.
import { InvalidInput } from '../core/errors.ts'
import { isFinal } from '../core/job.ts'
import { showCount, showNumber, showTime } from '../lib/format.ts'
import { jsonLine } from '../lib/json-line.ts'
import { type ChosenBy, choice, flag, number } from '../options/option.ts'
import {
  hostsByGraph,
  pagesAsKept,
  pagesByGraph,
  RANKED_BY,
  type RankedBy,
  type RankedHost,
  type RankedPage,
} from '../reads/rank.ts'
import type { CrawlHere, WorkspaceFiles } from '../reads/workspace-files.ts'
import { type Command, readCommand } from './command.ts'
import { CRAWL, HOST, JSON_OUTPUT, QUIET } from './common-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { whyEmpty } from './pages.ts'
import type { Surroundings } from './sources.ts'
import { type Column, fitLines, table } from './table.ts'
import { STORE_OPTIONS } from './workspace-options.ts'

const DEFAULT_TOP = 20
const DEFAULT_BY: RankedBy = 'pagerank'

const OPTIONS = [
  ...STORE_OPTIONS,
  CRAWL,
  number({
    name: 'top',
    aliases: ['limit'],
    min: 1,
    default: String(DEFAULT_TOP),
    help: 'the best N',
  }),
  choice({
    name: 'by',
    choices: RANKED_BY,
    default: DEFAULT_BY,
    help:
      'best by what: PageRank, links from other pages, importance as the crawl weighs it, or ' +
      'links to other pages; hosts have no importance',
  }),
  HOST,
  flag({ name: 'hosts', help: 'hosts instead of pages' }),
  flag({
    name: 'kept',
    help: 'as computed when the crawl ended: at once, but without links out',
  }),
  { ...JSON_OUTPUT, help: 'one JSON object per line' },
  QUIET,
] as const

export const command: Command = {
  usage: '[options]',
  options: OPTIONS,
  examples: [
    ['rank --top 50', 'the pages of the newest crawl that the others lead to'],
    ['rank --hosts --json > hosts.ndjson --top 1000000', 'all hosts, as JSON'],
    ['rank --host example.com --by backlinks', 'the most linked pages of one host'],
  ],
  run: (argv, around, out) => {
    const width = process.stdout.isTTY ? { width: process.stdout.columns } : {}
    return runRank(parseRank(argv, around), out, width)
  },
}

/** Null: the newest crawl, any host. */
const DEFAULTS = {
  json: false,
  crawl: null,
  host: null,
  hosts: false,
  by: DEFAULT_BY,
  top: DEFAULT_TOP,
  kept: false,
  quiet: false,
}

export type RankOptions = ReturnType<typeof parseRank>

export function parseRank(argv: readonly string[], around: Surroundings) {
  const read = readCommand<ChosenBy<typeof OPTIONS>>(OPTIONS, argv, around)
  const { chosen, workspace, problems } = read
  if (chosen.hosts === true && chosen.by === 'importance') {
    problems.add('flag', '--by', 'hosts have no importance; use pagerank, backlinks or out')
  }
  if (chosen.kept === true && (chosen.hosts === true || chosen.by === 'out')) {
    problems.add('flag', '--kept', 'knows no links out and no hosts; leave it away')
  }
  problems.throwIfAny()
  return { ...DEFAULTS, ...chosen, ...workspace }
}

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
  const { workspaceOf } = await import('../workspace/open-workspace.ts')
  const { chooseCrawl } = await import('../workspace/find-crawl.ts')
  const { WorkspaceFiles } = await import('../reads/workspace-files.ts')
  const { refuseUnknownHost } = await import('../reads/known-host.ts')
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
  else if (pages.length + hosts.length === 0)
    out.warn(`no page matches${await whyEmpty(here.store.pages, here.job)}\n`)
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
  const { readGraph } = await import('../reads/crawl-graph.ts')
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

const PAGE_RANK_COLUMNS: readonly Column<RankedPage>[] = [
  { title: 'PAGERANK', align: 'right', of: ({ pagerank }) => shownRank(pagerank) },
  { title: 'BACKLINKS', align: 'right', of: ({ backlinks }) => showCount(backlinks) },
  { title: 'OUT', align: 'right', of: ({ out }) => (out === null ? '–' : showCount(out)) },
  { title: 'IMPORTANCE', align: 'right', of: ({ importance }) => importance.toFixed(3) },
  { title: 'URL', of: ({ url }) => url },
  { title: 'TITLE', of: ({ title }) => title, max: 40 },
]

const HOST_RANK_COLUMNS: readonly Column<RankedHost>[] = [
  { title: 'PAGERANK', align: 'right', of: ({ pagerank }) => shownRank(pagerank) },
  { title: 'PAGES', align: 'right', of: ({ pages }) => showCount(pages) },
  { title: 'BACKLINKS', align: 'right', of: ({ backlinks }) => showCount(backlinks) },
  { title: 'HOSTS IN', align: 'right', of: (row) => showCount(row.in) },
  { title: 'HOSTS OUT', align: 'right', of: ({ out }) => showCount(out) },
  { title: 'HOST', of: ({ host }) => host },
]

function shownRank(rank: number): string {
  return rank >= 0.001 ? rank.toFixed(5) : rank.toExponential(2)
}
