// Rows of leased URLs, for display. A storage may have to read every URL to find them, so they are kept for a
// while, the longer the more it took to read them, and nobody waits for them for long.
import type { UrlRecord } from '../../core/url-record.ts'
import { steadyMs } from '../../lib/clock.ts'

/** Reading takes at most this share of the time of a server. */
const SHARE = 0.1
/** Who asks gets what was read before if it takes longer. */
const PATIENCE_MS = 1000
const MAX_CRAWLS = 100

type Known = { readonly urls: readonly UrlRecord[]; readonly until: number }

export class LeasedUrls {
  readonly #read: (crawlId: number) => Promise<readonly UrlRecord[]>
  /** The one that was read last is the last. */
  readonly #known = new Map<number, Known>()
  readonly #reading = new Map<number, Promise<void>>()

  constructor(read: (crawlId: number) => Promise<readonly UrlRecord[]>) {
    this.#read = read
  }

  /** As last read; none if they could not be read yet. */
  async of(crawlId: number): Promise<readonly UrlRecord[]> {
    if (steadyMs() >= (this.#known.get(crawlId)?.until ?? 0)) await this.#readInTime(crawlId)
    return this.#known.get(crawlId)?.urls ?? []
  }

  async #readInTime(crawlId: number): Promise<void> {
    const reading = this.#reading.get(crawlId) ?? this.#begin(crawlId)
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, PATIENCE_MS)
    await Promise.race([reading, late.promise]).finally(() => clearTimeout(timer))
  }

  #begin(crawlId: number): Promise<void> {
    const reading = this.#readNow(crawlId).finally(() => this.#reading.delete(crawlId))
    this.#reading.set(crawlId, reading)
    return reading
  }

  async #readNow(crawlId: number): Promise<void> {
    const from = steadyMs()
    // The state of the stores shows why they could not be read.
    const urls = await this.#read(crawlId).catch(() => [])
    const now = steadyMs()
    this.#known.delete(crawlId)
    this.#known.set(crawlId, { urls, until: now + (now - from) / SHARE })
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_CRAWLS && oldest !== undefined) this.#known.delete(oldest)
  }
}
