// `jelajah worker`: lends this machine to the crawls of a database until it is stopped. It keeps nothing: its
// pages are in the database, and another worker fetches what it was about to fetch.
import { hostname } from 'node:os'
import { CrawlerError, Refused } from '../core/errors.ts'
import type { Job, OwnNetwork } from '../core/job.ts'
import { isServerUrl, type WorkspaceChoice } from '../core/workspace-url.ts'
import type { Worker } from '../fleet/worker.ts'
import type { WorkerRecord, WorkerShare } from '../fleet/worker-registry.ts'
import type { WorkerEvent } from '../fleet/worker-run.ts'
import { runClock, systemClock } from '../lib/clock.ts'
import { showBytes, showNumber, showPercent, showRate, showTime } from '../lib/format.ts'
import { StopSignals } from '../lib/stop-signals.ts'
import { safeText } from '../lib/terminal.ts'
import { Problems } from '../options/bad-options.ts'
import { flag, number, type Option, text } from '../options/option.ts'
import { type CrawlChoices, crawlOptions } from '../options/options.ts'
import { DATA, FRONTIER, STORE_TIMEOUT } from '../options/workspace.ts'
import { ORDERING_CHOICES } from '../ordering/index.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { parseArgs, refuseWords } from './args.ts'
import type { Command } from './command.ts'
import { JSON_OUTPUT, QUIET, VERBOSE } from './common-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { readOptions, readSources, type Surroundings } from './sources.ts'
import { type Column, table } from './table.ts'
import { openedByHand, readWorkspace, WORKSPACE_KEYS } from './workspace-options.ts'

type WorkerOptions = WorkspaceChoice & {
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
  }),
  text({
    name: 'name',
    env: 'JELAJAH_WORKER_NAME',
    default: 'that of this machine',
    help: 'what the worker is called where workers are shown',
    to: (name) => ({ name: nameOf(name) }),
  }),
  flag({ name: 'list', help: 'only show which workers there are' }),
  {
    ...JSON_OUTPUT,
    help: 'one JSON object per line on stdout: what it joins and leaves; with --list, a worker each',
  },
  { ...QUIET, help: 'nothing but errors' },
  VERBOSE,
]

/** A worker may stand in another network than who asked for the crawl. */
const NETWORK_NAMES = ['proxy', 'connect-to', 'dns', 'allow-private']
const NETWORK_OPTIONS = crawlOptions(ORDERING_CHOICES)
  .filter(({ name }) => NETWORK_NAMES.includes(name))
  .map(openedByHand)
/** Keys of the config file that count here; it is written for `crawl`. Only a flag opens doors. */
const FILE_KEYS = [...WORKSPACE_KEYS, 'connectto', 'dns', 'proxy']

export const command: Command = {
  usage: '--data postgres://… --frontier redis://… [options]',
  options: OWN_OPTIONS,
  more: { title: 'How this machine reaches the web:', options: NETWORK_OPTIONS },
  examples: [
    ['worker --data postgres://db/web --frontier redis://cache', 'until Ctrl-C'],
    ['worker --list', 'which workers there are, on which machines, and what they do'],
    [
      'worker --pairs 4 --name rack-7',
      'with the addresses in JELAJAH_DATA and JELAJAH_FRONTIER, where nobody sees their passwords',
    ],
  ],
  run: (argv, around, out) => runWorker(parseWorker(argv, around), out),
}

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
  const workspace = readWorkspace(own, { sources, around, problems })
  if (!isServerUrl(workspace.dataDir)) problems.add('flag', '--data', FOLDER_IS_ALONE)
  problems.throwIfAny()
  return {
    list: false,
    json: false,
    quiet: false,
    verbose: false,
    ...own,
    ...workspace,
    frontier: workspace.frontier ?? null,
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
  'a worker joins crawls of a database: give --data postgres://…, and --frontier redis://… if the crawls use it'

function nameOf(name: string): string {
  if (/^[^\p{Cc}\p{Cf}]+$/u.test(name) && name.length <= MAX_NAME) return name
  throw new Refused(`needs a name of at most ${MAX_NAME} letters, digits and signs`)
}

/** Requests under way to a slow server are made again by another worker. */
const DRAIN_MS = 10_000
/** What others may not do with sockets made here. */
const OWNER_ONLY = 0o077

async function runWorker(options: WorkerOptions, out: Output): Promise<ExitCode> {
  const { refuseFewFiles } = await import('../crawl/file-check.ts')
  const { clockWarnings } = await import('../fleet/clock-check.ts')
  const { watchStores } = await import('../fleet/watch-stores.ts')
  const { workspaceOf } = await import('../workspace/open-workspace.ts')
  const say = (text: string): void => out.warn(`${safeText(text)}\n`)
  if (options.list) return listWorkers(options, out)
  refuseFewFiles()
  process.umask(OWNER_ONLY)
  using signals = new StopSignals({
    onLeave: () => say('leaving at once; others fetch what was under way'),
  })
  await using workspace = workspaceOf(options)
  for (const warning of await clockWarnings(workspace, systemClock)) say(`warning: ${warning}`)
  await using worker = await openWorker(workspace, options, (event) => tell(event, options, out))
  await using _stores = await watchStores(workspace, say)
  if (!options.quiet) say(greeting(workspace, options))
  void signals.first.then(() => {
    if (!options.quiet) say('stopping: finishing what is under way (Ctrl-C again to leave at once)')
    worker.drain(DRAIN_MS)
  })
  await worker.run()
  return EXIT.done
}

async function listWorkers(options: WorkerOptions, out: Output): Promise<ExitCode> {
  const { workspaceOf } = await import('../workspace/open-workspace.ts')
  await using workspace = workspaceOf(options)
  const workers = (await (await workspace.workers())?.workers()) ?? []
  if (options.json) for (const worker of workers) await out.write(`${JSON.stringify(worker)}\n`)
  else await out.write(workersText(workers, workspace.shown))
  return EXIT.done
}

export async function openWorker(
  workspace: Workspace,
  options: Pick<WorkerOptions, 'name' | 'pairs' | 'cores' | 'network'>,
  onEvent: (event: WorkerEvent) => void,
): Promise<Worker> {
  const { PAIR_ENTRIES, thisProgram } = await import('../crawl/open-supervisor.ts')
  const { NO_PROGRESS } = await import('../crawl/progress.ts')
  const { Supervisor } = await import('../crawl/supervisor.ts')
  const { Worker } = await import('../fleet/worker.ts')
  const { name, pairs, cores, network } = options
  const { counts, hosts, fairness, stored } = NO_PROGRESS
  const registry = await workspace.workers()
  if (registry === null)
    throw new CrawlerError('store-unreachable', `${workspace.shown} has no workers`)
  // A database that lets nobody in should be told at once, not when there is work.
  await using _jobs = await workspace.jobReader()
  return new Worker({
    ...{ program: thisProgram(), name, pairs, network, registry, onEvent },
    // The scouter of each pair needs about a core, and so does what its threads do not do.
    parserThreads: Math.max(1, Math.round(cores / pairs) - 1),
    jobOf: (crawl) => readJob(workspace, crawl),
    openPair: (job, onNotice) =>
      new Supervisor({
        ...{ job, workspace: workspace.text, clock: runClock, entries: PAIR_ENTRIES, onNotice },
        ...{ joined: true, durationMs: null, hotBefore: 0 },
        known: { counts, hosts, fairness, stored },
        onProgress: () => {},
      }),
    clock: systemClock,
  })
}

async function readJob(workspace: Workspace, crawl: number): Promise<Job | null> {
  await using jobs = await workspace.jobReader()
  return jobs === null ? null : jobs.get(crawl)
}

function greeting({ shown }: Workspace, { name, pairs }: WorkerOptions): string {
  const hands = showNumber(pairs, 'pair')
  return `worker ${name} waits for crawls in ${shown}, with ${hands} of processes; Ctrl-C stops it.`
}

function tell(event: WorkerEvent, { json, quiet, verbose }: WorkerOptions, out: Output): void {
  if (json) void out.write(`${JSON.stringify(event)}\n`)
  const isNews = event.type !== 'notice' || verbose
  if (quiet ? event.type === 'trouble' : isNews) out.warn(`${safeText(wordsFor(event))}\n`)
}

function wordsFor(event: WorkerEvent): string {
  const crawl = `crawl ${event.crawl}`
  switch (event.type) {
    case 'joined': {
      const { machine, pid } = event.owner
      return `${crawl}: joined (run by process ${pid} on ${machine})`
    }
    case 'left':
      return `${crawl}: left after ${showNumber(event.saved, 'page')}: ${event.why}`
    case 'declined':
      return `${crawl}: not joined: ${event.text}`
    default:
      return `${crawl}: ${event.text}`
  }
}

export type WorkerRow = Omit<WorkerRecord, 'id' | 'protocol' | 'declined' | 'shares'> & {
  readonly shares: readonly Pick<WorkerShare, 'crawl' | 'pairs'>[]
}

const COLUMNS: readonly Column<WorkerRow>[] = [
  { title: 'worker', of: ({ name }) => name },
  { title: 'machine', of: ({ machine, pid }) => `${machine}, process ${pid}` },
  { title: 'since', of: ({ since }) => showTime(since) },
  { title: 'pairs', of: ({ pairs }) => String(pairs), align: 'right' },
  { title: 'CPU', of: ({ cpu }) => showPercent(cpu), align: 'right' },
  { title: 'memory', of: ({ rssBytes }) => showBytes(rssBytes), align: 'right' },
  { title: 'pages/s', of: ({ pagesPerSecond }) => showRate(pagesPerSecond), align: 'right' },
  { title: 'requests', of: ({ inFlight }) => String(inFlight), align: 'right' },
  { title: 'crawls', of: crawlsOf },
]

/** `shown`: the name of their workspace. */
export function workersText(rows: readonly WorkerRow[], shown: string): string {
  if (rows.length === 0) return `no workers in ${shown}; 'jelajah worker' on any machine is one\n`
  return table(COLUMNS, rows)
}

function crawlsOf({ shares, isLeaving }: WorkerRow): string {
  const atWork = shares.filter(({ pairs }) => pairs > 0)
  const crawls = atWork.map(({ crawl, pairs }) => `${crawl} (${showNumber(pairs, 'pair')})`)
  return [...crawls, ...(isLeaving ? ['leaving'] : [])].join(', ') || 'waiting'
}
