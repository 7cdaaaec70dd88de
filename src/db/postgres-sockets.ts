// The sockets below a pool of connections to PostgreSQL. The driver lets go of one only when its peer
// agrees, and calls a peer that hangs up at once again without a pause: so we make and end them ourselves.
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const CONNECT_MS = 5000
/** No more sockets than a pool has connections are made in this time. */
const PACE_MS = 250

/** As the driver has read it from the URL. */
export type Target = {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** Of a Unix socket. */
  readonly path?: string | false
}

export class PostgresSockets {
  readonly #atOnce: number
  readonly #open = new Set<Socket>()
  /** The last ones, as many as may be there at once. */
  readonly #madeAt: number[] = []
  #turn = 0
  #isClosed = false

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** A connected one. Where there are several hosts, the first that takes it. */
  async open(target: Target): Promise<Socket> {
    await this.#inPace()
    let failed: unknown = null
    for (const _ of target.host) {
      try {
        return await this.#connect(target, this.#turn % target.host.length)
      } catch (error) {
        failed = error
        this.#turn++
      }
    }
    throw failed
  }

  /** At once, whatever is on its way, and no new ones. */
  destroy(): void {
    this.#isClosed = true
    for (const socket of this.#open) socket.destroy()
  }

  /** One that was closed as soon as it was made is followed by the next: that goes on at a pace. */
  async #inPace(): Promise<void> {
    const first = this.#madeAt.length < this.#atOnce ? undefined : this.#madeAt.shift()
    const wait = first === undefined ? 0 : first + PACE_MS - performance.now()
    this.#madeAt.push(performance.now() + Math.max(0, wait))
    if (wait <= 0) return
    this.#turn++
    await pause(wait)
  }

  async #connect({ host, port, path }: Target, at: number): Promise<Socket> {
    if (this.#isClosed) throw lostError('the pool is closed')
    const to = { host: host[at] ?? '', port: port[at] ?? 0 }
    const socket = path ? connect(path) : connect(to)
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    await connected(socket)
    // The driver forgets who waits for a connection whose peer hangs up before it has said anything.
    socket.once('end', () => {
      if (!socket.writableEnded) socket.destroy(lostError('the server closed the connection'))
    })
    // Asked for by the driver's TLS.
    return Object.assign(socket, to)
  }
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy(lostError('no connection was made in time'))
    }, CONNECT_MS)
    const failed = (error: Error): void => {
      clearTimeout(timer)
      reject(error)
    }
    const gone = (): void => failed(lostError('the connection was given up'))
    socket.once('error', failed).once('close', gone)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', failed).off('close', gone)
      resolve()
    })
  })
}

/** As the network would say it. */
export function lostError(message: string): Error {
  return Object.assign(new Error(message), { code: 'ECONNRESET' })
}
