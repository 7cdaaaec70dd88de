// The reads of a workspace, answered in threads of their own: however large a crawl is, the server goes on
// answering.
import { Worker } from 'node:worker_threads'
import { CRAWLER_ERRORS, CrawlerError, InvalidInput } from '../core/errors.ts'
import type { WorkspaceUrl } from '../core/workspace-url.ts'
import { moduleBeside } from '../lib/module-beside.ts'
import { given } from '../lib/present.ts'
import { type ReadName, readsBy, THREADS, threadFor, type WorkspaceReads } from './reads.ts'
import type { ReadCall, ReadReply, SentError } from './reads-thread.ts'

export async function openReads(workspace: WorkspaceUrl): Promise<WorkspaceReads> {
  const open = (name: string, maxMs?: number): ReadingThread =>
    new ReadingThread({ workspace, name, ...given({ maxMs }) })
  const threads = {
    short: open(THREADS.short),
    long: open(THREADS.long),
    maps: open(THREADS.maps),
    search: open(THREADS.search),
    web: open(THREADS.web, WEB_CALL_MS),
  }
  const close = async (): Promise<void> => {
    await Promise.all(Object.values(threads).map((thread) => thread[Symbol.asyncDispose]()))
  }
  return readsBy((name, args) => threads[threadFor(name, args)].call(name, args), close)
}

/** More than a server's clients can ask for in good faith; each waits in memory. */
const MAX_WAITING = 1000
/** Heap of a thread; the buffers of graphs do not count. */
const HEAP_MB = 1024
/** Longer than an answer from the web may take. */
const WEB_CALL_MS = 150_000
/** How long a thread that is not wanted any more may finish what it is at. */
const LEAVE_MS = 1000

type Waiting = {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout | undefined
}

type ReadingThreadOptions = {
  readonly workspace: WorkspaceUrl
  /** What it is called in errors. */
  readonly name: string
  /** A call that takes longer ends the thread: it hangs. Left out: calls may take any time. */
  readonly maxMs?: number
  /** What the thread runs. */
  readonly program?: URL
}

/**
 * A reading thread seen from outside. It is started with the first call, and again when it died. Calls that wait
 * for a thread that dies fail at once with a clear error; nothing else fails.
 */
export class ReadingThread implements AsyncDisposable {
  readonly #options: ReadingThreadOptions
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  /** Settled when the program is loaded, or the thread has ended. */
  #loaded: Promise<void> = Promise.resolve()
  #lastId = 0
  #closed = false

  constructor(options: ReadingThreadOptions) {
    this.#options = options
  }

  /** One call, answered after those before it. */
  call(name: ReadName, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw this.#died('it was closed')
      if (this.#waiting.size >= MAX_WAITING) {
        throw new CrawlerError('store-busy', 'too many readers wait already')
      }
      const id = ++this.#lastId
      const call: ReadCall = { id, name, args }
      const worker = this.#running()
      worker.postMessage(call)
      const { maxMs } = this.#options
      const timer =
        maxMs === undefined ? undefined : setTimeout(() => void worker.terminate(), maxMs)
      this.#waiting.set(id, { resolve, reject, timer })
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    const worker = this.#worker
    if (worker === null) return
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    worker.postMessage(null)
    // Cut short while it loads its modules, a thread can take the whole process with it.
    await this.#loaded
    const timer = setTimeout(() => void worker.terminate(), LEAVE_MS)
    await ended
    clearTimeout(timer)
  }

  #running(): Worker {
    this.#worker ??= this.#start()
    return this.#worker
  }

  #start(): Worker {
    const { program = PROGRAM, workspace } = this.#options
    const worker = new Worker(program, {
      workerData: workspace,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    const loaded = Promise.withResolvers<void>()
    this.#loaded = loaded.promise
    worker.on('message', (reply: ReadReply) => {
      if (reply === 'ready') loaded.resolve()
      else this.#hear(reply)
    })
    worker.on('error', (error) => this.#lose(worker, error.message))
    worker.on('exit', () => {
      loaded.resolve()
      this.#lose(worker, 'it ended')
    })
    return worker
  }

  #hear(reply: Exclude<ReadReply, 'ready'>): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    clearTimeout(waiting?.timer)
    if ('error' in reply) waiting?.reject(errorFrom(reply.error))
    else waiting?.resolve(reply.value)
  }

  /** Fails the calls that wait for it; the next call starts another. */
  #lose(worker: Worker, why: string): void {
    if (this.#worker !== worker) return
    this.#worker = null
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject, timer } of lost) {
      clearTimeout(timer)
      reject(this.#died(why))
    }
  }

  #died(why: string): CrawlerError {
    return new CrawlerError('process-died', `the ${this.#options.name} could not answer: ${why}`)
  }
}

const PROGRAM = moduleBeside(import.meta, 'reads-thread')

function errorFrom({ kind, code, message }: SentError): Error {
  if (kind === 'input') return new InvalidInput(code, message)
  const known = CRAWLER_ERRORS.find((one) => one === code)
  return kind === 'crawler' && known !== undefined
    ? new CrawlerError(known, message)
    : new Error(message)
}
