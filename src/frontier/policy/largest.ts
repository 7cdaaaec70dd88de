import type { HostPolicy } from './host-policy.ts'

/** Large sites take longest under a delay: begun late, they are the tail of the crawl. */
export const largest: HostPolicy = {
  name: 'largest',
  about: 'the host with most URLs waiting first',
  rank: (host) => -host.queued,
  holds: () => false,
}
