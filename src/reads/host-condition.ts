// How a host is doing, in one word.
import type { HostState } from '../core/host.ts'
import type { HOST_CONDITIONS, JobHost } from './shapes/job.ts'

export type HostCondition = (typeof HOST_CONDITIONS)[number]

export function hostCondition(host: HostState, now: number): HostCondition {
  const isTroubled = host.failures > 0
  if (host.inFlight > 0) return 'busy'
  if (host.blocked === true) return 'blocked'
  if (host.queued === 0) return isTroubled ? 'troubled' : 'done'
  if (host.restsUntil > now) return isTroubled ? 'slow' : 'waiting'
  return isTroubled ? 'troubled' : 'ready'
}

export function jobHost(host: HostState, now: number): JobHost {
  return {
    host: host.host,
    site: host.site,
    condition: hostCondition(host, now),
    queued: host.queued,
    in_flight: host.inFlight,
    stored: host.stored,
    failures: host.failures,
    trouble: host.trouble,
    // Clocks may have fractions; the shape has none.
    delay_ms: Math.round(host.delayMs),
    rests_until: Math.round(host.restsUntil),
  }
}
