// URLs of a crawl → the pages they stand for, compact: a hash and a number for each URL, so that a
// million pages take some tens of megabytes. The hashes are keyed afresh each time: nobody can
// prepare URLs that collide.
import type { CanonicalUrl } from '../../core/url.ts'
import { SeenSet } from '../../lib/seen-set.ts'
import { StretchHash } from '../../lib/url-hash.ts'
import type { Redirect } from '../graph-reader.ts'

/** Redirects in a row; the scouter follows no more either. */
const MAX_HOPS = 10

export class PageKeys {
  readonly #hash = new StretchHash()
  /** Hash of a URL → place in `#ids`, counted from 1. */
  readonly #places = new SeenSet()
  readonly #ids: number[] = []

  /** The first id given for a URL stays. */
  add(url: CanonicalUrl, id: number): void {
    const { hi, lo } = this.#hash.take(url)
    if (this.#places.claim(hi, lo, this.#ids.length + 1) === 0) this.#ids.push(id)
  }

  /** The page a URL stands for; undefined when it is none. */
  find(text: string, from?: number, end?: number): number | undefined {
    const { hi, lo } = this.#hash.take(text, from, end)
    return this.#ids[this.#places.get(hi, lo) - 1]
  }

  /** Lets the sources stand for the pages they led to, also over several hops in any order. */
  async addRedirects(redirects: AsyncIterable<Redirect>): Promise<void> {
    let open: Redirect[] = []
    for await (const redirect of redirects) if (!this.#resolve(redirect)) open.push(redirect)
    for (let hop = 1; hop < MAX_HOPS && open.length > 0; hop++) {
      const left = open.filter((redirect) => !this.#resolve(redirect))
      if (left.length === open.length) return
      open = left
    }
  }

  #resolve({ from, to }: Redirect): boolean {
    const id = this.find(to)
    if (id !== undefined) this.add(from, id)
    return id !== undefined
  }
}
