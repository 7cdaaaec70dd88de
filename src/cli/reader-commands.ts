// The commands that read what crawls left, and those around it: argv into their options.
import { InvalidInput, shown } from '../core/errors.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { URL_STATES, type UrlState } from '../core/visit.ts'
import type { WorkspaceChoice } from '../core/workspace-url.ts'
import { Problems } from '../options/bad-options.ts'
import { choice, flag, type Option } from '../options/option.ts'
import { CONTACT } from '../options/options.ts'
import { seedUrl } from '../options/seeds.ts'
import { type Args, parseArgs, refuseWords } from './args.ts'
import { CRAWL, HOST, JSON_OUTPUT, QUIET, ROW_LIMIT, VERBOSE } from './common-options.ts'
import { HOT, MIN_RELEVANCE } from './filter-options.ts'
import { readOptions, readSources, type Surroundings } from './sources.ts'
import {
  FOLDER,
  readWorkspace,
  STORE_OPTIONS,
  WORKSPACE_KEYS,
  WORKSPACE_OPTIONS,
} from './workspace-options.ts'

/** What every reader takes. */
export type ReaderOptions = WorkspaceChoice & { readonly json: boolean }

export type RowsOptions = ReaderOptions & {
  /** Null: the newest. */
  readonly crawl: string | null
  readonly host: string | null
  /** Null: only URLs in any state. */
  readonly state: UrlState | null
  readonly limit: number | null
}

export type PagesOptions = Omit<RowsOptions, 'state'> & {
  /** Only hot ones. */
  readonly hot: boolean
  /** Only those at least this relevant; null: all. */
  readonly minRelevance: number | null
}

export type ExplainOptions = ReaderOptions & {
  readonly crawl: string | null
  readonly url: CanonicalUrl
}

export type DoctorOptions = ReaderOptions & {
  readonly contact: string | null
  /** Makes frontiers that are gone from Redis anew, instead of looking at anything. */
  readonly rebuildFrontier?: boolean
  /** Only of this crawl; null: of every one that has lost its own. */
  readonly crawl?: string | null
}

export type DemoOptions = {
  /** Null: a folder of the demo's own. */
  readonly dataDir: string | null
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  /** Ends with the dashboard when it runs on a terminal. */
  readonly serve: boolean
}

const STATE: Option<{ readonly state: UrlState }> = choice({
  name: 'state',
  choices: URL_STATES,
  value: 'STATE',
  help: `only URLs that are ${URL_STATES.join(', ')}`,
  to: (state) => ({ state }),
})

export const CRAWLS_FLAGS = [...STORE_OPTIONS, JSON_OUTPUT] as const
const PAGES_JSON: typeof JSON_OUTPUT = {
  ...JSON_OUTPUT,
  help:
    'one JSON object per line: the columns of the table pages, text included; links, tables and ' +
    'other parts are in SQL (page_links …) and in parse --json',
}

export const PAGES_FLAGS = [
  ...STORE_OPTIONS,
  CRAWL,
  HOST,
  HOT,
  MIN_RELEVANCE,
  ROW_LIMIT,
  PAGES_JSON,
] as const
export const URLS_FLAGS = [
  ...WORKSPACE_OPTIONS,
  CRAWL,
  STATE,
  HOST,
  ROW_LIMIT,
  JSON_OUTPUT,
] as const
export const EXPLAIN_FLAGS = [...WORKSPACE_OPTIONS, CRAWL, JSON_OUTPUT] as const
const REBUILD_FRONTIER: Option<{ readonly rebuildFrontier: boolean }> = flag({
  name: 'rebuild-frontier',
  help: 'check nothing, but make frontiers that were lost or damaged anew from what the store knows',
  to: (rebuildFrontier) => ({ rebuildFrontier }),
})
const LOST_CRAWL: typeof CRAWL = {
  ...CRAWL,
  default: 'every crawl that lost its own',
  help: 'with --rebuild-frontier: whose frontier, by number (3 or crawl_3) or name',
}
export const DOCTOR_FLAGS = [
  ...WORKSPACE_OPTIONS,
  REBUILD_FRONTIER,
  LOST_CRAWL,
  CONTACT,
  JSON_OUTPUT,
] as const
const SERVE: Option<{ readonly serve: boolean }> = flag({
  name: 'serve',
  on: true,
  help: 'end with the dashboard on what was crawled, as it does on a terminal',
  to: (serve) => ({ serve }),
})
export const DEMO_FLAGS = [FOLDER, SERVE, JSON_OUTPUT, QUIET, VERBOSE] as const

export function parseCrawls(argv: readonly string[], around: Surroundings): ReaderOptions {
  const { chosen, workspace } = parse<ReaderOptions>(CRAWLS_FLAGS, argv, around)
  return { ...workspace, json: chosen.json ?? false }
}

export function parsePages(argv: readonly string[], around: Surroundings): PagesOptions {
  const { chosen, workspace } = parse<GivenPages>(PAGES_FLAGS, argv, around)
  const { state: _, ...wanted } = rows(chosen, workspace)
  return { ...wanted, hot: chosen.hot ?? false, minRelevance: chosen.minRelevance ?? null }
}

export function parseUrls(argv: readonly string[], around: Surroundings): RowsOptions {
  const { chosen, workspace } = parse<GivenRows>(URLS_FLAGS, argv, around)
  return rows(chosen, workspace)
}

export function parseExplain(argv: readonly string[], around: Surroundings): ExplainOptions {
  const { chosen, args, workspace } = parse<GivenRows>(EXPLAIN_FLAGS, argv, around, 1)
  const [written] = args.words
  if (written === undefined) throw new InvalidInput('explain', 'give the URL to explain')
  const url = seedUrl(written)
  if (url === null) throw new InvalidInput('explain', `${shown(written)} is not a URL`)
  const { json, crawl } = rows(chosen, workspace)
  return { ...workspace, json, crawl, url }
}

export function parseDoctor(argv: readonly string[], around: Surroundings): DoctorOptions {
  const { chosen, workspace } = parse<GivenDoctor>(DOCTOR_FLAGS, argv, around)
  return {
    ...workspace,
    json: chosen.json ?? false,
    contact: chosen.contact ?? null,
    rebuildFrontier: chosen.rebuildFrontier ?? false,
    crawl: chosen.crawl ?? null,
  }
}

export function parseDemo(argv: readonly string[], around: Surroundings): DemoOptions {
  const { chosen, args, workspace } = parse<GivenDemo>(DEMO_FLAGS, argv, around)
  return {
    // Only a folder named on the command line: a demo must not land among real crawls.
    dataDir: args.given.has('data') ? workspace.dataDir : null,
    json: chosen.json ?? false,
    quiet: chosen.quiet ?? false,
    verbose: chosen.verbose ?? false,
    serve: chosen.serve ?? true,
  }
}

type GivenDoctor = ReaderOptions &
  Pick<DoctorOptions, 'rebuildFrontier'> & { readonly contact: string; readonly crawl: string }
type GivenDemo = ReaderOptions & Pick<DemoOptions, 'quiet' | 'verbose' | 'serve'>

type GivenRows = ReaderOptions & {
  readonly crawl: string
  readonly host: string
  readonly state: UrlState
  readonly limit: number
}

type GivenPages = GivenRows & { readonly hot: boolean; readonly minRelevance: number }

function rows(chosen: Partial<GivenRows>, workspace: WorkspaceChoice): RowsOptions {
  return {
    ...workspace,
    json: chosen.json ?? false,
    crawl: chosen.crawl ?? null,
    host: chosen.host ?? null,
    state: chosen.state ?? null,
    limit: chosen.limit ?? null,
  }
}

/** `words`: how many there may be that are not flags. */
function parse<T extends WorkspaceChoice>(
  options: readonly Option<T>[],
  argv: readonly string[],
  around: Surroundings,
  words = 0,
): { readonly chosen: Partial<T>; readonly args: Args; readonly workspace: WorkspaceChoice } {
  const problems = new Problems()
  const args = parseArgs(argv, options, problems)
  refuseWords(args, words, problems)
  const sources = readSources(args, around, problems)
  // The config file is written for `crawl`: of its keys only the place and the contact count here.
  const keys = [...WORKSPACE_KEYS, 'contact']
  const file = new Map([...sources.file].filter(([key]) => keys.includes(key)))
  const chosen = readOptions(options, { ...sources, file }, problems)
  const workspace = readWorkspace(chosen, { sources, around, problems })
  problems.throwIfAny()
  return { chosen, args, workspace }
}
