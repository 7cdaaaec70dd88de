// The scouter's process.
import { fairnessOf, hasSeveralSites } from '../core/fairness.ts'
import type { CrawlSettings, Job } from '../core/job.ts'
import { footprint, runChild } from '../crawl/child.ts'
import { frontierNeeds } from '../crawl/frontier-needs.ts'
import { ownListenersOf, trustedHosts } from '../crawl/trusted-hosts.ts'
import { connectionRoom } from '../http/connection-pool.ts'
import { idleFor, openFetcher } from '../http/fetcher.ts'
import { type Clock, runClock } from '../lib/clock.ts'
import { openFileCount, openFileLimit } from '../lib/open-files.ts'
import { setWorkFlags } from '../lib/work-flags.ts'
import { Scouter } from '../scouter/scouter.ts'

const HOSTS_SHOWN = 50
const MANY_FILES = 4096
/** A look at all hosts may take this share of the time. */
const MAX_SHARE = 0.01
const LOOK_AGAIN_MS = 1000

/** The value as it was not long ago: the longer it takes to compute, the rarer it is. */
function nowAndThen(clock: Clock, compute: () => number): () => number {
  let value = 0
  let dueAt = 0
  return () => {
    if (clock.now() < dueAt) return value
    const begun = performance.now()
    value = compute()
    dueAt = clock.now() + Math.max(LOOK_AGAIN_MS, (performance.now() - begun) / MAX_SHARE)
    return value
  }
}

/** As many connections as this process may open files. The user is notified when there are fewer than asked for. */
function roomHere(
  { concurrency }: CrawlSettings,
  notice: (text: string) => void,
): ReturnType<typeof connectionRoom> {
  const limit = openFileLimit()
  const wanted = { concurrency, idle: idleFor(concurrency) }
  const room = connectionRoom(wanted, { limit, open: openFileCount() })
  if (room.concurrency < concurrency) {
    notice(
      `warning: only ${limit} files may be open at once, so there are at most ${room.concurrency} ` +
        `requests in flight, not ${concurrency}; ulimit -n ${MANY_FILES} makes room`,
    )
  }
  return room
}

function crowdedText(code: string): string {
  return `warning: this machine has no room for more connections (${code}): fewer are made at a time`
}

/** A crawl without plug-ins loads nothing for them. */
async function pluginsOf(job: Job, notice: (text: string) => void) {
  const { plugins } = job.settings
  if (plugins.length === 0) return { ordering: null, hooks: null }
  const { openOwnOrdering } = await import('../plugin/own-ordering.ts')
  const { openRequestHooks } = await import('../plugin/request-hooks.ts')
  return { ordering: await openOwnOrdering(job, notice), hooks: openRequestHooks(plugins) }
}

await runChild('scouter', async ({ job, pagesSocket, pair }, workspace, notice) => {
  const { settings, seeds } = job
  const { ordering, hooks } = await pluginsOf(job, notice)
  const needs = frontierNeeds(job, runClock, ordering)
  const { frontier, clock } = await workspace.frontier(needs, pair)
  const holder = `crawl ${job.id}`
  const limiter = await workspace.hostLimiter({ holder, clock, isShared: true, pair })
  const ownListeners = await ownListenersOf(workspace.text)
  const { concurrency, idle } = roomHere(settings, notice)
  const fetcher = openFetcher({ ...settings, ...trustedHosts(job), ownListeners, idle })
  const within = { ...job, settings: { ...settings, concurrency } }
  const onCrowded = (code: string): void => notice(crowdedText(code))
  const world = { frontier, fetcher, limiter, clock, pagesSocket, onCrowded }
  const scouter = new Scouter({ ...world, ...(hooks && { hooks }), job: within })
  const fairness = nowAndThen(clock, () => {
    if (!hasSeveralSites(seeds)) return 1
    return fairnessOf(seeds, frontier.hosts(Number.POSITIVE_INFINITY), settings.delayMs).index
  })
  return {
    run: async () => {
      setWorkFlags()
      return { type: 'finished', why: await scouter.run() }
    },
    beat: () => ({
      type: 'beat',
      role: 'scouter',
      ...footprint(),
      counts: frontier.counts(),
      hosts: scouter.hosts(HOSTS_SHOWN),
      fairness: fairness(),
      ...scouter.traffic,
      ...(job.round === undefined ? {} : { revisits: frontier.status().revisits }),
    }),
    onMessage: (message) => {
      if (message.type === 'drain') scouter.drain()
      else if (message.type === 'enough') scouter.stopNewPages()
      else if (message.type === 'parser-died') scouter.parserDied(message.killed)
    },
    leave: () => scouter.drain(),
    [Symbol.asyncDispose]: async () => {
      await hooks?.[Symbol.asyncDispose]()
      await fetcher[Symbol.asyncDispose]()
      await limiter[Symbol.asyncDispose]()
      await frontier[Symbol.asyncDispose]()
    },
  }
})
