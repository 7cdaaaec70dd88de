// A later run of a crawl may come with other settings. Then everything that waits is judged again, and
// so is every refusal that the change may undo; what that means is in undoing.ts.
//
// It is done in chunks, each of which also says how far it came. Killed in between, the next run goes on
// from there; one that comes with yet other settings begins again. One session does it, the others wait.
import { setTimeout } from 'node:timers/promises'
import type { Job } from '../../core/job.ts'
import { hostOf } from '../../core/url.ts'
import { reasonCode } from '../../core/visit.ts'
import type { RedisConnection } from '../../db/redis.ts'
import type { Scorer } from '../../ordering/ordering.ts'
import { finiteScore } from '../finite-score.ts'
import {
  type Criteria,
  criteriaOf,
  forgetsLearned,
  forgetsSignals,
  isSame,
  reopenedBy,
} from '../reopened-refusals.ts'
import type { Calls } from './calls.ts'
import { keyPrefix, type ShardName } from './keys.ts'
import { LinkArguments, type LinkRules } from './link-arguments.ts'
import type { OrderingState } from './ordering-state.ts'
import { decodeStanding, listOf } from './reply.ts'
import { decodeRowBetween, type RowBetween } from './row-between.ts'

const ROWS_AT_ONCE = 500
/** Queued, refused, and queued for later. */
const JUDGED_STATES = '100001010'
const QUEUED = 0
const REFUSED = 5
/** Who judges says so again with every chunk. */
const LOCK_MS = 15_000
const ASK_AGAIN_MS = 50

export type JudgementOptions = {
  readonly calls: Calls
  readonly connection: RedisConnection
  readonly shard: ShardName
  readonly job: Job
  readonly rules: LinkRules
  readonly scorer: Scorer
  readonly state: OrderingState
  /** Whoever may have been judging is known to be dead. */
  readonly takesOver: boolean
}

/** Brings the frontier in line with the job's settings, and the ordering with what it has learned. */
export async function reapplySettings(options: JudgementOptions): Promise<void> {
  const lock = `${keyPrefix(options.shard)}judging`
  const { connection, calls, takesOver } = options
  if (takesOver) await connection.call('DEL', lock)
  while (!(await isTaken(connection, lock, calls.session))) await setTimeout(ASK_AGAIN_MS)
  try {
    await new Judgement(options, lock).run()
  } finally {
    if ((await connection.call('GET', lock)) === calls.session) await connection.call('DEL', lock)
  }
}

/** Until nobody judges: what waits is not in line with the settings before. */
export async function untilJudged(connection: RedisConnection, shard: ShardName): Promise<void> {
  const lock = `${keyPrefix(shard)}judging`
  while ((await connection.call('EXISTS', lock)) !== 0) await setTimeout(ASK_AGAIN_MS)
}

async function isTaken(connection: RedisConnection, lock: string, by: string): Promise<boolean> {
  return (await connection.call('SET', lock, by, 'NX', 'PX', LOCK_MS)) === 'OK'
}

class Judgement {
  readonly #options: JudgementOptions
  readonly #lock: string
  readonly #key: string

  constructor(options: JudgementOptions, lock: string) {
    this.#options = options
    this.#lock = lock
    this.#key = `${keyPrefix(options.shard)}judged`
  }

  async run(): Promise<void> {
    const { job, state } = this.#options
    const now = criteriaOf(job)
    const { by, upTo } = await this.#read()
    const goesOn = isSame(by.at(-1), now)
    const before = goesOn ? by.slice(0, -1) : by
    if (before.some((criteria) => forgetsLearned(criteria, now))) await state.forget()
    await state.load()
    if (before.length > 0) {
      if (!goesOn) await this.#save([...before, now])
      if (job.settings.buffer === null) await this.#forgetBuffer()
      await this.#judgeAll(before, now, goesOn ? upTo : 0)
    }
    if (before.length > 0 || !goesOn) await this.#save([now])
    await this.#trim()
  }

  async #judgeAll(before: readonly Criteria[], now: Criteria, from: number): Promise<void> {
    const undone = reopenedBy(before, now)
    // Also of pages that are settled: what they pass on or are credited for goes by their signals.
    const isUnread = before.some((criteria) => forgetsSignals(criteria, now))
    for (let first = from + 1, lastId = first; first <= lastId; first += ROWS_AT_ONCE) {
      const last = first + ROWS_AT_ONCE - 1
      const { calls, connection } = this.#options
      const { reply } = await calls.run('rows-between', [first, last, JUDGED_STATES])
      lastId = Number(reply[0])
      const read = listOf(reply[1]).map(decodeRowBetween)
      const rows = isUnread ? read.map(unread) : read
      await calls.run('judged', this.#verdicts(rows, undone, { first, last, isUnread }))
      await connection.call('PEXPIRE', this.#lock, LOCK_MS)
    }
  }

  #verdicts(
    rows: readonly RowBetween[],
    undone: ReadonlySet<string>,
    { first, last, isUnread }: { first: number; last: number; isUnread: boolean },
  ) {
    const links = new LinkArguments(this.#options.rules)
    let count = 0
    for (const row of rows) if (this.#judge(row, undone, links)) count += 1
    return links.words(first, last, isUnread ? 1 : 0, count)
  }

  /** Whether there is a verdict on it. */
  #judge(row: RowBetween, undone: ReadonlySet<string>, into: LinkArguments): boolean {
    const { scorer, job } = this.#options
    const score = finiteScore(scorer, row)
    if (row.state === REFUSED) {
      const code = reasonCode(row.reason)
      if (!undone.has(code)) return false
      into.push(row.id, 'a')
      into.link({ ...row, hash: { hi: 0, lo: 0 }, nofollow: false }, { score, signals: null })
      return true
    }
    const reason = this.#refusalOf(row)
    if (reason !== null) into.push(row.id, 'x', reason)
    else if (score !== row.priority || (job.settings.buffer !== null && row.state === QUEUED)) {
      into.push(row.id, 's', score)
    } else return false
    return true
  }

  #refusalOf({ url, depth }: RowBetween): string | null {
    const { job, rules } = this.#options
    const { maxDepth } = job.settings
    const refusal = rules.admit(url, hostOf(url))
    return refusal ?? (maxDepth !== null && depth > maxDepth ? 'depth' : null)
  }

  /** Only when all scores are of one kind can it be said which are the worst. */
  async #trim(): Promise<void> {
    const { buffer } = this.#options.job.settings
    if (buffer === null) return
    for (let queued = Number.POSITIVE_INFINITY; ; ) {
      const { reply } = await this.#options.calls.run('rescore', [0])
      const { counts } = decodeStanding(reply.at(-1))
      if (counts.queued <= buffer || counts.queued >= queued) return
      queued = counts.queued
    }
  }

  async #forgetBuffer(): Promise<void> {
    await this.#options.connection.call('UNLINK', `${keyPrefix(this.#options.shard)}waiting`)
  }

  /** The criteria that rows were judged by, the newest last; none in a new frontier. */
  async #read(): Promise<{ by: readonly Criteria[]; upTo: number }> {
    const reply = await this.#options.connection.call('HMGET', this.#key, 'by', 'upTo')
    const [by, upTo] = listOf(reply)
    const criteria: Criteria[] = JSON.parse(String(by ?? '[]'))
    return { by: criteria, upTo: Number(upTo ?? 0) }
  }

  async #save(by: readonly Criteria[]): Promise<void> {
    await this.#options.connection.call('HSET', this.#key, 'by', JSON.stringify(by), 'upTo', 0)
  }
}

/** Without the signals of an ordering that is not this run's. */
function unread(row: RowBetween): RowBetween {
  return { ...row, signals: null }
}
