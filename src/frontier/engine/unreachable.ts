// What is unreachable: URLs behind a robots.txt that cannot be fetched, or on a host that keeps failing.
// Checks whether everything is, and gives it up.
//
// A host that answered before is waited for as long as the crawl's patience says. A host that never answered
// is given up after as many tries as a URL gets: most likely it does not exist.
import { isOutOfReach } from '../../core/host.ts'
import type { Refusal } from '../../core/visit.ts'
import type { Engine } from './engine.ts'
import type { Host, Origin } from './host.ts'
import { QUEUED, UNREACHABLE } from './states.ts'

type Concerned = Pick<
  Engine,
  | 'urls'
  | 'robots'
  | 'sitemaps'
  | 'stateCounts'
  | 'hosts'
  | 'retries'
  | 'revisits'
  | 'schedule'
  | 'clock'
  | 'maxRobotsFailures'
  | 'maxHostFailures'
  | 'patienceMs'
>

export function waitsOnlyBehind(parts: Concerned): boolean {
  const { stateCounts, sitemaps, revisits, schedule } = parts
  const isNew = schedule.onlyRevisits ? 0 : 1
  const waiting = revisits.waiting + isNew * (stateCounts.queued + sitemaps.waiting)
  if (waiting === 0) return false
  let behind = 0
  for (const [origin] of outOfReach(parts)) {
    behind += (origin.revisits?.size ?? 0) + origin.delayedRevisits
    behind += isNew * (origin.queue.size + origin.delayed + origin.sitemaps.length)
  }
  return behind === waiting
}

/** Returns how many URLs were refused. */
export function refuseBehind(parts: Concerned): number {
  const { retries, urls, stateCounts } = parts
  urls.writeBehind({ all: true })
  let refused = 0
  for (const [origin, reason] of [...outOfReach(parts)]) {
    const ids = urls.headOf(origin.id, Number.MAX_SAFE_INTEGER).map(([id]) => id)
    origin.queue.clear()
    for (const { kind, id } of retries.of(origin)) {
      if (kind !== 'page') continue
      retries.drop(kind, id)
      ids.push(id)
    }
    for (const id of ids) urls.settle(id, UNREACHABLE, { reason, tries: null, nextAt: null })
    stateCounts.move(QUEUED, UNREACHABLE, ids.length)
    refused += ids.length
    parts.sitemaps.giveUp(origin, reason)
    parts.revisits.giveUp(origin, reason)
    parts.hosts.touch(origin.host)
  }
  return refused
}

function* outOfReach(parts: Concerned): Generator<[Origin, Refusal]> {
  for (const host of parts.hosts.all()) {
    for (const origin of host.origins) {
      const isShut = origin.robots === 'unreachable'
      if (isHostLost(origin, parts)) {
        yield [origin, isShut && !isOutOfReach(host) ? 'robots-unreachable' : 'host-unreachable']
      } else if (isShut && isRobotsLost(origin, parts)) {
        yield [origin, isOutOfReach(host) ? 'host-unreachable' : 'robots-unreachable']
      }
    }
  }
}

function isHostLost(origin: Origin, parts: Concerned): boolean {
  const { host } = origin
  if (host.failures > 0) {
    const waitsUntil = host.downSince + parts.patienceMs
    if (parts.clock.now() >= waitsUntil || host.restsUntil > waitsUntil) return true
    if (!origin.answered && host.failures > parts.maxHostFailures) return true
  }
  return host.restsUntil > longestWait(host, parts)
}

/** Its robots.txt cannot be fetched. While the host itself fails, the duration of that failure decides. */
function isRobotsLost(origin: Origin, parts: Concerned): boolean {
  const { host, robotsAttempts, opensAt } = origin
  const isWaitedFor = origin.answered && host.failures > 0
  if (!isWaitedFor && robotsAttempts > parts.maxRobotsFailures) return true
  return opensAt > longestWait(host, parts)
}

/** The gap of a crawl is no rest, however long it is. */
function longestWait(host: Host, { clock, hosts, patienceMs }: Concerned): number {
  return clock.now() + Math.max(patienceMs, hosts.delayOf(host))
}
