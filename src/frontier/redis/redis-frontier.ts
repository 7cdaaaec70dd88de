// The frontier in Redis, open for one session. Every method is one script or two; what they answer about
// the frontier as a whole is kept for those who ask without waiting.
// Longer than other files: one class keeps the promises of frontier.ts, a method for each.
import type { HostState, UrlCounts } from '../../core/host.ts'
import { type Found, VIAS, type Via } from '../../core/link.ts'
import { trapReason } from '../../core/template.ts'
import { type CanonicalUrl, hostOf, siteOf } from '../../core/url.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type {
  Frontier,
  FrontierStatus,
  HostFeedback,
  Lease,
  RobotsRecord,
  Settlement,
} from '../frontier.ts'
import { ROOM_FOR_ALL, type RoomForOthers } from '../pace.ts'
import { type Answer, Calls, type Word } from './calls.ts'
import { type Handed, handedMaps } from './elsewhere.ts'
import { type Handing, handOver } from './hand-over.ts'
import { HostsForAll } from './hosts-for-all.ts'
import { metaKey, type ShardName } from './keys.ts'
import { LastWord } from './last-word.ts'
import { LinkArguments, type LinkRules } from './link-arguments.ts'
import { bringInLine } from './opening.ts'
import type { RedisFrontierOptions } from './options.ts'
import { OrderingRuntime } from './ordering-runtime.ts'
import { OwnLeases } from './own-leases.ts'
import { PlainScoring } from './plain-scoring.ts'
import { type Portion, portionsOf, runsOf, weightOfLink } from './portions.ts'
import { putRight } from './put-right.ts'
import { RedisUrlStates } from './redis-url-states.ts'
import {
  decodeHostClock,
  decodeLease,
  type GivenLease,
  listOf,
  numbersOf,
  type Rank,
} from './reply.ts'
import { mapsOf, readRobots, robotsWords } from './robots-words.ts'
import { scoreNew } from './scoring.ts'
import type { ScriptName } from './scripts.ts'
import { beginWords, rulesOf } from './settings-words.ts'
import { durableOf, KIND_LETTERS, pushSettlement } from './settlement-words.ts'
import { ShownHosts } from './shown-hosts.ts'

/** How long a session lives without a word from it. */
const SESSION_MS = 15_000
const REFUSED_AT_ONCE = 2000

export async function openRedisFrontier(options: RedisFrontierOptions): Promise<RedisFrontier> {
  const { connection, job, clock, clockIsShared = false, shard = 0, session } = options
  const sessionMs = options.sessionMs ?? SESSION_MS
  const name = { prefix: connection.prefix, crawlId: job.id, shard }
  const calls = new Calls({ connection, name, clock, clockIsShared, sessionMs, session })
  const begun = await calls.run('begin', beginWords(options))
  const { reply } = begun
  const isNew = Number(reply[0]) === 1

  await calls.loadMarks()
  if (!isNew && !options.joins) await bringInLine(calls, rulesOf(options), Number(reply[1]))
  const frontier = new RedisFrontier(options, calls, begun)
  await frontier.learnServer()
  await frontier.prepare()
  await frontier.renew()
  return frontier
}

/** Leases that are asked for; see `Frontier.lease`. */
export type Wanted = {
  readonly limit: number
  readonly newPages: number
  readonly room: RoomForOthers
}

/** What `settle` is told beside the settlements. */
type Told = {
  readonly server: string
  readonly learned: readonly Word[]
  readonly handed: readonly Handed[]
}

export class RedisFrontier implements Frontier {
  readonly #options: RedisFrontierOptions
  readonly #name: ShardName
  readonly #calls: Calls
  readonly #own: OwnLeases
  readonly #rules: LinkRules
  readonly #guidance: OrderingRuntime
  readonly #last: LastWord
  readonly #plain: PlainScoring
  readonly #hosts: ShownHosts
  readonly #words: Parameters<typeof pushSettlement>[2]
  readonly #handing: Handing
  readonly #timer: NodeJS.Timeout
  #closed = false
  #leaseCalls = 0
  /** Another one when the server was restarted or replaced since. */
  #server = ''
  /** It was, and has not been told yet what is held. */
  #isMoved = false

  constructor(options: RedisFrontierOptions, calls: Calls, begun: Answer) {
    this.#options = options
    this.#calls = calls
    this.#own = new OwnLeases(options.job.settings)
    this.#rules = rulesOf(options)
    this.#plain = new PlainScoring(options, calls, this.#own)
    this.#guidance = new OrderingRuntime(options, calls, this.#rules)
    const { clock, connection, job, shard = 0 } = options
    const { clockIsShared = false, sessionMs = SESSION_MS } = options
    const onMoved = (): void => this.#goOnSoon()
    this.#last = new LastWord({ own: this.#own, clock, clockIsShared, sessionMs, onMoved }, begun)
    const serverTime = (at: number): number => this.#last.serverTime(at)
    const hashUrl = createUrlHasher(job.salt)
    this.#words = { rules: this.#rules, hashUrl, serverTime }
    this.#name = { prefix: connection.prefix, crawlId: job.id, shard }
    this.#handing = { options, name: this.#name, own: this.#own }
    const ledger = new RedisUrlStates(connection, this.#name, hashUrl)
    const readAll = () => ledger.hosts(Number.POSITIVE_INFINITY)
    const shown = new HostsForAll(options, { name: this.#name, session: calls.session, readAll })
    this.#hosts = new ShownHosts(this.#own, () => shown.read())
    calls.onMarks((answer) => this.#last.hear(answer))
    this.#timer = setInterval(() => void this.renew().catch(() => {}), sessionMs / 3).unref()
  }

  add(found: readonly Found[], via: Via): Promise<number> {
    return this.#guidance.inTurn(() => this.#add(found, via))
  }

  async #add(found: readonly Found[], via: Via): Promise<number> {
    let added = 0
    for (const some of runsOf(found, weightOfLink)) added += await this.#addSome(some, via)
    return added
  }

  async #addSome(found: readonly Found[], via: Via): Promise<number> {
    const words = new LinkArguments(this.#rules)
    const scored = await this.#guidance.found(found, via)
    const facts = { depth: 0, foundAt: this.#last.standing.lastId + 1, isLink: via === 'link' }
    words.push(found.length)
    for (const [at, link] of found.entries()) {
      words.link(link, scored?.[at] ?? scoreNew(this.#options.scorer, link, facts))
    }
    const answer = await this.#calls.run('add', [VIAS.indexOf(via), ...words.words()])
    const [added, stale, hosts] = answer.reply
    this.#hear(answer, hosts)
    await this.#rescore(stale)
    return Number(added)
  }

  async lease(
    limit: number,
    newPages = limit,
    room: RoomForOthers = ROOM_FOR_ALL,
  ): Promise<readonly Lease[]> {
    return this.leaseBeside([], { limit, newPages, room })
  }

  /** `seeds`: of seeds' domains in other shards, as `rank` tells it, and the requests they count. */
  async leaseBeside(seeds: readonly number[], wanted: Wanted): Promise<readonly Lease[]> {
    const { limit, newPages, room } = wanted
    const slow = Number.isFinite(room.slow) ? room.slow : ''
    for (;;) {
      await this.#guidance.look(limit)
      this.#leaseCalls += 1
      const words = [this.#leaseCalls, limit, newPages, slow, ...seeds]
      const answer = await this.#calls.run('lease', words)
      const given = this.#take(listOf(answer.reply[0]), answer)
      const trapped = given.flatMap((each) => this.#trapped(each))
      const leases = given.map(({ lease }) => lease)
      if (trapped.length === 0) return leases
      await this.settle(trapped)
      const isTrapped = new Set(trapped.map(({ lease }) => lease.id))
      const kept = leases.filter(({ kind, id }) => kind !== 'page' || !isTrapped.has(id))
      if (kept.length > 0) return kept
    }
  }

  /** What was learned since a URL was found counts; what the user asked for is asked for. */
  #trapped({ lease, suspects }: GivenLease): readonly Settlement[] {
    if (suspects.size === 0 || lease.depth === 0) return []
    const template = this.#rules.templateOf(lease.url)
    const evidence = template === null ? undefined : suspects.get(template.key)
    if (template === null || evidence === undefined) return []
    const reason = trapReason(template, evidence, this.#rules.trapBudget)
    return reason === null ? [] : [{ lease, outcome: 'refused', reason, found: [], judged: null }]
  }

  async leaseFor(url: CanonicalUrl): Promise<Lease | null> {
    const host = hostOf(url)
    this.#leaseCalls += 1
    const answer = await this.#calls.run('outside', [this.#leaseCalls, url, host, siteOf(host)])
    const [lease] = answer.reply
    return this.#take(lease === false ? [] : [lease], answer)[0]?.lease ?? null
  }

  isValid(lease: Lease): boolean {
    return this.#last.holds(lease)
  }

  requestSent(lease: Lease): void {
    if (!this.#own.started(lease, this.#last.now, this.#calls.next)) return
    this.#mark('s', lease, ['', '', '', '', ''])
  }

  requestEnded(lease: Lease, note: HostFeedback): void {
    if (!this.#own.landed(lease, note, { now: this.#last.now, toldBy: this.#calls.next })) return
    const { ok, trouble = '', restMs = '', delayMs = '', bytes = 0 } = note
    this.#mark('l', lease, [ok ? 1 : 0, trouble, number(restMs), number(delayMs), bytes])
  }

  async settle(settlements: readonly Settlement[]): Promise<number> {
    if (settlements.length === 0) return 0
    const taken = await this.#guidance.inTurn(() => this.#settle(settlements))
    await this.#guidance.rank(this.#last.standing)
    return taken
  }

  /** What a server may lose with its power is its own setting; pages it forgets are fetched again. */
  async flush(): Promise<void> {}

  async #settle(settlements: readonly Settlement[]): Promise<number> {
    const steered = await this.#guidance.settlements(settlements)
    const { lastId } = this.#last.standing
    const toSettle = steered ?? (await this.#plain.settlements(settlements, lastId))
    const { own, handed } = await handOver(toSettle, this.#handing)
    // Links that were left out are known to be there, unless the server has lost its last second.
    const server = toSettle.some(({ scored }) => scored.includes(null)) ? this.#server : ''
    const lost: Settlement[] = []
    let taken = 0
    for (const portion of portionsOf(own)) {
      const { from, last } = portion
      const isFirst = from === 0
      const isLast = from + last.length === settlements.length
      const learned = isLast ? this.#guidance.learnedWords() : ['', '', 0]
      const some = settlements.slice(from, from + last.length)
      const told = { server, learned, handed: isFirst ? handed : [] }
      const reply = await this.#settlePortion(portion, told)
      if (reply === 'again') {
        await this.#goOnElsewhere()
        lost.push(...settlements.slice(from))
        break
      }
      for (const { lease, outcome } of some) if (outcome !== 'part') this.#own.settled(lease)
      if (reply.taken === some.length) this.#plain.taken(toSettle.slice(from, from + some.length))
      taken += reply.taken
      lost.push(...durableOf(some, reply.lost, this.#options.job.round ?? 0))
    }
    await this.#guidance.settled(this.#last.standing)
    return taken + (lost.length > 0 ? await this.#settle(lost) : 0)
  }

  /** 'again': nothing was taken, since the server is another one. */
  async #settlePortion(
    { parts, last }: Portion,
    { server, learned, handed }: Told,
  ): Promise<'again' | { readonly taken: number; readonly lost: readonly number[] }> {
    for (const { toSettle, mark } of parts) {
      const words = new LinkArguments(this.#rules)
      pushSettlement(words, toSettle, this.#words)
      const part = await this.#calls.run('part', [server, mark, ...words.words()])
      if (part.reply[0] === 'again') return 'again'
      this.#last.hear(part)
      await this.#rescore(part.reply[0])
    }
    const words = new LinkArguments(this.#rules)
    words.push(last.length)
    for (const each of last) pushSettlement(words, each, this.#words)
    words.push(handed.length)
    for (const { to, words: given } of handed) words.push(to, JSON.stringify(given))
    const answer = await this.#calls.run('settle', [server, ...learned, ...words.words()])
    const [taken, stale, facts, lost] = answer.reply
    if (taken === 'again') return 'again'
    this.#hear(answer, facts)
    await this.#rescore(stale)
    return { taken: Number(taken), lost: numbersOf(lost) }
  }

  /** Takes what pages of other shards name, as `deliveryWords` has it. */
  async deliver(words: readonly Word[]): Promise<void> {
    const [stale] = await this.#run('deliver', words)
    await this.#rescore(stale)
  }

  /** Asks which server this is. */
  async learnServer(): Promise<void> {
    const { connection } = this.#options
    this.#server = String(await connection.run('server-mark', [metaKey(this.#name)], []))
  }

  /** The server may have lost its last second: what was heard of it before is not believed. */
  async #goOnElsewhere(): Promise<void> {
    await this.learnServer()
    this.#plain.forget()
    await this.#options.elsewhere?.handAgain()
  }

  /** How good the best is that could be leased now, with room for so many new pages; '': as before. */
  async rank(newPages: number | ''): Promise<Rank> {
    const answer = await this.#calls.run('rank', [this.#server, newPages])
    const [rank, member, seeds, requests] = answer.reply
    if (rank === 'again') {
      await this.#goOnElsewhere()
      return this.rank(newPages)
    }
    this.#last.hear(answer)
    return {
      rank: rank === false ? null : Number(rank),
      member: String(member),
      seeds: numbersOf(seeds),
      requests: Number(requests),
    }
  }

  async saveRobots(lease: Lease, record: RobotsRecord, delayMs?: number): Promise<void> {
    const { elsewhere } = this.#options
    const isAway = elsewhere?.isElsewhere ?? (() => false)
    const maps = mapsOf(lease, record)
    const away = maps.filter(isAway).map((url) => ({ url, level: 1, hops: 0 }))
    if (away.length > 0 && record.status !== 'unreachable' && this.#own.leaseOf(lease)) {
      await elsewhere?.noteHanded(await elsewhere.handOver([handedMaps(away)]))
    }
    const own = maps.filter((url) => !isAway(url))
    const words = robotsWords(lease, record, { delayMs, maps: own, ...this.#words })
    const answer = await this.#calls.run('robots', words)
    this.#own.settled(lease)
    this.#hear(answer, answer.reply[0])
  }

  async robots(origin: string): Promise<RobotsRecord | null> {
    return readRobots(this.#options.connection, this.#name, origin)
  }

  async refuseUnreachable(): Promise<number> {
    let refused = 0
    for (let from = ['0', '0']; from.some((cursor) => cursor !== ''); ) {
      const [some, hosts, retries] = await this.#run('unreachable', [REFUSED_AT_ONCE, ...from])
      refused += Number(some)
      from = [String(hosts), String(retries)]
    }
    return refused
  }

  status(): FrontierStatus {
    return this.#last.outlook()
  }

  counts(): UrlCounts {
    return this.#last.standing.counts
  }

  hosts(limit: number): readonly HostState[] {
    return this.#hosts.take(limit)
  }

  /** Brings what is there in line with this run's settings, and takes back what was learned before. */
  prepare(): Promise<void> {
    return this.#guidance.prepare()
  }

  /** Says that this session lives. */
  async renew(): Promise<void> {
    const isMoved = this.#isMoved
    this.#isMoved = false
    const { tokens } = this.#own
    try {
      await this.#run('renew', isMoved ? [tokens.length, ...tokens] : [''])
    } catch (error) {
      this.#isMoved ||= isMoved
      throw error
    }
    // Whoever found shorter paths may be gone.
    await this.#rescore([])
  }

  /** Tells the server soon what is held of what it gave before it was restarted or replaced. */
  #goOnSoon(): void {
    this.#isMoved = true
    setImmediate(() => {
      if (!this.#closed) this.renew().catch(() => {})
    })
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
    await this.#guidance.close()
    await this.#calls.run('leave', [])
  }

  #take(given: readonly unknown[], answer: Answer): readonly GivenLease[] {
    this.#hear(answer, answer.reply[1])
    return given.map((each) => {
      const lease = decodeLease(each)
      this.#own.take(lease, this.#last.standing.now)
      return lease
    })
  }

  /** Runs a script that says nothing of hosts. */
  async #run(name: ScriptName, words: readonly Word[]): Promise<readonly unknown[]> {
    const answer = await this.#calls.run(name, words)
    this.#last.hear(answer)
    return answer.reply
  }

  #hear(answer: Answer, facts: unknown): void {
    this.#last.hear(answer)
    for (const each of listOf(facts)) this.#own.learn(decodeHostClock(each), answer.call)
  }

  /** What a step has left to be done by the caller. */
  #rescore(told: unknown): Promise<void> {
    const run = (name: ScriptName, words: readonly Word[]) => this.#run(name, words)
    const isLowering = (): boolean => this.#last.standing.isLowering
    return putRight(told, { guidance: this.#guidance, run, isLowering })
  }

  #mark(what: 's' | 'l', lease: Lease, words: readonly (string | number)[]): void {
    const at = this.#options.clockIsShared ? this.#options.clock.now() : ''
    const { kind, id, token, host } = lease
    this.#calls.mark([what, KIND_LETTERS[kind], id, token, at, ...words, host])
  }
}

/** Infinity is no number to a script. */
function number(value: number | ''): number | '' {
  return value === '' ? '' : Math.min(value, Number.MAX_SAFE_INTEGER)
}
