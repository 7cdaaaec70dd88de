// A later run of a crawl may have other settings: another ordering, a wider scope, a deeper limit. Then
// everything that waits is checked again, and so is every refusal that the change may reopen.
//
// A large frontier takes a while, so it is done in chunks. Each chunk is a transaction that also records the
// progress. If the process is killed, the next run continues from there. A run with yet other settings begins
// again, knowing that the rows were checked under several settings.
import { setImmediate } from 'node:timers/promises'
import type { Job } from '../../core/job.ts'
import { reasonCode } from '../../core/visit.ts'
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
import type { OrderingState } from './ordering-feedback.ts'
import type { Retries } from './retries.ts'
import type { Rows, UrlRow } from './rows.ts'
import type { StateCounts } from './state-counts.ts'
import { DELAYED, QUEUED, REFUSED } from './states.ts'
import type { UrlTable } from './url-table.ts'

const ROWS_AT_ONCE = 2000
const REJUDGED = [QUEUED, REFUSED, DELAYED]

type JudgementOptions = {
  readonly rows: Rows
  readonly job: Job
  readonly urls: UrlTable
  readonly hosts: Hosts
  readonly stateCounts: StateCounts
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
  const { rows, job, state } = options
  const now = criteriaOf(job)
  const { by, upTo } = readJudgement(options)
  const goesOn = isSame(by.at(-1), now)
  const before = goesOn ? by.slice(0, -1) : by
  if (before.some((criteria) => forgetsLearned(criteria, now))) {
    rows.transaction(() => {
      state.forget()
      rows.crawl.update(job.id, { rankedAt: 0 })
    })
  }
  state.load()
  if (before.length > 0) {
    if (!goesOn) saveJudgement(options, [...before, now])
    await rejudgeAll({ before, now, from: goesOn ? upTo : 0 }, options)
  }
  if (before.length > 0 || !goesOn) saveJudgement(options, [now])
  await trimAll(options)
}

async function rejudgeAll(
  { before, now, from }: { before: readonly Criteria[]; now: Criteria; from: number },
  options: JudgementOptions,
): Promise<void> {
  const { rows, job, urls, save } = options
  const undone = reopenedBy(before, now)
  const isUnread = before.some((criteria) => forgetsSignals(criteria, now))
  // Also for settled pages: what they pass on or are credited for depends on their signals.
  const upTo = Number.MAX_SAFE_INTEGER
  let last = from
  for (;;) {
    const first = last
    const chunk = rows.url.scan({ after: first, upTo, states: REJUDGED, limit: ROWS_AT_ONCE })
    last = chunk.at(-1)?.id ?? upTo
    rows.transaction(() => {
      if (isUnread) rows.url.forgetSignals(first, last)
      for (const row of chunk) {
        rejudge(isUnread ? { ...row, signals: null } : row, undone, options)
      }
      save()
      urls.writeBehind({ all: true })
      if (chunk.length > 0) rows.crawl.update(job.id, { judgedUpTo: last })
    })
    if (chunk.length === 0) return
    await setImmediate()
  }
}

/** The worst can be found only when all scores were computed under the same settings. */
async function trimAll({ rows, buffer, save }: JudgementOptions): Promise<void> {
  while (buffer !== null && buffer.excess > 0) {
    rows.transaction(() => {
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
  const { urls, hosts, stateCounts, retries } = options
  const origin = hosts.originWithId(row.originId)
  if (row.state === DELAYED) retries.drop('page', row.id)
  else origin?.queue.drop(row.id)
  if (origin) hosts.touch(origin.host)
  urls.judge({ ...row, state: REFUSED, reason })
  stateCounts.move(row.state, REFUSED)
  stateCounts.refused(reason)
}

/** The criteria that rows were checked under, the newest last; none in a new frontier. */
function readJudgement({ rows, job }: JudgementOptions): { by: readonly Criteria[]; upTo: number } {
  const { judgedUpTo = 0 } = rows.crawl.get(job.id) ?? {}
  const { judgedBy = '[]' } = rows.judgement.get(job.id) ?? {}
  return { by: JSON.parse(judgedBy), upTo: judgedUpTo }
}

function saveJudgement({ rows, job }: JudgementOptions, by: readonly Criteria[]): void {
  rows.transaction(() => {
    rows.judgement.put({ crawlId: job.id, judgedBy: JSON.stringify(by) })
    rows.crawl.update(job.id, { judgedUpTo: 0 })
  })
}
