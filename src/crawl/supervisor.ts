// The supervisor starts scouter and parser, watches them, restarts those that die, enforces the user's limits
// (time, Ctrl-C), and decides when the crawl has ended.
//
// It passes no pages. Its children connect to a socket in a folder that only this user can enter. When the
// supervisor dies, that connection breaks: they begin nothing new, have three seconds to finish and save what is
// under way, and exit by themselves (child.ts).
//
//   running ──finished──▶ over            (nothing left, or the page limit)
//      │
//      └──drain──▶ draining ──drained──▶ over    (Ctrl-C, time limit, or a rule of stop-rules.ts)
import { rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { CRAWLER_ERRORS, CrawlerError, type CrawlerErrorCode } from '../core/errors.ts'
import type { Job } from '../core/job.ts'
import { ONLY_PAIR, type Pair } from '../core/pair.ts'
import type { WorkspaceUrl } from '../core/workspace-url.ts'
import { type Clock, steadyMs } from '../lib/clock.ts'
import { HANGING_SIGNAL } from '../plugin/hanging.ts'
import { Connection } from '../wire/connection.ts'
import { decodeControl, type FromChild } from '../wire/control.ts'
import {
  Child,
  type ChildExit,
  CONTROL_SOCKET,
  createRunFolder,
  ROLES,
  type Role,
  removeRunFolder,
  spawnChild,
  sweepRunFolders,
} from './child-process.ts'
import {
  type KnownProgress,
  NO_PROGRESS,
  NOBODY_DIED,
  type OfTheDead,
  type Progress,
  withBeat,
} from './progress.ts'
import { type StopRule, stopRuleOf } from './stop-rules.ts'

/** A child without a message for this long hangs: a heartbeat is due every quarter of a second. */
const SILENCE_MS = 30_000
/** Deaths in a row, by itself and without a page in between, after which something is broken. */
const MAX_OWN_DEATHS = 8
/** SIGKILL comes from outside (an operator, the kernel under memory pressure), which may pass. */
const MAX_KILLS = 200
const WATCH_MS = 500
const NETWORK_AWAY = 'the network seems to be away: no host answers any more; waiting for it'
const EXIT_PATIENCE_MS = 10_000
/** From the stop request. A scouter gives slow work back, so only one that hangs needs this long. */
const DRAIN_MS = 7_000
/** Between the drain of a scouter and its exit, if the user waits for it. */
const LEAVE_PATIENCE_MS = 4_000
/** The longest delay of a timer, some 24 days; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** `away`: the network was down for longer than the crawl waits. */
export type CrawlEnd = 'empty' | 'limit' | 'away' | DrainReason
/** `interrupted`: by a user at the terminal. `shutdown`: the server shuts down, the job continues later. */
export type DrainReason = 'interrupted' | 'time' | 'paused' | 'stopped' | 'shutdown' | StopRule

export type SupervisorOptions = {
  readonly job: Job
  readonly workspace: WorkspaceUrl
  readonly clock: Clock
  /** How long this run may take; null means no limit. */
  readonly durationMs: number | null
  /** Totals of earlier runs, shown until the first message of a child. */
  readonly known: KnownProgress
  /** Hot pages that earlier runs stored. */
  readonly hotBefore: number
  /** Others decide when the crawl has enough: these processes see only a part of it. */
  readonly joined?: true
  /** Which of several pairs in a folder it is. */
  readonly pair?: Pair
  /** The program files of the children. */
  readonly entries: Readonly<Record<Role, string>>
  /** Starts a child; tests replace it. */
  readonly spawn?: typeof spawnChild
  readonly onProgress: (progress: Progress) => void
  /** A notice for the user: a child died and was restarted. */
  readonly onNotice: (text: string) => void
}

/** A running crawl, or this machine's part of it. */
export interface CrawlProcesses extends AsyncDisposable {
  readonly progress: Progress
  run(): Promise<CrawlEnd>
  drain(why: DrainReason, withinMs?: number): void
  enough(why: StopRule): void
}

export class Supervisor implements CrawlProcesses {
  readonly #options: SupervisorOptions
  readonly #folder = createRunFolder()
  readonly #removeFolder = () => removeRunFolder(this.#folder)
  readonly #server: Server
  readonly #children = new Map<Role, Child>()
  readonly #told = new Set<string>()
  readonly #ended = Promise.withResolvers<CrawlEnd>()
  #progress: Progress
  #dead: OfTheDead = NOBODY_DIED
  #draining: DrainReason | null = null
  #enough: StopRule | null = null
  #over = false
  #barrenDeaths = 0
  #doneAtDeath = Number.NEGATIVE_INFINITY
  #timers: NodeJS.Timeout[] = []
  #watchedAt = steadyMs()

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#progress = { ...NO_PROGRESS, ...options.known }
    this.#server = createServer((socket) => this.#accept(socket))
    // A user in a hurry leaves by process.exit; the folder must not stay behind.
    process.once('exit', this.#removeFolder)
  }

  get progress(): Progress {
    return this.#progress
  }

  /** Runs the crawl to its end; rejects with a CrawlerError if it cannot continue. */
  async run(): Promise<CrawlEnd> {
    const { durationMs } = this.#options
    this.#options.onProgress(this.#progress)
    await this.#listen()
    await sweepRunFolders(this.#folder)
    for (const role of ROLES) this.#start(role)
    this.#watchedAt = steadyMs()
    this.#timers.push(setInterval(() => this.#watch(), WATCH_MS))
    if (durationMs !== null) this.#after(durationMs, () => this.drain('time'))
    const end = await this.#ended.promise
    await this.#seeOff()
    return end
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause) => {
        const message = `no socket can be opened at ${this.#controlSocket}; set TMPDIR to a short path`
        reject(new CrawlerError('wire-broken', message, { cause }))
      })
      this.#server.listen(this.#controlSocket, resolve)
    })
  }

  /**
   * Sends no new requests. Work under way is finished and saved, or given back after a moment. Children that
   * have not exited within `withinMs` are killed: a later run fetches again what they held.
   */
  drain(why: DrainReason, withinMs = DRAIN_MS): void {
    this.#after(Math.min(withinMs, DRAIN_MS), () => void this.#leave())
    if (this.#draining !== null) return
    this.#draining = why
    this.#children.get('scouter')?.send({ type: 'drain' })
  }

  /** The crawl has enough. URLs of a recrawl are visited nevertheless. */
  enough(why: StopRule): void {
    if (this.#options.job.round === undefined) {
      this.drain(why)
    } else if (this.#enough === null) {
      this.#enough = why
      this.#children.get('scouter')?.send({ type: 'enough' })
    }
  }

  async #leave(): Promise<void> {
    // It ended in time and is exiting.
    if (this.#over) return
    this.#over = true
    await this.#killAll()
    this.#ended.resolve(this.#draining ?? 'interrupted')
  }

  async #killAll(): Promise<void> {
    for (const child of this.#children.values()) child.kill()
    await Promise.all([...this.#children.values()].map((child) => child.exited))
  }

  #after(ms: number, work: () => void): void {
    this.#timers.push(setTimeout(work, Math.min(ms, MAX_TIMER_MS)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#killAll()
    this.#server.close()
    this.#removeFolder()
    process.off('exit', this.#removeFolder)
  }

  get #controlSocket(): string {
    return join(this.#folder, CONTROL_SOCKET)
  }

  /** The socket where the scouter listens for the parser. */
  get #pagesSocket(): string {
    return join(this.#folder, 'pages.sock')
  }

  #start(role: Role): void {
    const { entries, job, clock, spawn = spawnChild } = this.#options
    // A dead scouter may have left its socket behind.
    if (role === 'scouter') rmSync(this.#pagesSocket, { force: true })
    const busyThreads = role === 'parser' ? job.settings.parserThreads : 1
    const handle = spawn(entries[role], this.#controlSocket, busyThreads)
    const child = new Child(role, handle, clock.now())
    this.#children.set(role, child)
    void child.exited.then((exit) => this.#exited(child, exit))
  }

  #accept(socket: Socket): void {
    let child: Child | null = null
    const connection = new Connection(socket, {
      onFrame: (_type, payload) => {
        const message = decodeControl<FromChild>(payload)
        if (message.type === 'hello') child = this.#greet(message, connection)
        else if (child !== null) this.#hear(child, message)
      },
      onClose: () => {},
    })
  }

  #greet(hello: Extract<FromChild, { type: 'hello' }>, connection: Connection): Child | null {
    const child = this.#children.get(hello.role)
    if (child === undefined || child.pid !== hello.pid) {
      connection.destroy()
      return null
    }
    const { job, workspace } = this.#options
    child.attach(connection)
    const { pair = ONLY_PAIR } = this.#options
    child.send({ type: 'start', job, workspace, pagesSocket: this.#pagesSocket, pair })
    return child
  }

  #hear(child: Child, message: FromChild): void {
    child.lastSeen = this.#options.clock.now()
    switch (message.type) {
      case 'up':
        child.up = true
        if (child.role === 'scouter') this.#remind(child)
        break
      case 'beat':
        this.#hearBeat(message)
        this.#options.onProgress(this.#progress)
        this.#stopWhenEnough()
        break
      case 'notice':
        this.#notice(message.text)
        break
      case 'finished':
        this.#ended.resolve(this.#endOf(message.why))
        break
      case 'fatal':
        this.#ended.reject(new CrawlerError(errorCode(message.code), message.message))
        break
      case 'hello':
      case 'alive':
        break
    }
  }

  /** Once: a restarted child would repeat it. */
  #notice(text: string): void {
    if (this.#told.has(text)) return
    this.#told.add(text)
    this.#options.onNotice(text)
  }

  #hearBeat(beat: Extract<FromChild, { type: 'beat' }>): void {
    const wasAway = this.#progress.awayMs !== undefined
    this.#progress = withBeat(this.#progress, beat, this.#dead)
    const isAway = this.#progress.awayMs !== undefined
    if (isAway === wasAway) return
    this.#options.onNotice(isAway ? NETWORK_AWAY : 'the network is back')
  }

  /** Repeats the messages that a restarted scouter has missed. */
  #remind(scouter: Child): void {
    if (this.#enough !== null) scouter.send({ type: 'enough' })
    if (this.#draining !== null) scouter.send({ type: 'drain' })
  }

  #endOf(why: Extract<FromChild, { type: 'finished' }>['why']): CrawlEnd {
    if (why === 'drained') return this.#draining ?? 'interrupted'
    return why === 'limit' ? (this.#enough ?? why) : why
  }

  #stopWhenEnough(): void {
    const { job, hotBefore, joined } = this.#options
    if (joined) return
    const { harvest } = this.#progress
    const enough = stopRuleOf(job.settings, harvest, hotBefore + harvest.hot)
    if (enough !== null) this.enough(enough)
  }

  #exited(child: Child, { code, signal }: ChildExit): void {
    if (this.#over || this.#children.get(child.role) !== child) return
    const killed = signal === 'SIGKILL'
    const how = this.#deathOf(code, signal)
    if (!this.#mayGoOn(killed)) {
      const message = `the ${child.role} dies again and again without storing a page (${how})`
      this.#ended.reject(new CrawlerError('process-died', message))
      return
    }
    this.#options.onNotice(`the ${child.role} died (${how}) and is started again`)
    this.#progress = { ...this.#progress, restarts: this.#progress.restarts + 1 }
    const { bytes, harvest, saved } = this.#progress
    if (child.role === 'scouter') this.#dead = { ...this.#dead, bytes }
    if (child.role === 'parser') {
      this.#dead = { ...this.#dead, harvest, saved }
      this.#children.get('scouter')?.send({ type: 'parser-died', killed })
    }
    this.#start(child.role)
  }

  #deathOf(code: number | null, signal: NodeJS.Signals | null): string {
    if (signal !== HANGING_SIGNAL) return signal ?? `exit code ${code}`
    return `the ordering ${this.#options.job.settings.ordering} takes too long for one answer`
  }

  #mayGoOn(killed: boolean): boolean {
    const done = this.#done
    if (done > this.#doneAtDeath) this.#barrenDeaths = 0
    this.#doneAtDeath = done
    this.#barrenDeaths += killed ? 1 / MAX_KILLS : 1 / MAX_OWN_DEATHS
    return this.#barrenDeaths < 1
  }

  /** Grows with every page. A page visited again also counts if it is gone. */
  get #done(): number {
    const { stored, revisits } = this.#progress
    const isUnknown = this.#options.job.round !== undefined && revisits === undefined
    return isUnknown ? Number.NEGATIVE_INFINITY : stored - 2 * (revisits ?? 0)
  }

  #watch(): void {
    const now = this.#options.clock.now()
    const sinceMs = steadyMs() - this.#watchedAt
    this.#watchedAt += sinceMs
    // A program that was busy itself has not heard its children yet.
    if (sinceMs > SILENCE_MS / 2) return
    for (const child of this.#children.values()) {
      if (now - child.lastSeen < SILENCE_MS) continue
      this.#options.onNotice(`the ${child.role} gave no sign of life for ${SILENCE_MS / 1000} s`)
      child.lastSeen = now
      child.kill()
    }
  }

  /** The scouter is done; the parser stores what it still has, then both exit. */
  async #seeOff(): Promise<void> {
    this.#over = true
    this.#children.get('parser')?.send({ type: 'drain' })
    const all = Promise.all([...this.#children.values()].map((child) => child.exited))
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise((resolve) => {
      const isWaitedFor = this.#draining !== null
      timer = setTimeout(resolve, isWaitedFor ? LEAVE_PATIENCE_MS : EXIT_PATIENCE_MS)
    })
    await Promise.race([all, patience])
    clearTimeout(timer)
  }
}

function errorCode(code: string): CrawlerErrorCode {
  return CRAWLER_ERRORS.find((known) => known === code) ?? 'process-died'
}
