// The sample web on the loopback address: one server for all hosts, distinguished by the Host header.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { AccessLog, type AccessRecord } from './access-log.ts'
import { factsOf } from './facts.ts'
import { mix } from './random.ts'
import { renderPage } from './render.ts'
import { type Resource, resolve, robotsTxt, sitemapIndexXml, sitemapXml } from './resource.ts'
import { originAt, pageKey, type Site, type SiteHost, seedsOf } from './site.ts'

type ServeOptions = {
  /** 0, the default: any free port. */
  readonly port?: number
  /** Append the access log to this file too. */
  readonly logFile?: string
  /** Access records kept in memory; default 1,000,000. */
  readonly keepRecords?: number
  /** Delay before each response. */
  readonly latencyMs?: number
}

export type ServedSite = AsyncDisposable & {
  readonly port: number
  /** The front page of a host, by its name without `.localhost` or by the host itself. */
  url(host: string | SiteHost): string
  /** The front pages of all hosts except subdomains. */
  readonly seeds: readonly string[]
  /** Also serves a page at this path of every host; no page links to it. */
  add(path: string, page: (host: SiteHost) => string): void
  /** Serves another site of the same hosts from now on, such as what it has become later. */
  become(site: Site): void
  /** Finished requests, in the order in which they ended. */
  readonly log: readonly AccessRecord[]
  /** Number of requests that are read and not yet in the log. */
  readonly inFlight: number
  /** How long requests went unseen between two moments of the log's clock. */
  unseenMs(from: number, to: number): number
}

export async function startSite(site: Site, options: ServeOptions = {}): Promise<ServedSite> {
  const log = new AccessLog({
    ...(options.logFile !== undefined && { file: options.logFile }),
    ...(options.keepRecords !== undefined && { keep: options.keepRecords }),
  })
  let current = site
  const added: AddedPages = new Map()
  const server = listenTo(() => ({ site: current, added }), log, options.latencyMs ?? 0)
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stalls = new StallMeter(now)
  return {
    port,
    url: (host) => frontPage(site, host, port),
    seeds: seedsOf(site, port),
    add: (path, page) => void added.set(path, page),
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

type AddedPages = Map<string, (host: SiteHost) => string>
/** What is served at a moment. */
type Shown = { readonly site: Site; readonly added: AddedPages }

function frontPage(site: Site, host: string | SiteHost, port: number): string {
  const found = typeof host === 'string' ? site.byName.get(`${host}.localhost`) : host
  if (found === undefined) throw new RangeError(`no host ${String(host)}`)
  return `${originAt(found, port)}/`
}

function listenTo(shownNow: () => Shown, log: AccessLog, latencyMs: number): Server {
  const connections = new WeakMap<object, number>()
  let count = 0
  const server = createServer((request, response) => {
    record(log, request, response, connections.get(request.socket) ?? 0)
    if (latencyMs === 0) answer(shownNow(), request, response)
    else answerLater(shownNow(), request, response, latencyMs)
  })
  server.on('connection', (socket) => {
    socket.setNoDelay(true)
    connections.set(socket, ++count)
  })
  // A polite crawler comes back after its delay; the connection should still be open.
  server.keepAliveTimeout = 120_000
  return server
}

function answerLater(
  shown: Shown,
  request: IncomingMessage,
  response: ServerResponse,
  afterMs: number,
): void {
  const timer = setTimeout(() => answer(shown, request, response), afterMs)
  // The client has disconnected: the delayed response is not needed.
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

function answer(shown: Shown, request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = answerTo(shown, request)
  // With a known length, head and body are sent in one write.
  response.writeHead(status, { ...headers, 'content-length': body.length })
  response.end(body)
}

function answerTo({ site, added }: Shown, request: IncomingMessage): Answer {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'only GET and HEAD')
  const [name, port] = (headers.host ?? '').toLowerCase().split(':')
  const host = site.byName.get(name ?? '')
  if (host === undefined) return plain(404, `no such host here: ${name}`)
  const page = added.get(request.url ?? '/')
  if (page !== undefined) return text(HTML, page(host))
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

type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

type Question = {
  readonly host: SiteHost
  readonly path: string
  /** The port in the client's URLs; links use it. */
  readonly port: number
  readonly acceptsGzip: boolean
  readonly ifNoneMatch: string
  readonly ifModifiedSince: string
}

const HTML = 'text/html; charset=utf-8'
const NOTHING = Buffer.alloc(0)
const EDITED_AFTER_MS = 86_400_000

/** The server's response: status, headers and body for a path of a host. */
function respond(site: Site, question: Question): Answer {
  const { host, path, port } = question
  const resource = resolve(site, host, path)
  switch (resource.type) {
    case 'page':
      return respondPage(site, question, resource.index)
    case 'guarded':
      return respondPage(site, question, resource.index)
    case 'moved':
      return redirect(resource, port)
    case 'missing':
      return missing(host, resource.status)
    case 'file':
      return text(resource.mediaType, resource.plain ? '%binary%\0\x01\x02' : '{"figures":[1,2,3]}')
    case 'robots':
      return text('text/plain; charset=utf-8', robotsTxt(host, port))
    case 'sitemap':
      return text(
        'application/xml',
        resource.index ? sitemapIndexXml(host, port) : sitemapXml(site, host, port),
      )
  }
}

function respondPage(site: Site, question: Question, index: number): Answer {
  const { host, port } = question
  const facts = factsOf(site, host, index)
  const edition = site.later.edited.has(pageKey(host, index)) ? 1 : 0
  const etag = `"${mix(host.key, index ^ port).toString(36)}${edition === 0 ? '' : '-2'}"`
  const modified = new Date(facts.publishedAt + edition * EDITED_AFTER_MS).toUTCString()
  const headers: Record<string, string> = {
    'content-type':
      facts.declared === 'header' ? `text/html; charset=${facts.charset}` : 'text/html',
    etag,
    'last-modified': modified,
    ...(facts.noindex === 'header' && { 'x-robots-tag': 'noindex' }),
    ...(host.gzip && { vary: 'accept-encoding' }),
  }
  if (isFresh(question, etag, modified)) return { status: 304, headers, body: NOTHING }
  const body = encode(renderPage(site, host, index, port), facts.charset)
  if (!host.gzip || !question.acceptsGzip) return { status: 200, headers, body }
  headers['content-encoding'] = 'gzip'
  return { status: 200, headers, body: gzipSync(body, { level: 1 }) }
}

function isFresh(
  { ifNoneMatch, ifModifiedSince }: Question,
  etag: string,
  modified: string,
): boolean {
  return ifNoneMatch === '' ? ifModifiedSince === modified : ifNoneMatch.includes(etag)
}

/** The accented letters of the word lists have the same codes in windows-1252 and Latin 1. */
function encode(html: string, charset: 'utf-8' | 'windows-1252'): Buffer {
  return Buffer.from(html, charset === 'utf-8' ? 'utf8' : 'latin1')
}

function redirect({ status, to }: Extract<Resource, { type: 'moved' }>, port: number): Answer {
  const location = originAt(to.host, port) + to.path
  const html = `<p>Moved: <a href="${location.replaceAll('&', '&amp;')}">here</a></p>\n`
  return { status, headers: { 'content-type': HTML, location }, body: Buffer.from(html) }
}

function missing(host: SiteHost, status: number): Answer {
  const html = `<!DOCTYPE html>\n<title>${status}</title>\n<p>${host.words.labels.broken}. <a href="/">${host.words.labels.home}</a></p>\n`
  return { status, headers: { 'content-type': HTML }, body: Buffer.from(html) }
}

function text(mediaType: string, body: string): Answer {
  return { status: 200, headers: { 'content-type': mediaType }, body: Buffer.from(body) }
}

/** Epoch ms with fractions. */
type Stall = { readonly from: number; readonly to: number }

const TICK_MS = 5
/** Timers are late by about this much on an idle machine. */
const USUAL_MS = 3
const MAX_STALLS = 100_000

/**
 * Records when a process stalled: its event loop was busy, or the machine gave it no time. Measuring
 * arrival times needs this, since requests that arrive during a stall are seen only afterwards.
 */
export class StallMeter implements Disposable {
  /** Oldest first. */
  readonly stalls: Stall[] = []
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  #tickedAt: number

  /** Measures from now until it is disposed of. */
  constructor(now: () => number = preciseNow) {
    this.#now = now
    this.#tickedAt = now()
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref()
  }

  /** The stalled time between two moments. */
  msBetween(from: number, to: number): number {
    return this.stalls.reduce((sum, stall) => {
      return sum + Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from))
    }, 0)
  }

  #tick(): void {
    const from = this.#tickedAt
    const to = this.#now()
    this.#tickedAt = to
    const isLate = to - from > TICK_MS + USUAL_MS
    if (isLate && this.stalls.length < MAX_STALLS) this.stalls.push({ from, to })
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

function preciseNow(): number {
  return performance.timeOrigin + performance.now()
}
