// A later run of a crawl may come with other settings: another ordering, a wider scope, a deeper
// limit. Then everything that waits, or was refused by the old rules, is judged again.
import type { DatabaseSync } from 'node:sqlite'
import type { Job } from '../../core/job.ts'
import { reasonCode } from '../../core/visit.ts'
import { inTransaction } from '../../db/sqlite.ts'
import { type Admission, TOO_DEEP } from './admission.ts'
import type { Hosts } from './hosts.ts'
import type { Intake } from './intake.ts'
import type { Retries } from './retries.ts'
import { DELAYED, REFUSED } from './states.ts'
import type { Tally } from './tally.ts'
import { decodeUrlRow, type UrlRow, type UrlTable } from './url-table.ts'

const ROWS_AT_ONCE = 2000
/** Refusals that depend on settings alone. */
const BY_SETTINGS: readonly string[] = ['scope', 'filter', TOO_DEEP]

/** Whatever a verdict or a score depends on, as text that can be compared. */
export function judgementOf({ seeds, settings }: Job): string {
  const { ordering, orderingOptions, scope, include, exclude, maxDepth } = settings
  return JSON.stringify({ ordering, orderingOptions, scope, include, exclude, maxDepth, seeds })
}

export type RejudgeOptions = {
  readonly db: DatabaseSync
  readonly urls: UrlTable
  readonly hosts: Hosts
  readonly tally: Tally
  readonly retries: Retries
  readonly intake: Intake
  readonly admission: Admission
  /** Writes whatever the parts have collected. */
  readonly write: () => void
}

/** In chunks, each a transaction: killed in between, the next run simply begins again. */
export function rejudgeAll(options: RejudgeOptions): void {
  const { db } = options
  const rows = db.prepare(`
    SELECT * FROM url WHERE id > ? AND state IN (0, 5, 7) ORDER BY id LIMIT ${ROWS_AT_ONCE}`)
  let last = 0
  for (let chunk = rows.all(last); chunk.length > 0; chunk = rows.all(last)) {
    inTransaction(db, () => {
      for (const row of chunk) rejudge(decodeUrlRow(row), options)
      options.write()
    })
    last = Number(chunk.at(-1)?.id)
  }
}

function rejudge(row: UrlRow, options: RejudgeOptions): void {
  const { urls, hosts, tally, intake, admission, retries } = options
  if (row.state === REFUSED) {
    if (BY_SETTINGS.includes(reasonCode(row.reason))) intake.reconsider(row, row.depth)
    return
  }
  const reason = admission.refusal(row.url, row.depth)
  if (reason === null) {
    urls.setFacts({ ...row, priority: admission.score(row) })
    return
  }
  const origin = hosts.originWithId(row.originId)
  if (row.state === DELAYED) retries.drop('page', row.id)
  else origin?.queue.drop(row.id)
  if (origin) hosts.touch(origin.host)
  urls.judge({ ...row, state: REFUSED, reason })
  tally.move(row.state, REFUSED)
}
