// Checks every request first: whether it is meant for this server, whether a foreign page sends it, and
// whether the client may ask, and whether the database is there. Also sets the headers of every answer.
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { userId } from '../lib/own-files.ts'
import { PeerUsers } from '../lib/peer-user.ts'
import type { ApiDeps, ServeSettings } from './api-deps.ts'
import { Refusal } from './errors.ts'
import { openPublicDoor } from './public-door.ts'
import { SESSION_COOKIE, type Shown, type SignIn } from './sign-in.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No token is needed. */
    open?: boolean
    /** Any page may load it, as it may load a script. */
    everywhere?: boolean
    /** For pages of the sites that are named, with the public key. */
    publicSearch?: boolean
    /** Answers whether the database is there or not. */
    withoutStore?: boolean
  }
}

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Node uses the first of these, or joins them. */
const ONCE = new Set(['host', 'origin', 'authorization', 'content-type', 'content-encoding'])

/** Headers of every answer. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CSP,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

export function guard(app: FastifyInstance, { settings }: ApiDeps, signIn: SignIn): void {
  const ownUser = new OwnUser()
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(SAFE_HEADERS)
    refuseUnclear(request)
    const { host = '', origin, 'sec-fetch-site': site } = request.headers
    const arrival = request.raw.socket
    if (!isKnownHost(host, arrival, settings)) {
      throw new Refusal(421, 'this server is not known by that name; --allow-host adds one')
    }
    const { everywhere, publicSearch } = request.routeOptions.config ?? {}
    if (everywhere === true) return
    if (publicSearch === true) {
      const isOwn = origin !== undefined && isKnownOrigin(origin, arrival, settings)
      return openPublicDoor(request, reply, { search: settings.publicSearch, isOwn })
    }
    if (origin !== undefined && !isKnownOrigin(origin, arrival, settings)) {
      throw new Refusal(403, 'pages of other sites may not ask this server')
    }
    const isAbroad = site === 'cross-site' || site === 'same-site'
    if (isAbroad && !isFrontDoor(request)) {
      throw new Refusal(403, 'pages of other sites may not ask this server')
    }
    refusePackedBody(request)
    if (request.routeOptions.config?.open === true) return
    if (signIn.tokenNeeded) signIn.check(shownBy(request))
    else await ownUser.check(arrival)
  })
}

export function shownBy(request: FastifyRequest): Shown {
  const bearer = /^Bearer +([!-~]{1,1024})$/i.exec(request.headers.authorization ?? '')?.[1]
  // A header without a valid token counts as a wrong token.
  const token = bearer ?? (request.headers.authorization === undefined ? null : '')
  return { token, cookie: request.cookies[SESSION_COOKIE] ?? null, address: request.ip }
}

/** A link to the dashboard, followed by a person. */
function isFrontDoor({ method, url, headers }: FastifyRequest): boolean {
  return (
    method === 'GET' && url.split('?', 1)[0] === '/' && headers['sec-fetch-mode'] === 'navigate'
  )
}

/** A proxy in between may have checked another name, or another token, than we do. */
function refuseUnclear({ raw }: FastifyRequest): void {
  if (!raw.url?.startsWith('/')) throw new Refusal(400, 'ask for a path, not for a whole URL')
  for (const [name, values = []] of Object.entries(raw.headersDistinct)) {
    if (!ONCE.has(name) || values.length < 2) continue
    throw new Refusal(400, `the header ${name} is there twice`)
  }
}

/** A small body may be a large one compressed. */
function refusePackedBody({ headers }: FastifyRequest): void {
  const packing = headers['content-encoding'] ?? 'identity'
  if (packing !== 'identity') throw new Refusal(415, 'the body must not be compressed')
}

/** The connection that a request came on. */
type Arrival = {
  readonly localAddress?: string | undefined
  readonly localPort?: number | undefined
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Whether a name is one of this server. A web page can make any name of its own point here (DNS rebinding);
 * the browser then sends that name. `host`: the header, a name or address with the port if it is not 80.
 */
function isKnownHost(host: string, arrival: Arrival, settings: ServeSettings): boolean {
  const asked = host.toLowerCase()
  const port = arrival.localPort ?? settings.port
  const named = settings.allowedHosts.map((name) => name.toLowerCase())
  // A named host may be a proxy in front of us, with a port of its own.
  if (named.includes(asked)) return true
  const ours = [...LOOPBACK, bracketed(settings.host), ...named]
  // An address is no name: a request to our address is meant for us.
  if (arrival.localAddress !== undefined) ours.push(bracketed(arrival.localAddress))
  return ours.some((name) => asked === `${name}:${port}` || (port === 80 && asked === name))
}

/** The origin of a page that sends a request must be one that we served ourselves. */
function isKnownOrigin(origin: string, arrival: Arrival, settings: ServeSettings): boolean {
  const host = /^https?:\/\/([^/?#@]+)$/i.exec(origin)?.[1]
  return host !== undefined && isKnownHost(host, arrival, settings)
}

function bracketed(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  return plain.includes(':') ? `[${plain}]` : plain
}

const ROOT = 0

/**
 * A server without a token is for the user who started it. Other users of the same machine could reach its
 * loopback address, too; they are told to use a token. If the system does not report the user of a
 * connection, every client of that address is accepted.
 */
class OwnUser {
  /** Results by connection: the user of a connection does not change. */
  readonly #known = new WeakMap<Socket, Promise<boolean>>()
  readonly #users = new PeerUsers()

  /** Throws a `Refusal` for a process of another user, except root. */
  async check(socket: Socket): Promise<void> {
    const known = this.#known.get(socket) ?? this.#isOurs(socket)
    this.#known.set(socket, known)
    if (await known) return
    const hint = 'start it with JELAJAH_TOKEN set, and show that token'
    throw new Refusal(
      403,
      `another user of this machine started this server for themselves; ${hint}`,
    )
  }

  async #isOurs(socket: Socket): Promise<boolean> {
    const me = userId()
    if (me === null) return true
    const user = await this.#users.of(socket)
    return user === 'unknown' || user === me || user === ROOT
  }
}

const WAITED_MS = 5000
const RETRY_S = '5'

/**
 * While the database is away, clients are told so at once instead of waiting for it. Routes that need no
 * database answer as usual. A restart is shorter than that: requests wait for it.
 */
export function refuseWhileAway(app: FastifyInstance, deps: ApiDeps): void {
  if (deps.fleet === undefined) return
  app.addHook('onRequest', async ({ routeOptions }) => {
    const { open, withoutStore } = routeOptions.config ?? {}
    if (open === true || withoutStore === true || !isAway(deps)) return
    const message = 'PostgreSQL cannot be reached; crawls go on when it is back'
    throw new Refusal(503, message, {
      code: 'store-unreachable',
      headers: { 'retry-after': RETRY_S },
    })
  })
}

function isAway({ fleet, clock }: ApiDeps): boolean {
  const store = fleet?.stores.find((one) => one.store === 'postgres')
  return store !== undefined && !store.isUp && clock.now() - store.since >= WAITED_MS
}
