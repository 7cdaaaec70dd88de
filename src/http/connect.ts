// Opens one connection to a destination that the route allowed: TCP, then a proxy tunnel, then TLS, as
// needed.
import { BlockList, connect as connectTcp, isIP, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { InvalidInput } from '../core/errors.ts'
import { FaultError, faultOf, ours, unwell } from './failure.ts'

export type Destination = {
  /** The only addresses the socket may be connected to: the host's, or its proxy's. */
  readonly addresses: readonly string[]
  readonly port: number
  /** The server name for TLS; null for plain HTTP. */
  readonly tlsName: string | null
  readonly proxy: WebProxy | null
  /** `name:port` of the host, for a tunnel. */
  readonly authority: string
}

export type ConnectOptions = {
  readonly http2: boolean
  readonly insecureTls: boolean
  /** TLS sessions by destination, so that reconnecting costs less. */
  readonly sessions: Map<string, Buffer>
}

const MAX_SESSIONS = 1000
/**
 * Time allowed for one of several addresses before the next is tried. Node allows a quarter of a second,
 * which is too short for a distant host or a busy process: the host is lost if the next address is dead.
 */
const ADDRESS_MS = 1000
const ignore = (): void => {}

/** A connection attempt that can be cancelled at any point. */
export class Attempt {
  readonly #options: ConnectOptions
  readonly #held: Socket[] = []
  #cancelled = false

  constructor(options: ConnectOptions) {
    this.#options = options
  }

  /** Resolves with a socket that is ready for a request; rejects with the cause of the failure. */
  async open(to: Destination): Promise<Socket> {
    try {
      const way = to.proxy === null ? await this.#reach(to) : await this.#reachThrough(to.proxy, to)
      return to.tlsName === null ? way : await this.#secure(way, to.tlsName, to.authority)
    } catch (error) {
      this.cancel()
      throw error
    }
  }

  cancel(): void {
    this.#cancelled = true
    for (const socket of this.#held) socket.destroy()
  }

  async #reach(to: Destination): Promise<Socket> {
    const socket = this.#hold(dial(to))
    await reached(socket, 'connect')
    // Last line of defence: the peer must be one of the vetted addresses.
    if (!isOneOf(to.addresses, socket.remoteAddress)) throw new FaultError(ours('went elsewhere'))
    return socket
  }

  async #reachThrough(proxy: WebProxy, to: Destination): Promise<Socket> {
    const way = await this.#reachProxy(proxy, to)
    if (to.tlsName !== null) await openTunnel(way, to.authority, proxy)
    return way
  }

  async #reachProxy(proxy: WebProxy, to: Destination): Promise<Socket> {
    try {
      const way = await this.#reach(to)
      if (!proxy.secure) return way
      return await this.#secure(way, proxy.hostname, `proxy ${proxy.hostname}:${proxy.port}`)
    } catch (error) {
      throw new FaultError(ours(`no way to the proxy, ${faultOf(error, 'connecting').reason}`))
    }
  }

  async #secure(way: Socket, name: string, authority: string): Promise<Socket> {
    const socket = this.#hold(secure(way, name, authority, this.#options))
    await reached(socket, 'secureConnect')
    return socket
  }

  #hold<S extends Socket>(socket: S): S {
    this.#held.push(socket.on('error', ignore))
    if (this.#cancelled) socket.destroy()
    return socket
  }
}

/** Compares addresses, not text: IPv6 has many spellings. */
export function isOneOf(addresses: readonly string[], peer = ''): boolean {
  if (isIP(peer) === 0) return false
  const vetted = new BlockList()
  for (const address of addresses) vetted.addAddress(address, familyOf(address))
  return vetted.check(peer, familyOf(peer))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

function dial({ addresses, port }: Destination): Socket {
  const [first = ''] = addresses
  if (addresses.length === 1) return tuned(connectTcp({ host: first, port }))
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return tuned(
    connectTcp({
      // Never sent to a name server: the lookup below always returns the vetted list.
      host: 'vetted',
      port,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ADDRESS_MS,
      lookup: (_name, _options, done) => done(null, all),
    }),
  )
}

function tuned(socket: Socket): Socket {
  return socket.setNoDelay(true)
}

function secure(
  socket: Socket,
  name: string,
  authority: string,
  { http2, insecureTls, sessions }: ConnectOptions,
): TLSSocket {
  const session = sessions.get(authority)
  // Loading it costs 14 ms of processor time; a crawl without https needs none of it.
  const { connect } = process.getBuiltinModule('node:tls')
  const tls = connect({
    socket,
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ...(session === undefined ? {} : { session }),
    ALPNProtocols: http2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    rejectUnauthorized: !insecureTls,
  })
  return tls.on('session', (fresh) => keep(sessions, authority, fresh))
}

function keep(sessions: Map<string, Buffer>, authority: string, session: Buffer): void {
  sessions.delete(authority)
  if (sessions.size >= MAX_SESSIONS) {
    const [oldest] = sessions.keys()
    if (oldest !== undefined) sessions.delete(oldest)
  }
  sessions.set(authority, session)
}

function reached(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => settle(new FaultError(ours('closed')))
    const onError = (error: Error): void => settle(error)
    const onReached = (): void => settle(null)
    const settle = (error: Error | null): void => {
      socket.off(event, onReached).off('error', onError).off('close', onClose)
      if (error === null) resolve()
      else reject(error)
    }
    socket.on(event, onReached).on('error', onError).on('close', onClose)
  })
}

export type WebProxy = {
  readonly hostname: string
  readonly port: number
  /** The connection to the proxy itself is encrypted. */
  readonly secure: boolean
  /** Value of `Proxy-Authorization`; null without credentials. Must never be shown. */
  readonly authorization: string | null
}

const MAX_ANSWER_BYTES = 16 * 1024
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})/

/** Parses `http://user:password@host:port`. Its error message leaves credentials out. */
export function parseProxy(text: string): WebProxy {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new InvalidInput('proxy', 'a proxy is given as http://host:port or https://host:port')
  }
  const secure = url.protocol === 'https:'
  return {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
    authorization: authorizationOf(url),
  }
}

function authorizationOf({ username, password }: URL): string | null {
  if (username === '') return null
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

/** Asks the proxy behind this socket for a connection to `authority`; rejects with a FaultError. */
async function openTunnel(socket: Socket, authority: string, proxy: WebProxy): Promise<void> {
  const authorization = proxy.authorization
  const lines = [`CONNECT ${authority} HTTP/1.1`, `host: ${authority}`]
  if (authorization !== null) lines.push(`proxy-authorization: ${authorization}`)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const status = await answerOf(socket)
  if (status >= 200 && status < 300) return
  // 5xx means that the proxy could not reach the host; any other status is between the proxy and us.
  const detail = `the proxy answered ${status}`
  throw new FaultError(status >= 500 ? unwell('connect', detail) : ours(detail))
}

function answerOf(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = ''
    const done = (status: number): void => {
      socket.off('readable', onReadable).off('close', onClose)
      if (status > 0) resolve(status)
      else reject(new FaultError(ours('the proxy gave no answer we understand')))
    }
    const onClose = (): void => done(0)
    const onReadable = (): void => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        head += (chunk as Buffer).toString('latin1')
      }
      const end = head.indexOf('\r\n\r\n')
      if (end < 0 && head.length < MAX_ANSWER_BYTES) return
      // A TLS server waits for our hello, so nothing may follow the response.
      done(end === head.length - 4 ? Number(STATUS_LINE.exec(head)?.[1] ?? 0) : 0)
    }
    socket.on('readable', onReadable).on('close', onClose)
  })
}
