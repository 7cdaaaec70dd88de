// Assembles the server: limits, guard, routes, and the answers when no route matches.
import type { Socket } from 'node:net'
import type { Options } from '@fastify/ajv-compiler'
import validatorsOf from '@fastify/ajv-compiler'
import cookie from '@fastify/cookie'
import serializersOf from '@fastify/fast-json-stringify-compiler'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastify from 'fastify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify/types/schema.js'
import type { ApiDeps } from './api-deps.ts'
import { answerTo, Refusal } from './errors.ts'
import { EventHub } from './events/event-hub.ts'
import { firecrawlRoutes } from './firecrawl/routes.ts'
import { guard, refuseWhileAway, SAFE_HEADERS } from './guard.ts'
import { JobViews } from './job-views.ts'
import { readJson } from './json-body.ts'
import { describeApi, openApiRoute } from './openapi.ts'
import { RequestCounts, WorkDone } from './prometheus.ts'
import { crawlReadRoutes } from './routes/crawl-reads.ts'
import { dashboardRoutes } from './routes/dashboard.ts'
import { eventRoutes } from './routes/events.ts'
import { jobPageRoutes } from './routes/job-pages.ts'
import { jobRoutes } from './routes/jobs.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { healthRoutes, metricRoutes, workerRoutes } from './routes/monitoring.ts'
import { optionRoutes, topicRoutes } from './routes/options.ts'
import { pageRoutes } from './routes/pages.ts'
import { publicSearchRoutes, searchBoxRoute } from './routes/public-search.ts'
import { savedSearchRoutes } from './routes/saved-searches.ts'
import { scrapeRoutes } from './routes/scrape.ts'
import { searchRoutes } from './routes/search.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { SignIn } from './sign-in.ts'

const MAX_BODY_BYTES = 2 ** 20
/** Event streams, and some for everything else. */
const MAX_CONNECTIONS = 5000
/** Generous for people and their dashboards; floods are cut off. */
const RATE = { max: 1000, timeWindow: 10_000 }

/** How long answers under way may still be read when the server closes. */
const GRACE_MS = 3_000

/** All routes, ready to listen. Closing it ends open connections; the caller closes `deps`. */
export async function createApi(deps: ApiDeps): Promise<FastifyInstance> {
  const app = createServer(deps)
  const signIn = new SignIn(deps.settings.token, deps.clock)
  acceptJsonOnly(app)
  answerErrors(app, deps)
  answerUnknown(app)
  const requests = new RequestCounts(app)
  await app.register(cookie)
  guard(app, deps, signIn)
  refuseWhileAway(app, deps)
  await limitRate(app)
  await describeApi(app, deps)
  openApiRoute(app)
  const views = new JobViews(deps)
  const hub = new EventHub(deps, views)
  const done = new WorkDone(deps.dispatcher)
  endWith(app, () => {
    hub.close()
    done.close()
  })
  const routes = [
    ...[jobRoutes(deps, views), eventRoutes(deps, hub), jobPageRoutes(deps)],
    ...[pageRoutes(deps), crawlReadRoutes(deps), searchRoutes(deps), scrapeRoutes(deps)],
    ...[firecrawlRoutes(deps), savedSearchRoutes(deps)],
    ...[
      optionRoutes(deps),
      topicRoutes(deps),
      metricRoutes(deps, { hub, requests, done }),
      healthRoutes(deps),
    ],
    ...[workerRoutes(deps), signInRoutes(signIn), dashboardRoutes(deps)],
    ...[publicSearchRoutes(deps), searchBoxRoute(deps), mcpRoutes(deps, views)],
  ]
  for (const some of routes) await app.register(some)
  return app
}

function createServer(deps: ApiDeps): FastifyInstance {
  const app = fastify({
    logger: false,
    // The address of a client behind a proxy. Names are never taken from such headers.
    trustProxy: deps.settings.trustedProxies.length > 0 && [...deps.settings.trustedProxies],
    bodyLimit: MAX_BODY_BYTES,
    // A request must arrive completely within this time; answers may take as long as they are read.
    requestTimeout: 30_000,
    // No traffic for this long: the client is gone without a word, or never reads.
    connectionTimeout: 120_000,
    keepAliveTimeout: 72_000,
    maxRequestsPerSocket: 10_000,
    // A query of 10,000 characters fits in any script, at nine bytes each in a URL.
    http: { headersTimeout: 10_000, maxHeaderSize: 128 * 1024 },
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: answerMalformed,
    // If no route is looked up, no hook runs that would add the common headers.
    frameworkErrors: (error, _request, reply) =>
      sendError(error, reply.headers(SAFE_HEADERS), deps),
  })
  // `verbose`: findings include the schema, which has an example to show.
  compileWhenUsed(app, {
    removeAdditional: false,
    allErrors: true,
    coerceTypes: true,
    verbose: true,
  })
  app.server.maxConnections = MAX_CONNECTIONS
  return app
}

async function limitRate(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    ...RATE,
    global: true,
    // For routes made by plugins, only the route itself knows.
    allowList: ({ routeOptions }) => routeOptions.config?.rateLimit === false,
    errorResponseBuilder: (_request, { after }) =>
      new Refusal(429, `too many requests; wait ${after}`),
  })
}

function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => readJson(body),
  )
}

function answerErrors(app: FastifyInstance, deps: ApiDeps): void {
  app.setErrorHandler((error, _request, reply) => sendError(error, reply, deps))
}

function sendError(error: unknown, reply: FastifyReply, { log }: ApiDeps): FastifyReply {
  const { status, body, headers } = answerTo(error, log)
  return reply.status(status).headers(headers).send(body)
}

/** Input that is no HTTP, or too large, has no request to answer, so the answer is written to the socket. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, code, message] = MALFORMED.get(error.code ?? '') ?? NOT_HTTP
  const body = JSON.stringify({ error: { code, message } })
  const headers = { ...SAFE_HEADERS, 'content-type': 'application/json; charset=utf-8' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n`
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}${length}\r\n${body}`)
}

type Malformed = readonly [status: string, code: string, message: string]
const NOT_HTTP: Malformed = ['400 Bad Request', 'bad-request', 'this is not valid HTTP']
const MALFORMED: ReadonlyMap<string, Malformed> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    ['431 Request Header Fields Too Large', 'too-large', 'the headers are too large'],
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'timeout', 'the request took too long']],
])

function answerUnknown(app: FastifyInstance): void {
  const methodsOf = watchMethods(app)
  app.setNotFoundHandler(async ({ method, url }) => {
    const methods = methodsOf(url.split('?', 1)[0] ?? '')
    // A missing file matches the route of its folder, which accepts GET.
    if (methods.length === 0 || methods.includes(method)) {
      throw new Refusal(404, 'there is nothing at this address')
    }
    const allow = methods.join(', ')
    const message = `this address does not take ${method}; it takes ${allow}`
    throw new Refusal(405, message, { headers: { allow } })
  })
}

/** A client that subscribes, or reads without end, must not keep the server from closing. */
function endWith(app: FastifyInstance, end: () => void): void {
  app.addHook('preClose', async () => {
    end()
    setTimeout(() => app.server.closeAllConnections(), GRACE_MS).unref()
  })
}

type Known = { readonly form: RegExp; readonly methods: Set<string> }

/**
 * Records every route that is added after this. Returns a function from a path to its methods; [] for none:
 * a known path with a wrong method is 405, not 404.
 */
function watchMethods(app: FastifyInstance): (path: string) => readonly string[] {
  const known = new Map<string, Known>()
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { form: formOf(url), methods: new Set<string>() }
    known.set(url, entry)
    for (const one of [method].flat()) entry.methods.add(one)
  })
  return (path) => {
    const matching = [...known.values()].filter(({ form }) => form.test(path))
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort()
  }
}

/** `:id` in `/crawl/:id` matches any one segment, a star matches anything. */
function formOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+'
    return segment === '*' ? '.*' : segment.replace(/[^\w-]/g, '\\$&')
  })
  return new RegExp(`^${segments.join('/')}$`)
}

/**
 * Validators and serializers are compiled from the schemas of the routes. For all of them that takes a
 * third of a second, and few are ever used, so each is compiled at its first call. `options`: for
 * validating requests.
 */
function compileWhenUsed(app: FastifyInstance, options: Options): void {
  app.setValidatorCompiler(lazyValidators(options))
  app.setSerializerCompiler(lazySerializers())
}

function lazyValidators(customOptions: Options): FastifySchemaCompiler<unknown> {
  const compile = validatorsOf()({}, { customOptions })
  return (route) => {
    let compiled: ReturnType<typeof compile> | undefined
    const validate: ReturnType<FastifySchemaCompiler<unknown>> = (value) => {
      compiled ??= compile(route)
      const isValid = compiled(value) === true
      // Fastify reads the errors from the function that it called.
      validate.errors = compiled.errors ?? null
      return isValid
    }
    return validate
  }
}

function lazySerializers(): FastifySerializerCompiler<unknown> {
  const compile = serializersOf()({}, {})
  return (route) => {
    let compiled: ReturnType<typeof compile> | undefined
    return (value) => {
      compiled ??= compile({ httpStatus: '', ...route })
      return compiled(value)
    }
  }
}
