// Workers, stores and leases in answers and events. Records of workers come from a Redis that others can
// write: neither their form nor their size is trusted.
import { jobId } from '../core/job.ts'
import type { CrawlLeases, FleetWorker, Holder, StoreState } from '../fleet/fleet.ts'
import { safeText } from '../lib/terminal.ts'
import type { ApiDeps } from './api-deps.ts'
import type { JobLeases, StoreShown, WorkerShown, Workers } from './shapes/worker.ts'

type FleetViewDeps = Pick<ApiDeps, 'fleet' | 'clock'>

const WORKERS_SHOWN = 256
const CRAWLS_SHOWN = 100
const MAX_NAME = 100
const MAX_WORDS = 500
const MAX_URL = 8192

export function workersView({ fleet, clock }: FleetViewDeps): Workers {
  const workers = fleet?.workers ?? []
  return {
    at: clock.now(),
    shared: fleet !== undefined,
    total: workers.filter(({ goneAt }) => goneAt === null).length,
    workers: workers.slice(0, WORKERS_SHOWN).map(workerView),
    stores: (fleet?.stores ?? []).map(storeView),
  }
}

export function storeView({ store, isUp, since, givesUpAt }: StoreState): StoreShown {
  return { store, up: isUp, since: whole(since), gives_up_at: givesUpAt && whole(givesUpAt) }
}

function workerView({ record, leases, goneAt }: FleetWorker): WorkerShown {
  const crawls = listed(record.shares).flatMap(crawlView)
  const isAtWork = crawls.some(({ pairs }) => pairs > 0)
  const here = record.isLeaving === true ? 'leaving' : isAtWork ? 'working' : 'waiting'
  return {
    id: name(record.id),
    name: name(record.name),
    machine: name(record.machine),
    pid: whole(record.pid),
    version: name(record.version),
    since: whole(record.since),
    condition: goneAt === null ? here : 'gone',
    gone_at: goneAt && whole(goneAt),
    pairs: whole(record.pairs),
    cpu: rounded(record.cpu),
    rss_bytes: whole(record.rssBytes),
    pages_per_second: goneAt === null ? rounded(record.pagesPerSecond) : 0,
    in_flight: goneAt === null ? whole(record.inFlight) : 0,
    leases: whole(leases),
    crawls: crawls.filter(({ pairs, trouble }) => pairs > 0 || trouble !== ''),
    declined: listed(record.declined).flatMap((one) => {
      const { crawl, why } = Object(one)
      return isCrawl(crawl) ? [{ id: jobId(crawl), why: words(why) }] : []
    }),
  }
}

function crawlView(share: unknown): WorkerShown['crawls'] {
  const { crawl, pairs, figures, trouble } = Object(share)
  if (!isCrawl(crawl)) return []
  const { saved } = Object(figures)
  const { message = '' } = Object(trouble)
  return [{ id: jobId(crawl), pairs: whole(pairs), stored: whole(saved), trouble: words(message) }]
}

type HolderShown = Pick<JobLeases['sessions'][number], 'worker' | 'name' | 'machine' | 'pid'>
const NOBODY: HolderShown = { worker: null, name: '', machine: '', pid: 0 }

export const NO_LEASES: Omit<JobLeases, 'at'> = {
  total: 0,
  shards: [],
  sessions: [],
  leases: [],
  hosts: [],
}

export function leasesView(all: CrawlLeases): JobLeases {
  const by = (session: string) => holderView(all.holders.get(session))
  const nameBy = (session: string) => {
    const { worker, name } = by(session)
    return { worker, name }
  }
  return {
    at: whole(all.now),
    total: whole(all.total),
    // Their former name, which clients know.
    shards: all.partitions.map(({ partition: shard, readyHosts, restingHosts, ...rest }) => {
      return { shard, ...rest, ready_hosts: readyHosts, resting_hosts: restingHosts }
    }),
    sessions: all.sessions.map(({ session, until, leases, hosts }) => {
      return { ...by(session), until: whole(until), leases: whole(leases), hosts: whole(hosts) }
    }),
    leases: all.leases.map(({ session, kind, url, host, startedAt, tries }) => {
      const started_at = startedAt && whole(startedAt)
      const about = { kind, url: url.slice(0, MAX_URL), host: host.slice(0, MAX_WORDS) }
      return { ...nameBy(session), ...about, started_at, tries: whole(tries) }
    }),
    hosts: all.hosts.map(({ host, session, until }) => {
      return { ...nameBy(session), host: host.slice(0, MAX_WORDS), until: whole(until) }
    }),
  }
}

function holderView(holder: Holder | undefined): HolderShown {
  if (holder === undefined) return NOBODY
  const { worker, machine, pid } = holder
  const shown = worker === null ? `${machine} (${pid})` : holder.name
  return {
    worker: worker === null ? null : name(worker),
    name: name(shown),
    machine: name(machine),
    pid: whole(pid),
  }
}

function listed(some: unknown): readonly unknown[] {
  return Array.isArray(some) ? some.slice(0, CRAWLS_SHOWN) : []
}

function isCrawl(id: unknown): id is number {
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 && id < 1e15
}

function name(text: unknown): string {
  return plain(text, MAX_NAME)
}

function words(text: unknown): string {
  return plain(text, MAX_WORDS)
}

/** Cut before it is scanned: it may be as long as Redis allows. */
function plain(text: unknown, most: number): string {
  return typeof text === 'string' ? safeText(text.slice(0, most)) : ''
}

function whole(value: unknown): number {
  return Math.round(finite(value))
}

function rounded(value: unknown): number {
  return Math.round(finite(value) * 1000) / 1000
}

/** Limits counts and times to sane values. */
function finite(value: unknown): number {
  const isOne = typeof value === 'number' && Number.isFinite(value)
  return isOne ? Math.min(1e15, Math.max(0, value)) : 0
}
