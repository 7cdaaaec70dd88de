// Puts URLs back into their queues whose pages turned out to be missing in the store. It is plain SQL on a
// file that nobody has open.
import type { DatabaseSync } from 'node:sqlite'
import { DUPLICATE, QUEUED, STORED } from './states.ts'

/** Only URLs that were stored or duplicates. The caller has begun a transaction. Returns their number. */
export function requeue(db: DatabaseSync, ids: readonly number[]): number {
  const read = db.prepare(
    `SELECT origin_id, state FROM url WHERE id = ? AND state IN (${STORED}, ${DUPLICATE})`,
  )
  const back = db.prepare(
    `UPDATE url SET state = ${QUEUED}, reason = '', tries = 0, next_at = NULL WHERE id = ?`,
  )
  const forget = db.prepare('DELETE FROM revisit WHERE url_id = ?')
  const host = db.prepare(`
    UPDATE host SET open_http = open_http + ?1, open_https = open_https + ?2, stored = stored - ?3
    WHERE id = ?4`)
  const count = db.prepare(`
    UPDATE crawl SET queued = queued + 1, stored = stored - ?1, duplicate = duplicate - 1 + ?1`)
  let done = 0
  for (const id of ids) {
    const row = read.get(id)
    if (row === undefined) continue
    const [hostId, isHttps] = [Number(row.origin_id) >> 1, Number(row.origin_id) & 1]
    const wasStored = Number(row.state) === STORED ? 1 : 0
    back.run(id)
    forget.run(id)
    host.run(1 - isHttps, isHttps, wasStored, hostId)
    count.run(wasStored)
    done += 1
  }
  return done
}
