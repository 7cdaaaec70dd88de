// Turns at hosts, between crawls that run at the same time.
//
// A frontier spaces the requests of its own crawl. Crawls beside each other share no frontier, but a
// host does not care which of them asks: so before a request goes out its crawl asks here for a turn,
// and hears either that it is its turn, or when to ask again.
//
//   ask ──▶ turn ──started──▶ under way ──done──▶ (gone)
//    └────▶ later: in line, and the place is kept a moment longer than the time that was named
//
// Invariants
// - A request comes no sooner than its own crawl's delay after whatever was asked of the host before,
//   and there are never more under way than each of the crawls that are there allows.
// - Nobody overtakes a crawl that has its turn and is still connecting, when either keeps a delay.
// - Crawls that wait for one host go in turns: one with a short delay cannot starve one with a long
//   delay, but waits behind it until that has passed.
// - A crawl alone never waits, and one that is gone without a word holds nobody up for long.
// - Nothing is lost with it: without what is kept here, crawls are only less polite together.
//
// Left out: who asks for what, and the delays themselves; both are the frontier's.

export type SlotWanted = {
  /** The gap this crawl keeps at this host. */
  readonly delayMs: number
  /** How many requests this crawl allows there at once, its own included. */
  readonly perHost: number
  /** The request is over by then, whatever happens; a turn not given back ends a little later. */
  readonly forMs: number
}

export interface RequestSlot {
  /** The request goes out at this moment. */
  started(): void
  /** The request is over, or will not go out. */
  done(): void
}

export type SlotAnswer =
  | { readonly turn: RequestSlot }
  | {
      readonly turn: null
      /** Epoch milliseconds; the place in line is kept until a little later. */
      readonly askAgainAt: number
      /** Why the host rests, as told by whoever was asked to let it; '' when others are just before. */
      readonly trouble: string
    }

export interface HostLimiter extends AsyncDisposable {
  /** The turn to send one request to a host (`URL.host`); soon, whatever the answer. */
  ask(host: string, wanted: SlotWanted): Promise<SlotAnswer>
  /** The host wants to be left alone for this long, by all. */
  rest(host: string, forMs: number, trouble: string): void
}

const FREE_TURN: RequestSlot = { started: () => {}, done: () => {} }

/** For requests that nobody else's can meet. */
export const NO_LIMITER: HostLimiter = {
  ask: async () => ({ turn: FREE_TURN }),
  rest: () => {},
  [Symbol.asyncDispose]: async () => {},
}
