// How far an export is, on a terminal.

import type { ExportProgress } from '../../export/run-export.ts'
import type { Clock } from '../../lib/clock.ts'
import { showCount, showNumber, showRate } from '../../lib/format.ts'
import { Rate } from '../../lib/rate.ts'
import { ProgressPrinter } from '../progress-printer.ts'
import type { StatusStream } from '../status-printer.ts'

const RATE_WINDOW_MS = 5000
const EVERY_MS = 100

type BarOptions = { readonly quiet: boolean }
type BarWorld = { readonly stderr: StatusStream; readonly clock: Clock }

export class ExportBar implements Disposable {
  readonly isShown: boolean
  /** Pages there will be. */
  total = 0
  readonly #clock: Clock
  readonly #bar: ProgressPrinter
  readonly #rate = new Rate(RATE_WINDOW_MS)
  #shownAt = Number.NEGATIVE_INFINITY
  #mostBehind = 0

  constructor({ quiet }: BarOptions, { stderr, clock }: BarWorld) {
    this.isShown = !quiet && stderr.isTTY === true
    this.#clock = clock
    this.#bar = new ProgressPrinter({ stream: stderr, clock, quiet: !this.isShown })
  }

  show({ seen, pages }: ExportProgress): void {
    const now = this.#clock.now()
    if (!this.isShown || now - this.#shownAt < EVERY_MS) return
    this.#shownAt = now
    const perSecond = this.#rate.perSecond(seen, now)
    const share = this.total === 0 ? 1 : Math.max(seen, pages) / this.total
    const done = `${showCount(pages)} of ${showNumber(this.total, 'page')}`
    this.#bar.show(share, `${done} · ${showRate(perSecond)}/s`)
  }

  /** While the index catches up with the store. */
  showBehind(behind: number): void {
    this.#mostBehind = Math.max(this.#mostBehind, behind)
    const share = this.#mostBehind === 0 ? 1 : 1 - behind / this.#mostBehind
    this.#bar.show(share, `indexing, ${showNumber(behind, 'change')} to read`)
  }

  [Symbol.dispose](): void {
    this.#bar.end()
  }
}
