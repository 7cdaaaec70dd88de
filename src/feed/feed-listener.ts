// The server's side of one listener: its position, and whether it has room for more.
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChangeFeed } from '../store/change-feed.ts'
import {
  decodeRequest,
  type FeedRequest,
  greetingOf,
  LineCutter,
  lineOf,
  MAX_REQUEST_BYTES,
  NOT_UNDERSTOOD,
} from './feed-protocol.ts'

/** A listener that requests nothing in this time gets everything. */
const SILENCE_MS = 200
/** Some twenty kilobytes, read in about a millisecond. */
const CHANGES_AT_ONCE = 200

export class FeedListener {
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
