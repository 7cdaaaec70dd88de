// How pages per second grow with the number of owners, on simulated time: virtual scouters that fetch and parse
// nothing, each with a frontier of its own over partitions that all of them share. A server's limits are not
// part of this (saturation.ts measures them): it shows whether owners ever wait for each other.
//
//   simulated-owners.ts [--owners 1,2,4,8] [--hosts N] [--seconds N] [--concurrency N] [--latency MS] [--delay MS]
import { parseArgs } from 'node:util'
import type { Job } from '../../src/core/job.ts'
import { hostPolicyNamed } from '../../src/frontier/policy/index.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import { orderingNamed } from '../../src/ordering/index.ts'
import { OwnersFixture, openOwners } from '../../test/support/several-owners.ts'
import { SimulatedTime } from '../../test/support/simulated-time.ts'
import { VirtualScouter, VirtualStore } from '../../test/support/virtual-scouter.ts'
import { EndlessWeb, SALT } from '../endless-web.ts'
import { markdownTable } from '../table.ts'

const LINKS = 20
const NEW_LINKS = 4

const { values } = parseArgs({
  options: {
    owners: { type: 'string', default: '1,2,4,8' },
    hosts: { type: 'string', default: '400' },
    seconds: { type: 'string', default: '20' },
    concurrency: { type: 'string', default: '8' },
    latency: { type: 'string', default: '200' },
    delay: { type: 'string', default: '1000' },
    partitions: { type: 'string', default: '16' },
  },
})
const seconds = Number(values.seconds)
const concurrency = Number(values.concurrency)

function jobOf(): Job {
  return {
    ...({ id: 1, name: 'bench', origin: 'cli', seeds: [], topic: null, salt: SALT } as const),
    settings: {
      ...{ ...DEFAULT_SETTINGS, ignoreRobots: true, sitemaps: false, trapBudget: 0 },
      ...{ maxPages: Number.MAX_SAFE_INTEGER, delayMs: Number(values.delay), scope: 'any' },
    },
  }
}

type Measured = { readonly owners: number; readonly perSecond: number; readonly cpuMs: number }

async function measure(owners: number): Promise<Measured> {
  const time = new SimulatedTime()
  const job = jobOf()
  const ordering = orderingNamed('breadth-first')
  const place = new OwnersFixture({
    ...{ time, job, ordering, policy: hostPolicyNamed('fair') },
    partitions: Number(values.partitions),
    createScorer: () => ordering.createScorer({}, SALT),
    admit: () => null,
    templateOf: () => null,
  })
  const endless = new EndlessWeb({ hosts: Number(values.hosts) })
  const web = {
    linksOf: (lease: Parameters<EndlessWeb['linksOf']>[0]) =>
      endless.linksOf(lease, LINKS, NEW_LINKS),
    isHot: () => false,
    latencyOf: () => Number(values.latency),
  }
  const frontiers = await openOwners(place, owners, time)
  const seeds = endless.fronts()
  for (const frontier of frontiers) await time.until(frontier.add(seeds, 'seed'))
  const store = new VirtualStore(job.settings)
  const scouters = frontiers.map(
    (frontier) => new VirtualScouter({ frontier, time, store, web, concurrency }),
  )
  const { user, system } = process.cpuUsage()
  const ends = scouters.map((scouter) => scouter.run())
  await time.pass(1000 * seconds)
  const pages = store.pages.size
  const spent = process.cpuUsage({ user, system })
  for (const scouter of scouters) scouter.kill()
  await time.until(Promise.all(ends))
  const cpuMs = (spent.user + spent.system) / 1000
  return { owners, perSecond: pages / seconds, cpuMs: cpuMs / Math.max(1, pages) }
}

const measured: Measured[] = []
for (const owners of values.owners.split(',').map(Number)) measured.push(await measure(owners))
const first = measured[0]?.perSecond ?? 1
const rows = measured.map(({ owners, perSecond, cpuMs }) => [
  ...[String(owners), perSecond.toFixed(1), (perSecond / owners).toFixed(1)],
  ...[`${(perSecond / first).toFixed(2)}×`, cpuMs.toFixed(2)],
])
console.log(
  markdownTable(['owners', 'pages/s', 'per owner', 'of the first', 'CPU ms per page'], rows),
)
