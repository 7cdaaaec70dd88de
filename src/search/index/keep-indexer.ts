// An indexer beside a server or a crawl, from the moment there is something for it to read. One that
// dies is started again, each time a little later; who searches meanwhile finds what is in the index,
// and brings it up to date by itself.

import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { WorkspaceUrl } from '../../core/workspace-url.ts'
import { LineCutter } from '../../feed/line-cutter.ts'
import { backoffMs } from '../../lib/backoff.ts'
import { showSeconds } from '../../lib/format.ts'
import { moduleBeside } from '../../lib/module-beside.ts'

/** Most servers that are started hear of a job soon, or not at all. */
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000
/** Who has worked for so long begins to count anew. */
const HEALTHY_MS = 60_000

export type KeepIndexerOptions = {
  readonly workspace: WorkspaceUrl
  /** Calls back when there is something to read, once or more often; what it returns ends that. */
  readonly whenNeeded: (need: () => void) => () => void
  readonly log: (text: string) => void
  /** Before the first is started, and again before the second; doubled from then on. */
  readonly firstWaitMs?: number
}

export class KeptIndexer implements AsyncDisposable {
  readonly #options: KeepIndexerOptions
  readonly #leaving = new AbortController()
  readonly #needed = Promise.withResolvers<void>()
  readonly #unsubscribe: () => void
  readonly #kept: Promise<void>
  #child: IndexerChild | null = null

  constructor(options: KeepIndexerOptions) {
    this.#options = options
    const need = (): void => this.#needed.resolve()
    this.#unsubscribe = options.whenNeeded(need)
    this.#leaving.signal.addEventListener('abort', need)
    this.#kept = this.#keep().catch((error: unknown) => this.#tell(String(error)))
  }

  /** Of the indexer that runs now; null when none does. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** Lets it read to the end of what is stored, for so long; whether it came there. */
  async finish(withinMs: number, onBehind: (behind: number) => void): Promise<boolean> {
    const child = this.#child
    this.#leaving.abort()
    const isDone = (await child?.finish(withinMs, onBehind)) ?? false
    await this[Symbol.asyncDispose]()
    return isDone
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe()
    this.#leaving.abort()
    await this.#kept
  }

  async #keep(): Promise<void> {
    const { signal } = this.#leaving
    const { firstWaitMs: baseMs = FIRST_WAIT_MS } = this.#options
    let why: string | null = null
    await this.#needed.promise
    for (let failures = 1; !signal.aborted; failures++) {
      const waitMs = backoffMs(failures, { baseMs, capMs: LONGEST_WAIT_MS })
      if (why !== null) this.#tell(`${why}; it is started again ${inTime(waitMs)}`)
      await pause(waitMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const startedAt = performance.now()
      why = await this.#runOne()
      if (performance.now() - startedAt >= HEALTHY_MS) failures = 0
    }
  }

  /** Why it ended by itself; null: it was to. */
  async #runOne(): Promise<string | null> {
    const child = new IndexerChild(this.#options.workspace)
    this.#child = child
    const left = Promise.withResolvers<void>()
    this.#leaving.signal.addEventListener('abort', () => left.resolve(), { once: true })
    if (this.#leaving.signal.aborted) left.resolve()
    await Promise.race([child.exited, left.promise])
    this.#child = null
    const why = this.#leaving.signal.aborted ? null : (child.failure ?? 'the indexer died')
    await child[Symbol.asyncDispose]()
    return why
  }

  #tell(why: string): void {
    this.#options.log(`the search index is not kept up to date at the moment: ${why}`)
  }
}

function inTime(ms: number): string {
  return ms < 1000 ? 'at once' : `in ${showSeconds(ms / 1000)}`
}

// An indexer beside this process, as its parent sees it: started with low priority, heard, told to
// finish, seen off.

const ENTRY = fileURLToPath(moduleBeside(import.meta, '../../main/indexer'))
const MAX_LINE_BYTES = 64 * 1024
/** What it may take to end the step that is under way. */
const LEAVING_MS = 5000
const TOLD_EVERY_MS = 200

class IndexerChild implements AsyncDisposable {
  readonly #process: ChildProcess
  /** Settled when it is gone. */
  readonly exited: Promise<void>
  #behind: number | null = null
  #finished: Promise<boolean> | null = null
  #failure: string | null = null

  constructor(workspace: WorkspaceUrl) {
    const args = ['--disable-warning=ExperimentalWarning', ENTRY]
    this.#process = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.exited = new Promise((resolve) => {
      this.#process.once('error', () => resolve())
      this.#process.once('close', () => resolve())
    })
    const lines = new LineCutter(MAX_LINE_BYTES)
    this.#process.stdout?.on('data', (bytes: Buffer) => {
      for (const line of lines.push(bytes)) this.#hear(line ?? '')
    })
    this.#process.stdin?.on('error', () => {})
    // Not as an argument: anybody may read those, and a password may be in it.
    this.#process.stdin?.write(`${JSON.stringify(workspace)}\n`)
    this.#lower()
  }

  get pid(): number | null {
    return this.#process.pid ?? null
  }

  /** Changes it has not read yet; null before it said so. */
  get behind(): number | null {
    return this.#behind
  }

  /** Why it left by itself; null when it did not, or was killed. */
  get failure(): string | null {
    return this.#failure
  }

  /** Lets it go on to the end of what is stored, for so long; whether it came there. */
  finish(withinMs: number, onBehind: (behind: number) => void): Promise<boolean> {
    this.#finished ??= this.#finish(withinMs, onBehind)
    return this.#finished
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#finished
    this.#process.stdin?.end()
    await Promise.race([this.exited, pause(LEAVING_MS, undefined, { ref: false })])
    this.#process.kill('SIGKILL')
    await this.exited
  }

  async #finish(withinMs: number, onBehind: (behind: number) => void): Promise<boolean> {
    this.#process.stdin?.write('finish\n')
    const telling = setInterval(() => onBehind(this.#behind ?? 0), TOLD_EVERY_MS)
    await Promise.race([this.exited, pause(withinMs, undefined, { ref: false })])
    clearInterval(telling)
    return this.#behind === 0 && this.#process.exitCode === 0
  }

  /** Before it has threads, which have its priority from then on. */
  #lower(): void {
    const { pid } = this.#process
    if (pid === undefined) return
    try {
      setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // It is gone already; that it failed is told elsewhere.
    }
  }

  #hear(line: string): void {
    const said = saidIn(line)
    if (typeof said.behind === 'number') this.#behind = said.behind
    if (typeof said.failed === 'string') this.#failure = said.failed
  }
}

function saidIn(line: string): { readonly behind?: unknown; readonly failed?: unknown } {
  try {
    return Object(JSON.parse(line))
  } catch {
    return {}
  }
}
