import type { HostPolicy } from './host-policy.ts'

/** Above any number of picks: with 2^24 URLs waiting the rank is still exact. */
const VISITS = 2 ** 29

/**
 * Large sites take longest under a delay: begun late, they are the tail of the crawl. How large a
 * host is counts as of the last round, so that one does not lose its turn with every page it gives;
 * of equals the one goes first that was left alone longest.
 */
export const largest: HostPolicy = {
  name: 'largest',
  about: 'the host with most URLs waiting first',
  inRounds: true,
  rank: ({ pending, lastVisit }) => Math.min(lastVisit, VISITS - 1) - pending * VISITS,
  holds: () => false,
}
