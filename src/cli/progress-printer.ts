// How far a long computation is: one live line on a terminal, in a log a line now and then.
import type { Clock } from '../lib/clock.ts'
import { showSeconds } from '../lib/format.ts'
import { fit, safeText } from '../lib/terminal.ts'
import type { StatusStream } from './crawl/status-line.ts'

const LIVE_EVERY_MS = 100
const PLAIN_EVERY_MS = 10_000
const PLAIN_WIDTH = 100
const BAR_CELLS = 24
const CLEAR = '\r\x1b[2K'
/** Before this nothing can be foretold. */
const MIN_ELAPSED_MS = 1000

export class ProgressPrinter {
  readonly #stream: StatusStream
  readonly #clock: Clock
  readonly #live: boolean
  readonly #quiet: boolean
  readonly #startedAt: number
  #shownAt: number
  #shown = false

  constructor(options: { stream: StatusStream; clock: Clock; quiet: boolean }) {
    this.#stream = options.stream
    this.#clock = options.clock
    this.#quiet = options.quiet
    this.#live = options.stream.isTTY === true
    this.#startedAt = options.clock.now()
    this.#shownAt = this.#live ? Number.NEGATIVE_INFINITY : this.#startedAt
  }

  /** `share` from 0 to 1. */
  show(share: number, what: string): void {
    const now = this.#clock.now()
    if (this.#quiet || now - this.#shownAt < (this.#live ? LIVE_EVERY_MS : PLAIN_EVERY_MS)) return
    this.#shownAt = now
    const width = this.#live ? (this.#stream.columns ?? 80) - 1 : PLAIN_WIDTH
    const line = fit(progressLine(share, what, now - this.#startedAt), width)
    this.#stream.write(this.#live ? CLEAR + line : `${line}\n`)
    this.#shown = this.#live
  }

  /** Takes the live line away. */
  end(): void {
    if (this.#shown) this.#stream.write(CLEAR)
    this.#shown = false
  }
}

export function progressLine(share: number, what: string, elapsedMs: number): string {
  const done = Math.min(1, Math.max(0, share))
  const full = Math.round(done * BAR_CELLS)
  const bar = '█'.repeat(full) + '░'.repeat(BAR_CELLS - full)
  const leftMs = done > 0 ? (elapsedMs * (1 - done)) / done : 0
  const left =
    done > 0 && elapsedMs >= MIN_ELAPSED_MS ? ` · ${showSeconds(leftMs / 1000)} left` : ''
  return `${bar} ${Math.floor(done * 100)} %${left} · ${safeText(what)}`
}
