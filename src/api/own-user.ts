// A server without a token is for the user who started it: on its loopback address others of the same machine
// could ask as well, and are told to use a token. Where the system does not tell whose a connection is, all
// who reach that address may ask.
import type { Socket } from 'node:net'
import { userId } from '../lib/own-files.ts'
import { PeerUsers } from '../lib/peer-user.ts'
import { Refusal } from './errors.ts'

const ROOT = 0

export class OwnUser {
  /** What was found about connections: their users do not change. */
  readonly #known = new WeakMap<Socket, Promise<boolean>>()
  readonly #users = new PeerUsers()

  /** Throws a `Refusal` for a process of another user, root's apart. */
  async check(socket: Socket): Promise<void> {
    const known = this.#known.get(socket) ?? this.#isOurs(socket)
    this.#known.set(socket, known)
    if (await known) return
    const hint = 'start it with JELAJAH_TOKEN set, and show that token'
    throw new Refusal(
      403,
      `another user of this machine started this server for themselves; ${hint}`,
    )
  }

  async #isOurs(socket: Socket): Promise<boolean> {
    const me = userId()
    if (me === null) return true
    const user = await this.#users.of(socket)
    return user === 'unknown' || user === me || user === ROOT
  }
}
