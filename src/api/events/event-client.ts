import type { ServerResponse } from 'node:http'
import type { Cursor } from './event-reader.ts'

/** More than this unread, and a client is left to read before it gets more. */
const MAX_UNREAD_BYTES = 256 * 1024

/** One who listens. */
export class EventClient {
  readonly #response: ServerResponse
  /** How far it was told. */
  cursor: Cursor

  constructor(response: ServerResponse, cursor: Cursor) {
    this.#response = response
    this.cursor = cursor
  }

  get closed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }

  /** True when it has so much unread that it must not get more. */
  get isFull(): boolean {
    return this.#response.writableLength > MAX_UNREAD_BYTES
  }

  /** The bytes are shared between clients: nobody writes into them. */
  send(bytes: Uint8Array | string, cursor?: Cursor): void {
    if (this.closed) return
    this.#response.write(bytes)
    if (cursor !== undefined) this.cursor = cursor
  }

  /** Settled when all was read, or the client is gone. */
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
