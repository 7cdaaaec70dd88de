// Links that lead to hosts of other shards. They are handed over before their page is settled: should that
// be cut short, the page is settled again and they are handed over again, which counts once.
import type { Found, Via } from '../../core/link.ts'
import type { Standing as MovedTo } from '../../core/visit.ts'
import type { Lease } from '../frontier.ts'
import type { Word } from './calls.ts'
import type { Scored } from './link-arguments.ts'
import type { StaleRow } from './reply.ts'
import { depthBehind, linksOf, type ToSettle } from './settlement-words.ts'

/** What one page, or sitemap, of another shard names. */
export type HandedOver = {
  /** The page's id in its own shard; 0: of a sitemap. */
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
}

export type Elsewhere = {
  readonly isElsewhere: (url: Found['url']) => boolean
  /** Scores that must be computed anew are: by what the ordering said of the page. */
  readonly handOver: (
    some: readonly HandedOver[],
    rescoreWords: (row: StaleRow) => readonly Word[],
  ) => Promise<void>
}

/** A settlement without what belongs elsewhere, and that; null when nothing does. */
export function splitLinks(
  each: ToSettle,
  lease: Lease | undefined,
  isElsewhere: Elsewhere['isElsewhere'],
): { readonly own: ToSettle; readonly away: HandedOver | null } {
  const { settlement, known, scored } = each
  const links = linksOf(settlement)
  const moved = 'moved' in settlement ? (settlement.moved ?? []) : []
  const movedAway = moved.filter(({ url }) => isElsewhere(url))
  const isAway = links.map(({ url }) => isElsewhere(url))
  if (!isAway.includes(true) && movedAway.length === 0) return { own: each, away: null }
  const { outcome } = settlement
  const hops = outcome === 'redirected' ? (lease?.hops ?? 0) + 1 : 0
  const pairs = links.flatMap((link, at) => {
    const made = scored[at]
    return isAway[at] && made !== null && made !== undefined ? [[link, made] as const] : []
  })
  return {
    own: {
      ...each,
      links: links.filter((_, at) => !isAway[at]),
      scored: scored.filter((_, at) => !isAway[at]),
    },
    away: {
      pageId: settlement.lease.kind === 'page' ? settlement.lease.id : 0,
      via: outcome === 'read' ? 'sitemap' : outcome === 'redirected' ? 'redirect' : 'link',
      depth: depthBehind(settlement, known),
      ...{ hops, again: lease?.revisit?.stored ?? false, links: pairs, moved: movedAway },
    },
  }
}
