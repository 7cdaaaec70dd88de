// `jelajah serve`: the server put together, and how it begins and ends before a person's eyes.
//
//   lock ─▶ port ─▶ stores ─▶ feed ─▶ dispatcher (jobs go on) ─▶ webhooks, indexer ─▶ API ─▶ listening
//
// The end goes the other way: nobody is let in, streams end, jobs come to rest where the next server
// continues them.
import { setTimeout as pause } from 'node:timers/promises'
import { createApi } from '../../api/server.ts'
import { fileWarnings, refuseFewFiles } from '../../crawl/file-check.ts'
import { KeptFeed } from '../../crawl/keep-feed.ts'
import { lookedFor } from '../../crawl/topic-source.ts'
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
import { openReads } from '../../reads/open-reads.ts'
import { indexIsBehind } from '../../search/index/index-writer.ts'
import { KeptIndexer } from '../../search/index/keep-indexer.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { CannotListen, listening, probePort, urlOf } from './listen.ts'
import { openWebhooks } from './open-webhooks.ts'
import { checkBriefly, lockServer, type ServeOptions, settingsOf } from './server-parts.ts'

type ServerOptions = ServeOptions & { readonly log: (text: string) => void }

export type OpenServer = {
  /** Under which this machine reaches it. */
  readonly url: string
  /** What it serves, as it may be shown. */
  readonly workspace: string
  readonly dispatcher: Dispatcher
  /**
   * Settled when a store was away for too long, or another server has taken the workspace meanwhile: nothing
   * can be done here until that is over.
   */
  readonly unreachable: Promise<string>
  /** Lets nobody in any more, brings jobs to rest, lets go of everything. */
  close(): Promise<void>
}

/** What others may not do with files made here. */
const OWNER_ONLY = 0o077
/** As long as connections wait for a server that is away, unless it is said otherwise. */
const STORE_TIMEOUT_MS = 60_000

export async function openServer(options: ServerOptions): Promise<OpenServer> {
  const { log, host } = options
  refuseFewFiles()
  await using opened = new ResourceStack()
  const workspace = opened.use(workspaceOf(options))
  const lock = opened.use(await lockServer(workspace))
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
  const here = serverListens({ host, port: options.port })
  const reads = opened.use(await openReads({ ...workspace.text, ...here }))
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
      plugins: options.plugins,
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
  const saved = opened.use(await workspace.savedSearches())
  const shared = fleet === null ? { saved } : { fleet, saved }
  const api = await createApi({ dispatcher, jobs: shown, journal, reads, ...shared, ...around })
  opened.defer(() => api.close())
  await listening(options, () => api.listen({ host, port: options.port }))
  const bound = api.server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : options.port
  boundPort = port
  const all = opened.move()
  return {
    url: urlOf({ host, port }),
    workspace: workspace.shown,
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
  { url, workspace, dispatcher }: OpenServer,
  { json, quiet, token, host, publicSearch }: ServeOptions,
  out: Output,
  say: (text: string) => void,
): Promise<void> {
  if (json) await out.write(`${JSON.stringify({ url, pid: process.pid })}\n`)
  if (quiet) return
  const everywhere = host === '0.0.0.0' || host === '::' ? ', and on every address it has' : ''
  say(`Jelajah listens on ${url}${everywhere} (data in ${workspace})`)
  if (token !== null) {
    say('Sign in there with the token; programs send it as Authorization: Bearer TOKEN.')
  }
  if (dashboardFolder() === null) say('The dashboard is not built yet: npm run build')
  const { running, waiting } = dispatcher.load()
  if (running + waiting > 0) say(goingOn(running, waiting))
  if (publicSearch !== null) {
    say(`Pages of ${publicSearch.origins.join(', ')} may search: ${publicSearch.crawls.join(', ')}`)
  }
  say('Ctrl-C stops it.')
}

/** For the indexer: what an earlier server left, jobs, and crawls that other programs run here. */
function whenThereIsWork(
  workspace: Workspace,
  dispatcher: Dispatcher,
  need: () => void,
): () => void {
  const over = new AbortController()
  // The indexer itself reports what cannot be read.
  storeIsAhead(workspace, over.signal).then((isAhead) => isAhead && need(), need)
  const onEvent = (): void => {
    over.abort()
    need()
  }
  const unsubscribe = dispatcher.subscribe({ onEvent, onProgress: () => {} })
  return () => {
    over.abort()
    unsubscribe()
  }
}

const LOOK_EVERY_MS = 2000

/** True as soon as the store has what the index has not; false if that is not so until the end. */
async function storeIsAhead(workspace: Workspace, signal: AbortSignal): Promise<boolean> {
  if (await indexIsBehind(workspace)) return true
  await using changes = await workspace.changeFeed()
  const before = (await changes?.last()) ?? 0
  while (changes !== null && !signal.aborted) {
    if ((await changes.mayHaveChanged()) && (await changes.last()) > before) return true
    await pause(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => {})
  }
  return false
}

/** Work that the last server left and this one resumes. */
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
