// The scouter's process.
import { createAdmission } from '../core/admission.ts'
import { templateOf } from '../core/template.ts'
import { hostPolicyNamed } from '../frontier/policy/index.ts'
import { openSqliteFrontier } from '../frontier/sqlite/sqlite-frontier.ts'
import { systemClock } from '../lib/clock.ts'
import { optionValues, orderingNamed } from '../ordering/index.ts'
import { openFetcher } from '../scouter/fetcher.ts'
import { Scouter } from '../scouter/scouter.ts'
import { openSqliteHostTurns } from '../scouter/sqlite/sqlite-host-turns.ts'
import { footprint, runChild } from './child.ts'
import { frontierPath, hostTurnsPath } from './places.ts'
import { trustedHosts } from './trusted-hosts.ts'

const HOSTS_SHOWN = 50

await runChild('scouter', async ({ job, dataDir, pagesSocket }) => {
  const { settings, seeds } = job
  const clock = systemClock
  const ordering = orderingNamed(settings.ordering)
  const frontier = await openSqliteFrontier({
    path: frontierPath(dataDir, job.id),
    job,
    ordering,
    steering: ordering.steer(optionValues(ordering, settings.orderingOptions), job.salt),
    policy: hostPolicyNamed(settings.hostPolicy),
    admit: createAdmission(seeds, settings),
    templateOf,
    clock,
  })
  const turns = await openSqliteHostTurns({
    path: hostTurnsPath(dataDir),
    holder: `crawl ${job.id}`,
    clock,
  })
  const fetcher = openFetcher({ ...settings, trustedHosts: trustedHosts(job) })
  const scouter = new Scouter({ job, frontier, fetcher, turns, clock, pagesSocket })
  return {
    run: async () => ({ type: 'finished', why: await scouter.run() }),
    beat: () => ({
      type: 'beat',
      role: 'scouter',
      ...footprint(),
      counts: frontier.counts(),
      hosts: frontier.hosts(HOSTS_SHOWN),
      ...scouter.traffic,
    }),
    onMessage: (message) => {
      if (message.type === 'drain') scouter.drain()
      else if (message.type === 'parser-died') scouter.parserDied(message.killed)
    },
    leave: () => scouter.drain(),
    [Symbol.asyncDispose]: async () => {
      await fetcher[Symbol.asyncDispose]()
      await turns[Symbol.asyncDispose]()
      await frontier[Symbol.asyncDispose]()
    },
  }
})
