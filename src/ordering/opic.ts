// On-line page importance (Abiteboul, Preda, Cobéna): every URL has cash, a page that is fetched
// hands its own out in equal parts to its links, and the richest goes next. Importance is found on
// the way, without ever looking at the graph as a whole.
//
// Cash never vanishes. What would go to a page that was fetched already, or has nowhere to go, goes
// to a virtual page, which shares it out evenly to all that wait. That is one sum for the whole
// crawl, `given`: a candidate's cash is what pages passed on to it, plus what was given since it
// came. The last part grows alike for all, so the order is that of `passed − given at entry`,
// and nothing that waits is ever scored again for it.
//
// History, and with it importance over many visits, is left out: a page is fetched once.
import { keepNumbers, keptNumbers } from './kept-numbers.ts'
import {
  type Candidate,
  type OptionValues,
  type Ordering,
  type SettledPage,
  type Signals,
  type Steering,
  unspokenScore,
} from './ordering.ts'

/** What a seed starts with. Only the ratio of two candidates' cash matters, so 1 is as good as any. */
const SEED_CASH = 1

export class CashFlow implements Steering {
  /** The share of a page's cash that goes to the virtual page before its links get theirs. */
  readonly #toVirtual: number
  /** What each URL that has waited since the start was given by the virtual page. */
  #given = 0
  #virtual = 0
  /** Of the page settled last: not handed out yet. */
  #purse = 0
  #share = 0

  constructor({ virtual = 0 }: OptionValues) {
    this.#toVirtual = virtual
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
    this.#virtual += cash * this.#toVirtual
    this.#purse = cash - cash * this.#toVirtual
    this.#share = page.links > 0 ? this.#purse / page.links : 0
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

  /** What no URL has at this moment. */
  get virtualCash(): number {
    return this.#virtual + this.#purse
  }

  save(): Uint8Array {
    return keepNumbers([this.#given, this.virtualCash])
  }

  load(bytes: Uint8Array): void {
    const [given, virtual] = keptNumbers(bytes, 2) ?? []
    this.#given = given ?? this.#given
    this.#virtual = virtual ?? this.#virtual
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

  /** What the last page could not hand out, since nothing waits where those links lead. */
  #closePurse(): void {
    this.#virtual += this.#purse
    this.#purse = 0
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
  ],
  signals: ['passed', 'entry'],
  steer: (options) => new CashFlow(options),
}
