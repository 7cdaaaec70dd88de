// A socket for frames: sends them, and calls back for each that arrives. Whatever breaks the stream (garbage,
// a peer that died) ends it once, through `onClose`.
import { connect, type Socket } from 'node:net'
import { CrawlerError } from '../core/errors.ts'

/** Large enough that a page rarely needs more than one read. */
const READ_BUFFER_BYTES = 256 * 1024

type ConnectionHandlers = {
  readonly onFrame: (type: number, payload: Uint8Array<ArrayBuffer>) => void
  readonly onClose: (error: Error | null) => void
}

export class Connection {
  readonly #socket: Socket
  #closed = false
  #isCorked = false

  constructor(socket: Socket, handlers: ConnectionHandlers) {
    this.#socket = socket
    const reader = new FrameReader(handlers.onFrame)
    const end = (error: Error | null): void => {
      if (this.#closed) return
      this.#closed = true
      socket.destroy()
      handlers.onClose(error)
    }
    socket.on('data', (chunk) => {
      try {
        reader.push(chunk)
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)))
      }
    })
    socket.on('error', end)
    socket.on('close', () => end(null))
  }

  /** All that is sent in one turn of the event loop leaves in one write at its end. */
  send(type: FrameType, ...pieces: readonly Uint8Array[]): void {
    if (this.#closed) return
    this.#cork()
    sendFrame(this.#socket, type, ...pieces)
  }

  /** Sends frames that were put together elsewhere, by `framesOf`. */
  sendFrames(frames: Uint8Array): void {
    if (this.#closed) return
    this.#cork()
    this.#socket.write(frames)
  }

  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    this.#socket.cork()
    setImmediate(() => this.#uncork())
  }

  #uncork(): void {
    if (!this.#isCorked) return
    this.#isCorked = false
    this.#socket.uncork()
  }

  /** Ends the stream; resolves when queued data has been sent, or never can be. */
  end(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    return new Promise((resolve) => {
      this.#socket.once('close', () => resolve())
      this.#socket.end(() => resolve())
    })
  }

  /** What was sent before still leaves, as far as the other end takes it at once. */
  destroy(): void {
    this.#uncork()
    this.#socket.destroy()
  }
}

/** Connects to a Unix socket; rejects if nobody listens there. */
export function connectTo(path: string, handlers: ConnectionHandlers): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      path,
      onread: {
        buffer: Buffer.allocUnsafe(READ_BUFFER_BYTES),
        callback: (bytes, buffer) => {
          socket.emit('data', buffer.subarray(0, bytes))
          return true
        },
      },
    })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(new Connection(socket, handlers))
    })
  })
}

/**
 * Frames on a Unix socket: a 4-byte length (little endian, of the rest), a type byte, the payload. The two
 * directions never wait for each other. Back-pressure is left to the sender, which counts unanswered bytes,
 * and to the kernel.
 */
export const FRAME_TYPES = {
  /** JSON, between the supervisor and its children. */
  control: 1,
  /** A fetched body, scouter → parser. */
  handover: 2,
  /** The parser begins with a page, parser → scouter. */
  begun: 3,
  /** The outcome of a page, with its links, parser → scouter. */
  receipt: 4,
  /** URLs whose receipts are settled, scouter → parser. */
  settled: 5,
  /** All undelivered receipts were sent; work may begin, parser → scouter. */
  ready: 6,
} as const
type FrameType = (typeof FRAME_TYPES)[keyof typeof FRAME_TYPES]

const HEAD_BYTES = 5
/** Far above any body we send; a larger length means that the stream is garbage. */
const MAX_FRAME_BYTES = 256 * 1024 * 1024

/** Sends one frame. The payload may be in pieces, which are not copied together. */
export function sendFrame(socket: Socket, type: FrameType, ...pieces: readonly Uint8Array[]): void {
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  writeHead(head, type, sizeOf(pieces))
  socket.cork()
  socket.write(head)
  for (const piece of pieces) if (piece.byteLength > 0) socket.write(piece)
  socket.uncork()
}

/** Frames of one type in one buffer of their own, which can be transferred to another thread. */
export function framesOf(
  type: FrameType,
  payloads: readonly (readonly Uint8Array[])[],
): Uint8Array<ArrayBuffer> {
  let size = 0
  for (const pieces of payloads) size += HEAD_BYTES + sizeOf(pieces)
  const frames = Buffer.from(new ArrayBuffer(size))
  let at = 0
  for (const pieces of payloads) {
    writeHead(frames.subarray(at), type, sizeOf(pieces))
    at += HEAD_BYTES
    for (const piece of pieces) {
      frames.set(piece, at)
      at += piece.byteLength
    }
  }
  return frames
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  let size = 0
  for (const piece of pieces) size += piece.byteLength
  return size
}

function writeHead(head: Buffer, type: FrameType, size: number): void {
  head.writeUInt32LE(1 + size, 0)
  head.writeUInt8(type, 4)
}

/**
 * Cuts a byte stream into frames. Each payload gets its own ArrayBuffer, so that it can be transferred to a
 * worker thread without another copy.
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
