// The frontier in Redis, open for one session. Every method is one script or two; what they answer about
// the frontier as a whole is kept for those who ask without waiting.
import type { HostState, UrlCounts } from '../../core/host.ts'
import { type Found, VIAS, type Via } from '../../core/link.ts'
import { type CanonicalUrl, hostOf, siteOf } from '../../core/url.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { Frontier, HostNote, Lease, Outlook, RobotsRecord, Settlement } from '../frontier.ts'
import { Calls } from './calls.ts'
import { LinkArguments, type LinkRules } from './link-arguments.ts'
import { bringInLine } from './opening.ts'
import type { RedisFrontierOptions } from './options.ts'
import { OwnLeases } from './own-leases.ts'
import {
  decodeHostClock,
  decodeLease,
  decodeStaleRow,
  decodeStanding,
  listOf,
  type Standing,
} from './reply.ts'
import { readRobots, robotsWords } from './robots-words.ts'
import { scoreNew } from './scoring.ts'
import { beginWords, rulesOf } from './settings-words.ts'
import {
  depthBehind,
  KIND_LETTERS,
  linksOf,
  pushSettlement,
  type SettledUrl,
  type ToSettle,
} from './settlement-words.ts'
import { Steer } from './steer.ts'

/** How long a session lives without a word from it. */
const SESSION_MS = 15_000
/** Close to its end nothing more is sent: the clock here may be a little behind. */
const SESSION_MARGIN = 0.2
const REFUSED_AT_ONCE = 2000
/** Others may change a row again and again: then its score is of a moment ago. */
const RESCORED_AT_MOST = 5

export async function openRedisFrontier(options: RedisFrontierOptions): Promise<RedisFrontier> {
  const { connection, job, clock, clockIsShared = false, shard = 0 } = options
  const sessionMs = options.sessionMs ?? SESSION_MS
  const name = { prefix: connection.prefix, crawlId: job.id, shard }
  const calls = new Calls({ connection, name, clock, clockIsShared, sessionMs })
  const { reply } = await calls.run('begin', beginWords(options))
  const isNew = Number(reply[0]) === 1
  if (!(await calls.isKnown())) {
    if (isNew) await calls.load()
    else await calls.goOnAfterRestart()
  }
  if (!isNew && !options.joins) await bringInLine(calls, rulesOf(options), Number(reply[1]))
  const frontier = new RedisFrontier(options, calls, decodeStanding(reply[2]))
  await frontier.renew()
  return frontier
}

export class RedisFrontier implements Frontier {
  readonly #options: RedisFrontierOptions
  readonly #calls: Calls
  readonly #own: OwnLeases
  readonly #rules: LinkRules
  readonly #steer: Steer
  readonly #sessionMs: number
  readonly #words: Parameters<typeof pushSettlement>[2]
  readonly #timer: NodeJS.Timeout
  #standing: Standing
  #heardCall = 0
  /** The server's clock minus ours. */
  #offset = 0
  /** Ours, when the last call that was answered went out. */
  #renewedAt: number
  #closed = false
  #leaseCalls = 0

  constructor(options: RedisFrontierOptions, calls: Calls, standing: Standing) {
    this.#options = options
    this.#calls = calls
    this.#own = new OwnLeases(options.job.settings)
    this.#rules = rulesOf(options)
    this.#steer = new Steer({ frontier: options, calls, rules: this.#rules, onLearned: () => {} })
    this.#sessionMs = options.sessionMs ?? SESSION_MS
    this.#standing = standing
    this.#renewedAt = options.clock.now()
    const serverTime = (at: number): number => Math.ceil(at + this.#offset)
    this.#words = { rules: this.#rules, hashUrl: createUrlHasher(options.job.salt), serverTime }
    this.#hear(0, standing, options.clock.now())
    calls.onMarks((call, [answer]) => this.#hear(call, decodeStanding(answer)))
    this.#timer = setInterval(() => void this.renew().catch(() => {}), this.#sessionMs / 3).unref()
  }

  async add(found: readonly Found[], via: Via): Promise<number> {
    const words = new LinkArguments(this.#rules)
    const scored = await this.#steer.found(found, via)
    const facts = { depth: 0, foundAt: this.#standing.lastId + 1, isLink: via === 'link' }
    words.push(found.length)
    for (const [at, link] of found.entries()) {
      words.link(link, scored?.[at] ?? scoreNew(this.#options.steering, link, facts))
    }
    const { call, reply } = await this.#calls.run('add', [VIAS.indexOf(via), ...words.words()])
    this.#hear(call, decodeStanding(reply[2]))
    await this.#rescore(reply[1])
    return Number(reply[0])
  }

  async lease(limit: number, newPages = limit): Promise<readonly Lease[]> {
    this.#leaseCalls += 1
    const { call, reply } = await this.#calls.runOwn('lease', [this.#leaseCalls, limit, newPages])
    const [leases, facts, answer] = reply
    return this.#take(listOf(leases), facts, { call, standing: decodeStanding(answer) })
  }

  async leaseFor(url: CanonicalUrl): Promise<Lease | null> {
    const host = hostOf(url)
    const { call, reply } = await this.#calls.runOwn('outside', [url, host, siteOf(host)])
    const [lease, facts, answer] = reply
    const given = lease === false ? [] : [lease]
    return this.#take(given, facts, { call, standing: decodeStanding(answer) })[0] ?? null
  }

  holds(lease: Lease): boolean {
    if (!this.#own.holds(lease)) return false
    const livesUntil = this.#renewedAt + this.#sessionMs * (1 - SESSION_MARGIN)
    return this.#options.clock.now() < livesUntil
  }

  started(lease: Lease): void {
    if (!this.#own.started(lease, this.#now(), this.#calls.next)) return
    this.#mark('s', lease, ['', '', '', ''])
  }

  landed(lease: Lease, note: HostNote): void {
    if (!this.#own.landed(lease, note, { now: this.#now(), toldBy: this.#calls.next })) return
    const { ok, trouble = '', restMs = '', delayMs = '' } = note
    this.#mark('l', lease, [ok ? 1 : 0, trouble, number(restMs), number(delayMs)])
  }

  async settle(settlements: readonly Settlement[]): Promise<number> {
    if (settlements.length === 0) return 0
    const words = new LinkArguments(this.#rules)
    words.push(settlements.length)
    const steered = await this.#steer.settlements(settlements)
    for (const each of steered ?? (await this.#scored(settlements))) {
      pushSettlement(words, each, this.#words)
    }
    const { call, reply } = await this.#calls.run('settle', words.words())
    for (const { lease } of settlements) this.#own.settled(lease)
    this.#hear(call, decodeStanding(reply[3]))
    for (const facts of listOf(reply[2])) this.#own.learn(decodeHostClock(facts), call)
    await this.#rescore(reply[1])
    return Number(reply[0])
  }

  async saveRobots(lease: Lease, record: RobotsRecord, delayMs?: number): Promise<void> {
    const words = robotsWords(lease, record, { delayMs, ...this.#words })
    const { call, reply } = await this.#calls.run('robots', words)
    this.#own.settled(lease)
    this.#hear(call, decodeStanding(reply[1]))
    for (const facts of listOf(reply[0])) this.#own.learn(decodeHostClock(facts), call)
  }

  async robots(origin: string): Promise<RobotsRecord | null> {
    const { connection, job, shard = 0 } = this.#options
    return readRobots(connection, { prefix: connection.prefix, crawlId: job.id, shard }, origin)
  }

  async refuseUnreachable(): Promise<number> {
    let refused = 0
    for (;;) {
      const { call, reply } = await this.#calls.run('unreachable', [REFUSED_AT_ONCE])
      this.#hear(call, decodeStanding(reply[2]))
      refused += Number(reply[0])
      if (reply[1] !== 1) return refused
    }
  }

  outlook(): Outlook {
    const { unsettled, mine, revisits, revisiting, onlyUnreachable } = this.#standing
    const ended = this.#own.endedUntold
    const readyAt = Math.min(this.#standing.readyAt ?? Number.POSITIVE_INFINITY, this.#own.readyAt)
    return {
      unsettled: Math.max(0, unsettled - ended.all),
      elsewhere: Math.max(0, unsettled - mine),
      readyAt: readyAt === Number.POSITIVE_INFINITY ? null : readyAt - this.#offset,
      onlyUnreachable,
      revisits,
      revisiting: Math.max(0, revisiting - ended.revisits),
    }
  }

  counts(): UrlCounts {
    return this.#standing.counts
  }

  hosts(limit: number): readonly HostState[] {
    const states = this.#own.hostStates()
    states.sort((a, b) => b.stored + b.queued - (a.stored + a.queued))
    return states.slice(0, limit)
  }

  /** Says that this session lives. */
  async renew(): Promise<void> {
    const { call, reply } = await this.#calls.run('rescore', [0])
    this.#hear(call, decodeStanding(reply[1]))
  }

  /** Ends as a process that is killed does: nothing is given back. */
  abandon(): void {
    this.#closed = true
    clearInterval(this.#timer)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#timer)
    await this.#calls.run('leave', [])
  }

  #take(
    given: readonly unknown[],
    facts: unknown,
    { call, standing }: { call: number; standing: Standing },
  ): readonly Lease[] {
    this.#hear(call, standing)
    for (const each of listOf(facts)) this.#own.learn(decodeHostClock(each), call)
    return given.map((each) => {
      const lease = decodeLease(each)
      this.#own.take(lease, standing.now)
      return lease.lease
    })
  }

  /** What an ordering makes of settlements that weighs nothing but what is at hand. */
  async #scored(settlements: readonly Settlement[]): Promise<readonly ToSettle[]> {
    const known = await this.#knownOf(settlements)
    const foundAt = this.#standing.lastId + 1
    return settlements.map((settlement) => {
      const url = known.get(settlement)
      const depth = depthBehind(settlement, url)
      const facts = { depth, foundAt, isLink: isLinked(settlement) }
      const links = linksOf(settlement)
      const scored = links.map((link) => scoreNew(this.#options.steering, link, facts))
      return { settlement, known: url, scored }
    })
  }

  /** URL and depth of pages that are settled; asked for where this session has no lease of them. */
  async #knownOf(settlements: readonly Settlement[]): Promise<ReadonlyMap<Settlement, SettledUrl>> {
    const known = new Map<Settlement, SettledUrl>()
    const unknown: Settlement[] = []
    for (const settlement of settlements) {
      const lease = this.#own.leaseOf(settlement.lease)
      if (lease !== undefined) known.set(settlement, lease)
      else if (settlement.lease.kind === 'page') unknown.push(settlement)
    }
    if (unknown.length === 0) return known
    const ids = unknown.map(({ lease }) => lease.id)
    const { reply } = await this.#calls.run('peek', [ids.length, ...ids])
    for (const [at, settlement] of unknown.entries()) {
      if (reply[at]) known.set(settlement, decodeStaleRow(reply[at]))
    }
    return known
  }

  /** Scores what the server could not, by the facts it told; again where they changed meanwhile. */
  async #rescore(told: unknown): Promise<void> {
    let stale = listOf(told)
    for (let times = 0; stale.length > 0 && times < RESCORED_AT_MOST; times += 1) {
      const words = stale.flatMap((row) => this.#steer.rescoreWords(decodeStaleRow(row)))
      const { call, reply } = await this.#calls.run('rescore', [stale.length, ...words])
      this.#hear(call, decodeStanding(reply[1]))
      stale = listOf(reply[0])
    }
  }

  #mark(what: 's' | 'l', lease: Lease, words: readonly (string | number)[]): void {
    const at = this.#options.clockIsShared ? this.#options.clock.now() : ''
    this.#calls.mark([what, KIND_LETTERS[lease.kind], lease.id, lease.token, at, ...words])
  }

  /** The moment by the server's clock. */
  #now(): number {
    return this.#options.clock.now() + this.#offset
  }

  #hear(call: number, standing: Standing, sentAt = this.#options.clock.now()): void {
    this.#own.heard(call)
    if (call < this.#heardCall) return
    this.#heardCall = call
    this.#standing = standing
    this.#renewedAt = sentAt
    if (!this.#options.clockIsShared) this.#offset = standing.now - this.#options.clock.now()
  }
}

/** Infinity is no number to a script. */
function number(value: number | ''): number | '' {
  return value === '' ? '' : Math.min(value, Number.MAX_SAFE_INTEGER)
}

function isLinked({ outcome }: Settlement): boolean {
  return outcome === 'stored' || outcome === 'duplicate' || outcome === 'refused'
}
