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
if (process.argv[2] !== undefined) await askServer(process.argv[2])
console.log(JSON.stringify(done))

/** Also as one who hangs up before anybody can look who asks. */
async function askServer(server: string): Promise<void> {
  for (const path of [
    '/crawl',
    '/crawl/crawl_1',
    '/metrics',
    '/search?q=a',
    '/options',
    '/events',
  ]) {
    const { status } = await fetch(`${server}${path}`)
    if (status !== 403) done.push(`${status} ${path}`)
  }
  const { hostname, port, host } = new URL(server)
  for (let times = 0; times < 20; times++) {
    const lines = [`DELETE /crawl/crawl_1 HTTP/1.1`, `Host: ${host}`, '', '']
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(lines.join('\r\n'), () => {
          if (times % 2 === 0) socket.destroy()
          else socket.resetAndDestroy()
        })
      })
      socket.once('error', () => {}).once('close', () => resolve())
    })
  }
}
