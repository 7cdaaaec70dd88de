import { type CanonicalUrl, hostOf, siteOf } from './url.ts'

/**
 * Jain's index of fairness: 1 when all have the same, 1/n when one has everything. Nobody, or
 * nobody with anything yet, is as fair as it gets.
 */
export function jainsIndex(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0)
  const squares = shares.reduce((total, share) => total + share * share, 0)
  return squares === 0 ? 1 : (sum * sum) / (shares.length * squares)
}

/** Jain's index over stored pages per seed domain; what belongs to no seed's domain does not count. */
export function fairnessOf(
  seeds: readonly CanonicalUrl[],
  hosts: ReadonlyMap<string, number>,
): number {
  const perSite = new Map(seeds.map((seed) => [siteOf(hostOf(seed)), 0]))
  for (const [host, stored] of hosts) {
    const site = siteOf(host)
    const before = perSite.get(site)
    if (before !== undefined) perSite.set(site, before + stored)
  }
  return jainsIndex([...perSite.values()])
}
