// Sends page changes to listeners on a socket. Without listeners it does nothing; with listeners it polls the
// store for changes.
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { ChangeFeed } from '../store/change-feed.ts'
import { FeedListener } from './feed-listener.ts'
import { listenAt } from './feed-protocol.ts'

/** A poll is nearly free. */
const LOOK_EVERY_MS = 100
/** Each listener costs reads of its own. */
export const MAX_LISTENERS = 64
const FINISHING_LOOK_MS = 20

export type FeedServerOptions = {
  /** The path of the socket; the caller holds a lock on it. */
  readonly path: string
  /** The caller closes it. */
  readonly feed: ChangeFeed
}

export type Patience = {
  /** The longest time that a listener may accept nothing. */
  readonly stallMs: number
  /** The longest time for all listeners together. */
  readonly maxMs: number
}

export async function openFeedServer(options: FeedServerOptions): Promise<FeedServer> {
  const server = new FeedServer(options.feed)
  await server.listen(options.path)
  return server
}

export class FeedServer implements AsyncDisposable {
  readonly #feed: ChangeFeed
  readonly #listeners = new Set<FeedListener>()
  readonly #server: Server
  #place: AsyncDisposable | null = null
  #looking: NodeJS.Timeout | null = null
  #isLooking = false

  constructor(feed: ChangeFeed) {
    this.#feed = feed
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#take(socket))
    // For example, no file descriptors are left: the server continues with its present listeners.
    this.#server.on('error', () => {})
  }

  async listen(path: string): Promise<void> {
    this.#place = await listenAt(this.#server, path)
  }

  get listeners(): number {
    return this.#listeners.size
  }

  /** Accepts no more listeners, and sends everything stored so far to those that keep reading. */
  async finish({ stallMs, maxMs }: Patience): Promise<void> {
    await this.#leavePlace()
    const last = await this.#feed.last().catch(() => 0)
    const until = performance.now() + maxMs
    const all = [...this.#listeners].map((listener) => this.#seeOff(listener, last, stallMs, until))
    await Promise.all(all)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leavePlace()
    for (const listener of this.#listeners) listener.destroy()
    this.#stopLooking()
  }

  #take(socket: Socket): void {
    if (this.#listeners.size >= MAX_LISTENERS && !this.#makeRoom()) {
      socket.destroy()
      return
    }
    const listener = new FeedListener(socket, this.#feed)
    this.#listeners.add(listener)
    socket.once('close', () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stopLooking()
    })
    this.#looking ??= setInterval(() => void this.#look(), LOOK_EVERY_MS)
  }

  /** Disconnects the oldest listener that may be gone. */
  #makeRoom(): boolean {
    for (const listener of this.#listeners) {
      if (!listener.halfClosed) continue
      this.#listeners.delete(listener)
      listener.destroy()
      return true
    }
    return false
  }

  /** A store that fails now may work at the next poll. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const stirred = await this.#feed.mayHaveChanged().catch(() => false)
    this.#isLooking = false
    if (stirred) for (const listener of this.#listeners) listener.tell()
  }

  #stopLooking(): void {
    if (this.#looking !== null) clearInterval(this.#looking)
    this.#looking = null
  }

  /** Sends until the listener has everything, or accepts nothing more; then disconnects it. */
  async #seeOff(
    listener: FeedListener,
    last: number,
    stallMs: number,
    until: number,
  ): Promise<void> {
    let taken = -1
    let movedAt = performance.now()
    while (this.#listeners.has(listener)) {
      const now = performance.now()
      if (listener.takenBytes !== taken) {
        taken = listener.takenBytes
        movedAt = now
      }
      const hasAll = (listener.cursor ?? -1) >= last && listener.isFlushed
      if (hasAll) return listener.end()
      if (now - movedAt >= stallMs || now >= until) return listener.destroy()
      listener.tell()
      await pause(FINISHING_LOOK_MS)
    }
  }

  async #leavePlace(): Promise<void> {
    const place = this.#place
    this.#place = null
    if (place === null) return
    this.#server.close()
    await place[Symbol.asyncDispose]()
  }
}
