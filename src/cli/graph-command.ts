// `jelajah graph`: argv into which map is made, of what, in which format, and where it goes.
import { extname, resolve } from 'node:path'
import { InvalidInput, shown } from '../core/errors.ts'
import type { WorkspaceChoice } from '../core/workspace-url.ts'
import { MAP_FORMAT_NAMES, MAP_KINDS, type MapFormatName, type MapKind } from '../map/map-format.ts'
import { Problems } from '../options/bad-options.ts'
import { choice, flag, number, type Option, text } from '../options/option.ts'
import { parseArgs, refuseWords } from './args.ts'
import { CRAWL, HOST, JSON_OUTPUT, QUIET } from './common-options.ts'
import { readOptions, readSources, type Surroundings } from './sources.ts'
import { readWorkspace, STORE_OPTIONS, WORKSPACE_KEYS } from './workspace-options.ts'

export type GraphOptions = WorkspaceChoice & {
  readonly kind: MapKind
  readonly format: MapFormatName
  /** Absolute; null: stdout. */
  readonly out: string | null
  readonly force: boolean
  /** Null: the newest. */
  readonly crawl: string | null
  readonly host: string | null
  /** Null: as many as the format is good for. */
  readonly top: number | null
  readonly quiet: boolean
}

type Choices = WorkspaceChoice & {
  readonly format: MapFormatName
  readonly out: string
  readonly force: boolean
  readonly crawl: string
  readonly host: string
  readonly top: number
  readonly json: boolean
  readonly quiet: boolean
}

export const GRAPH_OPTIONS: readonly Option<Choices>[] = [
  ...STORE_OPTIONS,
  CRAWL,
  choice({
    name: 'format',
    choices: MAP_FORMAT_NAMES,
    default: 'by the end of --out, else html',
    help:
      'html: a page to search and walk through; svg: a still picture; dot: Graphviz; gexf: Gephi; ' +
      'graphml, json: networkx and others',
    to: (format) => ({ format }),
  }),
  text({
    name: 'out',
    value: 'FILE|-',
    default: '-, which is stdout',
    help: 'where it goes',
    to: (out) => ({ out }),
  }),
  flag({ name: 'force', help: 'write over a file that is there', to: (force) => ({ force }) }),
  number({
    name: 'top',
    min: 1,
    default: '500 in html and svg, else all',
    help: 'only the best N by PageRank, and the links among them',
    to: (top) => ({ top }),
  }),
  HOST,
  { ...JSON_OUTPUT, help: 'the same as --format json' },
  QUIET,
]

export function parseGraph(argv: readonly string[], around: Surroundings): GraphOptions {
  const problems = new Problems()
  const args = parseArgs(argv, GRAPH_OPTIONS, problems)
  const [kindWord] = args.words
  refuseWords(args, 1, problems)
  const kind = problems.try('flag', () => kindOf(kindWord))
  const sources = readSources(args, around, problems)
  // The config file is written for `crawl`: of its keys only the place counts here.
  const file = new Map([...sources.file].filter(([key]) => WORKSPACE_KEYS.includes(key)))
  const chosen = readOptions(GRAPH_OPTIONS, { ...sources, file }, problems)
  const workspace = readWorkspace(chosen, { sources, around, problems })
  const format = problems.try('flag', () => formatOf(chosen))
  problems.throwIfAny()
  // What could not be made out was a problem, and thrown.
  if (kind === null || format === null) throw new InvalidInput('graph', 'has nothing to do')
  const out =
    chosen.out === undefined || chosen.out === '-' ? null : resolve(around.cwd, chosen.out)
  return {
    ...workspace,
    ...{ kind, format, out },
    force: chosen.force ?? false,
    crawl: chosen.crawl ?? null,
    host: chosen.host ?? null,
    top: chosen.top ?? null,
    quiet: chosen.quiet ?? false,
  }
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
