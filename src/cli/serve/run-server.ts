// `jelajah serve`: the server put together, and how it begins and ends before a person's eyes.
//
//   lock ─▶ port ─▶ stores ─▶ feed ─▶ dispatcher (jobs go on) ─▶ webhooks, indexer ─▶ API ─▶ listening
//
// The end goes the other way: nobody is let in, streams end, jobs come to rest where the next server
// continues them.
import { availableParallelism } from 'node:os'
import type { ServeSettings } from '../../api/api-deps.ts'
import { createApi } from '../../api/server.ts'
import { CrawlerError } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import type { WorkspaceChoice } from '../../core/workspace-url.ts'
import { fileWarnings, refuseFewFiles } from '../../crawl/file-check.ts'
import { KeptFeed } from '../../crawl/keep-feed.ts'
import { checkTopic, lookedFor } from '../../crawl/topic-source.ts'
import { serverListens } from '../../crawl/trusted-hosts.ts'
import { clockWarnings } from '../../fleet/clock-check.ts'
import { type FleetWatch, openFleetWatch } from '../../fleet/fleet-watch.ts'
import type { Dispatcher } from '../../jobs/dispatcher.ts'
import { jobsAsTheyAre } from '../../jobs/job-reader.ts'
import { openDispatcher } from '../../jobs/open-dispatcher.ts'
import { dashboardFolder } from '../../lib/built-pages.ts'
import { systemClock } from '../../lib/clock.ts'
import { ResourceStack } from '../../lib/resource-stack.ts'
import { StopSignals } from '../../lib/stop-signals.ts'
import { safeText } from '../../lib/terminal.ts'
import type { Problems } from '../../options/bad-options.ts'
import type { TopicRequest } from '../../options/topic-request.ts'
import { openReads } from '../../reads/open-reads.ts'
import { indexIsBehind } from '../../search/index/index-writer.ts'
import { KeptIndexer } from '../../search/index/keep-indexer.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import type { Workspace, WorkspaceLock } from '../../workspace/workspace.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { CannotListen, listening, probePort, urlOf } from './listen.ts'
import { openWebhooks } from './open-webhooks.ts'

export type ServeOptions = WorkspaceChoice &
  Pick<ServeSettings, 'host' | 'port' | 'token' | 'allowedHosts' | 'ceilings'> &
  Pick<ServeSettings, 'allowPrivate' | 'connectTo' | 'dns' | 'proxies'> &
  Pick<ServeSettings['defaults'], 'delayMs' | 'contact'> & {
    /** Jobs that run at once; their connections and their memory together. */
    readonly jobs: number
    readonly connections: number
    readonly memoryBytes: number
    readonly json: boolean
    readonly quiet: boolean
    readonly verbose: boolean
  }

export type ServerOptions = ServeOptions & { readonly log: (text: string) => void }

export type OpenServer = {
  /** Under which this machine reaches it. */
  readonly url: string
  /** What it serves, as it may be shown. */
  readonly place: string
  readonly dispatcher: Dispatcher
  /**
   * Settled when a store was away for too long, or another server has taken the place meanwhile: nothing
   * can be done here until that is over.
   */
  readonly unreachable: Promise<string>
  /** Lets nobody in any more, brings jobs to rest, lets go of everything. */
  close(): Promise<void>
}

/** Of examples: some tenths of a second at worst; a whole body of them took twenty seconds. */
const CHECKED_CHARACTERS = 20_000
/** What others may not do with files made here. */
const OWNER_ONLY = 0o077
/** As long as connections wait for a server that is away, unless it is said otherwise. */
const STORE_TIMEOUT_MS = 60_000

export async function openServer(options: ServerOptions): Promise<OpenServer> {
  const { log, host } = options
  refuseFewFiles()
  await using opened = new ResourceStack()
  const workspace = opened.use(workspaceOf(options))
  const lock = opened.use(await lockPlace(workspace))
  // Before jobs go on: a server that cannot listen must not start anything.
  await probePort(options)
  const clock = systemClock
  for (const warning of fileWarnings()) log(`warning: ${warning}`)
  for (const warning of await clockWarnings(workspace, clock)) log(`warning: ${warning}`)
  const away = Promise.withResolvers<string>()
  const taken = `another server has taken ${workspace.shown} while the database was away`
  lock.lost?.addEventListener('abort', () => away.resolve(taken))
  const settings = settingsOf(options)
  let boundPort = options.port
  const jobs = opened.use(await workspace.jobStore())
  const journal = opened.use(await workspace.journal())
  const reads = opened.use(await openReads(workspace.text))
  const feed = new KeptFeed({ workspace, onNotice: log })
  opened.defer(() => feed.finish())
  const dispatcher = opened.use(
    await openDispatcher({
      workspace,
      jobs,
      journal,
      clock,
      maxRunning: options.jobs,
      maxConnections: options.connections,
      proxies: options.proxies,
      maxRssBytes: options.memoryBytes,
      onUnreachable: away.resolve,
      listening: () => serverListens({ host, port: boundPort }),
    }),
  )
  opened.use(
    await openWebhooks({ workspace, jobs, journal, reads, dispatcher, settings, clock, log }),
  )
  const whenNeeded = (need: () => void) => whenThereIsWork(workspace, dispatcher, need)
  opened.use(new KeptIndexer({ workspace: workspace.text, whenNeeded, log }))
  const assetsDir = dashboardFolder()
  const shown = jobsAsTheyAre(jobs, workspace, (id) => dispatcher.live(id) !== null)
  const fleet = opened.use(await watchFleet(workspace, log, away.resolve))
  const around = { settings, clock, assetsDir, checkTopic: checkBriefly, showTopic: lookedFor, log }
  const shared = fleet === null ? {} : { fleet }
  const api = await createApi({ dispatcher, jobs: shown, journal, reads, ...shared, ...around })
  opened.defer(() => api.close())
  await listening(options, () => api.listen({ host, port: options.port }))
  const bound = api.server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : options.port
  boundPort = port
  const all = opened.move()
  return {
    url: urlOf({ host, port }),
    place: workspace.shown,
    dispatcher,
    unreachable: away.promise,
    close: () => all[Symbol.asyncDispose](),
  }
}

export async function runServe(options: ServeOptions, out: Output): Promise<ExitCode> {
  const say = (text: string): void => out.warn(`${safeText(text)}\n`)
  const log = (text: string): void => say(`jelajah: ${text}`)
  // Processes started from here inherit it.
  process.umask(OWNER_ONLY)
  using signals = new StopSignals({
    onLeave: () => say('leaving at once; jobs go on with the next start'),
  })
  try {
    const server = await openServer({ ...options, log })
    const unsubscribe = options.quiet ? () => {} : tellEvents(server, options, say)
    await announce(server, options, out, say)
    const ended = Promise.race([signals.first, firstFailure(log)])
    const failure = await Promise.race([
      ended,
      server.unreachable.then((why) => leaveAway(why, log)),
    ])
    if (!options.quiet) say('stopping: jobs come to rest and go on with the next start')
    unsubscribe()
    await server.close()
    return failure === null ? EXIT.done : EXIT.error
  } catch (error) {
    if (!(error instanceof CannotListen)) throw error
    log(error.message)
    return EXIT.error
  }
}

async function announce(
  { url, place, dispatcher }: OpenServer,
  { json, quiet, token, host }: ServeOptions,
  out: Output,
  say: (text: string) => void,
): Promise<void> {
  if (json) await out.write(`${JSON.stringify({ url, pid: process.pid })}\n`)
  if (quiet) return
  const everywhere = host === '0.0.0.0' || host === '::' ? ', and on every address it has' : ''
  say(`Jelajah listens on ${url}${everywhere} (data in ${place})`)
  if (token !== null) {
    say('Sign in there with the token; programs send it as Authorization: Bearer TOKEN.')
  }
  if (dashboardFolder() === null) say('The dashboard is not built yet: sh scripts/build-dashboard')
  const { running, waiting } = dispatcher.load()
  if (running + waiting > 0) say(goingOn(running, waiting))
  say('Ctrl-C stops it.')
}

/** For the indexer: what an earlier server left, and jobs. */
function whenThereIsWork(
  workspace: Workspace,
  dispatcher: Dispatcher,
  need: () => void,
): () => void {
  // The indexer itself reports what cannot be read.
  indexIsBehind(workspace).then((isBehind) => isBehind && need(), need)
  return dispatcher.subscribe({ onEvent: need, onProgress: () => {} })
}

/** What the last server left, and this one has taken up. */
function goingOn(running: number, waiting: number): string {
  const going = running === 1 ? '1 job goes on' : `${running} jobs go on`
  return waiting === 0 ? going : `${going}, ${waiting} ${waiting === 1 ? 'waits' : 'wait'}`
}

function tellEvents(
  { dispatcher }: OpenServer,
  { verbose }: ServeOptions,
  say: (text: string) => void,
): () => void {
  return dispatcher.subscribe({
    onEvent: ({ crawlId, event }) => {
      if (event.type === 'status') {
        say(`crawl_${crawlId} ${event.status}${event.note === '' ? '' : `: ${event.note}`}`)
      } else if (event.type === 'removed') say(`crawl_${crawlId} removed`)
      else if (verbose) say(`crawl_${crawlId}: ${event.text}`)
    },
    onProgress: () => {},
  })
}

/**
 * A promise that nobody waited for is a harmless slip: it is logged, and the server goes on. After any other
 * error nothing is certain any more: the server closes, and the next one continues the jobs.
 */
function firstFailure(log: (text: string) => void): Promise<unknown> {
  const textOf = (error: unknown) =>
    error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.on('unhandledRejection', (error) =>
    log(`this is a bug, please report it: ${textOf(error)}`),
  )
  return new Promise((resolve) => {
    process.on('uncaughtException', (error) => {
      log(`this is a bug, please report it: ${textOf(error)}`)
      resolve(error)
    })
  })
}

/** To bring jobs to rest would need the store that is away; the next server goes on with them. */
function leaveAway(why: string, log: (text: string) => void): never {
  log(`${why}; jobs go on with the next start`)
  process.exit(EXIT.store)
}

async function lockPlace(workspace: Workspace): Promise<WorkspaceLock> {
  await workspace.make()
  const lock = await workspace.lock('server')
  if (lock !== null) return lock
  const holder = await workspace.holderOf('server')
  const who = holder === null ? '' : ` (${holder})`
  const message = `another server runs in ${workspace.shown}${who}. Stop it, or choose another --data.`
  throw new CrawlerError('store-busy', message)
}

/** Null where all is done here. */
async function watchFleet(
  workspace: Workspace,
  log: (text: string) => void,
  onGivenUp: (text: string) => void,
): Promise<FleetWatch | null> {
  const source = await workspace.fleet()
  if (source === null) return null
  const patienceMs = workspace.text.storeTimeoutMs ?? STORE_TIMEOUT_MS
  return openFleetWatch({ source, clock: systemClock, patienceMs, log, onGivenUp })
}

function settingsOf(options: ServeOptions): ServeSettings {
  const { host, port, token, allowedHosts, allowPrivate, connectTo, dns, proxies } = options
  return {
    ...{ host, port, token, allowedHosts, allowPrivate, connectTo, dns, proxies },
    defaults: { delayMs: options.delayMs, contact: options.contact, userAgent: null },
    ceilings: options.ceilings,
    cores: availableParallelism(),
    version: VERSION,
    maxStreams: null,
    jobsPerMinute: null,
  }
}

/** Nobody else is served meanwhile: what takes longer is found when the job runs, and told there. */
function checkBriefly(request: TopicRequest, problems: Problems): void {
  checkTopic(request, problems, CHECKED_CHARACTERS)
}
