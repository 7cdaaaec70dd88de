// The access log of the server, which all politeness checks use.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

/** One request; the times are epoch milliseconds with fractions, from a clock that never jumps. */
export type AccessRecord = {
  /** From the request, with the port. */
  readonly host: string
  /** Path and query. */
  readonly path: string
  /** 0 if the client disconnected before the response. */
  readonly status: number
  /** When the request's head had been read. */
  readonly startedAt: number
  /** When the response was handed to the system, or the connection closed. */
  readonly endedAt: number
  /** Counts the connections of the server from 1. */
  readonly connection: number
  readonly userAgent: string
}

type AccessLogOptions = {
  /** Also append every record to this file, one JSON object per line. */
  readonly file?: string
  /** Number of records in memory, older ones are dropped; default 1,000,000. */
  readonly keep?: number
}

export class AccessLog implements Disposable {
  /** In order of `endedAt`. */
  readonly records: AccessRecord[] = []
  /** Number of requests that have begun and have no record yet. */
  open = 0
  readonly #keep: number
  readonly #file: number | null
  #lines = ''

  constructor({ file, keep }: AccessLogOptions) {
    this.#keep = keep ?? 1_000_000
    this.#file = file === undefined ? null : openSync(file, 'a')
  }

  add(record: AccessRecord): void {
    this.records.push(record)
    if (this.records.length > 2 * this.#keep)
      this.records.splice(0, this.records.length - this.#keep)
    if (this.#file === null) return
    // One write per turn of the event loop: readers see it at once, and a busy server writes in bulk.
    if (this.#lines === '') setImmediate(() => this.#write())
    this.#lines += `${JSON.stringify(record)}\n`
  }

  #write(): void {
    if (this.#file !== null && this.#lines !== '') writeSync(this.#file, this.#lines)
    this.#lines = ''
  }

  [Symbol.dispose](): void {
    this.#write()
    if (this.#file !== null) closeSync(this.#file)
  }
}

/** Reads a log file; ignores an incomplete last line. */
export function readAccessLog(file: string): AccessRecord[] {
  const text = readFileSync(file, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AccessRecord)
}
