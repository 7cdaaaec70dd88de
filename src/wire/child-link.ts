// A child's line to its supervisor. When it breaks, the supervisor is gone, and the child must go
// too: nobody would stop it, and the next run is waiting for its files.
import { type Connection, connectTo, FRAME_TYPES } from './connection.ts'
import { decodeControl, encodeControl, type FromChild, type ToChild } from './control.ts'

export type ChildLinkOptions = {
  readonly controlSocket: string
  readonly role: 'scouter' | 'parser'
  /** After `start`: everything the supervisor says. */
  readonly onMessage: (message: ToChild) => void
  readonly onOrphaned: () => void
}

export type Assignment = Extract<ToChild, { type: 'start' }>

export class ChildLink {
  readonly #connection: Connection
  readonly assignment: Promise<Assignment>

  private constructor(connection: Connection, assignment: Promise<Assignment>) {
    this.#connection = connection
    this.assignment = assignment
  }

  static async open(options: ChildLinkOptions): Promise<ChildLink> {
    const { controlSocket, role, onMessage, onOrphaned } = options
    const start = Promise.withResolvers<Assignment>()
    const connection = await connectTo(controlSocket, {
      onFrame: (_type, payload) => {
        const message = decodeControl<ToChild>(payload)
        if (message.type === 'start') start.resolve(message)
        else onMessage(message)
      },
      onClose: onOrphaned,
    })
    const link = new ChildLink(connection, start.promise)
    link.send({ type: 'hello', role, pid: process.pid })
    return link
  }

  send(message: FromChild): void {
    this.#connection.send(FRAME_TYPES.control, encodeControl(message))
  }

  /** Ends the line; resolves when everything said has left. */
  end(): Promise<void> {
    return this.#connection.end()
  }
}
