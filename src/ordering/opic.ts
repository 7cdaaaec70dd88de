// On-line page importance (Abiteboul, Preda, Cobéna): every URL has cash, a fetched page distributes its cash
// equally among its links, and the URL with the most cash is next. Importance is computed during the crawl,
// without the whole graph.
//
// Cash is never created or lost. Cash that a page passes to an already fetched page stays there for a next
// visit; `recycled` is the share of it that the virtual page gets instead. The virtual page also gets all
// cash of pages without links, and distributes it evenly among all waiting URLs. That is one sum for the
// whole crawl, `given`: a candidate's cash is what pages passed to it, plus what was given since it was
// queued. The last part grows equally for all, so the order is that of `passed − given at entry`, and no
// waiting URL needs a new score.
//
// History, and with it importance over many visits, is left out: a page is fetched once.
import {
  type Candidate,
  keepNumbers,
  keptNumbers,
  type OptionValues,
  type Ordering,
  type Scorer,
  type SettledPage,
  type Signals,
  unspokenScore,
} from './ordering.ts'

/** Cash of a seed. Only the ratio between two candidates matters, so any value works. */
const SEED_CASH = 1

/** What pages of one part of the crawl have brought. */
type Account = {
  /** Cash that the virtual page gave to each waiting URL. */
  given: number
  /** Cash that the virtual page has. */
  virtual: number
  /** Cash of fetched pages. */
  kept: number
}

export class CashFlow implements Scorer {
  /** The virtual page's share of a page's cash, taken before the links get theirs. */
  readonly #toVirtual: number
  readonly #recycled: number
  /** By part of the crawl; a crawl that is not divided has one. */
  readonly #accounts = new Map<number | undefined, Account>()
  /** The account of the last settled page, and its cash that is not distributed yet. */
  #account: Account = { given: 0, virtual: 0, kept: 0 }
  #purse = 0
  #share = 0
  /** `given` of parts that other programs own. */
  #givenByOthers = 0
  /** Sum over all parts: the cash that a URL got that has waited since the start. */
  #given = 0

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
    const account = this.#accountOf(page.part)
    this.#account = account
    if (page.waiting > 0) {
      const more = account.virtual / page.waiting
      account.given += more
      account.virtual = 0
      this.#given += more
    }
    const toVirtual = page.links === 0 ? cash : cash * this.#toVirtual
    account.virtual += toVirtual
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

  /** The current cash of a URL. */
  cashOf({ depth, signals }: Candidate): number {
    if (depth === 0) return SEED_CASH + (signals?.[0] ?? 0) + this.#given
    // A URL that was only listed, as in a sitemap, takes no part until a page links to it.
    return signals === null ? 0 : (signals[0] ?? 0) + this.#given - (signals[1] ?? 0)
  }

  /** Cash that no waiting URL has. */
  get idleCash(): { readonly virtual: number; readonly kept: number } {
    let { virtual, kept } = this.#shareOfPurse()
    for (const account of this.#accounts.values()) {
      virtual += account.virtual
      kept += account.kept
    }
    return { virtual, kept }
  }

  save(part?: number): Uint8Array {
    const account = this.#accountOf(part)
    if (account === this.#account) this.#closePurse()
    return keepNumbers([account.given, account.virtual, account.kept])
  }

  load(bytes: Uint8Array, part?: number): void {
    const [given, virtual, kept] = keptNumbers(bytes, 3) ?? []
    if (given === undefined || virtual === undefined || kept === undefined) return
    Object.assign(this.#accountOf(part), { given, virtual, kept })
    this.#addUp()
  }

  leave(part: number): void {
    if (this.#accounts.get(part) === this.#account) this.#closePurse()
    this.#accounts.delete(part)
    this.#addUp()
  }

  gist(part: number): Uint8Array {
    return keepNumbers([this.#accountOf(part).given])
  }

  hear(gists: readonly Uint8Array[]): void {
    const all = gists.flatMap((bytes) => keptNumbers(bytes, 1) ?? [])
    this.#givenByOthers = all.reduce((sum, given) => sum + Math.max(0, given), 0)
    this.#addUp()
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

  #accountOf(part: number | undefined): Account {
    const known = this.#accounts.get(part)
    if (known !== undefined) return known
    const account = { given: 0, virtual: 0, kept: 0 }
    this.#accounts.set(part, account)
    return account
  }

  #addUp(): void {
    this.#given = this.#givenByOthers
    for (const { given } of this.#accounts.values()) this.#given += given
  }

  /** Keeps the cash that the last page had for already fetched pages. */
  #closePurse(): void {
    const { virtual, kept } = this.#shareOfPurse()
    this.#account.virtual += virtual
    this.#account.kept += kept
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
