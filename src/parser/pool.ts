// The parser's threads. A page that runs too long or out of memory costs its thread, never the
// parser: the thread is replaced, and the page gets an outcome that says so.
import { Worker } from 'node:worker_threads'
import type { HandoverHead } from '../wire/handover.ts'
import type { PageParserOptions } from './parse-page.ts'
import type { Parsed } from './parsed.ts'
import type { WorkerRequest } from './worker.ts'

/** One page being parsed and one waiting in the thread's inbox: it never idles between two. */
const DEPTH = 2
const HEAP_MB = 512

export type PoolOptions = {
  readonly threads: number
  /** A page may take this long. */
  readonly limitMs: number
  readonly parse: PageParserOptions
  /** A thread has taken this page; called before the bytes reach it. */
  readonly onBegin: (head: HandoverHead) => void
  readonly onParsed: (head: HandoverHead, parsed: Parsed) => void
}

type Task = { readonly head: HandoverHead; readonly body: Uint8Array<ArrayBuffer> }
type Slot = { worker: Worker; readonly tasks: Task[]; watchdog: NodeJS.Timeout | null }

export class ParserPool {
  readonly #options: PoolOptions
  readonly #slots: Slot[] = []
  readonly #waiting: Task[] = []
  #waitingFrom = 0
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    for (let i = 0; i < options.threads; i++) this.#slots.push(this.#openSlot())
  }

  /** Pages taken and not answered. */
  get pending(): number {
    let pending = this.#waiting.length - this.#waitingFrom
    for (const slot of this.#slots) pending += slot.tasks.length
    return pending
  }

  parse(head: HandoverHead, body: Uint8Array<ArrayBuffer>): void {
    this.#waiting.push({ head, body })
    this.#feed()
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(
      this.#slots.map((slot) => {
        if (slot.watchdog !== null) clearTimeout(slot.watchdog)
        // A thread that is terminated while it starts can take the process with it: ask it to go.
        const gone = new Promise((resolve) => slot.worker.once('exit', resolve))
        slot.worker.postMessage(null)
        return gone
      }),
    )
  }

  #openSlot(): Slot {
    const slot: Slot = { worker: this.#openWorker(), tasks: [], watchdog: null }
    this.#listen(slot)
    return slot
  }

  #openWorker(): Worker {
    return new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: this.#options.parse,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
  }

  #listen(slot: Slot): void {
    const { worker } = slot
    worker.on('message', (parsed: Parsed) => {
      if (slot.worker !== worker) return
      const task = slot.tasks.shift()
      this.#watch(slot)
      this.#feed()
      if (task !== undefined) this.#options.onParsed(task.head, parsed)
    })
    worker.on('error', (error: Error & { code?: string }) => {
      const reason =
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? `parse-memory: more than ${HEAP_MB} MB`
          : `parser-crash: ${error.message}`
      this.#replace(slot, worker, reason)
    })
    worker.on('exit', () => this.#replace(slot, worker, 'parser-crash: the thread ended'))
  }

  /** The thread is lost: its first page gets the blame, the others go back to the queue. */
  #replace(slot: Slot, lost: Worker, reason: string): void {
    if (this.#closed || slot.worker !== lost) return
    const [guilty, ...innocent] = slot.tasks.splice(0)
    slot.worker = this.#openWorker()
    this.#listen(slot)
    this.#watch(slot)
    // Their bytes went with the thread, so whoever handed them over must do it again.
    for (const task of innocent) this.#options.onParsed(task.head, { outcome: 'lost' })
    if (guilty !== undefined) this.#options.onParsed(guilty.head, { outcome: 'failed', reason })
    this.#feed()
  }

  #feed(): void {
    for (let depth = 1; depth <= DEPTH; depth++) {
      for (const slot of this.#slots) {
        if (this.#waitingFrom >= this.#waiting.length) return
        if (slot.tasks.length < depth) this.#give(slot)
      }
    }
  }

  #give(slot: Slot): void {
    const task = this.#waiting[this.#waitingFrom++]
    if (task === undefined) return
    if (this.#waitingFrom > 1024) {
      this.#waiting.splice(0, this.#waitingFrom)
      this.#waitingFrom = 0
    }
    slot.tasks.push(task)
    if (slot.tasks.length === 1) this.#watch(slot)
    this.#options.onBegin(task.head)
    const request: WorkerRequest = task
    slot.worker.postMessage(request, [task.body.buffer])
  }

  #watch(slot: Slot): void {
    if (slot.watchdog !== null) clearTimeout(slot.watchdog)
    slot.watchdog = null
    if (slot.tasks.length === 0) return
    const { worker } = slot
    slot.watchdog = setTimeout(() => {
      this.#replace(slot, worker, `parse-timeout: longer than ${this.#options.limitMs} ms`)
      void worker.terminate()
    }, this.#options.limitMs)
  }
}
