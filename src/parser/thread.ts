// One parser thread, seen from outside: it starts, reports that it is ready, takes pages, and
// leaves when asked to. It is killed only when a page hangs in it, because killing a thread while
// it loads its modules can crash the whole process in native code.
//
// The CPU time of a page is checked now and then, so quick pages pay nothing for it.
import { Worker } from 'node:worker_threads'
import type { HandoverHead } from '../wire/handover.ts'
import type { ParseResult, SitemapPart } from './parse-result.ts'
import { cpuMsOf } from './thread-clock.ts'
import type { WorkerOptions, WorkerReply, WorkerRequest } from './worker.ts'

const HEAP_MB = 512
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

export type ThreadOptions = {
  readonly program: URL
  readonly parse: WorkerOptions
  /** CPU time limit of a page. */
  readonly limitMs: number
  readonly onReady: () => void
  /** Some entries of a sitemap; its final result is still to come. */
  readonly onPart?: (task: Task, part: SitemapPart) => void
  readonly onParsed: (task: Task, parsed: ParseResult, tookMs: number) => void
  /** A page queued behind a slow one is given back: its bytes are gone, so it must be handed over again. */
  readonly onPassedOver: (task: Task) => void
  /** The thread is unusable; called once, unless it was asked to leave. */
  readonly onLost: (reason: string) => void
}

export class ParserThread {
  readonly #options: ThreadOptions
  readonly #worker: Worker
  readonly #tasks: Task[] = []
  /** Tasks that were given back; their answers are ignored. */
  readonly #passedOver = new Set<Task>()
  #ready = false
  #leaving = false
  #lost = false
  readonly #watchdog: NodeJS.Timeout
  /** The kernel's thread id; 0 when unknown. */
  #number = 0
  /** When the current first page became the first, or when the thread was started. */
  #firstSince = performance.now()
  /** The page whose time is measured, and the CPU time of its thread at the start. */
  #watched: { readonly task: Task; readonly cpuMs: number | null } | null = null
  readonly ended: Promise<void>

  constructor(options: ThreadOptions) {
    this.#options = options
    this.#worker = new Worker(options.program, {
      workerData: options.parse,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    this.ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()))
    this.#listen()
    const everyMs = Math.min(LOOK_MS, options.limitMs / LOOKS)
    this.#watchdog = setInterval(() => void this.#watch(), everyMs).unref()
  }

  /** Its program is loaded. Pages given earlier would only wait. */
  get ready(): boolean {
    return this.#ready
  }

  /** Pages taken, not answered and not given back, oldest first. */
  get tasks(): readonly Task[] {
    if (this.#passedOver.size === 0) return this.#tasks
    return this.#tasks.filter((task) => !this.#passedOver.has(task))
  }

  /** How long it has been parsing the current page; 0 without one. */
  get busyMs(): number {
    return this.#tasks.length === 0 ? 0 : performance.now() - this.#firstSince
  }

  take(task: Task): void {
    if (this.#tasks.length === 0) this.#firstSince = performance.now()
    this.#tasks.push(task)
    this.#post(task, [task.body.buffer])
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
        outOfMemory ? `parse-memory: more than ${HEAP_MB} MB` : `parser-crash: ${error.message}`,
      )
    })
    this.#worker.on('exit', () => this.#lose('parser-crash: the thread ended'))
  }

  #hear(reply: WorkerReply): void {
    if (this.#lost) return
    if ('thread' in reply) {
      this.#ready = true
      this.#number = reply.thread
      if (!this.#leaving) this.#options.onReady()
      return
    }
    const [first] = this.#tasks
    if (first === undefined || this.#leaving) return
    if (reply.outcome === 'part') {
      if (!this.#passedOver.has(first)) this.#options.onPart?.(first, reply)
      return
    }
    const tookMs = this.busyMs
    this.#tasks.shift()
    this.#firstSince = performance.now()
    if (!this.#passedOver.delete(first)) this.#options.onParsed(first, reply, tookMs)
  }

  #lose(reason: string): void {
    if (this.#lost) return
    this.#lost = true
    clearInterval(this.#watchdog)
    if (!this.#leaving) this.#options.onLost(reason)
  }

  async #watch(): Promise<void> {
    const { limitMs } = this.#options
    if (!this.#ready) {
      const waitedMs = performance.now() - this.#firstSince
      if (waitedMs > START_LIMIT_MS) this.#end(`parser-crash: no start in ${START_LIMIT_MS} ms`)
      return
    }
    const [task, ...behind] = this.#tasks
    if (task === undefined) return
    if (this.busyMs > SLOW_MS) this.#passOver(behind)
    const cpuMs = await cpuMsOf(this.#worker, this.#number)
    if (this.#tasks[0] !== task) return
    if (this.#watched?.task !== task) this.#watched = { task, cpuMs }
    const from = this.#watched.cpuMs
    const workedMs = cpuMs === null || from === null ? 0 : cpuMs - from
    if (workedMs > limitMs) this.#end(`parse-timeout: more than ${limitMs} ms of work`)
    else if (this.busyMs > STUCK_AFTER * limitMs) this.#end('parse-timeout: it makes no progress')
  }

  #passOver(behind: readonly Task[]): void {
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
