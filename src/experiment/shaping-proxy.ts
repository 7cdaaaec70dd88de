// An HTTP proxy on this machine that makes the network slower: a limit of bytes per second, in all or for each
// connection, and a delay before each answer. It changes no byte.
//
// The crawler checks targets before it asks a proxy for them, as docs/NETWORK.md says. This one is for a crawl of
// our own, listens on loopback only, and ends with its process.
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export type Shape = {
  /** Bytes per second over all connections; null: no limit. */
  readonly bytesPerSecond: number | null
  /** The same for each connection. */
  readonly bytesPerConnection: number | null
  /** Before the first byte of an answer. */
  readonly latencyMs: number
}

type ShapingProxy = AsyncDisposable & { readonly port: number }

/** A name that ends so means this machine. */
const LOOPBACK = /(?:^|\.)localhost$/

/** `to`: every request goes there instead; null: to the host it names. */
export async function openShapingProxy(
  shape: Shape,
  to: { readonly port: number } | null,
): Promise<ShapingProxy> {
  const shared = shape.bytesPerSecond === null ? null : new TokenBucket(shape.bytesPerSecond)
  const agent = new Agent({ keepAlive: true })
  const server = createServer((asked, answer) => {
    void forward(asked, answer, { shape, shared, to, agent })
  })
  server.on('connect', (asked: IncomingMessage, client: Socket) => {
    void tunnel(asked, client, { shape, shared, to, agent })
  })
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    [Symbol.asyncDispose]: async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

type Way = {
  readonly shape: Shape
  readonly shared: TokenBucket | null
  readonly to: { readonly port: number } | null
  readonly agent: Agent
}

async function forward(asked: IncomingMessage, answer: ServerResponse, way: Way): Promise<void> {
  try {
    const url = new URL(asked.url ?? '')
    const onward = request({
      ...placeOf(url.hostname, url.port, way),
      ...{ agent: way.agent, method: asked.method, path: `${url.pathname}${url.search}` },
      headers: { ...asked.headers, host: url.host },
    })
    // A host may reset its connection at any time, also while its answer is held back: the stream then fails.
    onward.on('error', () => {})
    answer.once('close', () => onward.destroy())
    asked.pipe(onward)
    const [response]: IncomingMessage[] = await once(onward, 'response')
    if (response === undefined) throw new Error('no answer')
    await pause(way.shape.latencyMs)
    answer.writeHead(response.statusCode ?? 502, response.rawHeaders)
    await pipeline([response, ...slowdowns(way), answer])
  } catch {
    // The crawler reports it as a failure of the host.
    if (answer.headersSent) answer.destroy()
    else answer.writeHead(502).end()
  }
}

/** For https: bytes in both directions, those of answers slowed down. */
async function tunnel(asked: IncomingMessage, client: Socket, way: Way): Promise<void> {
  client.on('error', () => client.destroy())
  try {
    const { hostname, port } = new URL(`http://${asked.url}`)
    const { host, port: number } = placeOf(hostname, port === '' ? '443' : port, way)
    await pause(way.shape.latencyMs)
    const server = connect(number, host)
    server.on('error', () => server.destroy())
    await once(server, 'connect')
    client.write('HTTP/1.1 200 OK\r\n\r\n')
    client.pipe(server)
    await pipeline([server, ...slowdowns(way), client])
  } catch {
    client.destroy()
  }
}

function placeOf(name: string, port: string, { to }: Way): { host: string; port: number } {
  if (to !== null) return { host: '127.0.0.1', port: to.port }
  const host = LOOPBACK.test(name) ? '127.0.0.1' : name.replace(/^\[|\]$/g, '')
  return { host, port: port === '' ? 80 : Number(port) }
}

/** At most one stream, with which the bytes of an answer wait. */
function slowdowns({ shape, shared }: Way): SlowStream[] {
  const own = shape.bytesPerConnection === null ? null : new TokenBucket(shape.bytesPerConnection)
  const buckets = [shared, own].filter((bucket) => bucket !== null)
  return buckets.length === 0 ? [] : [new SlowStream(buckets)]
}

/** Pieces that are sent at once; small enough that connections share the line fairly. */
const PIECE = 4096

class SlowStream extends Transform {
  readonly #buckets: readonly TokenBucket[]

  constructor(buckets: readonly TokenBucket[]) {
    super()
    this.#buckets = buckets
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    void this.#pass(chunk).then(() => done(), done)
  }

  async #pass(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = chunk.subarray(at, at + PIECE)
      for (const bucket of this.#buckets) await pause(bucket.take(piece.length, performance.now()))
      this.push(piece)
    }
  }
}

/** How much may pass at once after a rest, in seconds of the rate. */
const BURST_SECONDS = 0.05

/** Tokens are bytes. A taker of more than there are waits, and the next one waits longer. */
export class TokenBucket {
  readonly #perMs: number
  readonly #burst: number
  #tokens: number
  #at: number | null = null

  constructor(bytesPerSecond: number) {
    this.#perMs = bytesPerSecond / 1000
    this.#burst = Math.max(PIECE, bytesPerSecond * BURST_SECONDS)
    this.#tokens = this.#burst
  }

  /** Takes so many bytes; returns how many milliseconds to wait before they may pass. */
  take(bytes: number, nowMs: number): number {
    const rested = this.#at === null ? 0 : (nowMs - this.#at) * this.#perMs
    this.#at = nowMs
    this.#tokens = Math.min(this.#burst, this.#tokens + rested) - bytes
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMs
  }
}

function pause(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms))
}
