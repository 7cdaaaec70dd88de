// The frontier at 100 thousand, a million and (with --full) ten million URLs over 1,000 hosts: time
// per URL added, per page settled and per pick, memory, disk, and how long opening again takes.
// Each size runs in a process of its own, so that memory is its own too. Asserts nothing.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Job } from '../src/core/job.ts'
import type { Found } from '../src/core/link.ts'
import type { Frontier, Lease } from '../src/frontier/frontier.ts'
import { hostPolicyNamed } from '../src/frontier/policy/index.ts'
import { openSqliteFrontier } from '../src/frontier/sqlite/sqlite-frontier.ts'
import { ManualClock } from '../src/lib/clock.ts'
import { DEFAULT_SETTINGS } from '../src/options/settings.ts'
import { orderingNamed } from '../src/ordering/index.ts'
import { EndlessWeb, SALT } from './endless-web.ts'
import { addTo, megabytes, round, timed } from './timed.ts'

const HOSTS = 1000
const LINKS = 60
const NEW_LINKS = 10
/** Pages per settle, as a busy crawl batches them. */
const BATCH = 16
const PICKED_PAGES = 20_000

async function measure(urls: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-frontier-'))
  try {
    const path = join(folder, 'frontier.db')
    let frontier = await open(path)
    const web = new EndlessWeb({ hosts: HOSTS })
    const adding = await grow(frontier, web, urls)
    const rssMb = megabytes(process.memoryUsage.rss())
    await frontier[Symbol.asyncDispose]()
    const diskMb = megabytes(statSync(path).size)
    const opening = await timed(async () => {
      frontier = await open(path)
    })
    const picking = await crawl(frontier, web)
    const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
    await frontier[Symbol.asyncDispose]()
    console.log(
      JSON.stringify({
        urls,
        add_us: adding.us,
        add_cpu_us: adding.cpuUs,
        ...picking,
        rss_mb: rssMb,
        peak_rss_mb: peakMb,
        disk_mb: diskMb,
        bytes_per_url: Math.round((diskMb * 1e6) / urls),
        reopen_ms: Math.round(opening.us / 1000),
      }),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Fills the frontier by settling pages, in batches, with links of which every other is new. */
async function grow(
  frontier: Frontier,
  web: EndlessWeb,
  urls: number,
): Promise<{ us: number; cpuUs: number }> {
  await frontier.add(web.fronts(), 'seed')
  let spent = { us: 0, cpuUs: 0 }
  let known = HOSTS
  while (known < urls) {
    const leases = await frontier.lease(BATCH)
    for (const lease of leases) send(frontier, lease)
    const updates = leases.map((lease) => stored(lease, web.linksOf(lease, LINKS, LINKS / 2)))
    known += leases.length * (LINKS / 2)
    const took = await timed(() => frontier.settle(updates))
    spent = { us: spent.us + took.us, cpuUs: spent.cpuUs + took.cpuUs }
  }
  return { us: round(spent.us / known), cpuUs: round(spent.cpuUs / known) }
}

/** The steady state: pick, send, settle with the usual mix of links. */
async function crawl(frontier: Frontier, web: EndlessWeb): Promise<Record<string, number>> {
  const leasing = { us: 0, cpuUs: 0 }
  const settling = { us: 0, cpuUs: 0 }
  for (let pages = 0; pages < PICKED_PAGES; ) {
    let leases: readonly Lease[] = []
    addTo(
      leasing,
      await timed(async () => {
        leases = await frontier.lease(BATCH)
        for (const lease of leases) send(frontier, lease)
      }),
    )
    const updates = leases.map((lease) => stored(lease, web.linksOf(lease, LINKS, NEW_LINKS)))
    addTo(settling, await timed(() => frontier.settle(updates)))
    pages += leases.length
  }
  return {
    pick_us: round(leasing.us / PICKED_PAGES),
    pick_cpu_us: round(leasing.cpuUs / PICKED_PAGES),
    settle_us: round(settling.us / PICKED_PAGES),
    settle_cpu_us: round(settling.cpuUs / PICKED_PAGES),
  }
}

function open(path: string): Promise<Frontier> {
  const quiet = { delayMs: 0, ignoreRobots: true, sitemaps: false }
  // No budget ends it.
  const settings = { ...DEFAULT_SETTINGS, ...quiet, maxPages: Number.MAX_SAFE_INTEGER }
  const job: Job = {
    id: 1,
    name: 'bench',
    origin: 'cli',
    seeds: [],
    settings,
    topic: null,
    salt: SALT,
  }
  const ordering = orderingNamed('breadth-first')
  return openSqliteFrontier({
    path,
    job,
    ordering,
    scorer: ordering.createScorer({}, 1),
    policy: hostPolicyNamed('fair'),
    admit: () => null,
    templateOf: () => null,
    clock: new ManualClock(),
  })
}

function send(frontier: Frontier, lease: Lease): void {
  frontier.requestSent(lease)
  frontier.requestEnded(lease, { ok: true })
}

function stored(lease: Lease, found: readonly Found[]) {
  return { lease, outcome: 'stored', likeness: lease.id, judged: null, found } as const
}

const size = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 0)
if (size > 0) {
  await measure(size)
} else {
  const sizes = [100_000, 1_000_000, ...(process.argv.includes('--full') ? [10_000_000] : [])]
  for (const each of sizes) {
    spawnSync(process.execPath, ['--expose-gc', import.meta.filename, String(each)], {
      stdio: 'inherit',
    })
  }
}
