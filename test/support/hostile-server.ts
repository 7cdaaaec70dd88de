// A web server that misbehaves on purpose: raw sockets, one misdeed per path (`/T7` does what the
// case T7 says). Bounded, so that a client without limits ends too: no answer is longer than
// MAX_BYTES, none drips for more than MAX_DRIPS pieces.
import { createServer, type Server, type Socket } from 'node:net'
import { HOSTILE_CASES } from './hostile-cases.ts'

export type HostileSite = AsyncDisposable & {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** `127.0.0.1:PORT` */
  readonly host: string
  readonly cases: readonly string[]
  /** Requests seen so far, as `T1#2`: the case, and which request of its connection it was. */
  readonly log: readonly string[]
  /** Resolves when every connection is closed. */
  quiet(): Promise<void>
}

export async function openHostileSite(): Promise<HostileSite> {
  const log: string[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    converse(socket, log)
  })
  const port = await listen(server)
  const host = `127.0.0.1:${port}`
  return {
    origin: `http://${host}`,
    host,
    cases: Object.keys(HOSTILE_CASES),
    log,
    quiet: async () => {
      await Promise.all([...open].map((socket) => closed(socket)))
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Listens on a free port of the loopback address. */
export function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve()
    else socket.on('close', () => resolve())
  })
}

function converse(socket: Socket, log: string[]): void {
  let text = ''
  let nth = 0
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const [, path = '/'] = text.split(' ')
      text = text.slice(end + 4)
      nth += 1
      const name = path.slice(1).split('?')[0] ?? ''
      log.push(`${name}#${nth}`)
      HOSTILE_CASES[name]?.(socket, nth)
    }
  })
}
