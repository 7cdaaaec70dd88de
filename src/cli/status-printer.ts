// Keeps one live line at the bottom of a terminal; in a log, a plain line every few seconds.
import type { Clock } from '../lib/clock.ts'
import { fit, safeText } from '../lib/terminal.ts'
import { type Status, statusLine } from './crawl/status-line.ts'

/** As much of process.stderr as is needed. */
export type StatusStream = {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const PLAIN_EVERY_MS = 5000
const LIVE_EVERY_MS = 200
const PLAIN_WIDTH = 200
const CLEAR = '\r\x1b[2K'

export class StatusPrinter {
  readonly #stream: StatusStream
  readonly #clock: Clock
  readonly #live: boolean
  readonly #quiet: boolean
  #shownAt: number
  #line = ''

  constructor(options: { stream: StatusStream; clock: Clock; quiet: boolean }) {
    this.#stream = options.stream
    this.#clock = options.clock
    this.#quiet = options.quiet
    this.#live = options.stream.isTTY === true
    this.#shownAt = this.#live ? Number.NEGATIVE_INFINITY : options.clock.now()
  }

  show(status: Status): void {
    const now = this.#clock.now()
    if (now - this.#shownAt < (this.#live ? LIVE_EVERY_MS : PLAIN_EVERY_MS)) return
    this.#put((width) => statusLine(status, width, now))
  }

  /** What is done at the moment, where that is not crawling. In a log only when it takes long. */
  busy(text: string): void {
    const isNews = this.#live || this.#clock.now() - this.#shownAt >= PLAIN_EVERY_MS
    if (isNews) this.#put((width) => fit(safeText(text), width))
  }

  #put(lineFor: (width: number) => string): void {
    if (this.#quiet) return
    this.#shownAt = this.#clock.now()
    if (!this.#live) {
      this.#stream.write(`${lineFor(PLAIN_WIDTH)}\n`)
      return
    }
    // One column stays free: a full line would make some terminals scroll.
    this.#line = lineFor((this.#stream.columns ?? 80) - 1)
    this.#stream.write(CLEAR + this.#line)
  }

  /** A line that stays. */
  notice(text: string): void {
    if (this.#quiet) return
    const live = this.#line === '' ? '' : CLEAR
    this.#stream.write(`${live}${safeText(text)}\n${this.#line}`)
  }

  /** Takes the live line away; whatever is printed next starts clean. */
  end(): void {
    if (this.#line !== '') this.#stream.write(CLEAR)
    this.#line = ''
  }
}
