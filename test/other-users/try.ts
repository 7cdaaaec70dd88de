// Run as some user: tries to read, change, lock, enter and speak to everything below the folders named, and
// prints what worked, one JSON array of "verb path".
import { accessSync, chmodSync, constants, openSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const done: string[] = []

function attempt(verb: string, path: string, work: () => unknown): void {
  try {
    work()
    done.push(`${verb} ${path}`)
  } catch {
    // As it should be.
  }
}

function shareLock(path: string): void {
  using db = new DatabaseSync(path, { readOnly: true })
  db.exec('BEGIN; SELECT * FROM sqlite_schema; ROLLBACK')
}

async function speak(path: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = connect(path, () => {
      done.push(`connect ${path}`)
      socket.destroy()
      resolve()
    })
    socket.once('error', () => resolve())
  })
}

/** Paths to try, which cannot always be found by looking. */
const paths: string[] = JSON.parse(readFileSync(0, 'utf8'))
for (const path of paths) {
  attempt('enter', path, () => readdirSync(path))
  attempt('make', path, () => openSync(join(path, 'planted'), 'wx'))
  attempt('read', path, () => readFileSync(path))
  attempt('write', path, () => accessSync(path, constants.W_OK))
  attempt('chmod', path, () => chmodSync(path, 0o777))
  if (/\.(lock|db)$/.test(path)) attempt('lock', path, () => shareLock(path))
  if (path.endsWith('.sock')) await speak(path)
}
console.log(JSON.stringify(done))
