import type { ServerResponse } from 'node:http'
import type { Cursor, EventReader, Subject } from './event-reader.ts'

type ChannelOptions = {
  readonly subject: Subject
  readonly cursor: Cursor
  readonly reader: EventReader
  readonly log: (text: string) => void
}

/** All clients of the same subject: news are read once, and written to each as the same bytes. */
export class EventChannel {
  readonly subject: Subject
  readonly #reader: EventReader
  readonly #log: (text: string) => void
  /** Clients that have everything up to `#cursor`. */
  readonly #current = new Set<EventClient>()
  /** Clients that still catch up. */
  readonly #behind = new Set<EventClient>()
  #cursor: Cursor
  #isAwake = false
  #reading: Promise<void> | null = null

  constructor({ subject, cursor, reader, log }: ChannelOptions) {
    this.subject = subject
    this.#cursor = cursor
    this.#reader = reader
    this.#log = log
  }

  get cursor(): Cursor {
    return this.#cursor
  }

  get size(): number {
    return this.#current.size + this.#behind.size
  }

  add(client: EventClient): void {
    if (client.closed) return
    if (isAt(client.cursor, this.#cursor)) this.#current.add(client)
    else this.#leadOn(client)
  }

  remove(client: EventClient): void {
    this.#current.delete(client)
    this.#behind.delete(client)
  }

  /** The store may have news. Resolves when they were sent. */
  wake(): Promise<void> {
    this.#isAwake = true
    this.#reading ??= this.#tellNews().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  /** For news of the moment: clients that catch up do not get it. */
  tell(text: string): void {
    if (this.#current.size === 0) return
    const bytes = Buffer.from(text)
    for (const client of this.#current) {
      client.send(bytes)
      this.#spare(client)
    }
  }

  end(): void {
    for (const client of [...this.#current, ...this.#behind]) client.end()
    this.#current.clear()
    this.#behind.clear()
  }

  async #tellNews(): Promise<void> {
    try {
      while (this.#isAwake) {
        this.#isAwake = false
        const batch = await this.#reader.read(this.subject, this.#cursor, null)
        this.#isAwake ||= batch.more
        this.#cursor = batch.cursor
        this.#tellAll(batch.text)
        if (batch.gone) this.end()
      }
    } catch (error) {
      // The cursor has not moved, so the news are sent the next time.
      this.#log(`events could not be read: ${error instanceof Error ? error.message : error}`)
    }
  }

  #tellAll(text: string): void {
    const bytes = Buffer.from(text)
    for (const client of this.#current) {
      if (bytes.length > 0) client.send(bytes, this.#cursor)
      else client.cursor = this.#cursor
      this.#spare(client)
    }
  }

  /** Nothing is buffered for a client that does not read: it gets the rest from the store when it can. */
  #spare(client: EventClient): void {
    if (!client.isFull) return
    this.#current.delete(client)
    this.#leadOn(client)
  }

  #leadOn(client: EventClient): void {
    this.#behind.add(client)
    this.#catchUp(client).catch((error: unknown) => {
      this.#log(`events could not be read: ${error instanceof Error ? error.message : error}`)
      // It reconnects with the id of its last event.
      client.end()
    })
  }

  async #catchUp(client: EventClient): Promise<void> {
    while (this.#behind.has(client)) {
      await client.drained()
      if (client.closed) return this.remove(client)
      if (isAt(client.cursor, this.#cursor)) {
        this.#behind.delete(client)
        this.#current.add(client)
        return
      }
      const { text, cursor } = await this.#reader.read(this.subject, client.cursor, this.#cursor)
      client.send(text, cursor)
    }
  }
}

function isAt(a: Cursor, b: Cursor): boolean {
  return a.event === b.event && a.page === b.page
}

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
