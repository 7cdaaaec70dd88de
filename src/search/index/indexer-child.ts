// An indexer beside this process, as its parent sees it: started with low priority, heard, told to
// finish, seen off.
import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { WorkspaceUrl } from '../../core/workspace-url.ts'
import { LineCutter } from '../../feed/line-cutter.ts'
import { moduleBeside } from '../../lib/module-beside.ts'

const ENTRY = fileURLToPath(moduleBeside(import.meta, '../../main/indexer'))
const MAX_LINE_BYTES = 64 * 1024
/** What it may take to end the step that is under way. */
const LEAVING_MS = 5000
const TOLD_EVERY_MS = 200

export class IndexerChild implements AsyncDisposable {
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
