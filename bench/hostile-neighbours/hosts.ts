// The frontier alone with 100,000 hosts that have a page each, under one domain and with a domain each:
// time per page leased and settled, and bytes of memory per host, while they wait and when they are done.
// `CHECKOUT` may name another checkout.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Job } from '../../src/core/job.ts'
import type { CanonicalUrl } from '../../src/core/url.ts'
import type { Frontier, Lease } from '../../src/frontier/frontier.ts'
import { ManualClock } from '../../src/lib/clock.ts'
import { createUrlHasher } from '../../src/lib/url-hash.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import { round, timed } from '../timed.ts'

const HOSTS = 100_000
const MEASURED = 20_000
const BATCH = 16
const SALT = 7
const root = process.env.CHECKOUT ?? resolve(import.meta.dirname, '../..')

async function open(path: string, clock: ManualClock, seed: string): Promise<Frontier> {
  const { openSqliteFrontier } = await import(`${root}/src/frontier/sqlite/sqlite-frontier.ts`)
  const { hostPolicyNamed } = await import(`${root}/src/frontier/policy/index.ts`)
  const { orderingNamed } = await import(`${root}/src/ordering/index.ts`)
  const limits = { maxPages: 10_000_000, maxRequests: 10_000_000 }
  const settings = { ...DEFAULT_SETTINGS, ...limits, ignoreRobots: true, sitemaps: false }
  const about = { id: 1, name: 'bench', origin: 'cli', topic: null, salt: SALT } as const
  const job: Job = { ...about, seeds: [seed as CanonicalUrl], settings }
  const ordering = orderingNamed('breadth-first')
  return openSqliteFrontier({
    ...{ path, job, ordering, clock, policy: hostPolicyNamed('fair') },
    scorer: ordering.createScorer({}, 1),
    admit: () => null,
    templateOf: () => null,
  })
}

function memory(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function fetchAll(frontier: Frontier, clock: ManualClock, pages: number): Promise<void> {
  for (let done = 0; done < pages; ) {
    const leases: readonly Lease[] = await frontier.lease(BATCH)
    for (const lease of leases) {
      frontier.requestSent(lease)
      clock.advance(1)
      frontier.requestEnded(lease, { ok: true })
    }
    await frontier.settle(
      leases.map((lease) => {
        const facts = { likeness: lease.id, judged: null, found: [] }
        return { lease, outcome: 'stored', ...facts } as const
      }),
    )
    done += leases.length
    if (leases.length === 0 && frontier.status().readyAt === null) throw new Error('nothing left')
    if (leases.length === 0) clock.advance(1000)
  }
}

async function measure(domain: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-hosts-'))
  const hashUrl = createUrlHasher(SALT)
  const clock = new ManualClock()
  const frontier = await open(join(folder, 'frontier.db'), clock, 'http://x.test/')
  const before = memory()
  for (let host = 0; host < HOSTS; host += 1000) {
    const urls = Array.from({ length: 1000 }, (_, n) => `http://a${host + n}${domain}/`)
    const found = urls.map((url) => ({
      ...{ url: url as CanonicalUrl, hash: hashUrl(url as CanonicalUrl) },
      ...{ nofollow: false, signals: null },
    }))
    await frontier.add(found, 'seed')
  }
  const waiting = (memory() - before) / HOSTS
  const spent = await timed(() => fetchAll(frontier, clock, MEASURED))
  await fetchAll(frontier, clock, HOSTS - MEASURED)
  clock.advance(60_000)
  await frontier.lease(1)
  const done = (memory() - before) / HOSTS
  console.log(
    `${domain.padEnd(8)} ${round(spent.us / MEASURED)} µs a page, ` +
      `${Math.round(waiting)} bytes a host that waits, ${Math.round(done)} one that is done`,
  )
  await frontier[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
}

const [, , domain] = process.argv
if (domain !== undefined) {
  await measure(domain)
} else {
  for (const each of ['.test', '.x.test']) {
    spawnSync(process.execPath, ['--expose-gc', import.meta.filename, each], { stdio: 'inherit' })
  }
}
