// One thread of the parser, seen from outside: it starts, says that it is ready, takes pages, and
// leaves when it is asked to. It is ended by force only when a page hangs in it: a thread that is
// cut short while it loads its modules can take the whole process with it, in native code.
//
// A page has so much CPU time, looked at now and then: nothing is counted for pages that are quick.
import { Worker } from 'node:worker_threads'
import type { HandoverHead } from '../wire/handover.ts'
import type { Parsed, SitemapPart } from './parsed.ts'
import { cpuMsOf } from './thread-clock.ts'
import type { WorkerOptions, WorkerReply, WorkerRequest } from './worker.ts'

const HEAP_MB = 512
/** A tenth of a second on an idle machine; after this long it will not start any more. */
const START_LIMIT_MS = 60_000
/** Nothing sane takes longer: what is behind such a page is better off elsewhere. */
export const SLOW_MS = 1000
/** How often a page's time is looked at, in its limit, and at most. */
const LOOKS = 8
const LOOK_MS = 500
/** What waits and does no work is stuck, too: after so many times its limit. */
const STUCK_AFTER = 12

export type Task = { readonly head: HandoverHead; readonly body: Uint8Array<ArrayBuffer> }

export type ThreadOptions = {
  /** What the thread runs. */
  readonly program: URL
  readonly parse: WorkerOptions
  /** A page may take this much CPU time. */
  readonly limitMs: number
  readonly onReady: () => void
  /** Some of what a sitemap lists; its answer is still to come. */
  readonly onPart?: (task: Task, part: SitemapPart) => void
  readonly onParsed: (task: Task, parsed: Parsed, tookMs: number) => void
  /** Stands behind a page that takes long: its bytes are gone, whoever handed it over must do so again. */
  readonly onPassedOver: (task: Task) => void
  /** The thread is of no use any more; called once, unless it was asked to leave. */
  readonly onLost: (reason: string) => void
}

export class ParserThread {
  readonly #options: ThreadOptions
  readonly #worker: Worker
  readonly #tasks: Task[] = []
  /** Those of them whose answer nobody waits for any more. */
  readonly #passedOver = new Set<Task>()
  #ready = false
  #leaving = false
  #lost = false
  readonly #watchdog: NodeJS.Timeout
  /** As the kernel knows it; 0: it does not. */
  #number = 0
  /** When the page that is first became so, or the thread was started. */
  #firstSince = performance.now()
  /** The page whose time is being counted, and its thread's when that began. */
  #watched: { readonly task: Task; readonly cpuMs: number | null } | null = null
  /** Resolves when nothing of the thread is left. */
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

  /** Its program is loaded. Pages given earlier would only wait for that. */
  get ready(): boolean {
    return this.#ready
  }

  /** Pages taken, not answered and not given back, oldest first. */
  get tasks(): readonly Task[] {
    if (this.#passedOver.size === 0) return this.#tasks
    return this.#tasks.filter((task) => !this.#passedOver.has(task))
  }

  /** How long it has been at the page that it reads now; 0: at none. */
  get busyMs(): number {
    return this.#tasks.length === 0 ? 0 : performance.now() - this.#firstSince
  }

  take(task: Task): void {
    if (this.#tasks.length === 0) this.#firstSince = performance.now()
    this.#tasks.push(task)
    this.#post(task, [task.body.buffer])
  }

  /** Ends after what it has been given, and after its start; its answers are of no interest. */
  leave(): Promise<void> {
    if (!this.#leaving) this.#post(null)
    this.#leaving = true
    return this.ended
  }

  /** The same, but it is not waited for where it reads a page: who handed it over gets it again. */
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
    else if (this.busyMs > STUCK_AFTER * limitMs) this.#end('parse-timeout: it stands still')
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
