// The sample web on the loopback address: one server for all hosts, told apart by the Host header.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AccessLog, type AccessRecord } from './access-log.ts'
import { type Answer, respond } from './respond.ts'
import { originAt, type Site, type SiteHost, seedsOf } from './site.ts'
import { StallMeter } from './stall-meter.ts'

export type ServeOptions = {
  /** 0, the default: any free port. */
  readonly port?: number
  /** Append the access log to this file too. */
  readonly logFile?: string
  /** Access records kept in memory; default 1,000,000. */
  readonly keepRecords?: number
  /** Time between a request and its answer. */
  readonly latencyMs?: number
}

export type ServedSite = AsyncDisposable & {
  readonly port: number
  /** The front page of a host, by its name without `.localhost` or by the host itself. */
  url(host: string | SiteHost): string
  /** The front pages of all hosts but subdomains. */
  readonly seeds: readonly string[]
  /** Serves another site of the same hosts from now on, as evolve.ts makes one. */
  become(site: Site): void
  /** Finished requests, in the order in which they ended. */
  readonly log: readonly AccessRecord[]
  /** Requests read and not yet in the log. */
  readonly inFlight: number
  /** How long requests could not be seen between two moments of the log's clock. */
  unseenMs(from: number, to: number): number
}

export async function startSite(site: Site, options: ServeOptions = {}): Promise<ServedSite> {
  const log = new AccessLog({
    ...(options.logFile !== undefined && { file: options.logFile }),
    ...(options.keepRecords !== undefined && { keep: options.keepRecords }),
  })
  let current = site
  const server = listenTo(() => current, log, options.latencyMs ?? 0)
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stalls = new StallMeter(now)
  return {
    port,
    url: (host) => frontPage(site, host, port),
    seeds: seedsOf(site, port),
    become: (next) => {
      current = next
    },
    log: log.records,
    get inFlight() {
      return log.open
    },
    unseenMs: (from, to) => stalls.msBetween(from, to),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      log[Symbol.dispose]()
      stalls[Symbol.dispose]()
    },
  }
}

function frontPage(site: Site, host: string | SiteHost, port: number): string {
  const found = typeof host === 'string' ? site.byName.get(`${host}.localhost`) : host
  if (found === undefined) throw new RangeError(`no host ${String(host)}`)
  return `${originAt(found, port)}/`
}

function listenTo(siteNow: () => Site, log: AccessLog, latencyMs: number): Server {
  const connections = new WeakMap<object, number>()
  let count = 0
  const server = createServer((request, response) => {
    record(log, request, response, connections.get(request.socket) ?? 0)
    if (latencyMs === 0) answer(siteNow(), request, response)
    else answerLater(siteNow(), request, response, latencyMs)
  })
  server.on('connection', (socket) => {
    socket.setNoDelay(true)
    connections.set(socket, ++count)
  })
  // A polite crawler comes back after its delay: the connection should still be there.
  server.keepAliveTimeout = 120_000
  return server
}

function answerLater(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  afterMs: number,
): void {
  const timer = setTimeout(() => answer(site, request, response), afterMs)
  // Nobody waits for the answer to a client that has gone.
  response.once('close', () => clearTimeout(timer))
}

function now(): number {
  return performance.timeOrigin + performance.now()
}

function record(
  log: AccessLog,
  request: IncomingMessage,
  response: ServerResponse,
  connection: number,
): void {
  const startedAt = now()
  log.open++
  let endedAt = 0
  response.once('finish', () => {
    endedAt = now()
  })
  response.once('close', () => {
    log.open--
    log.add({
      host: request.headers.host ?? '',
      path: request.url ?? '',
      status: response.headersSent ? response.statusCode : 0,
      startedAt,
      endedAt: endedAt || now(),
      connection,
      userAgent: request.headers['user-agent'] ?? '',
    })
  })
}

function answer(site: Site, request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = answerTo(site, request)
  // With the length known, head and body leave in one write.
  response.writeHead(status, { ...headers, 'content-length': body.length })
  response.end(body)
}

function answerTo(site: Site, request: IncomingMessage): Answer {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'only GET and HEAD')
  const [name, port] = (headers.host ?? '').toLowerCase().split(':')
  const host = site.byName.get(name ?? '')
  if (host === undefined) return plain(404, `no such host here: ${name}`)
  return respond(site, {
    host,
    path: request.url ?? '/',
    port: Number(port ?? 80),
    acceptsGzip: /\bgzip\b/.test(headers['accept-encoding']?.toString() ?? ''),
    ifNoneMatch: headers['if-none-match'] ?? '',
    ifModifiedSince: headers['if-modified-since'] ?? '',
  })
}

function plain(status: number, text: string): Answer {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from(`${text}\n`),
  }
}
