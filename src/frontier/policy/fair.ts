import type { HostFacts, HostPolicy, SiteFacts } from './host-policy.ts'

/** Above any number of pages of one host that matters for whose turn it is. */
const HOST_SHARE = 2 ** 24
/** The promise is 0.95 over stored pages; pages under way count here and may come to nothing. */
const MIN_JAIN = 0.975
/** While counts are small a page or two moves the index far: such a lead is always allowed. */
const FREE_LEAD = 2

/**
 * Every registrable domain gets the same number of pages, however many hosts, links or free
 * connections it has: the least served goes first, and a seed's domain that is ahead of the others
 * waits for those that could follow.
 */
export const fair: HostPolicy = {
  name: 'fair',
  about: 'the least served domain first, seeds kept level',
  rank: (host) => host.site.served * HOST_SHARE + Math.min(host.served, HOST_SHARE - 1),
  holds: (host, seedSites) => host.site.isSeed && leavesOthersBehind(host, seedSites),
}

function leavesOthersBehind(host: HostFacts, seedSites: readonly SiteFacts[]): boolean {
  const own = host.site.served + 1
  let least = own
  let count = 1
  let sum = own
  let squares = own * own
  for (const site of seedSites) {
    if (site === host.site || !site.active) continue
    const { served } = site
    if (served < least) least = served
    count += 1
    sum += served
    squares += served * served
  }
  if (own <= least + FREE_LEAD) return false
  return (sum * sum) / (count * squares) < MIN_JAIN
}
