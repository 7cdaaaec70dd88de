// Puts the parts of a frontier together, from an open file to a schedule of hosts.
import type { DatabaseSync } from 'node:sqlite'
import { createScope } from '../../core/admission.ts'
import type { Job } from '../../core/job.ts'
import type { Clock } from '../../lib/clock.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { Ordering, Steering } from '../../ordering/ordering.ts'
import type { HostPolicy } from '../policy/host-policy.ts'
import { Admission, type Admit } from './admission.ts'
import { Depths } from './depths.ts'
import type { QueueSource } from './host-queue.ts'
import { Hosts } from './hosts.ts'
import { Intake } from './intake.ts'
import { Leases } from './leases.ts'
import { LimitedBuffer } from './limited-buffer.ts'
import { Picking } from './picking.ts'
import { Rescoring } from './rescoring.ts'
import { Retries } from './retries.ts'
import { RobotsBook } from './robots-book.ts'
import { Schedule } from './schedule.ts'
import { SeenUrls } from './seen-urls.ts'
import { Settling } from './settling.ts'
import { Sitemaps } from './sitemaps.ts'
import { Tally } from './tally.ts'
import { type TemplateOf, Templates } from './templates.ts'
import { UrlTable } from './url-table.ts'

export type FrontierOptions = {
  /** `<data>/frontier-<crawl id>.db`; made when it is not there. */
  readonly path: string
  readonly job: Job
  readonly ordering: Ordering
  /** The ordering's side here, made for this run: `ordering.steer(…)`. */
  readonly steering: Steering
  readonly policy: HostPolicy
  readonly admit: Admit
  readonly templateOf: TemplateOf
  readonly clock: Clock
  /** Candidates kept in memory per origin; by default fewer the more hosts there are. */
  readonly headSize?: number
}

/** Heads of all hosts together: some 10 MB. */
const CANDIDATES_IN_MEMORY = 200_000
const MIN_HEAD = 4
/** However few retries a URL gets: so many failures in a row may be bad luck. */
const MIN_HOST_FAILURES = 4
const MAX_HEAD = 256

export type Parts = ReturnType<typeof createParts>

export function createParts(db: DatabaseSync, run: number, options: FrontierOptions) {
  const { job, clock, admit, ordering, steering, policy, templateOf } = options
  const { settings } = job
  const exactDepth = settings.maxDepth !== null
  const { rescoreOn } = ordering
  const urls = new UrlTable(db)
  const seen = new SeenUrls(db, urls.lastId())
  const tally = new Tally(db)
  const queueSource: QueueSource = {
    // A lease's row may still say queued: ask for that many more and leave them out.
    headOf: (originId, limit) =>
      urls
        .headOf(originId, limit + leases.unmarked.size)
        .filter(([id]) => !leases.holdsPage(id))
        .slice(0, limit),
    get headSize() {
      return options.headSize ?? headSizeFor(hosts.size)
    },
  }
  const hosts = new Hosts({ db, job, queueSource })
  const leases = new Leases({ clock, hosts, run })
  const isHeld = (id: number): boolean => leases.holdsPage(id)
  const retries = new Retries()
  const templates = new Templates({ db, templateOf, budget: settings.trapBudget })
  const admission = new Admission({ admit, steering, job, hosts, templates })
  const depthMatters = rescoreOn.includes('depth')
  const rescoring = new Rescoring({ urls, seen, hosts, admission, isHeld, depthMatters })
  const depths = new Depths({ db, urls, seen, rescoring, exact: exactDepth })
  const intake = new Intake({
    ...{ db, urls, seen, hosts, tally, admission, depths, rescoring, rescoreOn, exactDepth },
  })
  const robots = new RobotsBook({ db, hosts, ignore: settings.ignoreRobots })
  const sitemaps = new Sitemaps({
    db,
    job,
    hosts,
    retries,
    inScope: createScope(job.seeds, settings.scope),
  })
  const schedule = new Schedule({ policy, hosts, clock, perHost: settings.perHost })
  const picking = new Picking({
    ...{ clock, schedule, leases, urls, seen, sitemaps, tally },
    ignoreRobots: settings.ignoreRobots,
  })
  const settling = new Settling({
    ...{ clock, urls, seen, hosts, leases, tally, retries, sitemaps, templates, intake },
    hashUrl: createUrlHasher(job.salt),
  })
  const buffer =
    settings.buffer === null
      ? null
      : new LimitedBuffer({ db, limit: settings.buffer, urls, hosts, tally, templates, isHeld })
  loadRetries(db, hosts, retries)

  /** Writes whatever the parts have collected. */
  const save = (): void => {
    templates.write()
    urls.write()
    seen.write()
    hosts.write()
    tally.write(leases.unmarked.size)
  }
  /** The last thing in every transaction of a crawl that runs. */
  const write = (): void => {
    rescoring.apply()
    buffer?.trim()
    save()
  }
  return {
    ...{ urls, seen, tally, hosts, leases, retries, admission, intake, robots, sitemaps },
    ...{ templates, buffer, save },
    ...{ schedule, picking, settling, write, clock },
    /** Failures in a row after which a robots.txt or a host counts as out of reach. */
    maxRobotsFailures: settings.retries,
    maxHostFailures: Math.max(settings.retries, MIN_HOST_FAILURES),
  }
}

function headSizeFor(hosts: number): number {
  const share = Math.floor(CANDIDATES_IN_MEMORY / Math.max(1, hosts))
  return Math.min(MAX_HEAD, Math.max(MIN_HEAD, share))
}

function loadRetries(db: DatabaseSync, hosts: Hosts, retries: Retries): void {
  const waiting = db.prepare(
    'SELECT id, origin_id, next_at FROM url WHERE state IN (1, 7, 8) AND state = 7',
  )
  for (const row of waiting.iterate()) {
    const origin = hosts.originWithId(Number(row.origin_id))
    if (origin === undefined) continue
    retries.add({ kind: 'page', id: Number(row.id), origin }, Number(row.next_at))
  }
}
