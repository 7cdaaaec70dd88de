// The index lines of an archive in record order, until all are written and can be sorted.
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { sortedLines } from '../../lib/sort-lines.ts'
import { orOutError } from '../part-target.ts'

const PIECE_CHARS = 65_536
const OPEN = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW

type CaptureLogOptions = {
  readonly file: FileHandle
  readonly path: string
  readonly work: string
  readonly length: number
}

/** `length`: the length at the last sync; everything after it is truncated. */
export async function openCaptureLog(work: string, length: number): Promise<CaptureLog> {
  const path = join(work, 'captures')
  return orOutError(path, async () => {
    const file = await open(path, OPEN, 0o600)
    await file.truncate(length)
    return new CaptureLog({ file, path, work, length })
  })
}

export class CaptureLog implements AsyncDisposable {
  readonly #file: FileHandle
  readonly #path: string
  readonly #work: string
  #waiting = ''
  #length: number

  constructor({ file, path, work, length }: CaptureLogOptions) {
    this.#file = file
    this.#path = path
    this.#work = work
    this.#length = length
  }

  async add(line: string): Promise<void> {
    this.#waiting += `${line}\n`
    if (this.#waiting.length >= PIECE_CHARS) await this.#flush()
  }

  /** Syncs everything and returns the length. */
  async keep(): Promise<number> {
    await this.#flush()
    await orOutError(this.#path, () => this.#file.datasync())
    return this.#length
  }

  async *sorted(): AsyncGenerator<string> {
    await this.#flush()
    yield* sortedLines({ from: this.#path, work: this.#work })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#waiting, 'latin1')
    this.#waiting = ''
    await orOutError(this.#path, async () => {
      for (let done = 0; done < bytes.length; ) {
        const rest = bytes.length - done
        const { bytesWritten } = await this.#file.write(bytes, done, rest, this.#length)
        done += bytesWritten
        this.#length += bytesWritten
      }
    })
  }
}
