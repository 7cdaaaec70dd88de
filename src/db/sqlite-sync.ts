// Syncs the log of a file in WAL mode outside the thread that writes. Its commits did not wait for the disk.
import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { CrawlerError } from '../core/errors.ts'
import { errorCode } from '../lib/present.ts'

const sync = promisify(fdatasync)

/**
 * The log of an open SQLite file. SQLite takes no locks on the log itself, so it may be opened and
 * closed beside the connection; and it stays the same file as long as the connection is open.
 */
export class LogSync implements Disposable {
  readonly #path: string
  #file: number | null = null

  constructor(path: string) {
    this.#path = `${path}-wal`
  }

  /**
   * Resolves when all commits before this call survive a power cut. SQLite itself syncs what it copies from
   * the log into the file.
   */
  async run(): Promise<void> {
    try {
      this.#file ??= openIfThere(this.#path)
      if (this.#file !== null) await sync(this.#file)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      const message = `${this.#path} cannot be brought to the disk: ${why}`
      throw new CrawlerError('store-unreachable', message, { cause })
    }
  }

  [Symbol.dispose](): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }
}

/** Null if there is no log: a database in memory, or one that syncs every commit. */
function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
