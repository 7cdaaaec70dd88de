// `jelajah worker`: argv and its surroundings into what a machine that lends a hand needs to know.
import { hostname } from 'node:os'
import { Refused } from '../core/errors.ts'
import type { OwnNetwork } from '../core/job.ts'
import { isServerUrl, type WorkspaceChoice } from '../core/workspace-url.ts'
import { Problems } from '../options/bad-options.ts'
import { flag, number, type Option, text } from '../options/option.ts'
import { type CrawlChoices, crawlOptions } from '../options/options.ts'
import { ORDERINGS } from '../ordering/index.ts'
import { parseArgs, refuseWords } from './args.ts'
import { JSON_OUTPUT, QUIET, VERBOSE } from './common-options.ts'
import { readOptions, readSources, type Surroundings } from './sources.ts'
import {
  DATA,
  FRONTIER,
  openedByHand,
  readWorkspace,
  STORE_TIMEOUT,
  WORKSPACE_KEYS,
} from './workspace-options.ts'

export type WorkerOptions = WorkspaceChoice & {
  readonly frontier: string
  /** Under which it is shown. */
  readonly name: string
  /** Scouters with their parsers. */
  readonly pairs: number
  readonly cores: number
  /** In place of what a crawl was given elsewhere. */
  readonly network: OwnNetwork
  /** Only shows which workers there are. */
  readonly list: boolean
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
}

type OwnChoices = WorkspaceChoice &
  Pick<WorkerOptions, 'name' | 'pairs' | 'list' | 'json' | 'quiet' | 'verbose'> & {
    readonly frontier: string
  }

const MAX_PAIRS = 64
const MAX_NAME = 100

const OWN_OPTIONS: readonly Option<OwnChoices>[] = [
  { ...DATA, value: 'URL', default: '', help: 'the database: postgres://user:password@host/name' },
  { ...FRONTIER, help: 'and the frontier beside it: redis://host:6379' },
  STORE_TIMEOUT,
  number({
    name: 'pairs',
    min: 1,
    max: MAX_PAIRS,
    default: 'one for two cores',
    help: 'a pair of processes, one that fetches and one that parses; crawls share the pairs',
    to: (pairs) => ({ pairs }),
  }),
  text({
    name: 'name',
    env: 'JELAJAH_WORKER_NAME',
    default: 'that of this machine',
    help: 'what the worker is called where workers are shown',
    to: (name) => ({ name: nameOf(name) }),
  }),
  flag({ name: 'list', help: 'only show which workers there are', to: (list) => ({ list }) }),
  {
    ...JSON_OUTPUT,
    help: 'one JSON object per line on stdout: what it joins and leaves; with --list, a worker each',
  },
  { ...QUIET, help: 'nothing but errors' },
  VERBOSE,
]

/** A worker may stand in another network than who asked for the crawl. */
const NETWORK_NAMES = ['proxy', 'connect-to', 'dns', 'allow-private']
const NETWORK_OPTIONS = crawlOptions(ORDERINGS)
  .filter(({ name }) => NETWORK_NAMES.includes(name))
  .map(openedByHand)
export const WORKER_OPTIONS = OWN_OPTIONS
export const WORKER_NETWORK_OPTIONS = NETWORK_OPTIONS
/** Of the config file, which is written for `crawl`, these count; to open doors takes a flag. */
const FILE_KEYS = [...WORKSPACE_KEYS, 'connectto', 'dns', 'proxy']

export function parseWorker(argv: readonly string[], around: Surroundings): WorkerOptions {
  const problems = new Problems()
  const args = parseArgs(argv, [...OWN_OPTIONS, ...NETWORK_OPTIONS], problems)
  refuseWords(args, 0, problems)
  const sources = readSources(args, around, problems)
  const file = new Map([...sources.file].filter(([key]) => FILE_KEYS.includes(key)))
  const own = readOptions(OWN_OPTIONS, { ...sources, file }, problems)
  const network: Partial<CrawlChoices> = readOptions(
    NETWORK_OPTIONS,
    { ...sources, file },
    problems,
  )
  const workspace = readWorkspace(own, { sources, around, problems }, 'frontier')
  if (!isServerUrl(workspace.dataDir)) problems.add('flag', '--data', FOLDER_IS_ALONE)
  problems.throwIfAny()
  return {
    list: false,
    json: false,
    quiet: false,
    verbose: false,
    ...own,
    ...workspace,
    frontier: workspace.frontier ?? '',
    name: own.name ?? hostname(),
    pairs: own.pairs ?? Math.max(1, Math.floor(around.cores / 2)),
    cores: around.cores,
    network: {
      allowPrivate: network.allowPrivate ?? false,
      connectTo: network.connectTo ?? [],
      dns: network.dns ?? [],
      proxies: network.proxies ?? [],
    },
  }
}

const FOLDER_IS_ALONE =
  'a worker joins crawls of a database: give --data postgres://… and --frontier redis://…'

function nameOf(name: string): string {
  if (/^[^\p{Cc}\p{Cf}]+$/u.test(name) && name.length <= MAX_NAME) return name
  throw new Refused(`needs a name of at most ${MAX_NAME} letters, digits and signs`)
}
