// Listening on an address, and in plain words why that is not possible.
import { readFileSync, readlinkSync } from 'node:fs'
import { createServer, isIPv6 } from 'node:net'
import { basename, dirname } from 'node:path'
import { namesIn } from '../../lib/folder.ts'
import { errorCode } from '../../lib/present.ts'

/** Nobody can be served there. The message says why and what to do. */
export class CannotListen extends Error {
  /** Another program listens on the port. */
  readonly inUse: boolean

  constructor(message: string, inUse: boolean, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'CannotListen'
    this.inUse = inUse
  }
}

type Address = { readonly host: string; readonly port: number }

/** Throws CannotListen where nobody could be served; asked before anything is started. */
export async function probePort({ host, port }: Address): Promise<void> {
  const probe = createServer()
  await listening({ host, port }, () => {
    return new Promise<void>((resolve, reject) => {
      probe.once('error', reject).listen({ host, port, exclusive: true }, resolve)
    })
  })
  await new Promise((resolve) => probe.close(resolve))
}

/** The result of `listen`, with its errors in our words. */
export async function listening<T>(address: Address, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (cause) {
    const code = errorCode(cause)
    const message = messageFor(code, address)
    if (message === null) throw cause
    throw new CannotListen(message, code === 'EADDRINUSE', { cause })
  }
}

/** Under which this machine itself can ask. */
export function urlOf({ host, port }: Address): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`
}

function messageFor(code: string, { host, port }: Address): string | null {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use${holderText(port)}. Choose another with --port, or 0 for any free one.`
    case 'EACCES':
      return `this user may not listen on port ${port}. Choose one above 1023 with --port.`
    case 'EADDRNOTAVAIL':
      return `this machine has no address ${host}. --host 127.0.0.1 serves this machine alone.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not a name this machine knows an address for. Give --host an address.`
    default:
      return null
  }
}

function holderText(port: number): string {
  const holder = portHolder(port)
  return holder === null ? " ('ss -ltnp' shows by whom)" : ` by process ${holder}`
}

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
  for (const pid of namesIn(proc).filter((name) => /^\d+$/.test(name))) {
    const open = namesIn(`${proc}/${pid}/fd`).map((fd) => link(`${proc}/${pid}/fd/${fd}`))
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

function link(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
