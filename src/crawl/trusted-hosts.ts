// Whom a user at this machine has named; over HTTP a stranger may have.
import type { Job } from '../core/job.ts'
import { mayBePrivate } from '../core/private-access.ts'
import { hostOf } from '../core/url.ts'

export type TrustedHosts = {
  /** `URL.host` of what may have a private address. */
  readonly trustedHosts: ReadonlySet<string>
  /** `URL.host` of what may have a port that is none of the web. */
  readonly seedHosts: ReadonlySet<string>
}

export function trustedHosts({
  origin,
  seeds,
  settings,
}: Pick<Job, 'origin' | 'seeds' | 'settings'>): TrustedHosts {
  if (origin !== 'cli') return { trustedHosts: new Set(), seedHosts: new Set() }
  const typed = typedHostsOf({ seeds, settings })
  return { trustedHosts: new Set(typed), seedHosts: new Set(seeds.map(hostOf)) }
}

export function typedHostsOf({ seeds, settings }: Pick<Job, 'seeds' | 'settings'>): string[] {
  return [...(settings.typedHosts ?? seeds.filter(mayBePrivate).map(hostOf))]
}
