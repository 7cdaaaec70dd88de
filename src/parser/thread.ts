// One thread of the parser, seen from outside: it starts, says that it is ready, takes pages, and
// leaves when it is asked to. It is ended by force only when a page hangs in it: a thread that is
// cut short while it loads its modules can take the whole process with it, in native code.
import { Worker } from 'node:worker_threads'
import type { HandoverHead } from '../wire/handover.ts'
import type { Parsed } from './parsed.ts'
import type { WorkerOptions, WorkerReply, WorkerRequest } from './worker.ts'

const HEAP_MB = 512
/** A tenth of a second on an idle machine; after this long it will not start any more. */
const START_LIMIT_MS = 60_000

export type Task = { readonly head: HandoverHead; readonly body: Uint8Array<ArrayBuffer> }

export type ThreadOptions = {
  /** What the thread runs. */
  readonly program: URL
  readonly parse: WorkerOptions
  /** A page may take this long. */
  readonly limitMs: number
  readonly onReady: () => void
  readonly onParsed: (task: Task, parsed: Parsed) => void
  /** The thread is of no use any more; called once, unless it was asked to leave. */
  readonly onLost: (reason: string) => void
}

export class ParserThread {
  readonly #options: ThreadOptions
  readonly #worker: Worker
  readonly #tasks: Task[] = []
  #ready = false
  #leaving = false
  #lost = false
  #watchdog: NodeJS.Timeout | null = null
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
    this.#watch()
  }

  /** Its program is loaded. Pages given earlier would only wait for that. */
  get ready(): boolean {
    return this.#ready
  }

  /** Pages taken and not answered, oldest first. */
  get tasks(): readonly Task[] {
    return this.#tasks
  }

  take(task: Task): void {
    this.#tasks.push(task)
    if (this.#tasks.length === 1) this.#watch()
    this.#post(task, [task.body.buffer])
  }

  /** Ends after what it has been given, and after its start; its answers are of no interest. */
  leave(): Promise<void> {
    if (!this.#leaving) this.#post(null)
    this.#leaving = true
    return this.ended
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
    if (reply === 'ready') {
      this.#ready = true
      this.#watch()
      if (!this.#leaving) this.#options.onReady()
      return
    }
    const task = this.#tasks.shift()
    this.#watch()
    if (task !== undefined && !this.#leaving) this.#options.onParsed(task, reply)
  }

  #lose(reason: string): void {
    if (this.#lost) return
    this.#lost = true
    this.#watch()
    if (!this.#leaving) this.#options.onLost(reason)
  }

  /** Gives the start, or the page that is now first, its time. */
  #watch(): void {
    if (this.#watchdog !== null) clearTimeout(this.#watchdog)
    this.#watchdog = null
    if (this.#lost || (this.#ready && this.#tasks.length === 0)) return
    const limitMs = this.#ready ? this.#options.limitMs : START_LIMIT_MS
    this.#watchdog = setTimeout(() => {
      this.#lose(`parse-timeout: longer than ${limitMs} ms`)
      void this.#worker.terminate()
    }, limitMs)
  }
}
