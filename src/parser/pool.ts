// The parser's threads. A page that runs too long or out of memory costs its thread, never the
// parser: the next page gets a new thread, and this page gets an outcome that says so.
//
// Threads start when pages wait: the first at once, the others when waiting lasts. So a crawl that
// stores nothing new starts none, and a small or slow one needs only one.
//
// Sites take turns (fair-queue.ts). A slow page delays only its own site: up to as many extra
// threads serve the others.
import { CrawlerError } from '../core/errors.ts'
import { moduleBeside } from '../lib/module-beside.ts'
import type { ThreadFlags } from '../lib/work-flags.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { FairQueue, type SiteQueue } from './fair-queue.ts'
import type { ParseResult, SitemapPart } from './parse-result.ts'
import { ParserThread, SLOW_MS, type Task, type ThreadMemory } from './thread.ts'
import type { SavedBatch, WorkerOptions } from './thread-program.ts'

/** One page being parsed and some in the thread's inbox: it never idles, and several share a message. */
const DEPTH = 6
/** Starting a thread costs as much as some hundred pages, so short bursts start none. */
const GROW_AFTER_MS = 50
/** While a thread parses a page of a site slower than this, no other page is queued behind it. */
const QUICK_MS = 20
/** In a row. Memory may be short for a moment; a program that cannot be loaded stays so. */
const MAX_FAILED_STARTS = 3
const PROGRAM = moduleBeside(import.meta, 'thread-program')

export type PoolOptions = {
  /** The maximum. */
  readonly threads: number
  /** CPU time limit of a page. */
  readonly limitMs: number
  /** Smaller limits of memory, for tests. */
  readonly memory?: ThreadMemory
  readonly parse: WorkerOptions
  /** A thread takes this page; called before the bytes reach it. */
  readonly onBegin: (head: HandoverHead) => void
  readonly onParsed: (head: HandoverHead, parsed: ParseResult) => void
  /** Some entries of a sitemap; its final result is still to come. */
  readonly onPart?: (head: HandoverHead, part: SitemapPart) => void
  /** A thread is gone, with the pages that it kept. */
  readonly onLost?: () => void
  /** Threads have saved pages. */
  readonly onSaved?: (saved: SavedBatch) => void
  /** No thread can be started, or it cannot save; waiting pages will never be parsed. */
  readonly onBroken: (error: CrawlerError) => void
  /** Of this process; absent: they stay as they are. */
  readonly flags?: ThreadFlags
  /** The thread's program, if it is not the parser's own. */
  readonly program?: URL
}

export class ParserPool {
  readonly #options: PoolOptions
  /** Threads that start or work. */
  readonly #threads: ParserThread[] = []
  /** Also includes abandoned threads that have not ended yet. */
  readonly #alive = new Set<ParserThread>()
  readonly #waiting = new FairQueue<Task>()
  #growing: NodeJS.Timeout | null = null
  #failedStarts = 0
  /** The maximum number of threads: less than configured when the system refuses more. */
  #limit: number
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#limit = options.threads
  }

  /** Pages taken and not answered. */
  get pending(): number {
    let pending = this.#waiting.size
    for (const { tasks } of this.#threads) pending += tasks.length
    return pending
  }

  /** Pages that threads have parsed and not saved. */
  get kept(): number {
    let kept = 0
    for (const thread of this.#threads) kept += thread.kept.length
    return kept
  }

  /** Whether a thread has parsed this page and not saved it. */
  keeps(head: HandoverHead): boolean {
    return this.#threads.some(({ kept }) => kept.some((task) => task.head === head))
  }

  get threads(): number {
    return this.#threads.length
  }

  /** Starts the first thread before there is a page for it. */
  prepare(): void {
    if (!this.#closed && this.#threads.length === 0) this.#start()
  }

  parse(head: HandoverHead, body: Uint8Array<ArrayBuffer>): void {
    this.#waiting.push({ head, body })
    this.#feed()
  }

  /** The frontier has settled the URLs of this payload. */
  settled(urls: Uint8Array): void {
    for (const thread of this.#threads) thread.settled(urls)
  }

  /** Asks threads to save what they keep. */
  save(): void {
    for (const thread of this.#threads) thread.save()
  }

  /** Drops the pages that no thread has started, without an outcome. */
  discardWaiting(): void {
    this.#waiting.clear()
  }

  /** Ends all threads after their current work; unanswered pages never get an answer. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stopGrowing()
    await Promise.all([...this.#alive].map((thread) => thread.leave()))
  }

  /** Like close(), but ends a thread in the middle of a page. */
  async closeAtOnce(): Promise<void> {
    this.#closed = true
    this.#stopGrowing()
    await Promise.all([...this.#alive].map((thread) => thread.leaveAtOnce()))
  }

  #feed(): void {
    if (this.#closed) return
    // While another thread can be started, no page is queued behind one that may take long.
    const complete = this.#threads.length >= this.#limit && !this.#starting
    const depth = complete ? DEPTH : 1
    for (let load = 0; load < depth; load++) {
      for (const thread of this.#threads) {
        if (this.#waiting.size === 0) break
        if (thread.ready && thread.tasks.length <= load && !this.#mayTakeLong(thread)) {
          this.#give(thread)
        }
      }
    }
    this.#grow()
  }

  get #starting(): boolean {
    return this.#threads.some((thread) => !thread.ready)
  }

  /** Whether a page queued behind the current one may have to wait for long. */
  #mayTakeLong({ current, busyMs }: ParserThread): boolean {
    if (current === undefined) return false
    return busyMs > QUICK_MS || this.#waiting.siteOf(current).costMs > QUICK_MS
  }

  #isSlow({ busyMs }: ParserThread): boolean {
    return busyMs > SLOW_MS
  }

  #give(thread: ParserThread): void {
    const slow = this.#threads.filter((other) => this.#isSlow(other))
    const slowSites = new Set(slow.map(({ current }) => current && this.#waiting.siteOf(current)))
    // A slow site gets its share of the usual threads; extra threads are for the other sites.
    const mayBeSlow = slow.length < this.#limit
    const mayHave = (site: SiteQueue): boolean => mayBeSlow || !slowSites.has(site)
    const task = this.#waiting.shift(mayHave)
    if (task === undefined) return
    this.#options.onBegin(task.head)
    thread.take(task)
  }

  #grow(): void {
    if (this.#waiting.size === 0 || this.#starting) this.#stopGrowing()
    else if (this.#threads.length === 0) this.#start()
    else if (this.#threads.length < this.#allowed) this.#growAfter(GROW_AFTER_MS)
    else if (this.#threads.length < 2 * this.#limit) this.#growAfter(SLOW_MS)
    else this.#stopGrowing()
  }

  /** One extra thread for each that is held up by one page, so that other pages need not wait. */
  get #allowed(): number {
    let slow = 0
    for (const thread of this.#threads) if (this.#isSlow(thread)) slow += 1
    return this.#limit + Math.min(slow, this.#limit)
  }

  #growAfter(ms: number): void {
    this.#growing ??= setTimeout(() => {
      this.#growing = null
      if (this.#threads.length < this.#allowed) this.#start()
      else this.#feed()
    }, ms)
  }

  #stopGrowing(): void {
    if (this.#growing !== null) clearTimeout(this.#growing)
    this.#growing = null
  }

  /** Starts as many as are running, so that the number doubles. */
  #start(): void {
    const wanted = Math.min(this.#allowed, Math.max(1, this.#threads.length * 2))
    while (this.#threads.length < wanted) {
      try {
        this.#open()
      } catch (error) {
        // The system refuses another thread.
        this.#failStart(error instanceof Error ? error.message : String(error))
        return
      }
    }
  }

  #open(): void {
    const { program = PROGRAM, onParsed, onPart, onSaved, onBroken } = this.#options
    const { parse, limitMs, memory, flags } = this.#options
    const thread = new ParserThread({
      ...{ program, parse, limitMs, memory },
      onReady: () => {
        this.#failedStarts = 0
        this.#feed()
      },
      onParsed: (task, parsed, tookMs) => {
        this.#waiting.charge(task, tookMs)
        this.#feed()
        onParsed(task.head, parsed)
      },
      onPart: ({ head }, part) => onPart?.(head, part),
      onSaved: (saved) => onSaved?.(saved),
      onBroken,
      onPassedOver: ({ head }) => onParsed(head, { outcome: 'lost' }),
      onLost: (reason) => this.#lose(thread, reason),
    })
    void flags?.during(thread.loaded)
    this.#threads.push(thread)
    this.#alive.add(thread)
    void thread.ended.then(() => this.#alive.delete(thread))
  }

  /** The page that it was parsing gets the blame; the others are handed over again. */
  #lose(thread: ParserThread, reason: string): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1)
    if (!thread.ready) {
      this.#failStart(reason)
      return
    }
    this.#options.onLost?.()
    // One that was passed over has an outcome already.
    const guilty = thread.tasks.find((task) => task === thread.current)
    const innocent = thread.tasks.filter((task) => task !== guilty)
    if (guilty !== undefined) this.#waiting.charge(guilty, this.#options.limitMs)
    // Their bytes are gone with the thread, so they must be handed over again.
    for (const task of [...thread.kept, ...innocent])
      this.#options.onParsed(task.head, { outcome: 'lost' })
    if (guilty !== undefined) this.#options.onParsed(guilty.head, { outcome: 'failed', reason })
    this.#feed()
  }

  /** Running threads go on without it; with none running, the pool is broken. */
  #failStart(reason: string): void {
    this.#failedStarts++
    if (this.#failedStarts >= MAX_FAILED_STARTS && this.#threads.length === 0) {
      this.#closed = true
      const message = `no parser thread can be started (${reason})`
      this.#options.onBroken(new CrawlerError('process-died', message))
      return
    }
    if (this.#failedStarts >= MAX_FAILED_STARTS) this.#limit = this.#threads.length
    this.#feed()
  }
}
