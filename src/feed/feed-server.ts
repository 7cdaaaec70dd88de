// Sends page changes to listeners on a socket. Without listeners it does nothing; with listeners it polls the
// store for changes.
import { createServer, type Server, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { ChangeFeed } from '../store/change-feed.ts'
import {
  decodeRequest,
  type FeedRequest,
  greetingOf,
  LineCutter,
  lineOf,
  listenAt,
  MAX_REQUEST_BYTES,
  NOT_UNDERSTOOD,
} from './feed-protocol.ts'

/** A poll is nearly free. */
const LOOK_EVERY_MS = 100
/** Each listener costs reads of its own. */
export const MAX_LISTENERS = 64
const FINISHING_LOOK_MS = 20

type FeedServerOptions = {
  /** The path of the socket; the caller holds a lock on it. */
  readonly path: string
  /** The caller closes it. */
  readonly feed: ChangeFeed
}

type Patience = {
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
    const hasChanged = await this.#feed.mayHaveChanged().catch(() => false)
    this.#isLooking = false
    if (hasChanged) for (const listener of this.#listeners) listener.tell()
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

/** A listener that requests nothing in this time gets everything. */
const SILENCE_MS = 200
/** Some twenty kilobytes, read in about a millisecond. */
const CHANGES_AT_ONCE = 200

/** The server's side of one listener: its position, and whether it has room for more. */
class FeedListener {
  /** The listener closed its sending side. It still listens, or it is gone, which shows only on a write. */
  halfClosed = false
  readonly #socket: Socket
  readonly #feed: ChangeFeed
  readonly #silence: NodeJS.Timeout
  readonly #lines = new LineCutter(MAX_REQUEST_BYTES)
  /** Null until it has started. */
  #cursor: number | null = null
  #telling = false
  #more = false
  #refused = false

  constructor(socket: Socket, feed: ChangeFeed) {
    this.#socket = socket
    this.#feed = feed
    // Its request may have arrived unread, because the event loop was busy.
    this.#silence = setTimeout(() => setImmediate(() => this.#beginSilently()), SILENCE_MS)
    socket.on('data', (bytes) => this.#hear(bytes))
    socket.on('end', () => {
      this.halfClosed = true
    })
    socket.on('drain', () => {
      socket.resume()
      this.tell()
    })
    // A listener that disconnects is no error.
    socket.on('error', () => {})
    socket.once('close', () => clearTimeout(this.#silence))
  }

  /** Bytes that the listener, or the system on its behalf, has accepted. */
  get takenBytes(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength
  }

  /** True if nothing is buffered on this side. */
  get isFlushed(): boolean {
    return this.#socket.writableLength === 0
  }

  get cursor(): number | null {
    return this.#cursor
  }

  /** Sends the changes while there is room; continues by itself when there is more room. */
  tell(): void {
    this.#more = true
    if (this.#telling) return
    this.#telling = true
    this.#tellAll()
      .catch(() => this.destroy())
      .finally(() => {
        this.#telling = false
      })
  }

  /** Closes the connection after everything sent has arrived, if the listener reads. */
  end(): void {
    this.#cursor = null
    this.#socket.destroySoon()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  async #tellAll(): Promise<void> {
    while (this.#more && this.#hasRoom) {
      this.#more = false
      const from = this.#cursor
      if (from === null) return
      const { changes, cursor } = await this.#feed.after(from, CHANGES_AT_ONCE)
      // The listener may have sent another request meanwhile.
      const moved = this.#cursor !== from
      if (moved || cursor > from) this.#more = true
      if (moved || cursor === from) continue
      this.#cursor = cursor
      if (changes.length > 0) this.#socket.write(changes.map(lineOf).join(''))
      await nextTurn()
    }
  }

  get #hasRoom(): boolean {
    return this.#socket.writable && !this.#socket.writableNeedDrain
  }

  #beginSilently(): void {
    if (this.#cursor !== null || this.#refused || this.#socket.destroyed) return
    this.#cursor = 0
    this.tell()
  }

  #hear(bytes: Buffer): void {
    for (const line of this.#lines.push(bytes)) {
      if (this.#refused) return
      // People type an empty line to see whether anybody is there.
      if (line?.trim() === '') continue
      const request = line === null ? null : decodeRequest(line)
      if (request === null) {
        this.#refuse()
        return
      }
      clearTimeout(this.#silence)
      this.#move(request).catch(() => this.destroy())
    }
  }

  async #move({ after, store }: FeedRequest): Promise<void> {
    const [mark, last] = [await this.#feed.mark(), await this.#feed.last()]
    // A cursor beyond the last one belongs to another store.
    const known = after <= last && (store === null || store === '' || store === mark)
    this.#cursor = known ? after : 0
    if (store !== null) this.#socket.write(greetingOf(mark, this.#cursor, last))
    // A listener that sends requests but never reads is paused until it reads.
    if (this.#socket.writableNeedDrain) this.#socket.pause()
    this.tell()
  }

  #refuse(): void {
    this.#refused = true
    clearTimeout(this.#silence)
    this.#cursor = null
    this.#socket.write(NOT_UNDERSTOOD)
    this.#socket.destroySoon()
  }
}
