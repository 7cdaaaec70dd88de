// Kills processes of a running crawl at random moments and runs the same command again, until it
// ends by itself; then lists everything that is not as it must be.
import { setTimeout as wait } from 'node:timers/promises'
import type { AccessRecord } from '../../src/sample-web/access-log.ts'
import {
  extra,
  missing,
  politenessBreaches,
  twice,
  wrongStates,
} from '../../src/sample-web/checker.ts'
import { expectedCrawl } from '../../src/sample-web/oracle.ts'
import type { Stream } from '../../src/sample-web/random.ts'
import type { ServedSite } from '../../src/sample-web/server.ts'
import type { Site } from '../../src/sample-web/site.ts'
import {
  jelajah,
  type PageRow,
  pidsOf,
  type Run,
  readPages,
  readUrls,
  type UrlRow,
} from './crawling.ts'

export const ROLES = ['supervisor', 'scouter', 'parser'] as const
export type Kill = { readonly role: (typeof ROLES)[number]; readonly at: number }

export type KillOptions = {
  readonly args: readonly string[]
  /** Kills at most this many times; fewer when the crawl ends before. */
  readonly kills: number
  readonly random: Stream
  /** Requests so far: most kills wait for the next one, since a crawl that only starts has little to lose. */
  readonly requests?: () => number
  readonly root?: string
}

/** Gaps between kills: short enough to hit every stage, long enough that something happens. */
const SHORTEST_MS = 60
const LONGEST_MS = 600
const RUN_LIMIT = 200
/** One kill in so many does not wait for a request: it may hit a process that starts. */
const STARTING = 4
const PATIENCE_MS = 5_000
const POLL_MS = 10
/** A request that was sent before its sender was killed is noted by the server a moment after. */
const ON_THE_WAY_MS = 50

export async function crawlUnderFire(options: KillOptions): Promise<Kill[]> {
  const kills: Kill[] = []
  for (let runs = 0; runs < RUN_LIMIT; runs++) {
    const run = jelajah(options.args, options.root === undefined ? {} : { root: options.root })
    let over = false
    const ended = run.ended.then((end) => {
      over = true
      return end
    })
    while (!over && kills.length < options.kills) {
      const pause = SHORTEST_MS + options.random.below(LONGEST_MS - SHORTEST_MS)
      await Promise.race([ended, wait(pause).then(() => somethingHappened(options, () => over))])
      if (!over) killOne(run, options, kills)
    }
    const { code, stderr } = await ended
    if (code === 0) return kills
    if (code !== null) throw new Error(`the crawl ended with exit code ${code}: ${stderr}`)
  }
  throw new Error('the crawl never ended')
}

async function somethingHappened(
  { requests = () => 0, random }: KillOptions,
  isOver: () => boolean,
): Promise<void> {
  if (random.below(STARTING) === 0) return
  const before = requests()
  const until = performance.now() + PATIENCE_MS
  while (requests() === before && !isOver() && performance.now() < until) await wait(POLL_MS)
  await wait(random.below(LONGEST_MS / 2))
}

function killOne(run: Run, { random }: KillOptions, kills: Kill[]): void {
  const role = random.pick(ROLES)
  const supervisor = run.process.pid ?? -1
  const pids = role === 'supervisor' ? [supervisor] : pidsOf(supervisor, role)
  if (pids.length === 0) return
  const pid = random.pick(pids)
  try {
    process.kill(pid, 'SIGKILL')
    kills.push({ role, at: performance.timeOrigin + performance.now() })
  } catch {
    // It had just ended by itself.
  }
}

export type Evidence = {
  readonly site: Site
  readonly served: ServedSite
  readonly dataDir: string
  readonly seeds: readonly string[]
  readonly delayMs: number
  readonly kills: readonly Kill[]
}

/** Every broken promise, in words; empty when all were kept. */
export function brokenPromises(evidence: Evidence): string[] {
  const { dataDir, served, kills } = evidence
  return [
    ...brokenByRows(evidence, { pages: readPages(dataDir), urls: readUrls(dataDir) }),
    ...unexcusedRequests(served.log, kills).map((url) => `asked again without need: ${url}`),
  ]
}

export type Rows = {
  readonly pages: readonly Pick<PageRow, 'url' | 'duplicate_of'>[]
  readonly urls: readonly UrlRow[]
}

/** The same over what was read from any store, but for requests that need not have been. */
export function brokenByRows(
  { site, served, seeds, delayMs }: Omit<Evidence, 'dataDir' | 'kills'>,
  rows: Rows,
): string[] {
  const expected = expectedCrawl(site, { seeds, scope: 'domain' })
  const pages = rows.pages.map((row) => ({ url: row.url, duplicateOf: row.duplicate_of }))
  const urls = rows.urls.map((row) => ({ ...row, reason: row.reason ?? '' }))
  return [
    ...missing(pages, expected).map((url) => `missing: ${url}`),
    ...extra(pages, expected).map((url) => `not expected: ${url}`),
    ...twice(pages, expected).map((url) => `stored twice: ${url}`),
    ...wrongStates(urls, expected).map((text) => `state: ${text}`),
    ...impolite(served, delayMs),
  ]
}

/** Most of the delay counts: on a busy machine one request takes longer to get there than the next. */
export function impolite({ log, unseenMs }: ServedSite, delayMs: number): string[] {
  // Whoever forgets a host's clock asks at once.
  const rules = { delayMs, perHost: 1, toleranceMs: 0.75 * delayMs, unseenMs }
  return politenessBreaches(log, rules).map(({ host, detail }) => `impolite: ${host} ${detail}`)
}

/** A URL may be asked for again only when something was killed since it was asked for last. */
function unexcusedRequests(log: readonly AccessRecord[], kills: readonly Kill[]): string[] {
  const byUrl = Map.groupBy(log, ({ host, path }) => `http://${host}${path}`)
  return [...byUrl].flatMap(([url, records]) => {
    const starts = records.map(({ startedAt }) => startedAt).sort((a, b) => a - b)
    return starts.slice(1).some((start, nth) => {
      const before = starts[nth] ?? 0
      return !kills.some(({ at }) => at > before - ON_THE_WAY_MS && at < start)
    })
      ? [url]
      : []
  })
}
