// What an ordering costs in the frontier: time per link and per page beside breadth-first, which
// needs nothing of it, and memory and disk per URL. What judges read and note in the parser is
// measured by bench/topic.ts and bench/stages.ts.
// Each runs in a process of its own, so that memory is its own too. Asserts nothing.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Job } from '../src/core/job.ts'
import type { Frontier, Lease } from '../src/frontier/frontier.ts'
import { hostPolicyNamed } from '../src/frontier/policy/index.ts'
import { openSqliteFrontier } from '../src/frontier/sqlite/sqlite-frontier.ts'
import { ManualClock } from '../src/lib/clock.ts'
import { DEFAULT_SETTINGS } from '../src/options/settings.ts'
import { ORDERINGS, optionValues, orderingNamed } from '../src/ordering/index.ts'
import type { Ordering } from '../src/ordering/ordering.ts'
import { EndlessWeb, SALT } from './endless-web.ts'
import { addTo, megabytes, round, timed } from './timed.ts'

const HOSTS = 300
/**
 * As on a real web of 29,000 pages: a tenth of the links is new, the others lead half to pages that
 * were fetched and half to such that wait, and most of these were spoken of a moment ago.
 */
const LINKS = 60
const MENU = 20
const NEW_LINKS = 6
const SKEW = 2.5
/** Pages per settle, as a busy crawl batches them, and per second. */
const BATCH = 16
const PAGES_PER_SECOND = 500

/** Numbers that its judge notes of a link: they are made up here, since no page is read. */
const SIGNALS: Readonly<Record<string, number>> = {
  'hot-queue': 1,
  'fish-search': 1,
  'shark-search': 2,
  'link-context': 3,
  adaptive: 3,
}

async function measure(name: string, urls: number): Promise<void> {
  // Not as focused: a patient crawl would wait here for hosts that are busy.
  const ordering = { ...orderingNamed(name), focused: false }
  const signals = SIGNALS[name] ?? 0
  const folder = mkdtempSync(join(tmpdir(), 'bench-orderings-'))
  try {
    const path = join(folder, 'frontier.db')
    const clock = new ManualClock()
    const before = process.memoryUsage.rss()
    const frontier = await open(path, ordering, clock)
    const web = new EndlessWeb({ hosts: HOSTS, signals, menu: MENU, skew: SKEW })
    await frontier.add(web.fronts(), 'seed')
    await crawl(frontier, web, clock, urls - urls / 4)
    const spent = await crawl(frontier, web, clock, urls / 4)
    globalThis.gc?.()
    const memory = process.memoryUsage.rss() - before
    await frontier[Symbol.asyncDispose]()
    console.log(
      JSON.stringify({
        ordering: name,
        settle_us_per_link: round(spent.settling / LINKS, 2),
        settle_us_per_page: round(spent.settling),
        pick_us: round(spent.leasing),
        rss_mb: megabytes(memory),
        disk_bytes_per_url: Math.round(statSync(path).size / urls),
      }),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** CPU per page in microseconds, while so many URLs more become known. */
async function crawl(frontier: Frontier, web: EndlessWeb, clock: ManualClock, urls: number) {
  const leasing = { us: 0, cpuUs: 0 }
  const settling = { us: 0, cpuUs: 0 }
  let pages = 0
  while (pages * NEW_LINKS < urls) {
    let leases: readonly Lease[] = []
    addTo(
      leasing,
      await timed(async () => {
        leases = await frontier.lease(BATCH)
        for (const lease of leases) frontier.requestSent(lease)
        for (const lease of leases) frontier.requestEnded(lease, { ok: true })
      }),
    )
    const updates = leases.map((lease) => {
      const found = web.linksOf(lease, LINKS, NEW_LINKS)
      return { lease, outcome: 'stored', likeness: 1, judged: web.judge(), found } as const
    })
    addTo(settling, await timed(() => frontier.settle(updates)))
    pages += leases.length
    clock.advance((1000 * leases.length) / PAGES_PER_SECOND)
    // Leases are marked by a timer.
    if (pages % 100 < BATCH) await new Promise(setImmediate)
  }
  return { leasing: leasing.cpuUs / pages, settling: settling.cpuUs / pages }
}

function open(path: string, ordering: Ordering, clock: ManualClock): Promise<Frontier> {
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
  return openSqliteFrontier({
    ...{ path, job, clock, ordering, scorer: ordering.createScorer(optionValues(ordering, {}), 1) },
    policy: hostPolicyNamed('best'),
    admit: () => null,
    templateOf: () => null,
  })
}

const [name, size = '400000'] = process.argv.slice(2)
if (ORDERINGS.some((ordering) => ordering.name === name) && name !== undefined) {
  await measure(name, Number(size))
} else {
  const urls = process.argv.includes('--quick') ? 100_000 : 400_000
  for (const each of ORDERINGS) {
    spawnSync(process.execPath, ['--expose-gc', import.meta.filename, each.name, String(urls)], {
      stdio: 'inherit',
    })
  }
}
