// The limiter of crawls on many machines: the rules of host-limiter-rules.ts, applied in this process to rows
// that all processes share.
//
//   alone ──another crawl comes──▶ shared          alone:  queues in memory; a request costs nothing
//     ◀──the last other one goes──┘                shared: a row per host, written only as it was read
//
// In both states it reports about once a second. What happens within a moment is one exchange with the
// storage, and there is one exchange at a time.
import { CrawlerError } from '../../core/errors.ts'
import { type Clock, steadyMs } from '../../lib/clock.ts'
import type { HostLimiter, RequestSlot, SlotAnswer, SlotWanted } from '../host-limiter.ts'
import {
  askIn,
  crawlOf,
  endIn,
  type HostQueue,
  leaveIn,
  mergeIn,
  othersIn,
  restIn,
  setBack,
  startIn,
  tidy,
} from '../host-limiter-rules.ts'
import { createSlot, HeldHosts, LoneQueues, REMEMBERED_MS, SKEW_MS } from './lone-queues.ts'
import { EstimatedTime, Membership, type ServerTime } from './membership.ts'
import { endMembers, type QueueEdit, QueueRows } from './queue-rows.ts'
import type { LimiterStorage } from './storage.ts'

const BEAT_MS = 1000
/** At least so many reports within a lease. */
const BEATS_PER_LEASE = 6
/** With many processes the pause between two reports grows. */
const BEAT_MS_PER_OTHER = 4
/** While others are waited for, which is at the beginning. */
const WAITING_BEAT_MS = 250
/** A process that finds others which do not know of it yet waits so long for them before it opens. */
const OPEN_MS = 3000
/** So short a wait is passed here: giving the URL back and choosing again would cost more. */
const SHORT_MS = 50
/** News that others wait for may come with the next question, or so much later. */
const NEWS_MS = 10
/** Where nobody else was when it was last asked; who comes meanwhile waits so much longer, once. */
const LONE_NEWS_MS = 500
/** When to ask again while others do not know of this process yet, or it has not reported in time. */
const UNKNOWN_MS = 500
/** No host rests longer. */
const DAY_MS = 24 * 60 * 60 * 1000
/** Longer than a request takes. Every process has a row of its own, and everybody reads them all. */
const KNOWN_MS = 10 * 60 * 1000

export type SharedHostLimiterOptions = {
  readonly storage: LimiterStorage
  /** Its first two words name its crawl. What a dead one of the same name left behind ends with this. */
  readonly holder: string
  readonly clock: Clock
  /** Without a report for this long it counts as dead. */
  readonly leaseMs: number
  readonly time?: ServerTime
  readonly beatMs?: number
  readonly loneNewsMs?: number
}

export async function openSharedHostLimiter(
  options: SharedHostLimiterOptions,
): Promise<HostLimiter> {
  const { storage, holder } = options
  await endMembers(storage, [holder])
  const limiter = new SharedHostLimiter(options)
  await limiter.open()
  return limiter
}

type Question = {
  readonly host: string
  readonly wanted: SlotWanted
  readonly resolve: (answer: SlotAnswer) => void
  readonly reject: (error: unknown) => void
  /** By our clock: not to be asked before. */
  readonly at: number
}
type News = {
  readonly host: string
  /** By our clock. */
  readonly due: number
  readonly tell: (queue: HostQueue) => void
}

class SharedHostLimiter implements HostLimiter {
  readonly #options: SharedHostLimiterOptions
  readonly #time: ServerTime
  readonly #membership: Membership
  readonly #rows: QueueRows
  readonly #lone = new LoneQueues()
  readonly #held = new HeldHosts()
  #isAlone = false
  #questions: Question[] = []
  #news: News[] = []
  #timer: NodeJS.Timeout | null = null
  #timerAt = Number.POSITIVE_INFINITY
  #beatAt = 0
  #working: Promise<void> | null = null
  /** Why nothing is answered any more. */
  #broken: unknown = null

  constructor(options: SharedHostLimiterOptions) {
    const { storage, holder: name, leaseMs } = options
    this.#options = options
    this.#time = options.time ?? new EstimatedTime()
    const crawl = crawlOf(name)
    this.#membership = new Membership({ storage, time: this.#time, name, crawl, leaseMs })
    this.#rows = new QueueRows(storage)
  }

  async open(): Promise<void> {
    const until = steadyMs() + OPEN_MS
    for (;;) {
      await this.#beat()
      if (this.#membership.isReady || steadyMs() > until) break
      await new Promise((resolve) => setTimeout(resolve, this.#beatAt - steadyMs()))
    }
    const now = this.#time.earliest()
    await this.#options.storage.purge({ hosts: now - DAY_MS, members: now - KNOWN_MS })
    this.#arm()
  }

  ask(host: string, wanted: SlotWanted): Promise<SlotAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#broken !== null) return reject(this.#broken)
      const question = { host, wanted, resolve, reject, at: 0 }
      if (this.#isAtHand(question)) this.#deliver(question, this.#askAlone(question))
      else this.#enqueue(question)
    })
  }

  rest(host: string, forMs: number, trouble: string): void {
    if (this.#broken !== null) return
    const until = Math.ceil(this.#time.latest() + forMs)
    const tell = (queue: HostQueue): void => restIn(queue, until, trouble)
    if (this.#isAlone) tell(this.#lone.of(host, this.#time.earliest()))
    // Written also alone: when this process has died, another crawl must still leave the host alone.
    this.#queueNews({ host, tell, due: 0 })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#broken !== null) return
    this.#breakOff(new CrawlerError('store-unreachable', 'slots at hosts are closed'))
    await this.#working
    // What cannot be said any more ends by itself in a while.
    await this.#leave().catch(() => {})
  }

  async #leave(): Promise<void> {
    if (this.#isAlone) await this.#writeLone()
    const told = Map.groupBy(this.#news, ({ host }) => host)
    await this.#change([...new Set([...this.#held.hosts(), ...told.keys()])], (queue, host) => {
      for (const { tell } of told.get(host) ?? []) tell(queue)
      leaveIn(queue, this.#options.holder, this.#time.latest())
    })
    await this.#membership.report(true, true)
  }

  // Alone.

  /** False if the host's row may know more: that of a long delay whose host nobody has asked for lately. */
  #isAtHand({ host, wanted }: Pick<Question, 'host' | 'wanted'>): boolean {
    if (!this.#isAlone || !this.#membership.isReady) return false
    return wanted.delayMs <= REMEMBERED_MS || this.#lone.has(host)
  }

  #askAlone(question: Question): SlotAnswer | number {
    const now = this.#time.earliest()
    return this.#answer(this.#prepare(this.#lone.of(question.host, now), now), question, now)
  }

  async #goAlone(): Promise<void> {
    const { storage } = this.#options
    await this.#membership.report(false)
    if (this.#membership.hasOthers) return this.#membership.report(true)
    const since = this.#time.earliest() - REMEMBERED_MS
    const rows = await storage.readRecent(since, this.#time.earliest())
    const now = this.#time.earliest()
    this.#lone.begin(rows, now)
    for (const { host, tell } of this.#news) tell(this.#lone.of(host, now))
    this.#news = []
    this.#rows.clear()
    this.#isAlone = true
  }

  /** Others wait until they are notified; questions wait until it is done. */
  async #goShared(): Promise<void> {
    await this.#writeLone()
    await this.#membership.report(true)
  }

  async #writeLone(): Promise<void> {
    const { holder } = this.#options
    this.#isAlone = false
    const { queues, silentSince } = this.#lone.end(this.#time.earliest())
    this.#membership.wasSilentSince(silentSince)
    await this.#change([...queues.keys()], (queue, host) => {
      const kept = queues.get(host)
      if (kept !== undefined) mergeIn(queue, holder, kept)
    })
  }

  /** Answers from memory, after the rows of hosts that are not there were read. */
  async #settleAlone(questions: readonly Question[]): Promise<void> {
    const { storage } = this.#options
    const news = this.#news
    this.#news = []
    const hosts = questions.filter((one) => !this.#isAtHand(one)).map(({ host }) => host)
    if (hosts.length > 0) {
      for (const row of await storage.read(hosts)) this.#lone.add(row, this.#time.earliest())
    }
    for (const question of questions) {
      const answer = this.#membership.isReady ? this.#askAlone(question) : this.#unknown
      this.#deliver(question, answer)
    }
    await this.#write(news, [])
  }

  // The loop.

  /** `at`: by our clock; left out: it is found out. */
  #arm(
    at = Math.min(...this.#questions.map((one) => one.at), ...this.#news.map((one) => one.due)),
  ) {
    if (this.#broken !== null || this.#working !== null) return
    const inMs = Math.max(0, at - this.#options.clock.now())
    const napMs = Math.max(inMs === 0 ? 0 : 1, Math.min(inMs, this.#beatAt - steadyMs()))
    const timerAt = steadyMs() + napMs
    if (this.#timer !== null && this.#timerAt <= timerAt) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timerAt = timerAt
    this.#timer = setTimeout(() => this.#begin(), napMs)
    // A process that has nothing else to do may end.
    if (at === Number.POSITIVE_INFINITY) this.#timer.unref()
  }

  #begin(): void {
    this.#timer = null
    this.#working = this.#work()
      .catch((error: unknown) => this.#breakOff(error))
      .finally(() => {
        this.#working = null
        this.#arm()
      })
  }

  async #work(): Promise<void> {
    if (steadyMs() >= this.#beatAt) await this.#beat()
    const now = this.#options.clock.now()
    const due = this.#questions.filter(({ at }) => at <= now)
    this.#questions = this.#questions.filter(({ at }) => at > now)
    if (due.length === 0 && this.#news.every((one) => one.due > now)) return
    try {
      if (this.#isAlone) await this.#settleAlone(due)
      else await this.#settle(due, now)
    } catch (error) {
      for (const { reject } of due) reject(error)
      throw error
    }
  }

  async #beat(): Promise<void> {
    const { leaseMs, beatMs = BEAT_MS } = this.#options
    const membership = this.#membership
    await membership.report(!this.#isAlone)
    if (this.#isAlone && membership.hasOthers) await this.#goShared()
    else if (!this.#isAlone && !membership.hasOthers) await this.#goAlone()
    if (this.#isAlone) this.#lone.prune(this.#time.earliest())
    const pauseMs = Math.max(beatMs, membership.others * BEAT_MS_PER_OTHER)
    const atMostMs = membership.isReady ? leaseMs / BEATS_PER_LEASE : WAITING_BEAT_MS
    this.#beatAt = steadyMs() + Math.min(pauseMs, atMostMs)
  }

  /** Tells what is due, or of a host that is asked, and answers these questions. */
  async #settle(questions: readonly Question[], now: number): Promise<void> {
    const isReady = this.#membership.isReady
    const asked = isReady ? questions : []
    if (!isReady) for (const question of questions) this.#deliver(question, this.#unknown)
    const hosts = new Set(asked.map(({ host }) => host))
    const isTold = ({ host, due }: News): boolean => due <= now || hosts.has(host)
    const news = this.#news.filter(isTold)
    this.#news = this.#news.filter((one) => !isTold(one))
    await this.#write(news, asked)
  }

  async #write(news: readonly News[], questions: readonly Question[]): Promise<void> {
    const told = Map.groupBy(news, ({ host }) => host)
    const asked = Map.groupBy(questions, ({ host }) => host)
    const answers = await this.#change(
      [...new Set([...told.keys(), ...asked.keys()])],
      (queue, host, now) => {
        for (const { tell } of told.get(host) ?? []) tell(queue)
        return (asked.get(host) ?? []).map((question) => this.#answer(queue, question, now))
      },
    )
    for (const [host, some] of asked) {
      for (const [nth, question] of some.entries()) {
        this.#deliver(question, answers.get(host)?.[nth] ?? this.#unknown)
      }
    }
  }

  /** `edit` gets rows as they are now. */
  #change<T>(
    hosts: readonly string[],
    edit: (queue: HostQueue, host: string, now: number) => T,
  ): Promise<Map<string, T>> {
    const now = this.#time.earliest()
    const prepared: QueueEdit<T> = (queue, host, usedAt) => {
      return edit(this.#prepare(queue, now, usedAt), host, now)
    }
    return this.#rows.change(hosts, now, prepared)
  }

  get #unknown(): SlotAnswer {
    return { slot: null, askAgainAt: this.#options.clock.now() + UNKNOWN_MS, trouble: '' }
  }

  /** Takes out what is over, and puts in what no row says. */
  #prepare(queue: HostQueue, now: number, usedAt = 0): HostQueue {
    if (usedAt - now > SKEW_MS) setBack(queue, usedAt - now)
    const { lastStart, heardAt } = queue
    tidy(queue, now)
    // Ours is the earliest time that it may be, theirs the latest: a little later than now is no error.
    queue.lastStart = Math.min(lastStart, now + SKEW_MS)
    queue.heardAt = Math.min(heardAt, now + SKEW_MS)
    const { dead, floor } = this.#membership
    for (const { holder } of queue.shares) if (dead.has(holder)) leaveIn(queue, holder, now)
    queue.heardAt = Math.max(queue.heardAt, Math.min(floor, now))
    return queue
  }

  /** A number: when to look again, by our clock. */
  #answer(queue: HostQueue, { host, wanted }: Question, now: number): SlotAnswer | number {
    const { holder, clock } = this.#options
    const at = askIn(queue, holder, wanted, now)
    if (at === null) return { slot: this.#slotAt(host, othersIn(queue, holder)) }
    const askAgainAt = clock.now() + at - now
    if (at - now <= SHORT_MS) return askAgainAt
    return { slot: null, askAgainAt, trouble: queue.restsUntil > now ? queue.trouble : '' }
  }

  #deliver(question: Question, answer: SlotAnswer | number): void {
    if (typeof answer === 'number') {
      if (this.#broken !== null) question.reject(this.#broken)
      else this.#enqueue({ ...question, at: answer })
      return
    }
    if (answer.slot !== null) this.#held.add(question.host)
    question.resolve(answer)
  }

  #enqueue(question: Question): void {
    this.#questions.push(question)
    this.#arm(question.at)
  }

  #slotAt(host: string, others: number): RequestSlot {
    const { holder, loneNewsMs = LONE_NEWS_MS } = this.#options
    const inMs = others === 0 ? loneNewsMs : NEWS_MS
    return createSlot({
      requestSent: () => {
        const at = this.#time.latest()
        this.#tell(host, inMs, (queue) => startIn(queue, holder, at, this.#time.latest()))
      },
      done: (hasStarted) => {
        this.#held.remove(host)
        this.#tell(host, inMs, (queue) => endIn(queue, holder, hasStarted))
      },
    })
  }

  #tell(host: string, inMs: number, tell: News['tell']): void {
    if (this.#broken !== null) return
    if (this.#isAlone) tell(this.#lone.of(host, this.#time.earliest()))
    else this.#queueNews({ host, tell, due: this.#options.clock.now() + inMs })
  }

  #queueNews(news: News): void {
    this.#news.push(news)
    this.#arm(news.due)
  }

  #breakOff(error: unknown): void {
    if (this.#broken !== null) return
    this.#broken = error
    if (this.#timer !== null) clearTimeout(this.#timer)
    const questions = this.#questions
    this.#questions = []
    for (const { reject } of questions) reject(error)
  }
}
