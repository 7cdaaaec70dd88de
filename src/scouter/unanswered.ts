// Bodies that the parser has not answered, and how they are shared among sites: so much in all, and of
// one site no more than leaves the same to one that has none yet.
import { siteOf } from '../core/url.ts'

const MAX_BYTES = 32 * 1024 * 1024
const MAX_PAGES = 256

type Share = { pages: number; bytes: number }

export class Unanswered {
  readonly #sites = new Map<string, Share>()
  readonly #all: Share = { pages: 0, bytes: 0 }

  get isFull(): boolean {
    return this.#all.bytes >= MAX_BYTES || this.#all.pages >= MAX_PAGES
  }

  isBehind(site: string): boolean {
    const own = this.#sites.get(site)
    if (own === undefined) return false
    const shares = this.#sites.size + 1
    return own.pages > MAX_PAGES / shares || own.bytes > MAX_BYTES / shares
  }

  add(host: string, bytes: number): void {
    const site = siteOf(host)
    const own = this.#sites.get(site) ?? { pages: 0, bytes: 0 }
    this.#sites.set(site, own)
    change(own, 1, bytes)
    change(this.#all, 1, bytes)
  }

  remove(host: string, bytes: number): void {
    const site = siteOf(host)
    const own = this.#sites.get(site)
    if (own === undefined) return
    change(own, -1, bytes)
    change(this.#all, -1, bytes)
    if (own.pages === 0) this.#sites.delete(site)
  }
}

function change(share: Share, pages: 1 | -1, bytes: number): void {
  share.pages += pages
  share.bytes += pages * bytes
}
