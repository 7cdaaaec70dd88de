// The scouter's process.
import { fairnessOf, hasSeveralSites } from '../core/fairness.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { openFetcher } from '../scouter/fetcher.ts'
import { Scouter } from '../scouter/scouter.ts'
import { footprint, runChild } from './child.ts'
import { frontierNeeds } from './frontier-needs.ts'
import { ownListenersOf } from './own-listeners-of.ts'
import { trustedHosts } from './trusted-hosts.ts'

const HOSTS_SHOWN = 50
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

await runChild('scouter', async ({ job, pagesSocket }, place) => {
  const { settings, seeds } = job
  const { frontier, clock } = await place.frontier(frontierNeeds(job, systemClock))
  const copying = await place.copying(job)
  const turns = await place.hostTurns({ holder: `crawl ${job.id}`, clock, isShared: true })
  const ownListeners = await ownListenersOf(place.text)
  const fetcher = openFetcher({ ...settings, ...trustedHosts(job), ownListeners })
  const scouter = new Scouter({ job, frontier, fetcher, turns, clock, pagesSocket })
  const fairness = nowAndThen(clock, () => {
    if (!hasSeveralSites(seeds)) return 1
    return fairnessOf(seeds, frontier.hosts(Number.POSITIVE_INFINITY), settings.delayMs).index
  })
  return {
    run: async () => ({ type: 'finished', why: await scouter.run() }),
    beat: () => ({
      type: 'beat',
      role: 'scouter',
      ...footprint(),
      counts: frontier.counts(),
      hosts: scouter.hosts(HOSTS_SHOWN),
      fairness: fairness(),
      ...scouter.traffic,
      ...(job.round === undefined ? {} : { revisits: frontier.outlook().revisits }),
    }),
    onMessage: (message) => {
      if (message.type === 'drain') scouter.drain()
      else if (message.type === 'enough') scouter.enough()
      else if (message.type === 'parser-died') scouter.parserDied(message.killed)
    },
    leave: () => scouter.drain(),
    [Symbol.asyncDispose]: async () => {
      await fetcher[Symbol.asyncDispose]()
      await turns[Symbol.asyncDispose]()
      await frontier[Symbol.asyncDispose]()
      await copying[Symbol.asyncDispose]()
    },
  }
})
