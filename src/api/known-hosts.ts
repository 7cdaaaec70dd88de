// Under which names this server may be asked. A web page can make any name of its own point here (DNS
// rebinding); the browser then tells us that name, and it is not one of ours.
import type { ServeSettings } from './api-deps.ts'

/** Where a request arrived. */
export type Arrival = {
  readonly localAddress?: string | undefined
  readonly localPort?: number | undefined
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** `host`: the header, a name or address with the port where it is not 80. */
export function isKnownHost(host: string, arrival: Arrival, settings: ServeSettings): boolean {
  const asked = host.toLowerCase()
  const port = arrival.localPort ?? settings.port
  const named = settings.allowedHosts.map((name) => name.toLowerCase())
  // Who named it may stand in front of us on a port of their own.
  if (named.includes(asked)) return true
  const ours = [...LOOPBACK, bracketed(settings.host), ...named]
  // An address is nobody's name: asked by it, we were meant.
  if (arrival.localAddress !== undefined) ours.push(bracketed(arrival.localAddress))
  return ours.some((name) => asked === `${name}:${port}` || (port === 80 && asked === name))
}

/** The origin of a page that asks: one that we served ourselves. */
export function isKnownOrigin(origin: string, arrival: Arrival, settings: ServeSettings): boolean {
  const host = /^https?:\/\/([^/?#@]+)$/i.exec(origin)?.[1]
  return host !== undefined && isKnownHost(host, arrival, settings)
}

function bracketed(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  return plain.includes(':') ? `[${plain}]` : plain
}
