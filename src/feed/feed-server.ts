// Tells listeners on a socket what becomes of pages, for as long as it is open. While nobody listens it
// does nothing at all; while somebody does, it looks now and then whether something came.
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { ChangeFeed } from '../store/change-feed.ts'
import { FeedListener } from './feed-listener.ts'
import { listenAt } from './feed-socket.ts'

/** A look costs next to nothing. */
const LOOK_EVERY_MS = 100
/** Each is read for on its own. */
export const MAX_LISTENERS = 64
const FINISHING_LOOK_MS = 20

export type FeedServerOptions = {
  /** Of the socket; the caller holds a lock on it. */
  readonly path: string
  /** Stays the caller's. */
  readonly feed: ChangeFeed
}

export type Patience = {
  /** So long a listener may take nothing. */
  readonly stallMs: number
  /** So long all of it may take. */
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
    // Out of file descriptors, say: it goes on with those it has.
    this.#server.on('error', () => {})
  }

  async listen(path: string): Promise<void> {
    this.#place = await listenAt(this.#server, path)
  }

  get listeners(): number {
    return this.#listeners.size
  }

  /** Takes nobody any more, and lets those who keep reading hear everything that was stored till now. */
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

  /** The oldest of those that may be gone leaves. */
  #makeRoom(): boolean {
    for (const listener of this.#listeners) {
      if (!listener.halfClosed) continue
      this.#listeners.delete(listener)
      listener.destroy()
      return true
    }
    return false
  }

  /** A store that cannot be asked now may be asked later. */
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

  /** Until it has everything, or takes nothing any more; then its line ends. */
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
