// Hosts that a crawl leads to and does not enter: those outside of its scope, or, where it may roam, those of
// which it has no page. The most linked are good seeds of a next crawl.
import { createScope } from '../core/admission.ts'
import { type PartRow, partRows } from '../core/page.ts'
import { type CanonicalUrl, canonicalise, hostOf, originOf, siteOf } from '../core/url.ts'
import type { BeyondHost, Beyond as BeyondHosts } from './shapes/page.ts'
import type { CrawlHere } from './workspace-files.ts'

const PAGES_AT_ONCE = 200
/** Links that are read: those of the first pages, as in maps. */
const MAX_LINKS = 20_000_000
/** Hosts that are counted at a time. Beyond that, those that the fewest pages link to are forgotten. */
const MAX_HOSTS = 200_000
/** How many linking hosts are counted for each of them. */
const MAX_FROM = 1000
/** Linking hosts that are named. */
const SHOWN_FROM = 5
const MAX_TEXT = 120
/** Links that nobody vouches for. */
const UNTRUSTED = /\b(?:nofollow|ugc|sponsored)\b/i

export type BeyondOptions = {
  readonly limit: number
  readonly maxLinks?: number
  readonly maxHosts?: number
  /** Only hosts that these link to; all of them are named then. */
  readonly among?: ReadonlySet<string>
  /** Only hosts that this one links to. */
  readonly by?: string
  /** Not these. */
  readonly except?: ReadonlySet<string>
}

export async function readBeyond(
  { job, store }: CrawlHere,
  options: BeyondOptions,
): Promise<BeyondHosts> {
  const { maxLinks = MAX_LINKS, maxHosts = MAX_HOSTS } = options
  const isInside = await insideOf({ job, store })
  const found = new FoundHosts(isInside, maxHosts)
  const upTo = await store.pages.lastIdOf(job.id)
  const filter = { crawlIds: [job.id] }
  let links = 0
  for (let after = 0; links < maxLinks; ) {
    const needs = { text: false, parts: ['links'] } as const
    const pages = await store.pages.wholePages({ filter, after, upTo }, needs, PAGES_AT_ONCE)
    for (const { url, parts } of pages)
      links += found.read(url, partRows('links', parts.links ?? '[]'))
    const last = pages.at(-1)
    if (last === undefined) return { ...found.best(options), cut: found.isPruned }
    after = last.id
  }
  return { ...found.best(options), cut: true }
}

async function insideOf({ job, store }: Pick<CrawlHere, 'job' | 'store'>) {
  const { scope } = job.settings
  if (scope !== 'any') return createScope(job.seeds, scope)
  const stored = new Set((await store.pages.hosts(job.id)).map(({ host }) => host))
  return (host: string): boolean => stored.has(host)
}

type Found = {
  /** Its front page, by https if any link is. */
  url: string
  /** Pages that link there, by their host. */
  readonly from: Map<string, number>
  pages: number
  text: string
  /** A URL there that is linked to. */
  readonly example: string
}

class FoundHosts {
  readonly #isInside: (host: string) => boolean
  readonly #maxHosts: number
  readonly #hosts = new Map<string, Found>()
  isPruned = false

  constructor(isInside: (host: string) => boolean, maxHosts: number) {
    this.#isInside = isInside
    this.#maxHosts = maxHosts
  }

  /** Reads the links of a page; a page counts once for each host. Returns how many links there were. */
  read(page: CanonicalUrl, rows: readonly PartRow[]): number {
    const from = hostOf(page)
    const met = new Set<string>()
    for (const { url: to, rel, anchor } of rows) {
      const url = UNTRUSTED.test(String(rel ?? '')) ? null : canonicalise(String(to))
      if (url === null) continue
      const host = hostOf(url)
      if (host === from || this.#isInside(host)) continue
      const known = this.#note(host, url, String(anchor ?? ''))
      if (met.has(host)) continue
      met.add(host)
      known.pages += 1
      if (known.from.has(from) || known.from.size < MAX_FROM) {
        known.from.set(from, (known.from.get(from) ?? 0) + 1)
      }
    }
    return rows.length
  }

  #note(host: string, url: CanonicalUrl, anchor: string): Found {
    const known = this.#hosts.get(host)
    const text = anchor.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT)
    if (known !== undefined) {
      if (known.text === '') known.text = text
      if (known.url.startsWith('http:') && url.startsWith('https:')) known.url = `${originOf(url)}/`
      return known
    }
    if (this.#hosts.size >= this.#maxHosts) this.#prune()
    const fresh = { url: `${originOf(url)}/`, from: new Map(), pages: 0, text, example: url }
    this.#hosts.set(host, fresh)
    return fresh
  }

  #prune(): void {
    this.isPruned = true
    for (let least = 1; this.#hosts.size > this.#maxHosts / 2; least *= 2) {
      for (const [host, { pages }] of this.#hosts) if (pages <= least) this.#hosts.delete(host)
    }
  }

  /** The most linking hosts first, then the most linking pages. */
  best({ limit, among, by, except }: BeyondOptions): { hosts: BeyondHost[]; total: number } {
    const isWanted = ([name, { from }]: readonly [string, Found]): boolean =>
      except?.has(name) !== true &&
      (by === undefined || from.has(by)) &&
      (among === undefined || from.keys().some((host) => among.has(host)))
    const hosts = [...this.#hosts]
      .filter(isWanted)
      .sort(
        ([a, one], [b, other]) =>
          other.from.size - one.from.size || other.pages - one.pages || (a < b ? -1 : 1),
      )
    return { hosts: hosts.slice(0, limit).map((found) => shown(found, among)), total: hosts.length }
  }
}

function shown(
  [host, { url, from, pages, text, example }]: readonly [string, Found],
  among: ReadonlySet<string> | undefined,
): BeyondHost {
  const sorted = [...from].sort(([, a], [, b]) => b - a)
  const most =
    among === undefined ? sorted.slice(0, SHOWN_FROM) : sorted.filter(([name]) => among.has(name))
  return {
    ...{ host, site: siteOf(host), url, pages, hosts: from.size, text, example },
    from: most.map(([name, count]) => ({ host: name, pages: count })),
  }
}
