// Slots at hosts in one small SQLite file that all crawls of a folder write. What happens within a moment is
// one transaction: a busy crawl pays for less than one commit per request. The file is never synced:
// a power cut may damage it, and then a new one is created.
import type { DatabaseSync } from 'node:sqlite'
import { CrawlerError } from '../../core/errors.ts'
import { asCrawlerError } from '../../db/sqlite-errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { HostLimiter, RequestSlot, SlotAnswer, SlotWanted } from '../host-limiter.ts'
import { askIn, endIn, type HostQueue, leaveIn, restIn, startIn } from '../host-limiter-rules.ts'
import { HostRows, openLimiterFile, waitBriefly } from './host-rows.ts'

/** So short a wait is passed here: giving the URL back and choosing again would cost more. */
const SHORT_MS = 50
/** News that only keep others waiting may come with the next question, or so much later. */
const NEWS_MS = 10
/** Between two transactions of a busy crawl: the more questions share one, the less each costs. */
const TURN_MS = 3
const BUSY_RETRY_MS = 10
/** A crawl writes for microseconds: after so long it is something else that has the file. */
const BUSY_PATIENCE_MS = 30_000
const DAY_MS = 24 * 60 * 60 * 1000

export type SqliteHostLimiterOptions = {
  readonly path: string
  /**
   * Name of the requester, which is open once at a time. Slots that a dead requester of that name held are
   * released.
   */
  readonly holder: string
  readonly clock: Clock
}

export async function openSqliteHostLimiter(
  options: SqliteHostLimiterOptions,
): Promise<HostLimiter> {
  const { path, holder, clock } = options
  const db = await openLimiterFile(path)
  try {
    const rows = new HostRows(db, path, clock)
    rows.change((now) => {
      rows.sweep(now - DAY_MS)
      leaveAll(rows, holder, now)
    })
    waitBriefly(db)
    return new SqliteHostLimiter(db, rows, options)
  } catch (error) {
    db.close()
    throw asCrawlerError(error, path)
  }
}

function leaveAll(rows: HostRows, holder: string, now: number): void {
  for (const host of rows.heldBy(holder)) leaveIn(rows.line(host, now), holder, now)
}

type Question = {
  readonly host: string
  readonly wanted: SlotWanted
  readonly resolve: (answer: SlotAnswer) => void
  readonly reject: (error: unknown) => void
  /** Not to be looked at before. */
  readonly at: number
}

type News = { readonly host: string; readonly tell: (line: HostQueue, now: number) => void }

class SqliteHostLimiter implements HostLimiter {
  readonly #db: DatabaseSync
  readonly #rows: HostRows
  readonly #options: SqliteHostLimiterOptions
  #questions: Question[] = []
  #news: News[] = []
  #soon: NodeJS.Immediate | null = null
  #timer: NodeJS.Timeout | null = null
  #timerAt = Number.POSITIVE_INFINITY
  #settledAt = Number.NEGATIVE_INFINITY
  #busySince = Number.POSITIVE_INFINITY
  /** Why nothing is answered any more. */
  #broken: unknown = null

  constructor(db: DatabaseSync, rows: HostRows, options: SqliteHostLimiterOptions) {
    this.#db = db
    this.#rows = rows
    this.#options = options
  }

  ask(host: string, wanted: SlotWanted): Promise<SlotAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#broken !== null) return reject(this.#broken)
      this.#questions.push({ host, wanted, resolve, reject, at: 0 })
      this.#settleSoon()
    })
  }

  rest(host: string, forMs: number, trouble: string): void {
    const until = Math.ceil(this.#options.clock.now() + forMs)
    this.#tell(host, (line) => restIn(line, until, trouble))
    this.#settleSoon()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#db.isOpen) return
    const { holder, path } = this.#options
    try {
      if (this.#broken === null) {
        this.#rows.change((now) => {
          this.#tellAll(now)
          leaveAll(this.#rows, holder, now)
        })
      }
    } catch {
      // What could not be said ends by itself in a while.
    } finally {
      this.#breakOff(new CrawlerError('store-unreachable', `${path} is closed`))
      this.#db.close()
    }
  }

  #tell(host: string, tell: News['tell']): void {
    if (this.#broken === null) this.#news.push({ host, tell })
  }

  #settleSoon(): void {
    if (this.#broken !== null || this.#soon !== null) return
    const { clock } = this.#options
    const at = this.#settledAt + TURN_MS
    // A clock that was set back is no reason to wait.
    if (at > clock.now() && this.#settledAt <= clock.now()) this.#settleAt(at)
    else this.#soon = setImmediate(() => this.#settle())
  }

  #settleAt(at: number): void {
    if (this.#broken !== null || at >= this.#timerAt) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timerAt = at
    const napMs = Math.max(1, at - this.#options.clock.now())
    this.#timer = setTimeout(() => this.#settle(), napMs)
  }

  #stopTimers(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#soon !== null) clearImmediate(this.#soon)
    this.#timer = this.#soon = null
    this.#timerAt = Number.POSITIVE_INFINITY
  }

  /** Tells what there is to tell and answers who may be answered, in one step. */
  #settle(): void {
    this.#stopTimers()
    const now = this.#options.clock.now()
    this.#settledAt = now
    try {
      this.#answerDue(now)
      for (const { at } of this.#questions) this.#settleAt(Math.max(at, now + 1))
    } catch (error) {
      if (this.#mayPass(error, now)) this.#settleAt(now + BUSY_RETRY_MS)
      else this.#breakOff(error)
    }
  }

  #answerDue(by: number): void {
    const { due = [], early = [] } = Object.groupBy(this.#questions, ({ at }) =>
      at <= by ? 'due' : 'early',
    )
    const answered = this.#rows.change((now) => {
      this.#tellAll(now)
      return due.map((question) => ({ question, answer: this.#answer(question, now) }))
    })
    this.#news = []
    this.#busySince = Number.POSITIVE_INFINITY
    this.#questions = early
    for (const { question, answer } of answered) this.#deliver(question, answer)
  }

  #tellAll(now: number): void {
    for (const { host, tell } of this.#news) tell(this.#rows.line(host, now), now)
  }

  /** A number: when to look again. */
  #answer({ host, wanted }: Question, now: number): SlotAnswer | number {
    const line = this.#rows.line(host, now)
    const at = askIn(line, this.#options.holder, wanted, now)
    if (at === null) return { slot: this.#slotAt(host) }
    if (at - now <= SHORT_MS) return at
    const trouble = line.restsUntil > now ? line.trouble : ''
    return { slot: null, askAgainAt: at, trouble }
  }

  #deliver(question: Question, answer: SlotAnswer | number): void {
    if (typeof answer === 'number') this.#questions.push({ ...question, at: answer })
    else question.resolve(answer)
  }

  #slotAt(host: string): RequestSlot {
    const { holder, clock } = this.#options
    let state: 'given' | 'started' | 'done' = 'given'
    return {
      requestSent: () => {
        if (state !== 'given') return
        state = 'started'
        const at = clock.now()
        this.#tell(host, (line, now) => startIn(line, holder, at, now))
        this.#settleAt(at + NEWS_MS)
      },
      done: () => {
        if (state === 'done') return
        const hasStarted = state === 'started'
        state = 'done'
        this.#tell(host, (line) => endIn(line, holder, hasStarted))
        this.#settleAt(clock.now() + NEWS_MS)
      },
    }
  }

  /** Whether somebody else just has the file. */
  #mayPass(error: unknown, now: number): boolean {
    if (!(error instanceof CrawlerError && error.code === 'store-busy')) return false
    this.#busySince = Math.min(this.#busySince, now)
    return now - this.#busySince < BUSY_PATIENCE_MS
  }

  #breakOff(error: unknown): void {
    this.#broken = error
    this.#stopTimers()
    const questions = this.#questions
    this.#questions = []
    this.#news = []
    for (const { reject } of questions) reject(error)
  }
}
