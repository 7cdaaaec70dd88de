// The programs that share a crawl of one folder: a small file each, which says until when the program counts
// as alive. They are replaced as a whole, so nobody reads half a report.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SUFFIX = '.alive'
let written = 0

export class Members {
  readonly #folder: string
  readonly #now: () => number

  constructor(folder: string, now: () => number) {
    this.#folder = folder
    this.#now = now
  }

  report(owner: string, forMs: number): void {
    written += 1
    const draft = join(this.#folder, `${process.pid}-${written}.tmp`)
    writeFileSync(draft, String(this.#now() + forMs), { mode: 0o600 })
    renameSync(draft, this.#fileOf(owner))
  }

  leave(owner: string): void {
    rmSync(this.#fileOf(owner), { force: true })
  }

  isAlive(owner: string): boolean {
    if (owner === '') return false
    try {
      return Number(readFileSync(this.#fileOf(owner), 'utf8')) > this.#now()
    } catch {
      return false
    }
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

/** Milliseconds since the machine was started: the same in all its processes, and never set. */
export function machineMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n)
}
