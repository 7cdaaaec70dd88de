// Names to addresses, remembered for a while. Judges nothing: that is the route's business.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopbackName } from '../core/private-access.ts'
import type { Clock } from '../lib/clock.ts'
import { systemClock } from '../lib/clock.ts'

/** Addresses in the order to try them, at least one; or the resolver's error code. */
export type Resolution =
  | { readonly addresses: readonly string[] }
  | { readonly addresses: null; readonly code: string }

/** Asks the system; rejects with an error that has a `code`. */
export type Lookup = (name: string) => Promise<readonly string[]>

export type ResolverOptions = {
  readonly lookup?: Lookup
  readonly clock?: Clock
  readonly maxEntries?: number
}

const KEEP_MS = 60_000
/** A name that does not exist now may in a moment, and asking again is cheap. */
const KEEP_MISSING_MS = 30_000
const KEEP_BROKEN_MS = 5_000
const LOOPBACK: Resolution = { addresses: ['127.0.0.1', '::1'] }

export class Resolver {
  readonly #lookup: Lookup
  readonly #clock: Clock
  readonly #maxEntries: number
  readonly #known = new Map<string, { readonly until: number; readonly answer: Resolution }>()
  readonly #asking = new Map<string, Promise<Resolution>>()

  constructor({ lookup, clock = systemClock, maxEntries = 10_000 }: ResolverOptions = {}) {
    this.#lookup = lookup ?? askSystem
    this.#clock = clock
    this.#maxEntries = maxEntries
  }

  /** Never rejects. A name asked for twice at once is looked up once. */
  async resolve(name: string): Promise<Resolution> {
    if (isIP(name) !== 0) return { addresses: [name] }
    if (isLoopbackName(name)) return LOOPBACK
    const known = this.#known.get(name)
    if (known !== undefined && this.#clock.now() < known.until) return known.answer
    const asked = this.#asking.get(name)
    if (asked !== undefined) return asked
    const asking = this.#ask(name)
    this.#asking.set(name, asking)
    return asking
  }

  async #ask(name: string): Promise<Resolution> {
    const answer = await this.#answerFor(name)
    this.#asking.delete(name)
    this.#keep(name, answer)
    return answer
  }

  async #answerFor(name: string): Promise<Resolution> {
    try {
      const addresses = await this.#lookup(name)
      return addresses.length > 0 ? { addresses } : { addresses: null, code: 'ENODATA' }
    } catch (error) {
      return { addresses: null, code: codeOf(error) }
    }
  }

  #keep(name: string, answer: Resolution): void {
    this.#known.delete(name)
    if (this.#known.size >= this.#maxEntries) {
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#known.delete(oldest)
    }
    this.#known.set(name, { until: this.#clock.now() + keepMs(answer), answer })
  }
}

function keepMs(answer: Resolution): number {
  if (answer.addresses !== null) return KEEP_MS
  return answer.code === 'ENOTFOUND' ? KEEP_MISSING_MS : KEEP_BROKEN_MS
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'EFAIL'
}

/** The system's own way, so that hosts files and private zones count as they do for everyone. */
async function askSystem(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, order: 'verbatim' })
  return found.map(({ address }) => address)
}
