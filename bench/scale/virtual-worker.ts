// One process of the saturation bench: virtual workers that fetch and parse nothing. As a frontier's client
// they share one frontier, as the requests of one scouter do: each leases pages, waits as for their answers,
// and settles them with 60 links, of which 10 are new. As a store's they save pages in batches. Works until
// it is told to stop; after SIGUSR2 it says how many pages it did and the processor time it took, in seconds.
//
//   virtual-worker.ts frontier|store URL NUMBER WORKERS [LATENCY_MS]
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgres } from '../../src/db/postgres.ts'
import { openRedis } from '../../src/db/redis.ts'
import type { Frontier, Lease } from '../../src/frontier/frontier.ts'
import { newOwner } from '../../src/frontier/partitions/membership.ts'
import { openPartitionedFrontier } from '../../src/frontier/partitions/partitioned-frontier.ts'
import { hostPolicyNamed } from '../../src/frontier/policy/index.ts'
import { createPostgresStorage } from '../../src/frontier/postgres/postgres-storage.ts'
import { createRedisStorage } from '../../src/frontier/redis/redis-storage.ts'
import { openWorkingCopy } from '../../src/frontier/sqlite/sqlite-rows.ts'
import type { FrontierStorage } from '../../src/frontier/storage.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import { orderingNamed } from '../../src/ordering/index.ts'
import { openPostgresPageStore } from '../../src/store/postgres/postgres-page-store.ts'
import { sampleJob } from '../../test/contract/sample-page.ts'
import { createPostgresJobStore } from '../../test/support/stores.ts'
import { EndlessWeb, SALT } from '../endless-web.ts'
import { batchOfPages } from './pages-to-save.ts'

const HOSTS = 1000
const LINKS = 60
const NEW_LINKS = 10
const LEASES = 16
const SAVED = 48
/** As many as a crawl has unless its user says otherwise. */
const PARTITIONS = 16
const LEASE_MS = 10_000

const [kind, url = '', number = '0', workers = '1', latencyMs = '50'] = process.argv.slice(2)
let isOver = false
let pages = 0
process.once('SIGTERM', () => {
  isOver = true
})
process.on('SIGUSR2', () => {
  const { user, system } = process.cpuUsage()
  console.log(JSON.stringify({ pages, cpu: (user + system) / 1e6 }))
})

async function crawl(frontier: Frontier, web: EndlessWeb): Promise<void> {
  while (!isOver) {
    const leases = await frontier.lease(LEASES)
    for (const lease of leases) frontier.requestSent(lease)
    await pause(leases.length === 0 ? 5 : Number(latencyMs))
    for (const lease of leases) frontier.requestEnded(lease, { ok: true })
    await frontier.settle(leases.map((lease) => stored(lease, web)))
    pages += leases.length
  }
}

function stored(lease: Lease, web: EndlessWeb) {
  const found = web.linksOf(lease, LINKS, NEW_LINKS)
  return { lease, outcome: 'stored', found, judged: null, likeness: 1 } as const
}

async function loadFrontier(): Promise<void> {
  const settings = { ...DEFAULT_SETTINGS, delayMs: 0, ignoreRobots: true, sitemaps: false }
  const ordering = orderingNamed('breadth-first')
  const job = {
    ...({ id: 1, name: 'bench', origin: 'cli', seeds: [], topic: null, salt: SALT } as const),
    settings: { ...settings, maxPages: Number.MAX_SAFE_INTEGER, perHost: 4 },
  }
  await using stack = new AsyncDisposableStack()
  const storage = await openStorage(stack)
  const frontier = stack.use(
    await openPartitionedFrontier({
      ...{ storage, partitions: await storage.divide(job, PARTITIONS), owner: newOwner() },
      ...{ leaseMs: LEASE_MS, openCopy: () => openWorkingCopy() },
      ...{ job, ordering, scorer: ordering.createScorer({}, SALT) },
      ...{ policy: hostPolicyNamed('fair'), admit: () => null, templateOf: () => null },
    }),
  )
  const web = new EndlessWeb({ hosts: HOSTS })
  // Every owner adds the seeds of its partitions.
  await frontier.add(web.fronts(), 'seed')
  console.log('ready')
  await Promise.all(Array.from({ length: Number(workers) }, () => crawl(frontier, web)))
}

async function openStorage(stack: AsyncDisposableStack): Promise<FrontierStorage> {
  if (url.startsWith('redis')) return createRedisStorage(stack.use(await openRedis({ url })))
  return createPostgresStorage(stack.use(await openPostgres({ url })))
}

async function loadStore(): Promise<void> {
  await using db = await openPostgres({ url })
  const jobs = createPostgresJobStore(db)
  const settings = { ...DEFAULT_SETTINGS, maxPages: Number.MAX_SAFE_INTEGER }
  const job =
    (await jobs.findByName('bench')) ?? (await jobs.create(sampleJob({ name: 'bench', settings })))
  console.log('ready')
  await Promise.all(
    Array.from({ length: Number(workers) }, async (_, worker) => {
      await using store = await openPostgresPageStore({ db, job })
      for (let batch = 0; !isOver; batch += 1) {
        const toSave = batchOfPages(SAVED, [Number(number), worker, batch])
        await store.save(toSave)
        store.acknowledge(toSave.map(({ page }) => page.fields.url))
        pages += SAVED
      }
    }),
  )
}

await (kind === 'store' ? loadStore() : loadFrontier())
