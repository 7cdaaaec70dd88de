// What waits behind a robots.txt that cannot be reached: whether that is all there is, and how it
// is given up.
import type { DatabaseSync } from 'node:sqlite'
import type { Parts } from './parts.ts'
import { QUEUED, UNREACHABLE } from './states.ts'

type Concerned = Pick<Parts, 'robots' | 'sitemaps' | 'tally' | 'hosts' | 'retries'>

export function waitsOnlyBehind({ robots, sitemaps, tally }: Concerned): boolean {
  const waiting = tally.queued + sitemaps.waiting
  if (waiting === 0) return false
  let behind = 0
  for (const origin of robots.unreachable) {
    behind += origin.queue.size + origin.delayed + origin.sitemaps.length
  }
  return behind === waiting
}

/** Returns how many URLs were refused. */
export function refuseBehind(db: DatabaseSync, parts: Concerned): number {
  const refuse = db.prepare(`
    UPDATE url SET state = ${UNREACHABLE}, reason = 'robots-unreachable', next_at = NULL
    WHERE origin_id = ? AND state = 0`)
  const refuseDelayed = db.prepare(`
    UPDATE url SET state = ${UNREACHABLE}, reason = 'robots-unreachable', next_at = NULL
    WHERE state IN (1, 7, 8) AND state = 7 AND origin_id = ?`)
  const { retries } = parts
  let refused = 0
  for (const origin of parts.robots.unreachable) {
    const urls =
      Number(refuse.run(origin.id).changes) + Number(refuseDelayed.run(origin.id).changes)
    refused += urls
    parts.tally.move(QUEUED, UNREACHABLE, urls)
    origin.queue.clear()
    for (const { kind, id } of retries.of(origin)) if (kind === 'page') retries.drop(kind, id)
    parts.sitemaps.giveUp(origin)
    parts.hosts.touch(origin.host)
  }
  return refused
}
