// Assembles the parts of a frontier, from its rows to a schedule of hosts.
import { createScope } from '../../core/admission.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { RobotsRecord } from '../frontier.ts'
import { Admission } from './admission.ts'
import { recover } from './begin-run.ts'
import type { FrontierOptions } from './frontier-options.ts'
import type { Origin } from './host.ts'
import { Hosts } from './hosts.ts'
import { Leases } from './leases.ts'
import { LimitedBuffer } from './limited-buffer.ts'
import { LinkIntake, type OtherPartitions } from './link-intake.ts'
import { OrderingFeedback, OrderingState } from './ordering-feedback.ts'
import type { OwnerParts } from './owner-parts.ts'
import { Picking } from './picking.ts'
import { QueueHeads, Queues } from './queues.ts'
import { RedirectLoops } from './redirect-loops.ts'
import { Reranking } from './reranking.ts'
import { Depths, Rescoring, ScoreFloors } from './rescoring.ts'
import { Retries } from './retries.ts'
import { Revisits } from './revisits.ts'
import type { RobotsRows, Rows } from './rows.ts'
import { SeenUrls } from './seen-urls.ts'
import { Settling } from './settling.ts'
import { Sitemaps } from './sitemaps.ts'
import { Spending } from './spending.ts'
import { StateCounts } from './state-counts.ts'
import { DELAYED } from './states.ts'
import { TrapBudget } from './trap-budget.ts'
import { UrlTable } from './url-table.ts'

/** How far the facts of waiting URLs may be behind on disk. */
const WRITE_FACTS_EVERY_MS = 5000
/** A minimum, however few retries a URL gets: this many failures in a row may be bad luck. */
const MIN_HOST_FAILURES = 4

export type EngineOptions = FrontierOptions & {
  /** The number of this partition; 0 if there is only one. */
  readonly partition?: number
  /** Null if there is only one partition. */
  readonly otherPartitions?: OtherPartitions | null
}

export type Engine = ReturnType<typeof createEngine>

/** Begins a run on these rows. Call it inside a transaction. */
export function createEngine(rows: Rows, options: EngineOptions, owner: OwnerParts) {
  const { job, clock, admit, ordering, scorer, templateOf } = options
  const { partition = 0, otherPartitions = null } = options
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
  const stateCounts = new StateCounts(rows.crawl, job.id)
  const isHeld = (id: number): boolean => leases.hasPage(id)
  const heads = new QueueHeads({ rows, urls, isHeld, heldUnmarked: () => leases.unmarked.size })
  const queues = new Queues({
    ...{ scorer, urls, heads, headSize: options.headSize },
    hosts: () => hosts.size,
    learned: () => owner.learned,
  })
  const hosts = new Hosts({
    ...{ rows, job, queues, restOf, partition, idleInMemory: options.idleInMemory },
    isHere: (url) => (otherPartitions?.partitionOf(url) ?? null) === null,
  })
  const beside = (): number => owner.requestsBeside(partition)
  const spending = new Spending({ settings, hosts: hosts.all(), beside })
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
  const feedback = new OrderingFeedback({
    scorer,
    urls,
    hosts,
    stateCounts,
    owner,
    otherPartitions,
    partition,
  })
  const { ranking } = scorer
  const edges = exactDepth || ranking !== undefined ? rows.edge : null
  const depths = new Depths({
    ...{ edges: rows.edge, urls, seen, rescoring, exact: exactDepth, otherPartitions },
  })
  const intake = new LinkIntake({
    ...{ scorer, urls, seen, hosts, stateCounts, admission, depths, rescoring, edges, floors },
    ...{ rescoreOn, exactDepth, heads: owner.heads, otherPartitions },
  })
  const part = otherPartitions === null ? undefined : partition
  const state = new OrderingState({ rows, clock, name: ordering.name, scorer, part })
  const reranking =
    ranking &&
    new Reranking({ rows, crawlId: job.id, ranking, urls, seen, stateCounts, rescoring, feedback })
  const robots = new RobotsBook({
    ...{ rows: rows.robots, hosts, ignore: settings.ignoreRobots, latestExpiry },
  })
  const sitemaps = new Sitemaps({
    ...{ rows: rows.sitemap, job, hosts, retries, latestTry, otherPartitions },
    inScope: createScope(job.seeds, settings.scope),
  })
  const { schedule } = owner
  const picking = new Picking({
    ...{ clock, schedule, leases, urls, seen, sitemaps, revisits, stateCounts, templates },
    ...{ hosts, spending, retries },
    ignoreRobots: settings.ignoreRobots,
  })
  const loops = new RedirectLoops({ seen, urls, revisits, hashUrl, otherPartitions })
  const settling = new Settling({
    ...{ clock, urls, seen, hosts, leases, stateCounts, retries, sitemaps, templates, intake },
    ...{ feedback, revisits, spending, hashUrl, loops },
  })
  const buffer =
    settings.buffer === null
      ? null
      : new LimitedBuffer({
          rows: rows.url,
          limit: settings.buffer,
          urls,
          hosts,
          stateCounts,
          isHeld,
        })
  loadRetries(rows, hosts, retries)

  /** Writes everything the parts have collected. */
  const save = (): void => {
    templates.write()
    seen.write()
    hosts.write()
    stateCounts.write(leases.unmarked.size)
  }
  let factsWrittenAt = clock.now()
  /** The last step of every transaction of a running crawl. */
  const write = (): void => {
    buffer?.trim()
    save()
    const isDue = Math.abs(clock.now() - factsWrittenAt) >= WRITE_FACTS_EVERY_MS
    if (isDue) factsWrittenAt = clock.now()
    urls.writeBehind({ all: isDue })
    state.write(owner.learned)
  }
  /** The last step before the rows are closed. */
  const writeAll = (): void => {
    urls.writeBehind({ all: true })
    state.writeNow(owner.learned)
  }
  return {
    ...{
      urls,
      seen,
      stateCounts,
      hosts,
      leases,
      retries,
      revisits,
      admission,
      intake,
      robots,
      sitemaps,
    },
    ...{ templates, buffer, save, state, feedback, reranking, loops },
    ...{ schedule, picking, settling, spending, write, writeAll, clock, partition },
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

type RobotsBookOptions = {
  readonly rows: RobotsRows
  readonly hosts: Hosts
  readonly ignore: boolean
  /** The latest time until which any copy may be used, as of the beginning of this run. */
  readonly latestExpiry: number
}

/**
 * The robots.txt of each origin. The text stays in its row; memory only holds whether it is known, and
 * until when.
 */
class RobotsBook {
  readonly #rows: RobotsRows

  constructor({ rows, hosts, ignore, latestExpiry }: RobotsBookOptions) {
    this.#rows = rows
    // Records of an earlier run that obeyed robots.txt must not delay this one.
    if (ignore) return
    const late: string[] = []
    for (const known of rows.knownRobots()) {
      const expiresAt = Math.min(known.expiresAt, latestExpiry)
      if (expiresAt < known.expiresAt) late.push(known.origin)
      const origin = hosts.originNamed(known.origin)
      if (origin) note(origin, { ...known, expiresAt })
    }
    for (const origin of late) rows.update(origin, { expiresAt: latestExpiry })
  }

  read(origin: string): RobotsRecord | null {
    return this.#rows.get(origin) ?? null
  }

  save(origin: Origin, record: RobotsRecord): void {
    const [fetchedAt, expiresAt] = [Math.floor(record.fetchedAt), Math.ceil(record.expiresAt)]
    this.#rows.put({ ...record, origin: origin.name, fetchedAt, expiresAt })
    note(origin, { ...record, expiresAt })
  }
}

function note(
  origin: Origin,
  { status, expiresAt, attempts }: Pick<RobotsRecord, 'status' | 'expiresAt' | 'attempts'>,
): void {
  origin.robots = status === 'unreachable' ? 'unreachable' : 'known'
  origin.robotsUntil = expiresAt
  origin.robotsAttempts = attempts
}
