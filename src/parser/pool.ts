// The parser's threads. A page that runs too long or out of memory costs its thread, never the
// parser: the next page gets a new thread, and this one an outcome that says so.
//
// Threads are started when pages wait for one, the first at once, the others when waiting lasts: a
// crawl that stores nothing new starts none, and a small or slow one does with one.
//
// Sites take turns (fair-queue.ts). A page that is read for long holds back its own site alone: for the
// others there may be as many threads again.
import { CrawlerError } from '../core/errors.ts'
import { moduleBeside } from '../lib/module-beside.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { FairQueue, type SiteTurn } from './fair-queue.ts'
import type { Parsed, SitemapPart } from './parsed.ts'
import { ParserThread, SLOW_MS, type Task } from './thread.ts'
import type { WorkerOptions } from './worker.ts'

/** One page being parsed and one waiting in the thread's inbox: it never idles between two. */
const DEPTH = 2
/** A start costs as much as some hundred pages: not for a burst that is over in a moment. */
const GROW_AFTER_MS = 50
/** Behind a page of a site whose pages take longer no other is put, while its thread reads it. */
const QUICK_MS = 20
/** In a row. Memory may be short for a moment; a program that cannot be loaded stays so. */
const MAX_FAILED_STARTS = 3
const PROGRAM = moduleBeside(import.meta, 'worker')

export type PoolOptions = {
  /** At most. */
  readonly threads: number
  /** A page may take this much CPU time. */
  readonly limitMs: number
  readonly parse: WorkerOptions
  /** A thread has taken this page; called before the bytes reach it. */
  readonly onBegin: (head: HandoverHead) => void
  readonly onParsed: (head: HandoverHead, parsed: Parsed) => void
  /** Some of what a sitemap lists; its answer is still to come. */
  readonly onPart?: (head: HandoverHead, part: SitemapPart) => void
  /** No thread can be started; what waits will never be parsed. */
  readonly onBroken: (error: CrawlerError) => void
  /** What the threads run, where it is not the parser's own. */
  readonly program?: URL
}

export class ParserPool {
  readonly #options: PoolOptions
  /** Those that start or work. */
  readonly #threads: ParserThread[] = []
  /** Those, and the ones given up that are not gone yet. */
  readonly #alive = new Set<ParserThread>()
  readonly #waiting = new FairQueue<Task>()
  #growing: NodeJS.Timeout | null = null
  #failedStarts = 0
  /** How many threads there may be: fewer than allowed when no more can be had. */
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

  /** Threads that were started and not given up. */
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

  /** Forgets what no thread has begun with, and says nothing of it. */
  discardWaiting(): void {
    this.#waiting.clear()
  }

  /** Ends all threads, each in its own time; what was not answered by now never is. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stopGrowing()
    await Promise.all([...this.#alive].map((thread) => thread.leave()))
  }

  /** The same, but a thread that reads a page is ended in the middle of it. */
  async closeAtOnce(): Promise<void> {
    this.#closed = true
    this.#stopGrowing()
    await Promise.all([...this.#alive].map((thread) => thread.leaveAtOnce()))
  }

  #feed(): void {
    if (this.#closed) return
    // While another thread can be had, no page is put behind one that may take long.
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

  /** Whether a page behind the one that the thread reads now may have to wait for it. */
  #mayTakeLong({ tasks: [first], busyMs }: ParserThread): boolean {
    if (first === undefined) return false
    return busyMs > QUICK_MS || this.#waiting.siteOf(first).costMs > QUICK_MS
  }

  #isSlow({ busyMs }: ParserThread): boolean {
    return busyMs > SLOW_MS
  }

  #give(thread: ParserThread): void {
    const slow = this.#threads.filter((other) => this.#isSlow(other))
    const slowSites = new Set(
      slow.map(({ tasks: [first] }) => first && this.#waiting.siteOf(first)),
    )
    // A slow site has its share of the usual threads; those beyond are for the others.
    const mayBeSlow = slow.length < this.#limit
    const mayHave = (site: SiteTurn): boolean => mayBeSlow || !slowSites.has(site)
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

  /** One more for each thread that is held by one page, so that others need not wait for it. */
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

  /** As many as there are, so that many are there soon. */
  #start(): void {
    const wanted = Math.min(this.#allowed, Math.max(1, this.#threads.length * 2))
    while (this.#threads.length < wanted) {
      try {
        this.#open()
      } catch (error) {
        // The system gives this process no more threads.
        this.#failStart(error instanceof Error ? error.message : String(error))
        return
      }
    }
  }

  #open(): void {
    const { program = PROGRAM, parse, limitMs, onParsed, onPart } = this.#options
    const thread = new ParserThread({
      program,
      parse,
      limitMs,
      onReady: () => {
        this.#failedStarts = 0
        this.#feed()
      },
      onParsed: (task, parsed, tookMs) => {
        this.#waiting.spent(task, tookMs)
        this.#feed()
        onParsed(task.head, parsed)
      },
      onPart: ({ head }, part) => onPart?.(head, part),
      onPassedOver: ({ head }) => onParsed(head, { outcome: 'lost' }),
      onLost: (reason) => this.#lose(thread, reason),
    })
    this.#threads.push(thread)
    this.#alive.add(thread)
    void thread.ended.then(() => this.#alive.delete(thread))
  }

  /** The thread's first page gets the blame, the others go back to the queue. */
  #lose(thread: ParserThread, reason: string): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1)
    if (!thread.ready) {
      this.#failStart(reason)
      return
    }
    const [guilty, ...innocent] = thread.tasks
    if (guilty !== undefined) this.#waiting.spent(guilty, this.#options.limitMs)
    // Their bytes went with the thread, so whoever handed them over must do it again.
    for (const task of innocent) this.#options.onParsed(task.head, { outcome: 'lost' })
    if (guilty !== undefined) this.#options.onParsed(guilty.head, { outcome: 'failed', reason })
    this.#feed()
  }

  /** Those that run go on without it; with none, nothing goes on. */
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
