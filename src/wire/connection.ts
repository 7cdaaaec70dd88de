// A socket that speaks frames: sends them, and calls back for each that arrives. Whatever breaks
// the stream (garbage, a peer that died) ends it once, through `onClose`.
import { connect, type Socket } from 'node:net'
import { FrameReader, type FrameType, sendFrame } from './frame.ts'

/** Large enough that a page rarely needs more than one read. */
const READ_BUFFER_BYTES = 256 * 1024

export type ConnectionHandlers = {
  readonly onFrame: (type: number, payload: Uint8Array<ArrayBuffer>) => void
  readonly onClose: (error: Error | null) => void
}

export class Connection {
  readonly #socket: Socket
  #closed = false

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

  send(type: FrameType, ...pieces: readonly Uint8Array[]): void {
    if (!this.#closed) sendFrame(this.#socket, type, ...pieces)
  }

  /** Ends the stream; resolves when what was queued has left, or never can. */
  end(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    return new Promise((resolve) => {
      this.#socket.once('close', () => resolve())
      this.#socket.end(() => resolve())
    })
  }

  destroy(): void {
    this.#socket.destroy()
  }
}

/** Connects to a Unix socket; rejects when nobody listens there. */
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
