// When a host may be asked again after a request: at once, unless the parser is behind with what was
// fetched from its site. Then the host stays as busy as its pages keep the parser, so that what waits
// for the parser is never one site's alone.
import { siteOf } from '../core/url.ts'
import type { Frontier, HostFeedback, Lease } from '../frontier/frontier.ts'

type Landing = { readonly lease: Lease; readonly note: HostFeedback }

export type LandingsOptions = {
  readonly frontier: Pick<Frontier, 'requestEnded'>
  /** Whether more is waiting for the parser of this site than is its share. */
  readonly isBehind: (site: string) => boolean
}

export class Landings {
  readonly #options: LandingsOptions
  readonly #waiting = new Map<string, Landing[]>()
  #isOver = false

  constructor(options: LandingsOptions) {
    this.#options = options
  }

  land(lease: Lease, note: HostFeedback): void {
    const site = siteOf(lease.host)
    if (this.#isOver || lease.kind === 'robots' || !this.#options.isBehind(site)) {
      this.#options.frontier.requestEnded(lease, note)
      return
    }
    const before = this.#waiting.get(site)
    if (before === undefined) this.#waiting.set(site, [{ lease, note }])
    else before.push({ lease, note })
  }

  /** The parser has answered something. */
  look(): void {
    for (const [site, landings] of this.#waiting) {
      if (!this.#isOver && this.#options.isBehind(site)) continue
      this.#waiting.delete(site)
      for (const { lease, note } of landings) this.#options.frontier.requestEnded(lease, note)
    }
  }

  /** Nothing waits from now on. */
  end(): void {
    this.#isOver = true
    this.look()
  }
}
