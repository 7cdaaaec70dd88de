// Kills processes of a running crawl at random moments and runs the same command again, until it
// ends by itself; then lists everything that is not as it must be.
import { setTimeout as wait } from 'node:timers/promises'
import {
  extra,
  missing,
  politenessBreaches,
  twice,
  wrongStates,
} from '../../src/sample-web/checker.ts'
import { expectedCrawl } from '../../src/sample-web/oracle.ts'
import { Stream } from '../../src/sample-web/random.ts'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite, type Site } from '../../src/sample-web/site.ts'
import {
  jelajah,
  type PageRow,
  pidsOf,
  type Run,
  readPages,
  readUrls,
  temporaryFolder,
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

const DELAY_MS = 100
/** As many seconds of work as there are kills for, and the last host ends with the first. */
const PAGES_PER_HOST = 50
const HOSTS = ['satu', 'dua', 'tiga', 'empat', 'lima', 'enam', 'tujuh', 'docs.satu']

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
/** Children of a killed supervisor notice it on their next turn, late on a busy machine; what they then fetch may be lost. */
const LEAVING_MS = 1000

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
  /** Pages that may be asked for again although nothing was killed. */
  readonly excused?: ReadonlySet<string>
}

/** Every broken promise, in words; empty when all were kept. */
export function brokenPromises(evidence: Evidence): string[] {
  const { dataDir, served, kills, excused } = evidence
  const again = unexcusedRequests(served, kills).filter((url) => !excused?.has(url))
  return [
    ...brokenByRows(evidence, { pages: readPages(dataDir), urls: readUrls(dataDir) }),
    ...again.map((url) => `asked again without need: ${url}`),
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
function unexcusedRequests({ log, unseenMs }: ServedSite, kills: readonly Kill[]): string[] {
  const byUrl = Map.groupBy(log, ({ host, path }) => `http://${host}${path}`)
  return [...byUrl].flatMap(([url, records]) => {
    const starts = records.map(({ startedAt }) => startedAt).sort((a, b) => a - b)
    return starts.slice(1).some((start, nth) => {
      const before = starts[nth] ?? 0
      // Longer where the server saw nothing for a while.
      const unseen = unseenMs(before - LEAVING_MS, before)
      return !kills.some(({ role, at }) => {
        const lateMs = role === 'supervisor' ? LEAVING_MS : ON_THE_WAY_MS
        return at > before - lateMs - unseen && at < start
      })
    })
      ? [url]
      : []
  })
}

/** A crawl of a small web whose processes are killed at random moments, and what is wrong in the end. */
export async function crawlOnce(options: {
  readonly seed: number
  readonly kills: number
  readonly pages?: number
  readonly scouters?: number
  readonly root?: string
}): Promise<{ kills: readonly Kill[]; broken: string[] }> {
  const { seed, kills: wanted, pages = PAGES_PER_HOST, scouters = 1, ...rest } = options
  const hosts = HOSTS.map((name) => ({ name, pages }))
  const site = createSite({ seed, hosts, meanBytes: 5_000 })
  await using served = await startSite(site)
  await using folder = await temporaryFolder()
  const seeds = served.seeds
  const args = ['crawl', ...seeds, '--data', folder.path, '--delay', `${DELAY_MS}`]
  // docs.satu is no seed, so the address guard would refuse it.
  args.push('--allow-private', '--quiet', '--scouters', `${scouters}`)
  const random = new Stream(seed)
  const requests = (): number => served.log.length
  const kills = await crawlUnderFire({ args, kills: wanted, random, requests, ...rest })
  const evidence = { site, served, dataDir: folder.path, seeds, delayMs: DELAY_MS, kills }
  return { kills, broken: brokenPromises(evidence) }
}
