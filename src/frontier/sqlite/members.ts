// The programs that share a crawl of one folder: an empty file each, whose time of change says until when the
// program counts as alive. Setting it is one step without a write, which a busy disk would make wait.
import { readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SUFFIX = '.alive'

export class Members {
  readonly #folder: string
  readonly #now: () => number

  constructor(folder: string, now: () => number) {
    this.#folder = folder
    this.#now = now
  }

  report(owner: string, forMs: number): void {
    const file = this.#fileOf(owner)
    const until = (this.#now() + forMs) / 1000
    try {
      utimesSync(file, until, until)
    } catch (error) {
      if (!isMissing(error)) throw error
      // No other process may see a file with the time of its creation.
      const draft = `${file}.${process.pid}.tmp`
      writeFileSync(draft, '', { mode: 0o600 })
      utimesSync(draft, until, until)
      renameSync(draft, file)
    }
  }

  leave(owner: string): void {
    rmSync(this.#fileOf(owner), { force: true })
  }

  isAlive(owner: string): boolean {
    if (owner === '') return false
    const found = statSync(this.#fileOf(owner), { throwIfNoEntry: false })
    return found !== undefined && found.mtimeMs > this.#now()
  }

  /** Sorted. */
  alive(): readonly string[] {
    const files = readdirSync(this.#folder).filter((name) => name.endsWith(SUFFIX))
    const owners = files.map((name) => decodeURIComponent(name.slice(0, -SUFFIX.length)))
    return owners.filter((owner) => this.isAlive(owner)).sort()
  }

  #fileOf(owner: string): string {
    return join(this.#folder, `${encodeURIComponent(owner)}${SUFFIX}`)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Milliseconds since the machine was started: the same in all its processes, and never set. */
export function machineMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n)
}
