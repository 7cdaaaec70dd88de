// On-line page importance (Abiteboul, Preda, Cobéna): every URL has cash, a page that is fetched
// hands its own out in equal parts to its links, and the richest goes next. Importance is found on
// the way, without ever looking at the graph as a whole.
//
// Cash is never made and never lost. What goes to a page that was fetched already stays there, for
// a next visit; `recycled` tells how much of that goes to the virtual page instead, which gets all
// of what pages without links have. The virtual page shares out evenly to all that wait. That is one
// sum for the whole crawl, `given`: a candidate's cash is what pages passed on to it, plus what was
// given since it came. The last part grows alike for all, so the order is that of `passed − given
// at entry`, and nothing that waits is ever scored again for it.
//
// History, and with it importance over many visits, is left out: a page is fetched once.
import { keepNumbers, keptNumbers } from './kept-numbers.ts'
import {
  type Candidate,
  type OptionValues,
  type Ordering,
  type Scorer,
  type SettledPage,
  type Signals,
  unspokenScore,
} from './ordering.ts'

/** What a seed starts with. Only the ratio of two candidates' cash matters, so 1 is as good as any. */
const SEED_CASH = 1

export class CashFlow implements Scorer {
  /** The share of a page's cash that goes to the virtual page before its links get theirs. */
  readonly #toVirtual: number
  readonly #recycled: number
  /** What each URL that has waited since the start was given by the virtual page. */
  #given = 0
  #virtual = 0
  /** What pages have that were fetched. */
  #kept = 0
  /** Of the page settled last: not handed out yet. */
  #purse = 0
  #share = 0

  constructor({ virtual = 0, recycled = 0 }: OptionValues) {
    this.#toVirtual = virtual
    this.#recycled = recycled
  }

  score(candidate: Candidate): number {
    const { depth, signals } = candidate
    if (depth === 0 || signals === null) return unspokenScore(candidate)
    return (signals[0] ?? 0) - (signals[1] ?? 0)
  }

  settled(page: SettledPage): void {
    const cash = this.cashOf(page)
    this.#closePurse()
    if (page.waiting > 0) {
      this.#given += this.#virtual / page.waiting
      this.#virtual = 0
    }
    const toVirtual = page.links === 0 ? cash : cash * this.#toVirtual
    this.#virtual += toVirtual
    this.#purse = cash - toVirtual
    this.#share = this.#purse / Math.max(1, page.links)
  }

  pass(): Signals {
    this.#purse -= this.#share
    return [this.#share, this.#given]
  }

  merge([known = 0, entry = 0]: Signals, [fresh = 0]: Signals): Signals {
    return [known + fresh, entry]
  }

  /** What a URL has at this moment. */
  cashOf({ depth, signals }: Candidate): number {
    if (depth === 0) return SEED_CASH + (signals?.[0] ?? 0) + this.#given
    // A URL that is only listed somewhere has no part in the flow until a page links to it.
    return signals === null ? 0 : (signals[0] ?? 0) + this.#given - (signals[1] ?? 0)
  }

  /** What nobody has who waits. */
  get idleCash(): { readonly virtual: number; readonly kept: number } {
    const { kept, virtual } = this.#shareOfPurse()
    return { virtual: this.#virtual + virtual, kept: this.#kept + kept }
  }

  save(): Uint8Array {
    const { virtual, kept } = this.idleCash
    return keepNumbers([this.#given, virtual, kept])
  }

  load(bytes: Uint8Array): void {
    const [given, virtual, kept] = keptNumbers(bytes, 3) ?? []
    this.#given = given ?? this.#given
    this.#virtual = virtual ?? this.#virtual
    this.#kept = kept ?? this.#kept
  }

  explain(candidate: Candidate) {
    const cash = this.cashOf(candidate)
    const passed = candidate.signals?.[0] ?? 0
    return [
      { name: 'cash', value: cash },
      { name: 'passed', value: passed },
      { name: 'given', value: cash - passed },
    ]
  }

  /** What the last page had for pages that were fetched already. */
  #closePurse(): void {
    const { virtual, kept } = this.#shareOfPurse()
    this.#virtual += virtual
    this.#kept += kept
    this.#purse = 0
  }

  #shareOfPurse() {
    const virtual = this.#purse * this.#recycled
    return { virtual, kept: this.#purse - virtual }
  }
}

export const opic: Ordering = {
  name: 'opic',
  about: 'most on-line importance first: fetched pages share their cash among their links',
  rescoreOn: ['signals'],
  options: [
    {
      name: 'virtual',
      help: 'share of a page’s cash that all waiting URLs get instead of its links',
      default: 0,
      min: 0,
      max: 1,
    },
    {
      name: 'recycled',
      help: 'share of the cash for pages fetched already that all waiting URLs get',
      default: 0,
      min: 0,
      max: 1,
    },
  ],
  signals: ['passed', 'entry'],
  createScorer: (options) => new CashFlow(options),
}
