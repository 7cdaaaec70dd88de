// A later run of a crawl may have other settings: another ordering, a wider scope, a deeper limit. Then
// everything that waits is checked again, and so is every refusal that the change may reopen.
//
// A large frontier takes a while, so it is done in chunks. Each chunk is a transaction that also records the
// progress. If the process is killed, the next run continues from there. A run with yet other settings begins
// again, knowing that the rows were checked under several settings.
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Job } from '../../core/job.ts'
import { reasonCode } from '../../core/visit.ts'
import { inTransaction } from '../../db/sqlite.ts'
import {
  type Criteria,
  criteriaOf,
  forgetsLearned,
  forgetsSignals,
  isSame,
  reopenedBy,
} from '../reopened-refusals.ts'
import type { Admission } from './admission.ts'
import type { Hosts } from './hosts.ts'
import type { LimitedBuffer } from './limited-buffer.ts'
import type { LinkIntake } from './link-intake.ts'
import type { OrderingState } from './ordering-state.ts'
import type { Retries } from './retries.ts'
import type { StateCounts } from './state-counts.ts'
import { DELAYED, REFUSED } from './states.ts'
import { decodeUrlRow, type UrlRow } from './url-row.ts'
import type { UrlTable } from './url-table.ts'

const ROWS_AT_ONCE = 2000

export type JudgementOptions = {
  readonly db: DatabaseSync
  readonly job: Job
  readonly urls: UrlTable
  readonly hosts: Hosts
  readonly tally: StateCounts
  readonly retries: Retries
  readonly intake: LinkIntake
  readonly admission: Admission
  readonly buffer: LimitedBuffer | null
  readonly state: OrderingState
  /** Writes everything the parts have collected, and refuses nothing. */
  readonly save: () => void
}

/** Applies the job's settings to the file. Other work gets a turn between chunks. */
export async function reapplySettings(options: JudgementOptions): Promise<void> {
  const { db, job, state } = options
  const now = criteriaOf(job)
  const { by, upTo } = readJudgement(db)
  const goesOn = isSame(by.at(-1), now)
  const before = goesOn ? by.slice(0, -1) : by
  if (before.some((criteria) => forgetsLearned(criteria, now))) state.forget()
  state.load()
  if (before.length > 0) {
    if (!goesOn) saveJudgement(db, [...before, now])
    await rejudgeAll({ before, now, from: goesOn ? upTo : 0 }, options)
  }
  if (before.length > 0 || !goesOn) saveJudgement(db, [now])
  await trimAll(options)
}

async function rejudgeAll(
  { before, now, from }: { before: readonly Criteria[]; now: Criteria; from: number },
  options: JudgementOptions,
): Promise<void> {
  const { db, urls, save } = options
  const undone = reopenedBy(before, now)
  const isUnread = before.some((criteria) => forgetsSignals(criteria, now))
  // Also for settled pages: what they pass on or are credited for depends on their signals.
  const clear = db.prepare(
    'UPDATE url SET signals = NULL WHERE id > ? AND id <= ? AND signals IS NOT NULL',
  )
  const rows = db.prepare(`
    SELECT * FROM url WHERE id > ? AND state IN (0, 5, 7) ORDER BY id LIMIT ${ROWS_AT_ONCE}`)
  const saveProgress = db.prepare('UPDATE crawl SET judged_up_to = ?')
  let last = from
  for (let chunk = rows.all(last); chunk.length > 0; chunk = rows.all(last)) {
    const first = last
    last = Number(chunk.at(-1)?.id)
    inTransaction(db, () => {
      if (isUnread) clear.run(first, last)
      for (const row of chunk) {
        rejudge(decodeUrlRow(isUnread ? { ...row, signals: null } : row), undone, options)
      }
      save()
      urls.writeBehind({ all: true })
      saveProgress.run(last)
    })
    await setImmediate()
  }
  if (isUnread) clear.run(last, Number.MAX_SAFE_INTEGER)
}

/** The worst can be found only when all scores were computed under the same settings. */
async function trimAll({ db, buffer, save }: JudgementOptions): Promise<void> {
  while (buffer !== null && buffer.excess > 0) {
    inTransaction(db, () => {
      buffer.trim(ROWS_AT_ONCE)
      save()
    })
    await setImmediate()
  }
}

function rejudge(row: UrlRow, undone: ReadonlySet<string>, options: JudgementOptions): void {
  const { urls, intake, admission } = options
  if (row.state === REFUSED) {
    const code = reasonCode(row.reason)
    if (!undone.has(code)) return
    intake.reconsider(row, row.depth)
    return
  }
  const reason = admission.refusal(row.url, row.depth)
  if (reason !== null) {
    refuse(row, reason, options)
    return
  }
  const { depth, inLinks, signals } = row
  const priority = admission.score(row)
  if (priority !== row.priority) urls.setFacts(row.id, { depth, inLinks, signals, priority })
}

function refuse(row: UrlRow, reason: string, options: JudgementOptions): void {
  const { urls, hosts, tally, retries } = options
  const origin = hosts.originWithId(row.originId)
  if (row.state === DELAYED) retries.drop('page', row.id)
  else origin?.queue.drop(row.id)
  if (origin) hosts.touch(origin.host)
  urls.judge({ ...row, state: REFUSED, reason })
  tally.move(row.state, REFUSED)
  tally.refused(reason)
}

/** The criteria that rows were checked under, the newest last; none in a new file. */
function readJudgement(db: DatabaseSync): { by: readonly Criteria[]; upTo: number } {
  const row = db.prepare('SELECT judged_by, judged_up_to FROM crawl').get()
  return {
    by: JSON.parse(String(row?.judged_by ?? '[]')) as Criteria[],
    upTo: Number(row?.judged_up_to ?? 0),
  }
}

function saveJudgement(db: DatabaseSync, by: readonly Criteria[]): void {
  db.prepare('UPDATE crawl SET judged_by = ?, judged_up_to = 0').run(JSON.stringify(by))
}
