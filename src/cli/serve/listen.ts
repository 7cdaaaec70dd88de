// Listening on an address, and in plain words why that is not possible.
import { createServer, isIPv6 } from 'node:net'
import { portHolder } from './port-holder.ts'

/** Nobody can be served there. The message says why and what to do. */
export class CannotListen extends Error {
  /** Another program listens on the port. */
  readonly inUse: boolean

  constructor(message: string, inUse: boolean, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'CannotListen'
    this.inUse = inUse
  }
}

export type Address = { readonly host: string; readonly port: number }

/** Throws CannotListen where nobody could be served; asked before anything is started. */
export async function probePort({ host, port }: Address): Promise<void> {
  const probe = createServer()
  await listening({ host, port }, () => {
    return new Promise<void>((resolve, reject) => {
      probe.once('error', reject).listen({ host, port, exclusive: true }, resolve)
    })
  })
  await new Promise((resolve) => probe.close(resolve))
}

/** The result of `listen`, with its errors in our words. */
export async function listening<T>(address: Address, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    const message = messageFor(code, address)
    if (message === null) throw cause
    throw new CannotListen(message, code === 'EADDRINUSE', { cause })
  }
}

/** Under which this machine itself can ask. */
export function urlOf({ host, port }: Address): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`
}

function messageFor(code: string, { host, port }: Address): string | null {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use${holderText(port)}. Choose another with --port, or 0 for any free one.`
    case 'EACCES':
      return `this user may not listen on port ${port}. Choose one above 1023 with --port.`
    case 'EADDRNOTAVAIL':
      return `this machine has no address ${host}. --host 127.0.0.1 serves this machine alone.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not a name this machine knows an address for. Give --host an address.`
    default:
      return null
  }
}

function holderText(port: number): string {
  const holder = portHolder(port)
  return holder === null ? " ('ss -ltnp' shows by whom)" : ` by process ${holder}`
}
