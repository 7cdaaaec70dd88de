// One parser thread, seen from outside: it starts, reports that it is ready, takes pages, and
// leaves when asked to. It is killed only when a page hangs in it, because killing a thread while
// it loads its modules can crash the whole process in native code.
//
// The CPU time of a page is checked now and then, so quick pages pay nothing for it.
import { Worker } from 'node:worker_threads'
import { CrawlerError } from '../core/errors.ts'
import { HookMark } from '../plugin/hook-mark.ts'
import type { HandoverHead } from '../wire/handover.ts'
import type { ParseResult, SitemapPart } from './parse-result.ts'
import { cpuMsOf, PARSED, PASSED_OVER } from './thread-clock.ts'
import type {
  SavedBatch,
  WorkerData,
  WorkerOptions,
  WorkerReply,
  WorkerRequest,
} from './thread-program.ts'

/** Limits of memory. Several times what a parser needs: a hook that runs while there is more has taken it. */
export type ThreadMemory = {
  /** Limit of the heap of the thread. */
  readonly heapMb: number
  /** Limit of the whole process while a hook of a plug-in runs: buffers are outside the heap. */
  readonly rssMb: number
}
const MEMORY: ThreadMemory = { heapMb: 512, rssMb: 2048 }
/** It takes a tenth of a second on an idle machine; after this long it has failed. */
const START_LIMIT_MS = 60_000
/** No sane page takes longer; pages queued behind it should go elsewhere. */
export const SLOW_MS = 1000
/** The time of a page is checked this many times within its limit, and at least every LOOK_MS. */
const LOOKS = 8
const LOOK_MS = 500
/** A thread that waits without working is stuck, too: after this many times its limit. */
const STUCK_AFTER = 12

export type Task = { readonly head: HandoverHead; readonly body: Uint8Array<ArrayBuffer> }

type ThreadOptions = {
  readonly program: URL
  readonly parse: WorkerOptions
  /** CPU time limit of a page. */
  readonly limitMs: number
  /** Smaller limits, for tests. */
  readonly memory?: ThreadMemory | undefined
  readonly onReady: () => void
  /** Some entries of a sitemap; its final result is still to come. */
  readonly onPart?: (task: Task, part: SitemapPart) => void
  readonly onParsed: (task: Task, parsed: ParseResult, tookMs: number) => void
  /** Pages that the thread parsed and kept are saved. */
  readonly onSaved?: (saved: SavedBatch) => void
  /** The thread cannot save pages. */
  readonly onBroken?: (error: CrawlerError) => void
  /** A page queued behind a slow one is given back: its bytes are gone, so it must be handed over again. */
  readonly onPassedOver: (task: Task) => void
  /** The thread is unusable; called once, unless it was asked to leave. */
  readonly onLost: (reason: string) => void
}

export class ParserThread {
  readonly #options: ThreadOptions
  readonly #worker: Worker
  /** Which hook of a plug-in runs; null without plug-ins. */
  readonly #mark: HookMark | null
  readonly #tasks: Task[] = []
  /** Pages that are parsed, and wait in the thread to be saved; oldest first. */
  readonly #kept: Task[] = []
  /** Tasks that were given back; their answers are ignored. */
  readonly #passedOver = new Set<Task>()
  /** Pages that go to it at the end of this turn, together. */
  #toPost: Task[] = []
  /** How many pages it was given, and how many of them it has answered. */
  #given = 0
  #answered = 0
  readonly #shared = new Int32Array(new SharedArrayBuffer(8))
  #ready = false
  #leaving = false
  #lost = false
  readonly #watchdog: NodeJS.Timeout
  /** The kernel's thread id; 0 when unknown. */
  #number = 0
  readonly #startedAt = performance.now()
  /** The page that it was seen to parse last, and since when. */
  #seen: { readonly task: Task | undefined; readonly since: number } = { task: undefined, since: 0 }
  /** The page whose time is measured, and the CPU time of its thread at the start. */
  #watched: { readonly task: Task; readonly cpuMs: number | null } | null = null
  readonly ended: Promise<void>
  readonly #loaded = Promise.withResolvers<void>()

  constructor(options: ThreadOptions) {
    this.#options = options
    const { parse } = options
    const { plugins } = parse
    this.#mark = plugins ? new HookMark(plugins.map(({ name }) => name)) : null
    const workerData: WorkerData = {
      ...{ ...parse, shared: this.#shared.buffer },
      ...(this.#mark && { hookMark: this.#mark.buffer }),
    }
    this.#worker = new Worker(options.program, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: this.#memory.heapMb },
    })
    this.ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()))
    void this.ended.then(() => this.#loaded.resolve())
    this.#listen()
    const everyMs = Math.min(LOOK_MS, options.limitMs / LOOKS)
    this.#watchdog = setInterval(() => void this.#watch(), everyMs).unref()
  }

  get #memory(): ThreadMemory {
    return this.#options.memory ?? MEMORY
  }

  /** Its program is loaded. Pages given earlier would only wait. */
  get ready(): boolean {
    return this.#ready
  }

  /** Its program is loaded, or never will be. */
  get loaded(): Promise<void> {
    return this.#loaded.promise
  }

  /** Pages taken, not answered and not given back, oldest first. */
  get tasks(): readonly Task[] {
    if (this.#passedOver.size === 0) return this.#tasks
    return this.#tasks.filter((task) => !this.#passedOver.has(task))
  }

  /** Pages that are parsed and not saved. */
  get kept(): readonly Task[] {
    return this.#kept
  }

  /** The page that it is parsing. Answers come in groups, so those before it may be parsed already. */
  get current(): Task | undefined {
    const parsed = Math.max(0, Atomics.load(this.#shared, PARSED) - this.#answered)
    return this.#tasks[parsed]
  }

  /** How long it has been parsing the current page, as far as that was noticed; 0 without one. */
  get busyMs(): number {
    const { current: task } = this
    if (task === undefined) return 0
    if (this.#seen.task !== task) this.#seen = { task, since: performance.now() }
    return performance.now() - this.#seen.since
  }

  /** The pages that it is given in one turn of the event loop go to it in one message. */
  take(task: Task): void {
    if (this.#tasks.length === 0) this.#seen = { task, since: performance.now() }
    this.#tasks.push(task)
    this.#given += 1
    this.#toPost.push(task)
    if (this.#toPost.length === 1) queueMicrotask(() => this.#postPages())
  }

  #postPages(): void {
    const pages = this.#toPost
    this.#toPost = []
    this.#post(
      { pages },
      pages.map(({ body }) => body.buffer),
    )
  }

  /** The frontier has settled the URLs of this payload. */
  settled(urls: Uint8Array): void {
    this.#post({ settled: urls })
  }

  /** Asks it to save what it keeps. */
  save(): void {
    if (this.#kept.length > 0) this.#post({ save: true })
  }

  /** Ends after its start and its tasks; the answers are ignored. */
  leave(): Promise<void> {
    if (!this.#leaving) this.#post(null)
    this.#leaving = true
    return this.ended
  }

  /** Like leave(), but does not wait for the current page, which is handed over again. */
  leaveAtOnce(): Promise<void> {
    if (this.#ready && this.#tasks.length > 0) void this.#worker.terminate()
    return this.leave()
  }

  #post(request: WorkerRequest | null, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, transfer)
  }

  #listen(): void {
    this.#worker.on('message', (reply: WorkerReply) => this.#hear(reply))
    this.#worker.on('error', (error: Error & { code?: string }) => {
      const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#lose(
        outOfMemory
          ? `parse-memory: more than ${this.#memory.heapMb} MB`
          : `parser-crash: ${error.message}`,
      )
    })
    this.#worker.on('exit', () => this.#lose('parser-crash: the thread ended'))
  }

  #hear(reply: WorkerReply): void {
    if (this.#lost) return
    if ('thread' in reply) {
      this.#ready = true
      this.#loaded.resolve()
      this.#number = reply.thread
      if (!this.#leaving) this.#options.onReady()
      return
    }
    if ('saved' in reply) {
      this.#kept.splice(0, reply.saved)
      this.#options.onSaved?.(reply)
      return
    }
    if ('broken' in reply) {
      const { code, message } = reply.broken
      this.#options.onBroken?.(new CrawlerError(code, message))
      return
    }
    if (this.#leaving) return
    if ('answers' in reply) for (const answer of reply.answers) this.#hearOf(answer)
    else this.#hearOf(reply)
  }

  #hearOf(reply: ParseResult | SitemapPart): void {
    const [first] = this.#tasks
    if (first === undefined) return
    if (reply.outcome === 'part') {
      if (!this.#passedOver.has(first)) this.#options.onPart?.(first, reply)
      return
    }
    const tookMs = reply.tookMs ?? this.busyMs
    this.#tasks.shift()
    this.#answered += 1
    if (reply.outcome === 'kept') this.#kept.push(first)
    if (!this.#passedOver.delete(first)) this.#options.onParsed(first, reply, tookMs)
  }

  #lose(reason: string): void {
    if (this.#lost) return
    this.#lost = true
    clearInterval(this.#watchdog)
    if (!this.#leaving) this.#options.onLost(this.#mark?.blame(reason) ?? reason)
  }

  async #watch(): Promise<void> {
    const { limitMs } = this.#options
    if (!this.#ready) {
      const waitedMs = performance.now() - this.#startedAt
      if (waitedMs > START_LIMIT_MS) this.#end(`parser-crash: no start in ${START_LIMIT_MS} ms`)
      return
    }
    const { current: task } = this
    if (task === undefined) return
    if (this.busyMs > SLOW_MS) this.#passOver(this.#tasks.slice(this.#tasks.indexOf(task) + 1))
    // Buffers are outside of the heap, which has a limit of its own.
    const { rssMb } = this.#memory
    if (this.#mark?.call != null && process.memoryUsage.rss() > rssMb * 2 ** 20) {
      this.#end(`parse-memory: the parser has more than ${rssMb} MB`)
      return
    }
    const cpuMs = await cpuMsOf(this.#worker, this.#number)
    if (this.current !== task) return
    if (this.#watched?.task !== task) this.#watched = { task, cpuMs }
    const from = this.#watched.cpuMs
    const workedMs = cpuMs === null || from === null ? 0 : cpuMs - from
    if (workedMs > limitMs) this.#end(`parse-timeout: more than ${limitMs} ms of work`)
    else if (this.busyMs > STUCK_AFTER * limitMs) this.#end('parse-timeout: it makes no progress')
  }

  #passOver(behind: readonly Task[]): void {
    Atomics.store(this.#shared, PASSED_OVER, this.#given)
    for (const task of behind) {
      if (this.#passedOver.has(task)) continue
      this.#passedOver.add(task)
      if (!this.#leaving) this.#options.onPassedOver(task)
    }
  }

  #end(reason: string): void {
    this.#lose(reason)
    void this.#worker.terminate()
  }
}
