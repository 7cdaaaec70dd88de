// Tells the parser which receipts it need not keep any more: those of URLs that the frontier has settled
// and would still know to be settled after a power cut. A flush waits for the disk, so it is shared by
// all that was settled since the last one.
import type { CanonicalUrl } from '../core/url.ts'

/** Between two flushes: so much of a crawl is told again after a power cut. */
const FLUSH_EVERY_MS = 500

export type AcknowledgingOptions = {
  /** Resolves when all that was settled before survives a power cut. */
  readonly flush: () => Promise<void>
  readonly tell: (urls: readonly CanonicalUrl[]) => void
  readonly onError: (error: unknown) => void
}

export class Acknowledging {
  readonly #options: AcknowledgingOptions
  #settled: CanonicalUrl[] = []
  #timer: NodeJS.Timeout | null = null
  #flushing: Promise<void> = Promise.resolve()

  constructor(options: AcknowledgingOptions) {
    this.#options = options
  }

  /** These are settled. */
  add(urls: readonly CanonicalUrl[]): void {
    if (urls.length === 0) return
    this.#settled.push(...urls)
    this.#timer ??= setTimeout(() => {
      this.finish().catch(this.#options.onError)
    }, FLUSH_EVERY_MS)
  }

  /** Resolves when everything up to here is told. */
  finish(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#flushing = this.#flushing.then(() => this.#flush())
    return this.#flushing
  }

  async #flush(): Promise<void> {
    const urls = this.#settled
    this.#settled = []
    await this.#options.flush()
    if (urls.length > 0) this.#options.tell(urls)
  }
}
