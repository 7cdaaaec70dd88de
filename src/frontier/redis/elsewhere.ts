// What leads to hosts of other shards: links, duplicates that move, sitemaps. It is handed over before its
// page is settled: should that be cut short, the page is settled again and all of it is handed over again,
// which counts once. The settlement notes what was handed over (handed-links.ts).
import { type Found, VIAS, type Via } from '../../core/link.ts'
import { type CanonicalUrl, hostOf, siteOf } from '../../core/url.ts'
import type { Standing as MovedTo } from '../../core/visit.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import type { Lease } from '../frontier.ts'
import type { Word } from './calls.ts'
import { hashText, LinkArguments, type LinkRules, type Scored } from './link-arguments.ts'
import { depthBehind, linksOf, type ToSettle } from './settlement-words.ts'

/** As settling.lua has it. */
const MAX_HOPS = 10

export type MapElsewhere = {
  readonly url: CanonicalUrl
  /** Sitemaps that led to it. */
  readonly level: number
  readonly hops: number
}

/** What one page, sitemap or robots.txt of another shard names. */
export type HandedOver = {
  /** The page's id in its own shard; 0: it is no page. */
  readonly pageId: number
  readonly via: Via
  /** Of the URLs found. */
  readonly depth: number
  readonly hops: number
  /** It was visited before. */
  readonly again: boolean
  readonly links: readonly (readonly [link: Found, scored: Scored])[]
  /** Duplicates that found their place anew because of it. */
  readonly moved: readonly MovedTo[]
  readonly maps: readonly MapElsewhere[]
}

/** What a shard was given, as the words of deliver.lua. */
export type Handed = { readonly to: number; readonly words: readonly Word[] }

export type Elsewhere = {
  readonly isElsewhere: (url: CanonicalUrl) => boolean
  /** Gives each shard its part; what each was given, for the settlement to note. */
  readonly handOver: (some: readonly HandedOver[]) => Promise<readonly Handed[]>
  /** For what was given by something else than a settlement. */
  readonly noteHanded: (handed: readonly Handed[]) => Promise<void>
  /** Gives this shard once more what others have given it of late: it may have lost it. */
  readonly handAgain: () => Promise<void>
  /** Whether redirects that are known lead from one URL to the other, through any shard. */
  readonly leads: (from: CanonicalUrl, to: CanonicalUrl) => Promise<boolean>
}

/** A sitemap or robots.txt that names sitemaps. */
export function handedMaps(maps: readonly MapElsewhere[]): HandedOver {
  const nothing = { pageId: 0, depth: 0, hops: 0, again: false, links: [], moved: [] }
  return { ...nothing, via: 'sitemap', maps }
}

/**
 * A settlement without what belongs elsewhere, and that; null when nothing does. `level`: of a sitemap, how
 * many led to it. `lease`: undefined when this session has none.
 */
export function splitLinks(
  each: ToSettle,
  { lease, level }: { lease: Lease | undefined; level: number },
  isElsewhere: Elsewhere['isElsewhere'],
): { readonly own: ToSettle; readonly away: HandedOver | null } {
  const { settlement, known, scored } = each
  const { outcome, lease: settled } = settlement
  const links = linksOf(settlement)
  const moved = 'moved' in settlement ? (settlement.moved ?? []) : []
  const maps = outcome === 'read' ? settlement.sitemaps : []
  const isAway = links.map(({ url }) => isElsewhere(url))
  const movedAway = moved.filter(({ url }) => isElsewhere(url))
  const mapsAway = maps.filter(isElsewhere)
  if (!isAway.includes(true) && movedAway.length === 0 && mapsAway.length === 0) {
    return { own: each, away: null }
  }
  const hops = outcome === 'redirected' ? (lease?.hops ?? 0) + 1 : 0
  const pairs = links.flatMap((link, at) => {
    const made = scored[at]
    return isAway[at] && made !== null && made !== undefined ? [[link, made] as const] : []
  })
  const isMap = settled.kind === 'sitemap'
  const isListed = outcome === 'read' || outcome === 'part'
  const mapsMoved = isMap && outcome === 'redirected' ? pairs.map(([{ url }]) => url) : []
  const own: ToSettle = {
    ...each,
    ...(outcome === 'read'
      ? { settlement: { ...settlement, sitemaps: maps.filter((url) => !isElsewhere(url)) } }
      : {}),
    links: links.filter((_, at) => !isAway[at]),
    scored: scored.filter((_, at) => !isAway[at]),
  }
  const isFollowed = hops <= MAX_HOPS && !staysAsItWas(each, lease)
  return {
    own,
    away: {
      pageId: isMap ? 0 : settled.id,
      via: isListed ? 'sitemap' : outcome === 'redirected' ? 'redirect' : 'link',
      depth: depthBehind(settlement, known),
      ...{ hops, again: lease?.revisit?.stored ?? false, moved: movedAway },
      links: isFollowed && mapsMoved.length === 0 ? pairs : [],
      maps: [
        ...mapsAway.map((url) => ({ url, level: level + 1, hops: 0 })),
        ...(isFollowed ? mapsMoved.map((url) => ({ url, level, hops })) : []),
      ],
    },
  }
}

/** A redirect that leads back to itself through other shards has failed; own ones are seen by the script. */
export async function withoutLoop(each: ToSettle, leads: Elsewhere['leads']): Promise<ToSettle> {
  const { settlement, known } = each
  if (settlement.outcome !== 'redirected' || settlement.lease.kind !== 'page') return each
  const { to, outcome: _, ...rest } = settlement
  if (known === undefined || !(await leads(to.url, known.url))) return each
  const failed = { outcome: 'failed', reason: `redirect-loop: ${to.url}`, retryAt: null } as const
  return { settlement: { ...rest, ...failed }, known, scored: [] }
}

/** A page that is stored, and stays so: where it leads now is not followed. */
function staysAsItWas({ settlement }: ToSettle, lease: Lease | undefined): boolean {
  const isGone = 'gone' in settlement && settlement.gone === true
  return settlement.outcome === 'redirected' && lease?.revisit?.stored === true && !isGone
}

/** The words of deliver.lua; `number`: of the page over all shards. */
export function deliveryWords(
  some: readonly (HandedOver & { readonly number: number | '' })[],
  { rules, hashUrl }: { readonly rules: LinkRules; readonly hashUrl: UrlHasher },
): readonly Word[] {
  const words = new LinkArguments(rules)
  words.push(some.length)
  for (const { number, via, depth, hops, again, links, moved, maps } of some) {
    words.push(number, VIAS.indexOf(via), depth, hops, again ? 1 : 0, links.length)
    for (const [link, scored] of links) words.link(link, scored)
    words.push(moved.length)
    for (const { url, of } of moved) words.push(hashText(hashUrl(url)), of ?? '')
    const inScope = maps.filter(({ url }) => rules.inScope(hostOf(url)))
    words.push(inScope.length)
    for (const { url, level, hops: moves } of inScope) {
      words.push(level, moves, url, hostOf(url), siteOf(hostOf(url)))
    }
  }
  return words.words()
}
