// Who listens on a port of this machine, as far as the system lets us see: a message that names the
// process saves its reader a search.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, dirname } from 'node:path'

/** `st` of a listening socket in /proc/net/tcp. */
const LISTENS = '0A'
const MAX_LINE = 100

/** Programs whose own name says little: what they were told to run does. */
const INTERPRETERS = /^(node|nodejs|bun|deno|python[\d.]*|ruby|perl|php|java|sh|bash|dash)$/
/** Our own program, and the file that it has open wherever its crawls live. */
const OURS = /\/src\/main\/jelajah\.[jt]s$/
const STORE = '/jelajah.db'

/** The process that listens on this port, as `1234 (server.js --all)`; null when that cannot be told. */
export function portHolder(port: number, proc = '/proc'): string | null {
  const sockets = new Set(
    ['tcp', 'tcp6'].flatMap((table) => listeners(read(`${proc}/net/${table}`), port)),
  )
  if (sockets.size === 0) return null
  for (const pid of list(proc).filter((name) => /^\d+$/.test(name))) {
    const open = list(`${proc}/${pid}/fd`).map((fd) => link(`${proc}/${pid}/fd/${fd}`))
    if (open.some((target) => sockets.has(target))) {
      return `${pid} (${programOf(`${proc}/${pid}`, open)})`
    }
  }
  return null
}

/** Its command line, cut short; the name by itself is often that of a thread. */
function programOf(folder: string, open: readonly string[]): string {
  const words = withoutInterpreter(read(`${folder}/cmdline`).split('\0'))
  if (OURS.test(words[0] ?? '')) return ourselves(words, open)
  const line = words.join(' ').trim()
  const shown = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line
  return shown || read(`${folder}/comm`).trim() || 'unknown'
}

/** Without its flags, too; all of it when nothing else is there. */
function withoutInterpreter(words: readonly string[]): readonly string[] {
  const [program = '', ...rest] = words
  if (!INTERPRETERS.test(basename(program))) return words
  const script = rest.findIndex((word) => word !== '' && !word.startsWith('-'))
  return script === -1 ? words : rest.slice(script)
}

/** Which command of ours, and for which folder. Other flags may hold a token. */
function ourselves([, command = '']: readonly string[], open: readonly string[]): string {
  const store = open.find((target) => target.endsWith(STORE))
  const where = store === undefined ? '' : ` --data ${dirname(store)}`
  return `jelajah ${command}${where}`
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
