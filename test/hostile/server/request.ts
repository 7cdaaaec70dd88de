// One request as the hostile web server saw it, and how a host answers it.
import type { Socket } from 'node:net'

export type Request = {
  readonly method: string
  /** `Host` as it was sent. */
  readonly host: string
  /** Path and query as they were sent. */
  readonly target: string
  readonly headers: ReadonlyMap<string, string>
  /** Which request of its connection it is, from 1. */
  readonly nth: number
  /** How often this target of this host was asked for, this time included. */
  readonly asked: number
  /** Requests to this host so far, this one included. */
  readonly total: number
  readonly connection: number
  /** Milliseconds of a clock that only goes forward. */
  readonly at: number
  readonly secure: boolean
  /** Its connection took up an earlier TLS session. */
  readonly resumed: boolean
  /** The address that was connected to. */
  readonly local: string
  /** In every body that a script makes: which answer it was. */
  readonly nonce: string
}

/** Writes whatever it likes to the socket. */
export type Script = (socket: Socket, request: Request) => void
