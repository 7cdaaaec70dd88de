// The private folder of one run, where its sockets are. It goes with the run; what a run that was
// killed together with its children has left behind is swept away by the next.
import { readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isOwnFolder, makeTemporaryFolder, temporaryFolder } from '../lib/own-files.ts'

const PREFIX = 'jelajah-run-'
export const CONTROL_SOCKET = 'control.sock'
const OPENING_MS = 100

/** Makes a folder only this user can enter. */
export function createRunFolder(): string {
  return makeTemporaryFolder(PREFIX)
}

export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Removes folders of runs whose supervisor is gone: nobody answers on their socket. */
export async function sweepRunFolders(own: string): Promise<void> {
  const above = temporaryFolder()
  for (const name of readdirSync(above)) {
    const folder = join(above, name)
    // Others may have put any number of such folders there: to ask at each of them would take for ever.
    if (!name.startsWith(PREFIX) || folder === own || !isOwnFolder(folder)) continue
    const socket = join(folder, CONTROL_SOCKET)
    if (!(await isDead(socket))) continue
    // One that is just being opened is there a moment before it listens.
    await pause(OPENING_MS)
    if (await isDead(socket)) removeRunFolder(folder)
  }
}

/** Refused means that the socket is there and its owner is not; anything else may be a run. */
function isDead(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'))
  })
}
