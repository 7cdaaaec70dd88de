// One connection to one origin, for requests one after the other. Only this file knows the wire: how many
// bytes really came, and interim responses.
import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { type CanonicalUrl, originOf } from '../core/url.ts'
import {
  Attempt,
  type ConnectOptions,
  type Destination,
  isOneOf,
  type WebProxy,
} from './connect.ts'
import type { PooledConnection } from './connection-pool.ts'
import { ours } from './failure.ts'
import type { Resolver } from './resolver.ts'
import type { Route, Router } from './route.ts'
import { Client } from './undici-client.ts'

/** The request that uses a connection. */
export interface ConnectionUser extends Dispatcher.DispatchHandler {
  /** More bytes came than an honest response of this size needs. */
  onFlood(): void
  /** An interim response was removed from the stream. */
  onInterim(): void
}

type HttpConnectionOptions = {
  /** The same for interchangeable connections. */
  readonly key: string
  readonly origin: string
  readonly destination: Destination
  readonly connect: ConnectOptions
  /** The connection is closed. */
  readonly onGone: (connection: HttpConnection) => void
}

export const MAX_HEADER_BYTES = 16 * 1024
/** Most servers close after 5 s or later; a hint from the server takes precedence. */
const KEEP_ALIVE_MS = 10_000
const MAX_KEEP_ALIVE_MS = 60_000
const CONTINUE = Buffer.from('HTTP/1.1 100')
const HEAD_END = '\r\n\r\n'
const ignore = (): void => {}

export class HttpConnection implements PooledConnection {
  readonly key: string
  /** Bytes received since `begin`, and their limit. */
  wireBytes = 0
  wireLimit = 0
  /** Number of responses on this connection. */
  answered = 0
  /** Monotonic. */
  openedAt = performance.now()
  readonly #client: InstanceType<typeof Client>
  readonly #options: HttpConnectionOptions
  readonly #attempt: Attempt
  #socket: Socket | null = null
  /** The address it is connected to; '' before that. */
  #peer = ''
  #user: ConnectionUser | null = null
  #http2 = false
  #readBefore = 0
  /** The next byte belongs to a status line. */
  #atHead = false
  /** The beginning of an incomplete interim response. */
  #held: Buffer | null = null

  constructor(options: HttpConnectionOptions) {
    this.#options = options
    this.key = options.key
    this.#attempt = new Attempt(options.connect)
    this.#client = new Client(options.origin, {
      pipelining: 1,
      // The exchange has its own limits, which cannot be extended byte by byte.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      allowH2: options.connect.http2,
      connect: (_options, done) => {
        this.#connect()
          .then(
            (socket) => done(null, socket),
            (error: Error) => done(error, null),
          )
          .catch(() => this.discard())
      },
    })
    const events: EventEmitter = this.#client
    events.on('error', ignore)
  }

  get isHttp2(): boolean {
    return this.#http2
  }

  get usable(): boolean {
    return this.#socket !== null && !this.#socket.destroyed
  }

  leadsTo(addresses: readonly string[]): boolean {
    return addresses.includes(this.#peer) || isOneOf(addresses, this.#peer)
  }

  send(options: Dispatcher.DispatchOptions, user: ConnectionUser): void {
    this.#user = user
    this.#client.dispatch(options, user)
  }

  /** The request is being sent. */
  begin(wireLimit: number): void {
    this.wireBytes = 0
    this.wireLimit = wireLimit
    if (this.#http2) this.#readBefore = this.#socket?.bytesRead ?? 0
    this.#atHead = true
    this.#held = null
  }

  /** HTTP/2 bypasses the tap. There only the socket knows the byte count, and it is polled. */
  measure(): void {
    if (!this.#http2 || this.#socket === null) return
    this.wireBytes = this.#socket.bytesRead - this.#readBefore
    if (this.wireBytes > this.wireLimit) this.#user?.onFlood()
  }

  /** The response is complete. */
  end(): void {
    this.#user = null
    this.answered += 1
    this.measure()
  }

  /** Closes the connection, whatever is in progress. */
  discard(): void {
    this.#user = null
    this.#attempt.cancel()
    this.#client.destroy(null, ignore)
  }

  async #connect(): Promise<Socket> {
    const { destination, onGone } = this.#options
    const socket = await this.#attempt.open(destination)
    this.openedAt = performance.now()
    this.answered = 0
    this.#socket = socket
    this.#peer = socket.remoteAddress ?? ''
    this.#http2 = 'alpnProtocol' in socket && socket.alpnProtocol === 'h2'
    if (!this.#http2) this.#tap(socket)
    return socket.on('close', () => onGone(this))
  }

  /** Counts everything that undici reads from the wire; undici itself counts only bodies. */
  #tap(socket: Socket): void {
    const read = socket.read
    socket.read = (size?: number) => {
      for (;;) {
        const chunk: Buffer | null = read.call(socket, size)
        if (chunk === null) return null
        this.wireBytes += chunk.length
        if (this.wireBytes > this.wireLimit && this.#user !== null) {
          this.#user.onFlood()
          return null
        }
        const rest = this.#atHead ? this.#pastContinue(chunk) : chunk
        if (rest !== null) return rest
      }
    }
  }

  /**
   * Removes `100 Continue`, which was not requested and which undici treats as an error. Null if nothing else
   * has come yet.
   */
  #pastContinue(chunk: Buffer): Buffer | null {
    let rest = this.#held === null ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = null
    while (startsLikeContinue(rest)) {
      const end = rest.indexOf(HEAD_END, 0, 'latin1')
      if (end < 0) {
        if (rest.length > MAX_HEADER_BYTES) break
        this.#held = rest
        return null
      }
      this.#user?.onInterim()
      rest = rest.subarray(end + HEAD_END.length)
      if (rest.length === 0) return null
    }
    this.#atHead = false
    return rest
  }
}

function startsLikeContinue(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, CONTINUE.length)
  // Nearly every response differs in the first digit of its status.
  if (length > 9 && bytes[9] !== CONTINUE[9]) return false
  return bytes.compare(CONTINUE, 0, length, 0, length) === 0
}

/** A route that the guards allowed. */
type Way = Extract<Route, { kind: 'open' }>

type ConnectorOptions = {
  readonly router: Router
  readonly resolver: Resolver
  readonly http2: boolean
  readonly insecureTls: boolean
  readonly onGone: (connection: HttpConnection) => void
}

const MAX_ORIGINS = 10_000

/** From a URL to a new connection: checks the guards, then decides where and how to connect. */
export class Connector {
  readonly #options: ConnectorOptions
  readonly #sessions = new Map<string, Buffer>()
  /** Origins where HTTP/2 failed. */
  readonly #plain = new Set<string>()

  constructor(options: ConnectorOptions) {
    this.#options = options
  }

  /** Called for every request, even if a connection is idle, since the address may have changed. */
  async wayTo(url: CanonicalUrl, proxy: WebProxy | null): Promise<Route> {
    const route = await this.#options.router.route(new URL(url))
    return route.kind !== 'open' || proxy === null ? route : this.#routeTo(proxy)
  }

  /** Returns an unconnected connection; the first request connects it. */
  open(url: CanonicalUrl, proxy: WebProxy | null, way: Way): HttpConnection {
    const target = new URL(url)
    const origin = originOf(url)
    const { insecureTls, onGone } = this.#options
    const http2 = this.#options.http2 && !this.#plain.has(origin)
    return new HttpConnection({
      key: connectionKey(url, proxy),
      origin,
      destination: destinationOf(target, way, proxy),
      connect: { http2, insecureTls, sessions: this.#sessions },
      onGone,
    })
  }

  /** From now on this URL's origin is requested with HTTP/1.1. */
  withoutHttp2(url: CanonicalUrl): void {
    if (this.#plain.size >= MAX_ORIGINS) this.#plain.clear()
    this.#plain.add(originOf(url))
  }

  /** The user named the proxy, so its address is not checked. */
  async #routeTo({ hostname, port }: WebProxy): Promise<Route> {
    const found = await this.#options.resolver.resolve(hostname)
    if (found.addresses !== null) return { kind: 'open', addresses: found.addresses, port }
    return { kind: 'failed', fault: ours(`no way to the proxy, dns: ${found.code}`) }
  }
}

/** Connections with the same key are interchangeable. */
export function connectionKey(url: CanonicalUrl, proxy: WebProxy | null): string {
  const origin = originOf(url)
  return proxy === null ? origin : `${origin} ${proxy.hostname}:${proxy.port}`
}

function destinationOf(target: URL, { addresses, port }: Way, proxy: WebProxy | null): Destination {
  const secure = target.protocol === 'https:'
  const tlsName = secure ? target.hostname.replace(/^\[|\]$/g, '') : null
  const authority = target.port === '' ? `${target.host}:${secure ? 443 : 80}` : target.host
  return { addresses, port, tlsName, proxy, authority }
}
