// `jelajah worker`: lends this machine to the crawls of a database, until it is told to leave. It keeps
// nothing: what it fetches is in the database, what it was about to fetch goes to another worker.

import { CrawlerError } from '../core/errors.ts'
import type { Job } from '../core/job.ts'
import { refuseFewFiles } from '../crawl/file-check.ts'
import { PAIR_ENTRIES, thisProgram } from '../crawl/open-supervisor.ts'
import { NO_PROGRESS } from '../crawl/progress.ts'
import { Supervisor } from '../crawl/supervisor.ts'
import { clockWarnings } from '../fleet/clock-check.ts'
import { watchStores } from '../fleet/watch-stores.ts'
import { Worker } from '../fleet/worker.ts'
import type { WorkerEvent } from '../fleet/worker-run.ts'
import { runClock, systemClock } from '../lib/clock.ts'
import { showNumber } from '../lib/format.ts'
import { safeText } from '../lib/terminal.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { workersText } from './print-workers.ts'
import { StopSignals } from './stop-signals.ts'
import type { WorkerOptions } from './worker-command.ts'

/** What is under way with a slow server is fetched again by another worker. */
const DRAIN_MS = 10_000
/** What others may not do with sockets made here. */
const OWNER_ONLY = 0o077

export async function runWorker(options: WorkerOptions, out: Output): Promise<ExitCode> {
  const say = (text: string): void => out.warn(`${safeText(text)}\n`)
  if (options.list) return listWorkers(options, out)
  refuseFewFiles()
  process.umask(OWNER_ONLY)
  using signals = new StopSignals(() => say('leaving at once; others fetch what was under way'))
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
  const { name, pairs, cores, network } = options
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
    openPair: (job, onNotice) => openPair(workspace, job, onNotice),
    clock: systemClock,
  })
}

async function readJob(workspace: Workspace, crawl: number): Promise<Job | null> {
  await using jobs = await workspace.jobReader()
  return jobs === null ? null : jobs.get(crawl)
}

function openPair(workspace: Workspace, job: Job, onNotice: (text: string) => void): Supervisor {
  const { counts, hosts, fairness, stored } = NO_PROGRESS
  return new Supervisor({
    ...{ job, workspace: workspace.text, clock: runClock, entries: PAIR_ENTRIES, onNotice },
    ...{ joined: true, durationMs: null, hotBefore: 0 },
    known: { counts, hosts, fairness, stored },
    onProgress: () => {},
  })
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
