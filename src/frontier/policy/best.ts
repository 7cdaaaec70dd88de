import type { HostPolicy } from './host-policy.ts'

/** The ordering decides across hosts, too. Focused crawls want this. */
export const best: HostPolicy = {
  name: 'best',
  about: 'the host with the best next URL first',
  patient: true,
  rank: (host) => -host.bestScore,
  // As within a host: of URLs with equal scores, the one found first.
  tie: (host) => host.bestId,
  holds: () => false,
}
