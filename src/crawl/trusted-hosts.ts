// Hosts that a user at this machine has named. Over HTTP, strangers may name hosts.
import { lookup } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import type { Job } from '../core/job.ts'
import { mayBePrivate } from '../core/private-access.ts'
import { hostOf } from '../core/url.ts'
import { isServerUrl, type WorkspaceUrl } from '../core/workspace-url.ts'
import { listenerOf, type OwnListeners, openOwnListeners } from '../http/own-listeners.ts'

type TrustedHosts = {
  /** `URL.host` of hosts that may have a private address. */
  readonly trustedHosts: ReadonlySet<string>
  /** `URL.host` of hosts that may have a port that is not used for the web. */
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

const POSTGRES_PORT = 5432
const REDIS_PORT = 6379
const HTTP_PORT = 80

/** The servers of a workspace: its database, its frontier, and the server that offers it over HTTP. */
export function ownListenersOf({ data, frontier, listensOn }: WorkspaceUrl): Promise<OwnListeners> {
  const listeners = [
    isServerUrl(data) ? listenerOf(data, POSTGRES_PORT) : null,
    frontier === null ? null : listenerOf(frontier, REDIS_PORT),
    listensOn === undefined ? null : listenerOf(`http://${listensOn}`, HTTP_PORT),
  ]
  return openOwnListeners(
    listeners.filter((listener) => listener !== null),
    async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  )
}

/** The addresses of a server; none while it takes any free port. */
export function serverListens({
  host,
  port,
}: {
  readonly host: string
  readonly port: number
}): Pick<WorkspaceUrl, 'listensOn'> {
  return port === 0 ? {} : { listensOn: `${isIPv6(host) ? `[${host}]` : host}:${port}` }
}
