// Assembles the parts of a frontier, from its rows to a schedule of hosts.
import { createScope } from '../../core/admission.ts'
import type { Job } from '../../core/job.ts'
import type { Clock } from '../../lib/clock.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { Ordering, Scorer } from '../../ordering/ordering.ts'
import type { HostPolicy } from '../policy/host-policy.ts'
import { Admission, type Admit } from './admission.ts'
import { BestHeads } from './best-heads.ts'
import { Depths } from './depths.ts'
import { Hosts } from './hosts.ts'
import { Learning } from './learning.ts'
import { Leases } from './leases.ts'
import { LimitedBuffer } from './limited-buffer.ts'
import { LinkIntake } from './link-intake.ts'
import { OrderingState } from './ordering-state.ts'
import { Picking } from './picking.ts'
import { QueueHeads } from './queue-heads.ts'
import { Queues } from './queues.ts'
import { RampUp } from './ramp-up.ts'
import { recover } from './recovery.ts'
import { Reranking } from './reranking.ts'
import { Rescoring } from './rescoring.ts'
import { Retries } from './retries.ts'
import { Revisits } from './revisits.ts'
import { RobotsBook } from './robots-book.ts'
import type { Rows } from './rows.ts'
import { Schedule } from './schedule.ts'
import { ScoreFloors } from './score-floors.ts'
import { SeenUrls } from './seen-urls.ts'
import { Settling } from './settling.ts'
import { Sitemaps } from './sitemaps.ts'
import { Spending } from './spending.ts'
import { StateCounts } from './state-counts.ts'
import { DELAYED } from './states.ts'
import { type TemplateOf, TrapBudget } from './trap-budget.ts'
import { UrlTable } from './url-table.ts'

export type FrontierOptions = {
  readonly job: Job
  readonly ordering: Ordering
  /** The scorer of the ordering, created for this run with `createScorer`. */
  readonly scorer: Scorer
  readonly policy: HostPolicy
  readonly admit: Admit
  readonly templateOf: TemplateOf
  readonly clock: Clock
  /** Candidates in memory per origin; by default fewer the more hosts there are. */
  readonly headSize?: number
  /** Idle hosts that stay in memory. */
  readonly idleInMemory?: number
}

/** How far the facts of waiting URLs may be behind on disk. */
const WRITE_FACTS_EVERY_MS = 5000
/** A minimum, however few retries a URL gets: this many failures in a row may be bad luck. */
const MIN_HOST_FAILURES = 4

/** A patient crawl never waits longer than this, or than its own delay. */
const MAX_WAIT_MS = 2000

export type Engine = ReturnType<typeof createEngine>

/** Begins a run on these rows. Call it inside a transaction. */
export function createEngine(rows: Rows, options: FrontierOptions) {
  const { job, clock, admit, ordering, scorer, policy, templateOf } = options
  const { settings } = job
  const run = recover(rows, job, clock.now())
  const { latestTry, latestExpiry, restOf } = run
  const hashUrl = createUrlHasher(job.salt)
  const exactDepth = settings.maxDepth !== null
  const { rescoreOn } = ordering
  const weighsSignals = rescoreOn.includes('signals')
  const weighsLinks = rescoreOn.includes('inLinks')
  const urls = new UrlTable(rows.url, { inMemory: weighsSignals || weighsLinks, exactDepth })
  const seen = new SeenUrls(rows, hashUrl)
  const tally = new StateCounts(rows.crawl, job.id)
  const isHeld = (id: number): boolean => leases.holdsPage(id)
  const heads = new QueueHeads({ rows, urls, isHeld, heldUnmarked: () => leases.unmarked.size })
  const queues = new Queues({
    ...{ scorer, urls, heads, headSize: options.headSize },
    hosts: () => hosts.size,
    learned: () => learning.learned,
  })
  const hosts = new Hosts({ rows, job, queues, restOf, idleInMemory: options.idleInMemory })
  const spending = new Spending(settings, hosts.all())
  const leases = new Leases({ clock, hosts, spending, run: run.number })
  const retries = new Retries()
  const held = (): number => leases.pagesHeld
  const revisits = new Revisits({
    ...{ rows: rows.revisit, urls, hosts, retries, isHeld, held, latestTry },
    round: rows.crawl.get(job.id)?.round ?? 0,
  })
  const templates = new TrapBudget({
    ...{ rows: rows.template, templateOf, budget: settings.trapBudget },
  })
  const admission = new Admission({ admit, scorer, job, hosts })
  const depthMatters = rescoreOn.includes('depth')
  const highestCounts = !(scorer.merge || scorer.drifts)
  const floors = weighsSignals && !weighsLinks && highestCounts ? new ScoreFloors() : null
  const rescoring = new Rescoring({ urls, seen, hosts, scorer, floors, isHeld, depthMatters })
  const learning = new Learning({ scorer, urls, hosts, tally })
  const { ranking } = scorer
  const edges = exactDepth || ranking !== undefined ? rows.edge : null
  const depths = new Depths({ edges: rows.edge, urls, seen, rescoring, exact: exactDepth })
  const isPatient = ordering.focused === true && policy.patient === true && !settings.eager
  const maxWaitMs = Math.max(MAX_WAIT_MS, settings.delayMs)
  const bestHeads = isPatient ? new BestHeads(maxWaitMs) : null
  const intake = new LinkIntake({
    ...{ scorer, urls, seen, hosts, tally, admission, depths, rescoring, edges, floors },
    ...{ rescoreOn, exactDepth, heads: bestHeads },
  })
  const state = new OrderingState({ rows, clock, name: ordering.name, scorer })
  const reranking =
    ranking &&
    new Reranking({ rows, crawlId: job.id, ranking, urls, seen, tally, rescoring, learning })
  const robots = new RobotsBook({
    ...{ rows: rows.robots, hosts, ignore: settings.ignoreRobots, latestExpiry },
  })
  const sitemaps = new Sitemaps({
    ...{ rows: rows.sitemap, job, hosts, retries, latestTry },
    inScope: createScope(job.seeds, settings.scope),
  })
  const schedule = new Schedule({
    ...{ policy, hosts, clock, maxWaitMs, heads: bestHeads },
    ...{ perHost: settings.perHost, delayMs: settings.delayMs },
  })
  const pace = new RampUp({
    concurrency: isPatient ? settings.concurrency : null,
    settled: tally.fetched,
    ...{ maxWaitMs, clock, leases, schedule },
  })
  const picking = new Picking({
    ...{ clock, schedule, leases, urls, seen, sitemaps, revisits, tally, templates },
    ...{ hosts, spending, retries },
    ignoreRobots: settings.ignoreRobots,
  })
  const settling = new Settling({
    ...{ clock, urls, seen, hosts, leases, tally, retries, sitemaps, templates, intake },
    ...{ learning, revisits, spending, hashUrl },
  })
  const buffer =
    settings.buffer === null
      ? null
      : new LimitedBuffer({ rows: rows.url, limit: settings.buffer, urls, hosts, tally, isHeld })
  loadRetries(rows, hosts, retries)

  /** Writes everything the parts have collected. */
  const save = (): void => {
    templates.write()
    seen.write()
    hosts.write()
    tally.write(leases.unmarked.size)
  }
  let factsWrittenAt = clock.now()
  /** The last step of every transaction of a running crawl. */
  const write = (): void => {
    buffer?.trim()
    save()
    const isDue = Math.abs(clock.now() - factsWrittenAt) >= WRITE_FACTS_EVERY_MS
    if (isDue) factsWrittenAt = clock.now()
    urls.writeBehind({ all: isDue })
    state.write(learning.learned)
  }
  /** The last step before the rows are closed. */
  const writeAll = (): void => {
    urls.writeBehind({ all: true })
    state.writeNow(learning.learned)
  }
  return {
    ...{ urls, seen, tally, hosts, leases, retries, revisits, admission, intake, robots, sitemaps },
    ...{ templates, buffer, save, state, learning, reranking },
    ...{ schedule, picking, settling, pace, write, writeAll, clock },
    crawlId: job.id,
    /** Failures in a row after which a robots.txt or a host counts as unreachable. */
    maxRobotsFailures: settings.retries,
    maxHostFailures: Math.max(settings.retries, MIN_HOST_FAILURES),
    patienceMs: settings.hostPatienceMs,
  }
}

function loadRetries(rows: Rows, hosts: Hosts, retries: Retries): void {
  for (const { id, originId, nextAt } of rows.url.pending(DELAYED)) {
    const origin = hosts.originWithId(originId)
    if (origin !== undefined) retries.add({ kind: 'page', id, origin }, nextAt ?? 0)
  }
}
