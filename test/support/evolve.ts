// The sample web some time later: pages were edited, removed and added. The changes leave everything else
// identical: only leaves without special links are removed, and new pages are known by a sitemap or by a page
// that was edited anyway.
import { present } from '../../src/lib/present.ts'
import { factsOf, isLeaf } from '../../src/sample-web/facts.ts'
import { mix, Stream } from '../../src/sample-web/random.ts'
import { pageKey, type Site, type SiteHost } from '../../src/sample-web/site.ts'
import { specialOf } from '../../src/sample-web/special.ts'

type Evolution = {
  readonly seed: number
  readonly edited: number
  /** How many of those link to a new page. */
  readonly linked: number
  readonly removed: number
  /** Number of new pages in sitemaps. */
  readonly listed: number
}

type Page = { readonly host: SiteHost; readonly index: number }

export function evolve(site: Site, evolution: Evolution): Site {
  const stream = new Stream(mix(evolution.seed, 0xe701))
  const leaves = shuffled(stream, plainLeaves(site))
  const removed = leaves.splice(0, evolution.removed)
  const edited = leaves.splice(0, evolution.edited)
  if (edited.length < evolution.edited) throw new RangeError('too few pages to edit')
  const listed = listedPer(site, evolution.listed)
  const late = new Map<SiteHost, number>()
  const links = edited.map(({ host, index }, nth) => {
    if (nth >= evolution.linked) return [pageKey(host, index), null] as const
    const added = late.get(host) ?? 0
    late.set(host, added + 1)
    return [pageKey(host, index), host.pages + orphansOf(host, listed) + added] as const
  })
  const hosts = site.hosts.map((host) => ({
    ...host,
    orphans: orphansOf(host, listed),
    late: late.get(host) ?? 0,
  }))
  return {
    ...site,
    hosts,
    byName: new Map(hosts.map((host) => [host.name, host])),
    later: {
      edited: new Map(links),
      removed: new Set(removed.map(({ host, index }) => pageKey(host, index))),
    },
  }
}

/** Leaves without special links. */
function plainLeaves(site: Site): Page[] {
  return site.hosts.flatMap((host) =>
    Array.from({ length: host.pages }, (_, index) => ({ host, index })).filter(({ index }) => {
      if (index <= host.fanout || !isLeaf(host, index)) return false
      const { noindex, nofollow, strayCanonical } = factsOf(site, host, index)
      const isOrdinary = noindex === 'no' && !nofollow && !strayCanonical
      return isOrdinary && specialOf(site, host, index) === null
    }),
  )
}

/** All new ones are on the first host that has a sitemap. */
function listedPer(site: Site, count: number): ReadonlyMap<SiteHost, number> {
  if (count === 0) return new Map()
  const host = site.hosts.find(({ sitemap }) => sitemap !== 'none')
  if (host === undefined) throw new RangeError('no host has a sitemap')
  return new Map([[host, count]])
}

function orphansOf(host: SiteHost, listed: ReadonlyMap<SiteHost, number>): number {
  return host.orphans + (listed.get(host) ?? 0)
}

function shuffled<T>(stream: Stream, list: readonly T[]): T[] {
  const left = [...list]
  return list.map(() => present(left.splice(stream.below(left.length), 1)[0]))
}
