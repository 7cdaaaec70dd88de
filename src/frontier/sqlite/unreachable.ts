// What is out of reach: behind a robots.txt that cannot be had, or on a host that keeps failing.
// Whether that is all there is, and how it is given up.
import type { DatabaseSync } from 'node:sqlite'
import type { Refusal } from '../../core/visit.ts'
import type { Origin } from './host.ts'
import type { Parts } from './parts.ts'
import { QUEUED, UNREACHABLE } from './states.ts'

type Concerned = Pick<
  Parts,
  | 'urls'
  | 'robots'
  | 'sitemaps'
  | 'tally'
  | 'hosts'
  | 'retries'
  | 'revisits'
  | 'schedule'
  | 'clock'
  | 'maxRobotsFailures'
  | 'maxHostFailures'
>

/** A crawl that has nothing else to do does not wait longer than this for a host in trouble. */
const LONGEST_WAIT_MS = 5 * 60_000

export function waitsOnlyBehind(parts: Concerned): boolean {
  const { tally, sitemaps, revisits, schedule } = parts
  const isNew = schedule.onlyRevisits ? 0 : 1
  const waiting = revisits.waiting + isNew * (tally.queued + sitemaps.waiting)
  if (waiting === 0) return false
  let behind = 0
  for (const [origin] of outOfReach(parts)) {
    behind += (origin.revisits?.size ?? 0) + origin.delayedRevisits
    behind += isNew * (origin.queue.size + origin.delayed + origin.sitemaps.length)
  }
  return behind === waiting
}

/** Returns how many URLs were refused. */
export function refuseBehind(db: DatabaseSync, parts: Concerned): number {
  const refuse = db.prepare(`
    UPDATE url SET state = ${UNREACHABLE}, reason = ?, next_at = NULL
    WHERE origin_id = ? AND state = 0`)
  const refuseDelayed = db.prepare(`
    UPDATE url SET state = ${UNREACHABLE}, reason = ?, next_at = NULL
    WHERE state IN (1, 7, 8) AND state = 7 AND origin_id = ?`)
  const { retries, urls } = parts
  urls.writeBehind({ all: true })
  let refused = 0
  for (const [origin, reason] of [...outOfReach(parts)]) {
    const urls =
      Number(refuse.run(reason, origin.id).changes) +
      Number(refuseDelayed.run(reason, origin.id).changes)
    refused += urls
    parts.tally.move(QUEUED, UNREACHABLE, urls)
    origin.queue.clear()
    for (const { kind, id } of retries.of(origin)) if (kind === 'page') retries.drop(kind, id)
    parts.sitemaps.giveUp(origin, reason)
    parts.revisits.giveUp(origin, reason)
    parts.hosts.touch(origin.host)
  }
  urls.forgetRows()
  return refused
}

function* outOfReach(parts: Concerned): Generator<[Origin, Refusal]> {
  const { hosts, clock, maxRobotsFailures, maxHostFailures } = parts
  const tooLate = clock.now() + LONGEST_WAIT_MS
  for (const host of hosts.all()) {
    const isTired = host.failures > 0 && host.restsUntil > tooLate
    const isDown = host.failures > maxHostFailures || isTired
    for (const origin of host.origins) {
      const isShut = origin.robots === 'unreachable'
      const isLost = origin.robotsAttempts > maxRobotsFailures || origin.opensAt > tooLate
      if (isShut && (isDown || isLost)) yield [origin, 'robots-unreachable']
      else if (isDown) yield [origin, 'host-unreachable']
    }
  }
}
