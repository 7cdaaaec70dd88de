// The private folder of one run, with its sockets. It is removed with the run; folders of runs that were
// killed together with their children are removed by the next run.
import { readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isOwnFolder, makeTemporaryFolder, temporaryFolder } from '../lib/own-files.ts'

const PREFIX = 'jelajah-run-'
export const CONTROL_SOCKET = 'control.sock'
const OPENING_MS = 100

/** Creates a folder that only this user can enter. */
export function createRunFolder(): string {
  return makeTemporaryFolder(PREFIX)
}

export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Removes folders of runs whose supervisor is gone, that is, whose socket nobody answers. */
export async function sweepRunFolders(own: string): Promise<void> {
  const above = temporaryFolder()
  for (const name of readdirSync(above)) {
    const folder = join(above, name)
    // Other users may have put any number of such folders there, and trying each would take too long.
    if (!name.startsWith(PREFIX) || folder === own || !isOwnFolder(folder)) continue
    const socket = join(folder, CONTROL_SOCKET)
    if (!(await isDead(socket))) continue
    // A run that is just starting creates its folder a moment before it listens.
    await pause(OPENING_MS)
    if (await isDead(socket)) removeRunFolder(folder)
  }
}

/** A refused connection means that the socket exists and its owner does not; anything else may be a run. */
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
