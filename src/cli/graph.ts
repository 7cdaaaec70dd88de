// `jelajah graph`: writes the page map or the site map of a crawl, as a picture or a file.
import { extname, resolve } from 'node:path'
import { InvalidInput, shown } from '../core/errors.ts'
import { showCount, showNumber } from '../lib/format.ts'
import { safeText } from '../lib/terminal.ts'
import {
  MAP_FORMAT_NAMES,
  MAP_KINDS,
  type MapFormatName,
  type MapKind,
  type MapSource,
} from '../map/map-format.ts'
import { type ChosenBy, choice, flag, number, text } from '../options/option.ts'
import { refuseExisting, writeAtomically, writeOut } from './atomic-write.ts'
import { type Command, readCommand } from './command.ts'
import { CRAWL, HOST, JSON_OUTPUT, QUIET } from './common-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { whyEmpty } from './pages.ts'
import type { Surroundings } from './sources.ts'
import { STORE_OPTIONS } from './workspace-options.ts'

const OPTIONS = [
  ...STORE_OPTIONS,
  CRAWL,
  choice({
    name: 'format',
    choices: MAP_FORMAT_NAMES,
    default: 'by the end of --out, else html',
    help:
      'html: a page to search and walk through; svg: a still picture; dot: Graphviz; gexf: Gephi; ' +
      'graphml, json: networkx and others',
  }),
  text({
    name: 'out',
    value: 'FILE|-',
    default: '-, which is stdout',
    help: 'where it goes',
  }),
  flag({ name: 'force', help: 'write over a file that is there' }),
  number({
    name: 'top',
    min: 1,
    default: '500 in html and svg, else all',
    help: 'only the best N by PageRank, and the links among them',
  }),
  number({
    name: 'beyond',
    min: 0,
    max: 1000,
    default: '50 in html and svg, else 0',
    help: 'sites only: so many hosts that the crawl links to and does not enter; 0: none',
  }),
  HOST,
  { ...JSON_OUTPUT, help: 'the same as --format json' },
  QUIET,
] as const

type Choices = ChosenBy<typeof OPTIONS>

export const command: Command = {
  usage: 'pages|sites [options]',
  options: OPTIONS,
  examples: [
    ['graph sites --out sites.html', 'hosts and the links between them, to open in a browser'],
    ['graph sites --beyond 200 --json', 'with hosts outside the crawl, marked as such'],
    ['graph pages --host example.com --out example.svg', 'a picture of one site'],
    ['graph pages --out web.gexf', 'all pages and links, for Gephi'],
    ['graph pages --top 200 --format dot | sfdp -Tsvg > web.svg', 'drawn by Graphviz'],
  ],
  run: (argv, around, out) =>
    runGraph(parseGraph(argv, around), out, { isTerminal: process.stdout.isTTY }),
}

/** Null: the newest crawl, any host, as many nodes as the format is good for. */
const DEFAULTS = { force: false, crawl: null, host: null, top: null, beyond: null, quiet: false }

type GraphOptions = ReturnType<typeof parseGraph>

export function parseGraph(argv: readonly string[], around: Surroundings) {
  const read = readCommand<Choices>(OPTIONS, argv, around, { words: 1 })
  const { args, workspace, problems } = read
  const { json: _json, ...chosen } = read.chosen
  const kind = problems.try('flag', () => kindOf(args.words[0]))
  const format = problems.try('flag', () => formatOf(read.chosen))
  if (kind === 'pages' && chosen.beyond !== undefined) {
    problems.add('flag', '--beyond', 'is for graph sites: a map of pages has stored pages only')
  }
  problems.throwIfAny()
  // Values that could not be read have been reported.
  if (kind === null || format === null) throw new InvalidInput('graph', 'has nothing to do')
  // Null: stdout.
  const out =
    chosen.out === undefined || chosen.out === '-' ? null : resolve(around.cwd, chosen.out)
  return { ...DEFAULTS, ...chosen, ...workspace, kind, format, out }
}

const OTHER_ENDS: Readonly<Partial<Record<string, MapFormatName>>> = { htm: 'html', gv: 'dot' }

function kindOf(word: string | undefined): MapKind {
  const kind = MAP_KINDS.find((known) => known === word)
  if (kind !== undefined) return kind
  const given = word === undefined ? '' : `, not ${shown(word)}`
  throw new InvalidInput('graph', `give what the map is of: ${MAP_KINDS.join(' or ')}${given}`)
}

function formatOf({ format, json, out }: Partial<Choices>): MapFormatName {
  if (json === true && format !== undefined && format !== 'json') {
    throw new InvalidInput('--json', `is the same as --format json; there is --format ${format}`)
  }
  if (json === true) return 'json'
  if (format !== undefined) return format
  const end = extname(out ?? '')
    .slice(1)
    .toLowerCase()
  if (end === '') return 'html'
  const named = OTHER_ENDS[end] ?? MAP_FORMAT_NAMES.find((name) => name === end)
  if (named !== undefined) return named
  const known = MAP_FORMAT_NAMES.join(', ')
  throw new InvalidInput('--format', `${shown(`.${end}`)} is none of ours; say which: ${known}`)
}

/** Nodes of a picture by default; more would be a cloud. */
const PICTURE_TOP = 500
/** Hosts outside the crawl in a picture of sites when nothing is said. */
const PICTURE_BEYOND = 50
/** Laid out within some ten seconds, and drawn fluently by a browser. */
const MAX_PICTURE = 10_000
/** Looked through for those that are worth a line. */
const PICTURE_EDGES = 400_000

export async function runGraph(
  options: GraphOptions,
  out: Output,
  { isTerminal = false }: { readonly isTerminal?: boolean } = {},
): Promise<ExitCode> {
  const { workspaceOf } = await import('../workspace/open-workspace.ts')
  const { chooseCrawl } = await import('../workspace/find-crawl.ts')
  const { WorkspaceFiles } = await import('../reads/workspace-files.ts')
  const { refuseUnknownHost } = await import('../reads/known-host.ts')
  const { readGraph } = await import('../reads/crawl-graph.ts')
  const { mapSource } = await import('../reads/map-source.ts')
  const { MAP_FORMATS } = await import('../map/index.ts')
  const format = MAP_FORMATS[options.format]
  const top = topFor(options, format.isPicture)
  if (options.out !== null) refuseExisting(options.out, options)
  else if (isTerminal && format.isPicture) {
    throw new InvalidInput(
      '--out',
      `say where it goes: --out map.${format.name}, or > map.${format.name}`,
    )
  }
  await using workspace = workspaceOf(options)
  const job = await chooseCrawl(workspace, options.crawl)
  if (options.host !== null) await refuseUnknownHost(workspace, options.host, [job.id])
  await using files = new WorkspaceFiles(workspace)
  const here = await files.crawl(job.id)
  if (here === null) throw new InvalidInput('--crawl', `crawl ${job.id} is gone`)
  const graph = await readGraph(files, here)
  const maxEdges = format.isPicture ? PICTURE_EDGES : Number.POSITIVE_INFINITY
  const beyond = options.beyond ?? (format.isPicture ? PICTURE_BEYOND : 0)
  const map = await mapSource(here, graph, { ...options, top, maxEdges, beyond })
  const pieces = format.write(map)
  if (options.out === null) await writeOut(out.write, pieces)
  else await writeAtomically(options.out, pieces)
  const why = map.totalNodes === 0 ? await whyEmpty(here.store.pages, here.job) : ''
  const said = `${summary(options, map, top)}${outsideText(map, beyond)}${why}`
  if (!options.quiet) out.warn(`${safeText(said)}\n`)
  return EXIT.done
}

/** A larger picture is drawn by its strongest part; the summary says so. */
function topFor({ top }: GraphOptions, isPicture: boolean): number {
  if (!isPicture) return top ?? Number.POSITIVE_INFINITY
  return Math.min(top ?? PICTURE_TOP, MAX_PICTURE)
}

const CUT =
  ' by PageRank, as many as a picture can show; gexf, graphml, dot and json take any number'

function outsideText({ totalOutside }: MapSource, beyond: number): string {
  if (totalOutside === null || totalOutside === 0) return ''
  const all = showNumber(totalOutside, 'host')
  const part = totalOutside > beyond ? `${showCount(beyond)} of ` : ''
  return `; ${part}${all} outside the crawl`
}

/** `shown`: at most so many nodes. */
export function summary(
  { out, kind, top }: Pick<GraphOptions, 'out' | 'kind' | 'top'>,
  map: Pick<MapSource, 'totalNodes' | 'totalEdges'>,
  shown: number,
): string {
  const { totalNodes, totalEdges } = map
  const what = `${showCount(Math.min(shown, totalNodes))} of ${showCount(totalNodes)} ${kind}`
  const one = kind === 'pages' ? 'page' : 'site'
  const all = `${showNumber(totalNodes, one)}, ${showNumber(totalEdges, 'link')} between them`
  const isAll = shown >= totalNodes
  const isCut = top !== null && top > shown
  const more = isAll ? '' : isCut ? CUT : top === null ? '; --top N shows more' : ''
  return `${out === null ? '' : `written: ${out}: `}${isAll ? all : `the best ${what}`}${more}`
}
