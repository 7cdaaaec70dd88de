// A web that never ends, for measuring the frontier: pages whose links lead to pages known already
// and to pages nobody has seen, mostly at home. Links come as they do over the wire: packed, and
// read only as far as somebody asks.
import type { Found } from '../src/core/link.ts'
import type { CanonicalUrl } from '../src/core/url.ts'
import type { Lease } from '../src/frontier/frontier.ts'
import { createUrlHasher } from '../src/lib/url-hash.ts'
import { decodeFound, encodeFound } from '../src/wire/receipt.ts'

export const SALT = 7

export type WebOptions = {
  readonly hosts: number
  /** Numbers that a judge noted with every link; 0: there is none. */
  readonly signals?: number
  /** Links to the first pages of the same host, which every page of it has. */
  readonly menu?: number
  /** 1: a link leads to any known page of its host alike; higher: more and more to the same few. */
  readonly skew?: number
}

export class EndlessWeb {
  readonly #hashUrl = createUrlHasher(SALT)
  readonly #options: WebOptions
  readonly #sizes: Uint32Array
  #state = 99

  constructor(options: WebOptions) {
    this.#options = options
    this.#sizes = new Uint32Array(options.hosts).fill(1)
  }

  fronts(): Found[] {
    return Array.from({ length: this.#options.hosts }, (_, host) => this.#found(host, 0, 0))
  }

  /** So many links, of which `fresh` lead to new pages. */
  linksOf(lease: Lease, links: number, fresh: number): readonly Found[] {
    const { hosts, menu = 0, signals = 0, skew = 1 } = this.#options
    const home = Number(lease.host.slice(1, lease.host.indexOf('.')))
    const found: Found[] = []
    for (let link = 0; link < links - menu; link += 1) {
      const host = link % 10 === 9 ? this.#random(hosts) : home
      const known = this.#sizes[host] ?? 1
      const isNew = link % Math.ceil((links - menu) / fresh) === 0
      found.push(this.#found(host, isNew ? known : this.#known(known, skew), signals))
      if (isNew) this.#sizes[host] = known + 1
    }
    const inMenu = Math.min(menu, this.#sizes[home] ?? 1)
    for (let page = 0; page < inMenu; page += 1) found.push(this.#found(home, page, signals))
    return decodeFound(encodeFound(found))
  }

  /** What a judge might say of a page. */
  judge(): number[] {
    return [this.#random(1000) / 1000, this.#random(1000) / 1000]
  }

  #found(host: number, page: number, signals: number): Found {
    const url = `https://h${host}.example${host % 50}.test/section-${page % 17}/article-${page}.html`
    return {
      url: url as CanonicalUrl,
      hash: this.#hashUrl(url),
      nofollow: false,
      signals:
        signals === 0 ? null : Array.from({ length: signals }, () => this.#random(1e6) / 1e6),
    }
  }

  #known(pages: number, skew: number): number {
    return Math.floor((this.#random(1e9) / 1e9) ** skew * pages)
  }

  #random(below: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * below)
  }
}
