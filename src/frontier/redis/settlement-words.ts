// Settlements as settle.lua takes them.
import type { Found } from '../../core/link.ts'
import { streakLimit } from '../../core/template.ts'
import { textHash } from '../../core/text-hash.ts'
import { type CanonicalUrl, hostOf, siteOf } from '../../core/url.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import type { Lease, Settlement } from '../frontier.ts'
import { hashText, type LinkArguments, type LinkRules, type Scored } from './link-arguments.ts'

export const KIND_LETTERS = { page: 'p', robots: 'r', sitemap: 's' } as const satisfies Record<
  Lease['kind'],
  string
>

/** Outcomes that show something of a template. */
const SIGHTS: readonly Settlement['outcome'][] = ['stored', 'duplicate', 'refused', 'redirected']
/** As intake.lua has it. */
const MAX_DEPTH = 65_534

/** What there is to know of the URL that is settled. */
export type SettledUrl = { readonly url: CanonicalUrl; readonly depth: number }

export type WordsOptions = {
  readonly rules: LinkRules
  readonly hashUrl: UrlHasher
  /** What a moment of ours is by the server's clock. */
  readonly serverTime: (at: number) => number
}

/**
 * `known`: of the URL; undefined where it has no page. `scored`: one for
 * each link, in their order; null for those that would change nothing.
 */
export type ToSettle = {
  readonly settlement: Settlement
  readonly known: SettledUrl | undefined
  readonly scored: readonly (Scored | null)[]
  /** Those of its links that belong to this shard; left out: all of them do. */
  readonly links?: readonly Found[]
  /** Only some of its links: more follow, and it is settled with the last of them. */
  readonly isPart?: boolean
}

export function linksOf(settlement: Settlement): readonly Found[] {
  if (settlement.outcome === 'redirected') return [settlement.to]
  return 'found' in settlement ? settlement.found : []
}

/** Of those that were not taken: what is in the store, and is to be taken without its lease. */
export function durableOf(
  settlements: readonly Settlement[],
  lost: readonly number[],
  round: number,
): readonly Settlement[] {
  return lost.flatMap((at) => {
    const settlement = settlements[at]
    if (settlement?.lease.durable !== true || settlement.lease.token === null) return []
    return [{ ...settlement, lease: { ...settlement.lease, token: null, round } }]
  })
}

/** The depth of what it leads to. */
export function depthBehind(settlement: Settlement, known: SettledUrl | undefined): number {
  if (settlement.outcome === 'read' || settlement.outcome === 'part') return 1
  return Math.min(MAX_DEPTH, (known?.depth ?? 0) + (settlement.outcome === 'redirected' ? 0 : 1))
}

export function pushSettlement(
  into: LinkArguments,
  { settlement, known, scored, links = linksOf(settlement), isPart = false }: ToSettle,
  options: WordsOptions,
): void {
  const { lease, outcome } = settlement
  const left = scored.filter((made) => made === null).length
  const more = isPart ? [] : moreOf(settlement, options)
  into.push(KIND_LETTERS[lease.kind], lease.id, lease.token ?? '', outcome)
  into.push(textOf(settlement), numberOf(settlement, options), shapeOf(settlement, known, options))
  into.push(Math.round(('cpuMs' in settlement && settlement.cpuMs) || 0))
  into.push(depthBehind(settlement, known), markOf(settlement))
  into.push(lease.round ?? '', links.length - left, more.length)
  pushSelf(into, settlement, options)
  for (const [at, link] of links.entries()) {
    const made = scored[at]
    if (made === null) continue
    into.link(link, made ?? { score: 0, signals: link.signals }, lease.kind === 'sitemap')
  }
  for (const words of more) into.push(...words)
}

/** What is taken without a lease is taken by its URL. */
function pushSelf(into: LinkArguments, { lease }: Settlement, { hashUrl }: WordsOptions): void {
  const { kind, token, url, depth } = lease
  if (kind !== 'page' || token !== null || url === undefined) {
    into.push('')
    return
  }
  into.push(depth ?? MAX_DEPTH)
  const found = { url, hash: hashUrl(url), nofollow: false, signals: null }
  into.link(found, { score: 0, signals: null, refusal: null })
}

/** 1: the page is gone. 2: the try does not count. */
function markOf(settlement: Settlement): 0 | 1 | 2 {
  if ('gone' in settlement && settlement.gone) return 1
  return settlement.outcome === 'failed' && settlement.uncounted ? 2 : 0
}

function textOf(settlement: Settlement): string {
  if (settlement.outcome === 'duplicate') return settlement.of
  if (settlement.outcome === 'redirected') return settlement.to.url
  if (settlement.outcome === 'read') return sizeText(settlement)
  return 'reason' in settlement ? settlement.reason : ''
}

/** Entries and bytes. */
function sizeText({ size }: Extract<Settlement, { outcome: 'read' }>): string {
  return size === undefined ? '' : `${size.entries} ${size.bytes}`
}

function numberOf(settlement: Settlement, { serverTime }: WordsOptions): number | '' {
  if (settlement.outcome === 'failed') {
    return settlement.retryAt === null ? '' : serverTime(settlement.retryAt)
  }
  if (settlement.outcome === 'stored') return settlement.likeness
  if (settlement.outcome === 'redirected') return textHash(settlement.to.url)
  return settlement.outcome === 'refused' && settlement.likeness ? settlement.likeness : ''
}

/** The template of a page that was read, as traps.lua takes it. */
function shapeOf(
  { outcome }: Settlement,
  known: SettledUrl | undefined,
  { rules }: WordsOptions,
): string {
  if (rules.trapBudget === 0 || known === undefined) return ''
  if (!SIGHTS.includes(outcome)) return ''
  const shape = rules.templateOf(known.url)
  if (shape === null) return ''
  const { key, isSeries, pairs, turnsPage } = shape
  const limit = streakLimit(isSeries, rules.trapBudget)
  return [key, limit, turnsPage ? 1 : 0, pairs.join(',')].join('\n')
}

function moreOf(settlement: Settlement, { rules, hashUrl }: WordsOptions): readonly string[][] {
  if (settlement.outcome === 'read') {
    return settlement.sitemaps.flatMap((url) => {
      const host = hostOf(url)
      return rules.inScope(host) ? [[url, host, siteOf(host)]] : []
    })
  }
  if (!('moved' in settlement)) return []
  return (settlement.moved ?? []).map(({ url, of }) => [hashText(hashUrl(url)), of ?? ''])
}
