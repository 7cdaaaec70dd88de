// Turns in Redis, for crawls on many machines: one script per question, in which what there is to tell
// of the same host goes along. A crawl alone at a host tells when it asks next; where others are, at
// once. What is lost with Redis ends by itself: crawls are only less polite together, for a moment.
import { randomBytes } from 'node:crypto'
import { CrawlerError } from '../../core/errors.ts'
import type { RedisConnection } from '../../db/redis.ts'
import type { Clock } from '../../lib/clock.ts'
import type { HostLimiter, RequestSlot, SlotAnswer, SlotWanted } from '../host-limiter.ts'
import { HeldHosts } from './held-hosts.ts'
import { type AskAnswer, LimiterScript, type LimiterStep } from './limiter-script.ts'

/** So short a wait is passed here: giving the URL back and choosing again would cost more. */
const SHORT_MS = 50
/** News that others wait for may come with the next question, or so much later. */
const NEWS_MS = 10
/** Where nobody else was when it was last asked; who comes meanwhile waits so much longer, once. */
const LONE_NEWS_MS = 500

export type RedisHostLimiterOptions = {
  readonly connection: RedisConnection
  /**
   * Who asks; opened once at a time. What a dead one of the same name left behind ends with this, so
   * that workers of one crawl need names of their own.
   */
  readonly holder: string
  readonly clock: Clock
  /** The clock is everybody's, as in tests; otherwise the server's is. */
  readonly clockIsShared?: boolean
  readonly loneNewsMs?: number
  /**
   * A turn of a process that died ends so long after it was last heard of; left out: when its request
   * would have been over.
   */
  readonly holdMs?: number
}

export async function openRedisHostTurns(options: RedisHostLimiterOptions): Promise<HostLimiter> {
  const script = new LimiterScript(options)
  const held = new HeldHosts(options)
  await Promise.all((await held.takeLeft()).map((host) => script.run(host, [LEAVE])))
  return new RedisHostTurns(options, script, held)
}

const LEAVE: LimiterStep = ['leave', '', 0, '']
/** To be asked again. */
const NO_ANSWER: AskAnswer = { at: 0, waitMs: SHORT_MS, trouble: '' }

type Question = {
  readonly host: string
  readonly turn: string
  readonly wanted: SlotWanted
  readonly resolve: (answer: SlotAnswer) => void
  readonly reject: (error: unknown) => void
  /** Not to be asked before. */
  readonly at: number
}

type News = { readonly step: (now: number) => LimiterStep; readonly due: number }

class RedisHostTurns implements HostLimiter {
  readonly #options: RedisHostLimiterOptions
  readonly #script: LimiterScript
  readonly #held: HeldHosts
  /** No other process ever names a turn so. */
  readonly #name = randomBytes(6).toString('base64url')
  #turns = 0
  #questions: Question[] = []
  readonly #news = new Map<string, News[]>()
  /** What was told and is not known to be heard. */
  #telling: Promise<unknown> = Promise.resolve()
  #soon: NodeJS.Immediate | null = null
  #timer: NodeJS.Timeout | null = null
  #timerAt = Number.POSITIVE_INFINITY
  /** Why nothing is answered any more. */
  #broken: unknown = null

  constructor(options: RedisHostLimiterOptions, script: LimiterScript, held: HeldHosts) {
    this.#options = options
    this.#script = script
    this.#held = held
  }

  ask(host: string, wanted: SlotWanted): Promise<SlotAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#broken !== null) return reject(this.#broken)
      const turn = `${this.#name}${(this.#turns++).toString(36)}`
      this.#questions.push({ host, turn, wanted, resolve, reject, at: 0 })
      this.#sendSoon()
    })
  }

  rest(host: string, forMs: number, trouble: string): void {
    const until = this.#options.clock.now() + forMs
    this.#tell(host, (now) => ['rest', '', Math.ceil(until - now), trouble], 0)
    this.#sendSoon()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#broken !== null) return
    const hosts = this.#held.hosts()
    this.#breakOff(new CrawlerError('store-unreachable', 'turns at hosts are closed'))
    const leaving = new Set([...hosts, ...this.#news.keys()])
    // What cannot be said any more ends by itself in a while.
    await Promise.allSettled([
      this.#telling,
      ...Array.from(leaving, (host) => this.#script.run(host, [...this.#newsOf(host), LEAVE])),
      this.#held.clear(),
    ])
  }

  #tell(host: string, step: News['step'], inMs: number): void {
    if (this.#broken !== null) return
    const due = this.#options.clock.now() + inMs
    const known = this.#news.get(host)
    if (known === undefined) this.#news.set(host, [{ step, due }])
    else known.push({ step, due })
    this.#sendAt(due)
  }

  #sendSoon(): void {
    if (this.#broken === null) this.#soon ??= setImmediate(() => this.#send())
  }

  #sendAt(at: number): void {
    if (this.#broken !== null || at >= this.#timerAt) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timerAt = at
    const napMs = Math.max(1, at - this.#options.clock.now())
    this.#timer = setTimeout(() => this.#send(), napMs)
  }

  #stopTimers(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#soon !== null) clearImmediate(this.#soon)
    this.#timer = this.#soon = null
    this.#timerAt = Number.POSITIVE_INFINITY
  }

  /** Tells what is due and asks who may be asked, each host in one step. */
  #send(): void {
    this.#stopTimers()
    const now = this.#options.clock.now()
    const { due = [], early = [] } = Object.groupBy(this.#questions, ({ at }) =>
      at <= now ? 'due' : 'early',
    )
    this.#questions = early
    const asked = Map.groupBy(due, ({ host }) => host)
    for (const [host, news] of this.#news) {
      if (!asked.has(host) && news.some((one) => one.due <= now)) this.#tellNow(host)
    }
    for (const [host, questions] of asked) void this.#askNow(host, questions)
    for (const { at } of early) this.#sendAt(at)
    for (const news of this.#news.values()) for (const { due } of news) this.#sendAt(due)
  }

  #tellNow(host: string): void {
    const told = this.#script.run(host, this.#newsOf(host))
    this.#telling = Promise.all([this.#telling, told]).catch((error) => this.#breakOff(error))
  }

  async #askNow(host: string, questions: readonly Question[]): Promise<void> {
    const steps = questions.map(({ turn, wanted }): LimiterStep => {
      const { delayMs, perHost, forMs } = wanted
      const heldMs = Math.min(forMs, this.#holdMs)
      return ['ask', turn, delayMs, `${perHost} ${Math.ceil(heldMs)}`]
    })
    const longest = Math.max(...questions.map(({ wanted }) => wanted.forMs))
    try {
      const [{ others, answers }] = await Promise.all([
        this.#script.run(host, [...this.#newsOf(host), ...steps]),
        this.#held.note(host, longest),
        // News of other hosts went before: who has an answer may count on their being heard.
        this.#telling,
      ])
      for (const [nth, question] of questions.entries()) {
        this.#deliver(question, answers[nth] ?? NO_ANSWER, others)
      }
    } catch (error) {
      this.#breakOff(error)
      for (const { reject } of questions) reject(error)
    }
  }

  #deliver(question: Question, { at, waitMs, trouble }: AskAnswer, others: number): void {
    const { resolve, reject } = question
    if (at === null) {
      resolve({ turn: this.#turnAt(question, others) })
    } else if (waitMs > SHORT_MS) {
      resolve({ turn: null, askAgainAt: at, trouble })
    } else if (this.#broken !== null) {
      reject(this.#broken)
    } else {
      this.#questions.push({ ...question, at })
      this.#sendAt(at)
    }
  }

  #turnAt({ host, turn: name, wanted }: Question, others: number): RequestSlot {
    const { clock, loneNewsMs = LONE_NEWS_MS } = this.#options
    const inMs = others === 0 ? loneNewsMs : NEWS_MS
    let state: 'given' | 'started' | 'done' = 'given'
    this.#held.add(host)
    const holding = wanted.forMs > this.#holdMs ? this.#keepHolding(host, name) : undefined
    return {
      started: () => {
        if (state !== 'given') return
        state = 'started'
        const at = clock.now()
        this.#tell(host, (now) => ['start', name, Math.max(0, now - at), ''], inMs)
      },
      done: () => {
        if (state === 'done') return
        state = 'done'
        clearInterval(holding)
        this.#held.remove(host)
        this.#tell(host, () => ['end', name, 0, ''], inMs)
      },
    }
  }

  /** Most requests are over before this has anything to say. */
  #keepHolding(host: string, name: string): NodeJS.Timeout {
    const holdMs = this.#holdMs
    const hold = (): void => {
      if (this.#broken === null) this.#tell(host, () => ['hold', name, holdMs, ''], 0)
    }
    return setInterval(hold, holdMs / 2).unref()
  }

  get #holdMs(): number {
    return this.#options.holdMs ?? Number.POSITIVE_INFINITY
  }

  #newsOf(host: string): LimiterStep[] {
    const news = this.#news.get(host) ?? []
    this.#news.delete(host)
    const now = this.#options.clock.now()
    return news.map(({ step }) => step(now))
  }

  #breakOff(error: unknown): void {
    if (this.#broken !== null) return
    this.#broken = error
    this.#stopTimers()
    const questions = this.#questions
    this.#questions = []
    for (const { reject } of questions) reject(error)
  }
}
