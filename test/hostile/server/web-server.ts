// The web server of the hostile web: raw sockets, one script for each host. It keeps a log of every request and of
// every connection, by the address that was connected to.
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket, type TlsOptions } from 'node:tls'
import { notFound } from './answers.ts'
import type { Request, Script } from './request.ts'

export type Connection = {
  readonly id: number
  readonly local: string
  readonly port: number
  readonly at: number
  /** When it was closed; null while it is open. */
  closedAt: number | null
  read: number
}

export type WebServer = AsyncDisposable & {
  readonly requests: readonly Request[]
  readonly connections: readonly Connection[]
  readonly port: number
  readonly tlsPort: number
  /** Scripts for these hosts from now on. */
  host(scripts: Readonly<Record<string, Script>>): void
  requestsTo(host: string): readonly Request[]
}

export type WebServerOptions = {
  /** 0: any free port. */
  readonly port: number
  readonly tlsPort: number
  /** Others that are listened on as well. */
  readonly otherPorts?: readonly number[]
  readonly address: string
  readonly tls: TlsOptions | null
}

const MAX_HEAD = 1024 * 1024

export async function openWebServer(options: WebServerOptions): Promise<WebServer> {
  const web = new HostileWeb()
  const plain = createServer({ noDelay: true }, (socket) => web.converse(socket, false))
  const port = await listenOn(plain, options.port, options.address)
  const servers: Server[] = [plain]
  for (const other of options.otherPorts ?? []) {
    const server = createServer({ noDelay: true }, (socket) => web.converse(socket, false))
    await listenOn(server, other, options.address)
    servers.push(server)
  }
  let tlsPort = 0
  if (options.tls !== null) {
    const secure = createTlsServer(options.tls, (socket) => web.converse(socket, true))
    secure.on('connection', (socket) => web.note(socket))
    secure.on('tlsClientError', () => {})
    tlsPort = await listenOn(secure, options.tlsPort, options.address)
    servers.push(secure)
  }
  return {
    requests: web.requests,
    connections: web.connections,
    port,
    tlsPort,
    host: (scripts) => {
      for (const [name, script] of Object.entries(scripts)) web.scripts.set(name, script)
    },
    requestsTo: (host) => web.requests.filter((request) => nameOf(request.host) === host),
    [Symbol.asyncDispose]: async () => {
      for (const socket of web.open) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

export function listenOn(server: Server, port: number, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, 4096, () => {
      const at = server.address()
      resolve(typeof at === 'object' && at !== null ? at.port : 0)
    })
  })
}

class HostileWeb {
  readonly requests: Request[] = []
  readonly connections: Connection[] = []
  readonly open = new Set<Socket>()
  readonly scripts = new Map<string, Script>()
  readonly #asked = new Map<string, number>()
  readonly #noted = new WeakMap<Socket, Connection>()

  note(socket: Socket): Connection {
    const known = this.#noted.get(socket)
    if (known !== undefined) return known
    const local = (socket.localAddress ?? '').replace(/^::ffff:/, '')
    const id = this.connections.length
    const port = socket.localPort ?? 0
    const connection = {
      id,
      local,
      port,
      at: performance.now(),
      closedAt: null as number | null,
      read: 0,
    }
    this.connections.push(connection)
    this.#noted.set(socket, connection)
    this.open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      connection.closedAt = performance.now()
      connection.read = socket.bytesWritten
      this.open.delete(socket)
    })
    return connection
  }

  converse(socket: Socket, secure: boolean): void {
    const connection = this.note(socket)
    let text = ''
    let nth = 0
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.length > MAX_HEAD) socket.destroy()
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        nth += 1
        const resumed = socket instanceof TLSSocket && socket.isSessionReused()
        const request = this.#read(text.slice(0, end), { connection, nth, secure, resumed })
        text = text.slice(end + 4)
        const script = this.scripts.get(nameOf(request.host)) ?? notFound
        script(socket, request)
      }
    })
  }

  #read(
    head: string,
    {
      connection,
      nth,
      secure,
      resumed,
    }: Pick<Request, 'nth' | 'secure' | 'resumed'> & { connection: Connection },
  ): Request {
    const [first = '', ...lines] = head.split('\r\n')
    const [method = '', target = ''] = first.split(' ')
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const host = headers.get('host') ?? ''
    const request: Request = {
      method,
      host,
      target,
      headers,
      nth,
      asked: this.#count(`${host} ${target}`),
      total: this.#count(host),
      connection: connection.id,
      at: performance.now(),
      secure,
      resumed,
      local: connection.local,
      nonce: `n${this.requests.length}`,
    }
    this.requests.push(request)
    return request
  }

  #count(key: string): number {
    const count = (this.#asked.get(key) ?? 0) + 1
    this.#asked.set(key, count)
    return count
  }
}

/** Without its port. */
export function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '')
}
