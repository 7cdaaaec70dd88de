// Shares the request slots at a host between crawls that run at the same time.
//
// A frontier spaces the requests of its own crawl. Crawls beside each other share no frontier, but a host
// does not care which of them sends a request. So a crawl asks here for a slot before each request; the
// answer is a slot, or the time to ask again.
//
//   ask ──▶ slot ──started──▶ under way ──done──▶ (gone)
//    └────▶ later: in line; the place in line is kept a moment longer than the named time
//
// Invariants
// - A request goes out no sooner than its own crawl's delay after the last request to the host, and there
//   are never more requests running than each of these crawls allows.
// - No crawl overtakes one that has its slot and is still connecting, when either keeps a delay.
// - Crawls that wait for one host go in turns: one with a short delay cannot starve one with a long
//   delay, but waits behind it until that has passed.
// - A crawl alone never waits, and a crawl that died holds up nobody for long.
// - Losing this state loses no data: crawls are only less polite together for a moment.
//
// Left out: which URL is requested, and the delays themselves; both belong to the frontier.

export type SlotWanted = {
  /** The gap this crawl keeps at this host. */
  readonly delayMs: number
  /** How many requests this crawl allows there at once, its own included. */
  readonly perHost: number
  /** The request is over by then in any case; a slot that is not given back ends a little later. */
  readonly forMs: number
}

export interface RequestSlot {
  /** The request goes out at this moment. */
  requestSent(): void
  /** The request is over, or will not go out. */
  done(): void
}

export type SlotAnswer =
  | { readonly slot: RequestSlot }
  | {
      readonly slot: null
      /** Epoch milliseconds; the place in line is kept until a little later. */
      readonly askAgainAt: number
      /** Why the host rests, as the crawl said that it asked for rest; '' when others are first. */
      readonly trouble: string
    }

export interface HostLimiter extends AsyncDisposable {
  /** Asks for a slot to send one request to a host (`URL.host`). Answers soon, whatever the answer. */
  ask(host: string, wanted: SlotWanted): Promise<SlotAnswer>
  /** The host asks every client to leave it alone for this long. */
  rest(host: string, forMs: number, trouble: string): void
}

const FREE_SLOT: RequestSlot = { requestSent: () => {}, done: () => {} }

/** Where no other crawl can ask the same host. */
export const NO_LIMITER: HostLimiter = {
  ask: async () => ({ slot: FREE_SLOT }),
  rest: () => {},
  [Symbol.asyncDispose]: async () => {},
}
