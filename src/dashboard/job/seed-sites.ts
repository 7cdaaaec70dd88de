// How many sites a job begins at: with one alone there is nobody to be fair to.
import type { JobHost } from '../../reads/shapes/job.ts'

/** Sites are the server's to tell; a host it has not told of counts as one of its own. */
export function seedSites(
  seeds: readonly string[],
  hosts: readonly Pick<JobHost, 'host' | 'site'>[],
): number {
  const sites = new Map(hosts.map(({ host, site }) => [host, site]))
  const found = seeds.map((seed) => {
    const { host } = URL.parse(seed) ?? { host: '' }
    return sites.get(host) ?? host
  })
  return new Set(found).size
}
