// Runs an indexer process beside a server or a crawl, as soon as there is something to read. If it dies, it
// is restarted, each time after a longer wait. Searches meanwhile use the index and bring it up to date
// themselves.
import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { WorkspaceUrl } from '../../core/workspace-url.ts'
import { LineCutter } from '../../feed/feed-protocol.ts'
import { backoffMs } from '../../lib/backoff.ts'
import { showSeconds } from '../../lib/format.ts'
import { moduleBeside } from '../../lib/module-beside.ts'

/** The first pages of a crawl come a moment after its start. */
const BEFORE_START_MS = 200
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000
/** After working this long, an indexer resets the restart wait. */
const HEALTHY_MS = 60_000

type KeepIndexerOptions = {
  readonly workspace: WorkspaceUrl
  /** Calls back, at least once, when there is something to read. The returned function unsubscribes. */
  readonly whenNeeded: (need: () => void) => () => void
  readonly log: (text: string) => void
  /** The longest wait before the start, and the wait before the first restart, doubled from then on. */
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

  /** The process id of the running indexer; null if none runs. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** Lets it index everything that is stored, within a time limit; true if it succeeded. */
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
    for (let failures = 0; !signal.aborted; failures++) {
      const restMs = backoffMs(failures, { baseMs, capMs: LONGEST_WAIT_MS })
      const waitMs = failures === 0 ? Math.min(baseMs, BEFORE_START_MS) : restMs
      if (why !== null) this.#tell(`${why}; it is started again ${inTime(waitMs)}`)
      await pause(waitMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const startedAt = performance.now()
      why = await this.#runOne()
      if (performance.now() - startedAt >= HEALTHY_MS) failures = 0
    }
  }

  /** Runs one indexer. Returns why it ended by itself; null if it was stopped. */
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

const ENTRY = fileURLToPath(moduleBeside(import.meta, '../../main/indexer'))
const MAX_LINE_BYTES = 64 * 1024
/** Time allowed to end the current step. */
const LEAVING_MS = 5000
const TOLD_EVERY_MS = 200

/**
 * The parent's side of the indexer process: starts it with low priority, reads its messages, asks it to
 * finish, stops it.
 */
class IndexerChild implements AsyncDisposable {
  readonly #process: ChildProcess
  /** Resolves when the process has exited. */
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
    // Not as an argument: everybody can read arguments, and the URL may contain a password.
    this.#process.stdin?.write(`${JSON.stringify(workspace)}\n`)
    this.#lower()
  }

  get pid(): number | null {
    return this.#process.pid ?? null
  }

  /** Number of changes not read yet; null before its first message. */
  get behind(): number | null {
    return this.#behind
  }

  /** Why it exited by itself; null if it did not, or was killed. */
  get failure(): string | null {
    return this.#failure
  }

  /** Lets it index everything that is stored, within a time limit; true if it succeeded. */
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

  /** Must run before it has threads, since these inherit the priority. */
  #lower(): void {
    const { pid } = this.#process
    if (pid === undefined) return
    try {
      setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // The process is gone already. Its failure is reported elsewhere.
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
