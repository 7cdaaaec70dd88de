// The expected result of a crawl of the sample web, computed from the link graph. It needs no crawler, and
// shares with crawlers only the spelling of URLs and the meaning of "site".
//
// If two refusals apply, the first of this order is given: scope, type, nofollow, depth, robots. The first
// four follow from the link alone; robots.txt must be fetched.
import { siteOf } from '../core/url.ts'
import { present } from '../lib/present.ts'
import { followsNone, linksOf } from './links.ts'
import { pathOf } from './path.ts'
import { type Address, listedPages, resolve } from './resource.ts'
import { originAt, type Site, type SiteHost } from './site.ts'
import { FILE_PATH } from './special.ts'

type CrawlRules = {
  /** Front pages or any other URLs of the site; all with the port of the server. */
  readonly seeds: readonly string[]
  readonly scope: 'host' | 'domain' | 'any'
  /** Limit of links from a seed; null or absent: no limit. */
  readonly maxDepth?: number | null
  /** Whether sitemaps are read; default true. */
  readonly sitemaps?: boolean
}

export type ExpectedCrawl = {
  /** For exact duplicates the one nearest to a seed; another of its group may be stored instead. */
  readonly stored: ReadonlySet<string>
  /** Each further copy with its group: all URLs of the same content, the stored one first. */
  readonly duplicates: ReadonlyMap<string, readonly string[]>
  /** Each redirect with its target URL. */
  readonly redirected: ReadonlyMap<string, string>
  /** With the code of the reason, see core/visit.ts. */
  readonly refused: ReadonlyMap<string, string>
  readonly failed: ReadonlyMap<string, string>
}

export function expectedCrawl(site: Site, rules: CrawlRules): ExpectedCrawl {
  const walk = new Walk(site, rules)
  for (const seed of rules.seeds) walk.offerSeed(seed)
  return walk.finish()
}

/** The site's own address of a URL, and the URL's port. */
function addressOf(site: Site, url: string): (Address & { readonly port: number }) | null {
  const { hostname, pathname, search, port } = new URL(url)
  const host = site.byName.get(hostname)
  return host ? { host, path: pathname + search, port: Number(port || 80) } : null
}

type Offer = Address & { readonly depth: number; readonly nofollow: boolean }

/** Nearest first; a URL found on a shorter path is walked again, since its links are then nearer. */
class Walk {
  readonly #site: Site
  readonly #rules: CrawlRules
  readonly #inScope: (host: SiteHost) => boolean
  readonly #maxDepth: number
  #port = 80
  readonly #depths = new Map<string, number>()
  /** URLs to visit, by depth. */
  readonly #levels: Offer[][] = []
  readonly #mapped = new Set<SiteHost>()
  readonly #groups = new Map<string, string[]>()
  readonly #stored = new Set<string>()
  readonly #redirected = new Map<string, string>()
  readonly #refused = new Map<string, string>()
  readonly #failed = new Map<string, string>()

  constructor(site: Site, rules: CrawlRules) {
    this.#site = site
    this.#rules = rules
    this.#inScope = scopeOf(rules)
    this.#maxDepth = rules.maxDepth ?? Number.POSITIVE_INFINITY
  }

  offerSeed(url: string): void {
    const address = addressOf(this.#site, url)
    if (address === null) throw new RangeError(`${url} is not of this site`)
    this.#port = address.port
    this.#offer({ ...address, depth: 0, nofollow: false })
  }

  finish(): ExpectedCrawl {
    for (;;) {
      const offer = this.#levels.find((level) => level.length > 0)?.pop()
      if (offer === undefined) break
      const url = this.#urlOf(offer)
      if (this.#depths.get(url) === offer.depth) this.#visit(url, offer)
    }
    return {
      stored: this.#stored,
      duplicates: this.#duplicates(),
      redirected: this.#redirected,
      refused: this.#refused,
      failed: this.#failed,
    }
  }

  #duplicates(): Map<string, readonly string[]> {
    const groups = [...this.#groups.values()]
    return new Map(groups.flatMap((group) => group.slice(1).map((copy) => [copy, group] as const)))
  }

  #urlOf({ host, path }: Address): string {
    return originAt(host, this.#port) + path
  }

  #offer(offer: Offer): void {
    const url = this.#urlOf(offer)
    const known = this.#depths.get(url)
    if (known !== undefined && (offer.nofollow || known <= offer.depth)) return
    const refusal = this.#refusalOf(offer)
    if (refusal !== null) {
      if (known === undefined) this.#refused.set(url, refusal)
      return
    }
    this.#refused.delete(url)
    this.#depths.set(url, offer.depth)
    while (this.#levels.length <= offer.depth) this.#levels.push([])
    present(this.#levels[offer.depth]).push(offer)
  }

  #refusalOf({ host, path, nofollow, depth }: Offer): string | null {
    if (!this.#inScope(host)) return 'scope'
    if (FILE_PATH.test(path)) return 'type'
    if (nofollow) return 'nofollow'
    return depth > this.#maxDepth ? 'depth' : null
  }

  #visit(url: string, { host, path, depth }: Offer): void {
    this.#readSitemap(host)
    const resource = resolve(this.#site, host, path)
    const { type } = resource
    if (type === 'page') this.#keep(url, host, resource.index, depth)
    else if (type === 'missing') this.#failed.set(url, `http-${resource.status}`)
    else if (type === 'moved') {
      this.#redirected.set(url, this.#urlOf(resource.to))
      this.#offer({ ...resource.to, depth, nofollow: false })
    } else if (type !== 'guarded') this.#refused.set(url, 'type')
    else if (resource.by === 'nofollow') this.#keep(url, host, resource.index, depth)
    else this.#refused.set(url, 'robots')
  }

  #keep(url: string, host: SiteHost, index: number, depth: number): void {
    this.#join(`${host.id} ${index}`, url)
    const none = followsNone(this.#site, host, index)
    for (const link of linksOf(this.#site, host, index)) {
      const { host: to, path } = link
      this.#offer({ host: to, path, depth: depth + 1, nofollow: none || link.nofollow })
    }
  }

  /** The first URL of a content is stored; later ones are duplicates. */
  #join(content: string, url: string): void {
    const group = this.#groups.get(content)
    if (group === undefined) {
      this.#groups.set(content, [url])
      this.#stored.add(url)
    } else if (!group.includes(url)) group.push(url)
  }

  #readSitemap(host: SiteHost): void {
    if (this.#rules.sitemaps === false || this.#mapped.has(host)) return
    this.#mapped.add(host)
    // URLs of a sitemap are one link away from a seed.
    const depth = 1
    // None of its pages could be fetched, so the sitemap is not requested and they stay unknown.
    if (depth > this.#maxDepth) return
    for (const index of listedPages(host)) {
      this.#offer({ host, path: pathOf(host, index), depth, nofollow: false })
    }
  }
}

function scopeOf({ scope, seeds }: CrawlRules): (host: SiteHost) => boolean {
  if (scope === 'any') return () => true
  const names = seeds.map((seed) => new URL(seed).hostname)
  if (scope === 'host') return (host) => names.includes(host.name)
  const sites = new Set(names.map(siteOf))
  const known = new Map<SiteHost, boolean>()
  return (host) => {
    const answer = known.get(host) ?? sites.has(siteOf(host.name))
    known.set(host, answer)
    return answer
  }
}
