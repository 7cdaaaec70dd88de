// Measures how evenly a crawl has served the domains of its seeds.
import type { HostState } from './host.ts'
import { type CanonicalUrl, hostOf, siteOf } from './url.ts'

/** The facts about a host that count. */
export type HostShare = Pick<HostState, 'host' | 'stored' | 'queued' | 'failures' | 'delayMs'>

export type Fairness = {
  /** 1 when every domain got its share, 1/n when one of n got everything. */
  readonly index: number
  /** The number of domains compared. Below two, fairness means nothing. */
  readonly over: number
}

export const NOBODY_TO_SHARE: Fairness = { index: 1, over: 0 }

/**
 * Jain's index of fairness: 1 if all have the same, 1/n if one has everything. It is 1 if there is nobody,
 * or nobody has anything yet.
 */
export function jainsIndex(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0)
  const squares = shares.reduce((total, share) => total + share * share, 0)
  return squares === 0 ? 1 : (sum * sum) / (shares.length * squares)
}

/** True if the seeds have at least two domains. */
export function hasSeveralSites(seeds: readonly CanonicalUrl[]): boolean {
  const hosts = new Set(seeds.map(hostOf))
  return hosts.size > 1 && new Set([...hosts].map(siteOf)).size > 1
}

/**
 * Jain's index over the domains of the seeds. Each counts with its stored pages, relative to what it would
 * have in an even crawl of as many pages. No domain is expected to give more than it has, and hosts that
 * fail, or keep a longer gap than the crawl's own, are not expected to give more than they did.
 */
export function fairnessOf(
  seeds: readonly CanonicalUrl[],
  hosts: Iterable<HostShare>,
  delayMs: number,
): Fairness {
  if (!hasSeveralSites(seeds)) return NOBODY_TO_SHARE
  const sites = new Map(seeds.map((seed) => [siteOf(hostOf(seed)), { got: 0, could: 0 }]))
  for (const { host, stored, queued, failures, delayMs: gapMs } of hosts) {
    const site = sites.get(siteOf(host))
    if (site === undefined) continue
    const hadChance = failures === 0 && gapMs <= Math.ceil(delayMs)
    site.got += stored
    site.could += stored + (hadChance ? queued : 0)
  }
  const served = [...sites.values()].filter(({ could }) => could > 0)
  const level = evenLevel(served)
  const parts = served.map(({ got, could }) => (level === 0 ? 0 : got / Math.min(could, level)))
  return { index: jainsIndex(parts), over: served.length }
}

/** The largest share if the total is dealt out evenly, to nobody more than it could have. */
function evenLevel(served: readonly { readonly got: number; readonly could: number }[]): number {
  const rising = served.toSorted((a, b) => a.could - b.could)
  let left = served.reduce((total, { got }) => total + got, 0)
  for (const [at, { could }] of rising.entries()) {
    const even = left / (rising.length - at)
    if (could >= even) return even
    left -= could
  }
  return rising.at(-1)?.could ?? 0
}
