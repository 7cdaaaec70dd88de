// A lane: one connection to one origin, on which requests follow each other. Only here is anything
// known of the wire: how many bytes really came, and answers that announce an answer.
import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import { Attempt, type ConnectOptions, type Destination, isOneOf } from './connect.ts'
import type { PooledConnection } from './connection-pool.ts'

/** The request a lane is busy with. */
export interface ConnectionUser extends Dispatcher.DispatchHandler {
  /** More came over the wire than any honest answer of this size needs. */
  onFlood(): void
  /** An interim answer was taken off the wire. */
  onInterim(): void
}

export type HttpConnectionOptions = {
  /** What lanes that can stand for each other share. */
  readonly key: string
  readonly origin: string
  readonly destination: Destination
  readonly connect: ConnectOptions
  /** The connection is gone. */
  readonly onGone: (connection: HttpConnection) => void
}

export const MAX_HEADER_BYTES = 16 * 1024
/** Servers mostly hang up after 5 s or later; a hint of theirs counts for more. */
const KEEP_ALIVE_MS = 10_000
const MAX_KEEP_ALIVE_MS = 60_000
const CONTINUE = Buffer.from('HTTP/1.1 100')
const HEAD_END = '\r\n\r\n'
const ignore = (): void => {}

export class HttpConnection implements PooledConnection {
  readonly key: string
  /** Bytes that came since `begin`, and how many may. */
  wireBytes = 0
  wireLimit = 0
  /** Requests that were answered on this connection. */
  answered = 0
  /** Monotonic. */
  openedAt = performance.now()
  readonly #client: Client
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
  /** The beginning of an interim answer that is not complete yet. */
  #held: Buffer | null = null

  constructor(options: HttpConnectionOptions) {
    this.#options = options
    this.key = options.key
    this.#attempt = new Attempt(options.connect)
    this.#client = new Client(options.origin, {
      pipelining: 1,
      // The exchange has limits of its own, which cannot be put off byte by byte.
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

  /** The connection speaks HTTP/2. */
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

  /** The request goes out now. */
  begin(wireLimit: number): void {
    this.wireBytes = 0
    this.wireLimit = wireLimit
    if (this.#http2) this.#readBefore = this.#socket?.bytesRead ?? 0
    this.#atHead = true
    this.#held = null
  }

  /** HTTP/2 reads past the tap: there only the socket knows what came, and is asked now and then. */
  measure(): void {
    if (!this.#http2 || this.#socket === null) return
    this.wireBytes = this.#socket.bytesRead - this.#readBefore
    if (this.wireBytes > this.wireLimit) this.#user?.onFlood()
  }

  /** The answer is complete. */
  end(): void {
    this.#user = null
    this.answered += 1
    this.measure()
  }

  /** Closes the connection, whatever is under way on it. */
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

  /** All that undici gets from the wire passes here: it counts bodies, not what surrounds them. */
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
   * Takes off `100 Continue`, which nobody asked for and which undici takes for an error. Null when
   * there is nothing else yet.
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
  // Nearly every answer differs at the first digit of its status.
  if (length > 9 && bytes[9] !== CONTINUE[9]) return false
  return bytes.compare(CONTINUE, 0, length, 0, length) === 0
}
