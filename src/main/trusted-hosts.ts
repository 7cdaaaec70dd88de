// Whose private addresses a job may reach.
import type { Job } from '../core/job.ts'
import { hostOf } from '../core/url.ts'

/** A user at this machine who names a host means it; over HTTP a stranger may have named it. */
export function trustedHosts({ origin, seeds }: Pick<Job, 'origin' | 'seeds'>): Set<string> {
  return new Set(origin === 'cli' ? seeds.map(hostOf) : [])
}
