// Fish-search (De Bra and Post): a school of fish follows food and dies out where there is none. URLs wait in
// one list. A relevant page is food: some of its links are inserted at the front of the list with full
// strength. Links of any other page are inserted behind the last link of a relevant one, one step weaker each
// time. Links without strength, and all links beyond the width of a page, are appended at the end.
//
// As scores: the front is above the middle, the middle above the end. In front and middle the newest comes
// first, since each page inserts before older links; at the end the oldest comes first. Links of one page
// keep their order. A URL that is found again moves if that brings it forward, and keeps the greater
// strength.
//
// Left out: the list's own time limit, since a crawl has one, and the loss of strength at slow servers, since
// politeness handles those.
import { type CanonicalUrl, hostOf, siteOf } from '../core/url.ts'
import {
  type Candidate,
  type OptionValues,
  type Ordering,
  PageClock,
  type Scorer,
  type SettledPage,
  type Signals,
  type Target,
  unspokenScore,
} from './ordering.ts'

const DEPTH = 3
const WIDTH = 10
const FAVOUR = 1.5

/** The insertion points of the list, far enough apart for the pages of any crawl. */
const FRONT = 5e8
const MIDDLE = 0
const END = -5e8

/** Signals: the position in the list, and the strength there. */
class FishList extends PageClock implements Scorer {
  readonly #depth: number
  readonly #width: number
  readonly #favour: number
  readonly #discards: boolean
  readonly #seed: number
  /** How many links of the last settled page may still be chosen; below 0, how many too many were chosen. */
  #left = 0
  #site = ''

  constructor(options: OptionValues, seed: number) {
    super()
    const { depth = DEPTH, width = WIDTH, favour = FAVOUR, discard = 0 } = options
    this.#depth = depth
    this.#width = width
    this.#favour = favour
    this.#discards = discard !== 0
    this.#seed = seed
  }

  score(candidate: Candidate): number {
    const { depth, signals } = candidate
    if (depth === 0 || signals === null) return unspokenScore(candidate)
    return signals[0] ?? END
  }

  settled({ url, judged }: SettledPage): void {
    this.now += 1
    this.#left = Math.floor(isRelevant(judged) ? this.#favour * this.#width : this.#width)
    this.#site = siteOf(hostOf(url))
  }

  pass(page: SettledPage, _link: Signals | null, target: Target): Signals | null {
    const relevant = isRelevant(page.judged)
    const strength = relevant ? this.#depth : (page.signals?.[1] ?? this.#depth) - 1
    if (strength < 0) return this.#discards ? null : [END - this.now, 0]
    if (!this.#chooses(page, target)) return [END - this.now, strength]
    return [(relevant ? FRONT : MIDDLE) + this.now, strength]
  }

  merge([place = 0, strength = 0]: Signals, [newPlace = 0, newStrength = 0]: Signals): Signals {
    return [Math.max(place, newPlace), Math.max(strength, newStrength)]
  }

  /**
   * Chooses at random: each remaining link of the page is equally likely. Links to other sites are taken as
   * they come. Links are seen only once, so the width may be used up by then; they may exceed it, up to as
   * many again.
   */
  #chooses({ id, links }: SettledPage, { url, position }: Target): boolean {
    const chance = this.#left / (links - position)
    const chosen = scatter(this.#seed, id, position) < chance || this.#leadsAway(url)
    if (chosen) this.#left -= 1
    return chosen
  }

  #leadsAway(url: CanonicalUrl): boolean {
    return this.#left > -this.#width && siteOf(hostOf(url)) !== this.#site
  }
}

function isRelevant(judged: Signals | null): boolean {
  return judged?.[0] === 1
}

export const fishSearch: Ordering = {
  name: 'fish-search',
  about: 'links of relevant pages first, those of others while their strength lasts',
  rescoreOn: ['signals'],
  focused: true,
  options: [
    {
      name: 'depth',
      help: 'pages off topic in a row after which links go to the end of the list',
      default: DEPTH,
      min: 0,
      max: 100,
      whole: true,
    },
    {
      name: 'width',
      help: 'links of one page that are preferred to the rest',
      default: WIDTH,
      min: 0,
      max: 10_000,
      whole: true,
    },
    {
      name: 'favour',
      help: 'times as many links of a relevant page',
      default: FAVOUR,
      min: 0,
      max: 100,
    },
    {
      name: 'discard',
      help: '1: what would go to the end without strength is not fetched at all',
      default: 0,
      min: 0,
      max: 1,
      whole: true,
    },
  ],
  signals: ['place', 'strength'],
  judge: () => ({ page: ({ judgement }) => [judgement?.hot ? 1 : 0], link: () => [] }),
  createScorer: (options, seed) => new FishList(options, seed),
}

/**
 * A pseudo-random number in [0, 1) for any three integers, of which only the last 32 bits count. It is a
 * pure function of them: a run with the same seed makes the same choices, also after a restart.
 */
export function scatter(seed: number, a: number, b: number): number {
  const hash = mixBits(mixBits(mixBits(seed | 0) ^ a) ^ b)
  return (hash >>> 0) / 2 ** 32
}

/** Every bit of the result depends on every input bit, and the function is one-to-one. */
function mixBits(bits: number): number {
  let mixed = (bits + 0x6a09e667) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return mixed ^ (mixed >>> 14)
}
