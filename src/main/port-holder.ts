// Who listens on a port of this machine, as far as the system lets us see: a message that names the
// process saves its reader a search.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** `st` of a listening socket in /proc/net/tcp. */
const LISTENS = '0A'
const MAX_LINE = 100

/** The process that listens on this port, as `1234 (node)`; null when that cannot be told. */
export function portHolder(port: number, proc = '/proc'): string | null {
  const sockets = new Set(
    ['tcp', 'tcp6'].flatMap((table) => listeners(read(`${proc}/net/${table}`), port)),
  )
  if (sockets.size === 0) return null
  for (const pid of list(proc).filter((name) => /^\d+$/.test(name))) {
    const holds = list(`${proc}/${pid}/fd`).some((fd) =>
      sockets.has(link(`${proc}/${pid}/fd/${fd}`)),
    )
    if (holds) return `${pid} (${programOf(`${proc}/${pid}`)})`
  }
  return null
}

/** Its command line, cut short; the name by itself is often that of a thread. */
function programOf(folder: string): string {
  const line = read(`${folder}/cmdline`).replaceAll('\0', ' ').trim()
  const shown = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line
  return shown || read(`${folder}/comm`).trim() || 'unknown'
}

/** Links such as `socket:[4711]` of those that listen on the port. */
function listeners(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    return state === LISTENS && local.endsWith(`:${wanted}`) ? [`socket:[${inode}]`] : []
  })
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
