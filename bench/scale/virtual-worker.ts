// One process of the saturation bench: several virtual workers that fetch and parse nothing. As a
// frontier's client they lease and settle pages with 60 links, of which 10 are new; as a store's they
// save pages in batches. Works until it is told to stop, and says how many pages it did.
//
//   virtual-worker.ts frontier|store URL NUMBER WORKERS

import { openPostgres } from '../../src/db/postgres.ts'
import { openRedis } from '../../src/db/redis.ts'
import type { Frontier, Lease } from '../../src/frontier/frontier.ts'
import { hostPolicyNamed } from '../../src/frontier/policy/index.ts'
import { openRedisFrontier } from '../../src/frontier/redis/redis-frontier.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import { orderingNamed } from '../../src/ordering/index.ts'
import { openPostgresPageStore } from '../../src/store/postgres/postgres-page-store.ts'
import { createPostgresJobStore } from '../../src/store/postgres/postgres-store.ts'
import { sampleJob } from '../../test/contract/sample-page.ts'
import { EndlessWeb, SALT } from '../endless-web.ts'
import { batchOfPages } from './pages-to-save.ts'

const HOSTS = 1000
const LINKS = 60
const NEW_LINKS = 10
const LEASES = 16
const SAVED = 48

const [kind, url = '', number = '0', workers = '1'] = process.argv.slice(2)
let isOver = false
let pages = 0
process.once('SIGTERM', () => {
  isOver = true
})

async function crawl(frontier: Frontier, web: EndlessWeb): Promise<void> {
  while (!isOver) {
    const leases = await frontier.lease(LEASES)
    if (leases.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    for (const lease of leases) {
      frontier.requestSent(lease)
      frontier.requestEnded(lease, { ok: true })
    }
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
  await using connection = await openRedis({ url })
  const web = new EndlessWeb({ hosts: HOSTS })
  const open = (joins: boolean): Promise<Frontier> =>
    openRedisFrontier({
      ...{ connection, job, ordering, scorer: ordering.createScorer({}, SALT), joins },
      ...{ policy: hostPolicyNamed('fair'), admit: () => null, templateOf: () => null },
      clock: systemClock,
    })
  if (number === '0') {
    await using frontier = await open(false)
    await frontier.add(web.fronts(), 'seed')
  }
  console.log('ready')
  await Promise.all(
    Array.from({ length: Number(workers) }, async () => {
      await using frontier = await open(true)
      await crawl(frontier, web)
    }),
  )
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
console.log(JSON.stringify({ pages }))
