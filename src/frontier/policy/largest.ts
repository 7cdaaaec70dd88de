import type { HostPolicy } from './host-policy.ts'

/** Larger than any number of picks. With 2^24 URLs waiting the rank is still exact. */
const VISITS = 2 ** 29

/**
 * Large sites take longest under a delay; if they start late, the crawl ends late. The size of a host is that
 * of the last round, so a host does not lose its turn with every page it returns. Of hosts of equal size, the
 * one visited longest ago is first.
 */
export const largest: HostPolicy = {
  name: 'largest',
  about: 'the host with most URLs waiting first',
  inRounds: true,
  rank: ({ pending, lastVisit }) => Math.min(lastVisit, VISITS - 1) - pending * VISITS,
  holds: () => false,
}
