// The hook `request`, seen from the scouter: asked in a thread that is watched. A request on which it hangs,
// or with which the thread dies, is not sent; the next one gets a new thread.
import { Worker } from 'node:worker_threads'
import type { PluginRecord } from '../core/plugin.ts'
import { moduleBeside } from '../lib/module-beside.ts'
import { HOOK_MS } from './call-hook.ts'
import { HookMark } from './hook-mark.ts'
import type { PluginRequest } from './plugin.ts'
import type { RequestAnswer, RequestReply } from './request-thread.ts'

const PROGRAM = moduleBeside(import.meta, 'request-thread')
const HEAP_MB = 256
/** Loading takes a tenth of a second. */
const START_MS = 15_000
const LOOK_MS = 250
/** A hook that runs while the whole process has more than this has taken it. */
const MAX_RSS_BYTES = 2 * 2 ** 30
/** In a row. */
const MAX_FAILED_STARTS = 3

type Waiting = {
  readonly request: PluginRequest
  readonly resolve: (answer: RequestAnswer) => void
}

/** Null if no plug-in has the hook. */
export function openRequestHooks(plugins: readonly PluginRecord[]): RequestHooks | null {
  const asking = plugins.filter(({ hooks }) => hooks.includes('request'))
  return asking.length === 0 ? null : new RequestHooks(asking)
}

export class RequestHooks implements AsyncDisposable {
  readonly #plugins: readonly PluginRecord[]
  readonly #mark: HookMark
  /** The thread has the first of them, or all that were sent with it. */
  #waiting: Waiting[] = []
  #worker: Worker | null = null
  #isReady = false
  #since = performance.now()
  #failedStarts = 0
  #closed = false
  readonly #watchdog: NodeJS.Timeout

  constructor(plugins: readonly PluginRecord[]) {
    this.#plugins = plugins
    this.#mark = new HookMark(plugins.map(({ name }) => name))
    this.#watchdog = setInterval(() => this.#watch(), LOOK_MS).unref()
  }

  /** Never rejects. */
  changes(request: PluginRequest): Promise<RequestAnswer> {
    return new Promise((resolve) => {
      if (this.#failedStarts >= MAX_FAILED_STARTS) return resolve(this.#failed('cannot be loaded'))
      if (this.#waiting.length === 0) this.#since = performance.now()
      this.#waiting.push({ request, resolve })
      if (this.#worker === null) this.#start()
      else this.#worker.postMessage(request)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    clearInterval(this.#watchdog)
    await this.#worker?.terminate()
  }

  #start(): void {
    const worker = new Worker(PROGRAM, {
      workerData: { plugins: this.#plugins, hookMark: this.#mark.buffer },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    this.#worker = worker
    this.#isReady = false
    this.#since = performance.now()
    worker.on('message', (reply: RequestReply) => this.#hear(reply))
    worker.on('error', (error) => this.#lose(worker, error.message))
    worker.on('exit', () => this.#lose(worker, 'it ended the thread'))
    for (const { request } of this.#waiting) worker.postMessage(request)
  }

  #hear(reply: RequestReply): void {
    this.#since = performance.now()
    if (reply !== 'ready') {
      this.#waiting.shift()?.resolve(reply)
      return
    }
    this.#isReady = true
    this.#failedStarts = 0
  }

  #watch(): void {
    const worker = this.#worker
    if (worker === null || this.#waiting.length === 0) return
    const waitedMs = performance.now() - this.#since
    if (!this.#isReady) {
      if (waitedMs > START_MS) this.#end(worker, 'it takes too long to load')
      return
    }
    // A hook that waits is ended by a timer in its thread; this one never returns to the event loop.
    const limitMs = this.#plugins.length * HOOK_MS + 2 * LOOK_MS
    if (waitedMs > limitMs) this.#end(worker, `no answer within ${HOOK_MS / 1000} s`)
    else if (process.memoryUsage.rss() > MAX_RSS_BYTES)
      this.#end(worker, 'it takes too much memory')
  }

  #end(worker: Worker, why: string): void {
    this.#lose(worker, why)
    void worker.terminate()
  }

  /** The first request that waits is to blame; the others go to the next thread. */
  #lose(worker: Worker, why: string): void {
    if (this.#worker !== worker || this.#closed) return
    const blamed = this.#mark.running
    this.#mark.leave()
    this.#worker = null
    if (!this.#isReady) this.#failedStarts++
    if (this.#failedStarts >= MAX_FAILED_STARTS) {
      for (const { resolve } of this.#waiting.splice(0)) resolve(this.#failed(why))
      return
    }
    if (this.#isReady) {
      const reason = `plugin-error: ${blamed ?? `${this.#names}.request`}: ${why}`
      this.#waiting.shift()?.resolve({ failed: reason })
    }
    if (this.#waiting.length > 0) this.#start()
  }

  get #names(): string {
    return this.#plugins.map(({ name }) => name).join(', ')
  }

  #failed(why: string): RequestAnswer {
    return { failed: `plugin-error: ${this.#names}.request: ${why}` }
  }
}
