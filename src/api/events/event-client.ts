import type { ServerResponse } from 'node:http'
import type { Cursor } from './event-reader.ts'

/** A client with more unread bytes must read before it gets more. */
const MAX_UNREAD_BYTES = 256 * 1024

/** One connected client. */
export class EventClient {
  readonly #response: ServerResponse
  /** The last position sent to it. */
  cursor: Cursor

  constructor(response: ServerResponse, cursor: Cursor) {
    this.#response = response
    this.cursor = cursor
  }

  get closed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }

  /** True if it has too much unread data to get more. */
  get isFull(): boolean {
    return this.#response.writableLength > MAX_UNREAD_BYTES
  }

  /** The bytes are shared between clients: they must not be changed. */
  send(bytes: Uint8Array | string, cursor?: Cursor): void {
    if (this.closed) return
    this.#response.write(bytes)
    if (cursor !== undefined) this.cursor = cursor
  }

  /** Resolves when everything was read, or the client is gone. */
  async drained(): Promise<void> {
    if (this.closed || !this.#response.writableNeedDrain) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#response.once('drain', resolve).once('close', resolve)
    await promise
    this.#response.off('drain', resolve).off('close', resolve)
  }

  end(): void {
    if (!this.closed) this.#response.end()
  }
}
