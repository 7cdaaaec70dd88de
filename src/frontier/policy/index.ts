// The host policies. Help, settings and tests read this list; nothing else names one.
import { InvalidInput } from '../../core/errors.ts'
import type { HostFacts, HostPolicy, SeedSums } from './host-policy.ts'

/** Larger than any number of pages of one host that matters here. */
const HOST_SHARE = 2 ** 24
/** The promise is 0.95 over stored pages. Pages under way count here, and may not be stored in the end. */
const MIN_JAIN = 0.975
/** While counts are small, one or two pages change the index a lot. Such a lead is always allowed. */
const FREE_LEAD = 2

/**
 * Every registrable domain gets the same number of pages while it can be served, regardless of how many hosts
 * or links it has. Of the ready domains, the least served is first, and nobody waits for a domain that is not
 * ready. A seed's domain that is ahead of others which keep the usual pace gains nothing by having many
 * hosts: they take turns as if they were one.
 */
export const fair: HostPolicy = {
  name: 'fair',
  rank: (host) => host.site.share * HOST_SHARE + Math.min(host.served, HOST_SHARE - 1),
  rankInSite: (host) => host.served,
  holds: (host, seeds) => host.site.isSeed && leavesOthersBehind(host, seeds),
}

function leavesOthersBehind({ site }: HostFacts, seeds: SeedSums): boolean {
  const own = site.share + 1
  if (own <= seeds.least + FREE_LEAD) return false
  const isIn = site.counted >= 0
  const before = isIn ? site.counted : 0
  const count = seeds.count + (isIn ? 0 : 1)
  const sum = seeds.sum - before + own
  const squares = seeds.squares - before * before + own * own
  return (sum * sum) / (count * squares) < MIN_JAIN
}

/** Larger than any number of picks. With 2^24 URLs waiting the rank is still exact. */
const VISITS = 2 ** 29

/**
 * The host with most URLs waiting is first. Large sites take longest under a delay; if they start late, the crawl ends late. The size of a host is that
 * of the last round, so a host does not lose its turn with every page it returns. Of hosts of equal size, the
 * one visited longest ago is first.
 */
export const largest: HostPolicy = {
  name: 'largest',
  inRounds: true,
  rank: ({ pending, lastVisit }) => Math.min(lastVisit, VISITS - 1) - pending * VISITS,
  holds: () => false,
}

/** The host with the best next URL is first: the ordering decides across hosts, too. For focused crawls. */
const best: HostPolicy = {
  name: 'best',
  patient: true,
  rank: (host) => -host.bestScore,
  // As within a host: of URLs with equal scores, the one found first.
  tie: (host) => host.bestId,
  holds: () => false,
}

const HOST_POLICY_LIST: readonly HostPolicy[] = [fair, largest, best]

export function hostPolicyNamed(name: string): HostPolicy {
  const found = HOST_POLICY_LIST.find((policy) => policy.name === name)
  if (found) return found
  const names = HOST_POLICY_LIST.map((policy) => policy.name).join(', ')
  throw new InvalidInput('hostPolicy', `there is no host policy "${name}"; choose one of: ${names}`)
}
