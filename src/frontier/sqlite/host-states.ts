// Hosts as people see them, the largest first.
import type { HostState } from '../../core/host.ts'
import type { Host } from './host.ts'
import type { Hosts } from './hosts.ts'

/** Looks at every host once and keeps the best few: cheap enough for a status line. */
export function largestHosts(hosts: Hosts, limit: number): readonly HostState[] {
  let kept: { readonly host: Host; readonly size: number }[] = []
  for (const host of hosts.all()) {
    kept.push({ host, size: host.stored + host.queued + host.delayed + host.held })
    if (kept.length >= 2 * limit + 64) kept = cut(kept, limit)
  }
  return cut(kept, limit).map(({ host }) => ({
    host: host.name,
    site: host.site.name,
    queued: host.queued + host.delayed,
    inFlight: host.inFlight,
    stored: host.stored,
    failures: host.failures,
    trouble: host.trouble,
    delayMs: hosts.delayOf(host),
    restsUntil: host.restsUntil,
  }))
}

function cut<T extends { readonly size: number }>(kept: readonly T[], limit: number): T[] {
  return kept.toSorted((a, b) => b.size - a.size).slice(0, limit)
}
