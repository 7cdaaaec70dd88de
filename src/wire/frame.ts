// Frames on a Unix socket: a 4-byte length (little endian, of what follows), a type byte, the
// payload. One direction never waits for the other; back-pressure is the sender's business (it
// counts bytes that were not answered yet) and the kernel's.
import type { Socket } from 'node:net'
import { CrawlerError } from '../core/errors.ts'

export const FRAME_TYPES = {
  /** JSON, between the supervisor and its children. */
  control: 1,
  /** A fetched body, scouter → parser. */
  handover: 2,
  /** The parser begins with a page, parser → scouter. */
  begun: 3,
  /** What became of a page, with its links, parser → scouter. */
  receipt: 4,
  /** URLs whose receipts are settled, scouter → parser. */
  settled: 5,
  /** All undelivered receipts were sent; work may begin, parser → scouter. */
  ready: 6,
} as const
export type FrameType = (typeof FRAME_TYPES)[keyof typeof FRAME_TYPES]

const HEAD_BYTES = 5
/** Far above any body we hand over; a length beyond it means the stream is garbage. */
const MAX_FRAME_BYTES = 256 * 1024 * 1024

/** Sends one frame; the payload may come in pieces, which are not copied together. */
export function sendFrame(socket: Socket, type: FrameType, ...pieces: readonly Uint8Array[]): void {
  let size = 1
  for (const piece of pieces) size += piece.byteLength
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  head.writeUInt32LE(size, 0)
  head.writeUInt8(type, 4)
  socket.cork()
  socket.write(head)
  for (const piece of pieces) if (piece.byteLength > 0) socket.write(piece)
  socket.uncork()
}

/**
 * Cuts a byte stream into frames. Each payload gets an ArrayBuffer of its own, so that it can be
 * transferred to a worker thread without another copy.
 */
export class FrameReader {
  readonly #onFrame: (type: number, payload: Uint8Array<ArrayBuffer>) => void
  readonly #head = Buffer.alloc(HEAD_BYTES)
  #headFilled = 0
  #payload: Uint8Array<ArrayBuffer> | null = null
  #payloadFilled = 0

  constructor(onFrame: (type: number, payload: Uint8Array<ArrayBuffer>) => void) {
    this.#onFrame = onFrame
  }

  push(chunk: Uint8Array): void {
    let at = 0
    while (at < chunk.byteLength) {
      if (this.#payload === null) {
        const take = Math.min(HEAD_BYTES - this.#headFilled, chunk.byteLength - at)
        this.#head.set(chunk.subarray(at, at + take), this.#headFilled)
        this.#headFilled += take
        at += take
        if (this.#headFilled < HEAD_BYTES) return
        const size = this.#head.readUInt32LE(0)
        if (size < 1 || size > MAX_FRAME_BYTES) {
          throw new CrawlerError('wire-broken', `a frame of ${size} bytes cannot be right`)
        }
        this.#payload = new Uint8Array(size - 1)
        this.#payloadFilled = 0
      }
      const take = Math.min(this.#payload.byteLength - this.#payloadFilled, chunk.byteLength - at)
      if (take > 0) {
        this.#payload.set(chunk.subarray(at, at + take), this.#payloadFilled)
        this.#payloadFilled += take
        at += take
      }
      if (this.#payloadFilled < this.#payload.byteLength) return
      const payload = this.#payload
      this.#payload = null
      this.#headFilled = 0
      this.#onFrame(this.#head.readUInt8(4), payload)
    }
  }
}
