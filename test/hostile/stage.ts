// What all cases of one run share: the servers, the crawls that were run, a folder.
import { join } from 'node:path'
import { canonicalise } from '../../src/core/url.ts'
import { type Fetched, type FetcherOptions, openFetcher } from '../../src/http/fetcher.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import { temporaryFolder } from '../e2e/crawling.ts'
import { type End, runHere } from '../e2e/in-process.ts'
import { type Served, startServer } from '../e2e/serving.ts'
import { CannotShow, CRAWL_NAMES, type CrawlName, type HostileCase } from './case.ts'
import { runCrawl, type Seen } from './crawls.ts'
import { ALLOWED_ADDRESS, isInNamespace, PUBLIC_PREFIX } from './namespace.ts'
import { passes } from './other-tests.ts'
import { type HostileTls, makeTls } from './server/certificates.ts'
import { type NameServer, openNameServer } from './server/name-server.ts'
import { openWebServer, type WebServer } from './server/web-server.ts'

/** Ports beside 80 and 443 that the web server of a namespace listens on. */
const OTHER_PORTS = [22, 25, 2375, 5432, 6379, 8080, 8088, 9200, 11211, 65535]
const SHORT = { connectMs: 700, headersMs: 700, idleMs: 700 }

export class Stage implements AsyncDisposable {
  readonly inNamespace: boolean
  readonly web: WebServer
  /** Null outside a namespace. */
  readonly names: NameServer | null
  readonly folder: string
  readonly tls: HostileTls | null
  readonly #cases: readonly HostileCase[]
  readonly #kept: AsyncDisposable[]
  readonly #once = new Map<string, Promise<unknown>>()
  readonly #isQuick: boolean
  #running: Promise<unknown> = Promise.resolve()

  static async open(cases: readonly HostileCase[], isQuick: boolean): Promise<Stage> {
    const folder = await temporaryFolder()
    const inNamespace = isInNamespace()
    const tls = makeTls(join(folder.path, 'certificates'))
    const web = await openWebServer(
      inNamespace
        ? {
            port: 80,
            tlsPort: 443,
            otherPorts: OTHER_PORTS,
            address: '::',
            tls: tls?.options ?? null,
          }
        : { port: 0, tlsPort: 0, address: '127.0.0.1', tls: tls?.options ?? null },
    )
    const names = inNamespace ? await openNameServer('127.0.0.1', 53, addressOf) : null
    return new Stage({ cases, isQuick, folder, inNamespace, tls, web, names })
  }

  private constructor(made: {
    cases: readonly HostileCase[]
    isQuick: boolean
    folder: AsyncDisposable & { readonly path: string }
    inNamespace: boolean
    tls: HostileTls | null
    web: WebServer
    names: NameServer | null
  }) {
    this.inNamespace = made.inNamespace
    this.web = made.web
    this.names = made.names
    this.folder = made.folder.path
    this.tls = made.tls
    this.#cases = made.cases
    this.#isQuick = made.isQuick
    this.#kept = [made.web, ...(made.names === null ? [] : [made.names]), made.folder]
  }

  /** How hosts under `.test` are reached: by their names in a namespace, by a detour elsewhere. */
  get reach(): readonly string[] {
    if (this.inNamespace) return []
    const detours = [
      `*.tls.test=127.0.0.1:${this.web.tlsPort}`,
      `*.test=127.0.0.1:${this.web.port}`,
    ]
    return detours.flatMap((detour) => ['--connect-to', detour])
  }

  get env(): Readonly<Record<string, string>> {
    return this.tls === null ? {} : { NODE_EXTRA_CA_CERTS: this.tls.authority }
  }

  /** The shared crawl of that name; it runs when the first case asks for it. */
  crawl(name: CrawlName): Promise<Seen> {
    return this.once(`crawl ${name}`, () => runCrawl(name, this.#cases, this))
  }

  /** Begins every shared crawl that these cases will ask for: they wait more than they work. */
  begin(): void {
    const wanted = new Set(this.#cases.flatMap(({ web }) => web?.crawl ?? []))
    for (const name of CRAWL_NAMES) if (wanted.has(name)) this.crawl(name).catch(() => {})
  }

  /** Something several cases look at, done once. */
  once<T>(what: string, work: () => Promise<T>): Promise<T> {
    const known = this.#once.get(what)
    if (known !== undefined) return known as Promise<T>
    const begun = work()
    this.#once.set(what, begun)
    begun.catch(() => {})
    return begun
  }

  /** One URL through the scouter's fetcher, with limits so short that a test can wait for them. */
  async fetch(url: string, options: Partial<FetcherOptions> = {}): Promise<Fetched> {
    const to = canonicalise(url)
    if (to === null) throw new Error(`no URL: ${url}`)
    await using fetcher = openFetcher({ ...this.fetcherOptions(), ...options })
    return await fetcher.fetch({ url: to, wants: () => 1024 * 1024, onStart: () => {} })
  }

  fetcherOptions(): FetcherOptions {
    const local = { pattern: '*.test', address: '127.0.0.1', port: this.web.port }
    const secure = { pattern: '*.tls.test', address: '127.0.0.1', port: this.web.tlsPort }
    const connectTo = this.inNamespace ? [] : [secure, local]
    return {
      ...DEFAULT_SETTINGS,
      connectTo,
      trustedHosts: new Set(),
      timeoutMs: 2500,
      limits: SHORT,
    }
  }

  /** The program in this process, one command after the other: for those that end soon. */
  run(args: readonly string[], stdin = ''): Promise<End> {
    const ran = this.#running.then(() => runHere(args, stdin))
    this.#running = ran.catch(() => {})
    return ran
  }

  /** Tests of a part that belong to a case, too. The suite runs them anyway, so its quick part does not. */
  async passes(file: string, pattern: string): Promise<string> {
    return this.#isQuick ? `the rest is in ${file}` : await passes([file], pattern)
  }

  /** The real server with a data folder of its own. */
  server(): Promise<Served> {
    return this.keep('server', () => startServer(join(this.folder, 'served'), this.reach))
  }

  /** As `once`, of something that is closed at the end. */
  keep<T extends AsyncDisposable>(what: string, open: () => Promise<T>): Promise<T> {
    return this.once(what, async () => {
      const opened = await open()
      this.#kept.unshift(opened)
      return opened
    })
  }

  /** Connections to addresses that nobody on the web may lead us to, from the nth on: `address:port`. */
  trespasses(from = 0): readonly string[] {
    if (!this.inNamespace) return []
    return this.web.connections
      .slice(from)
      .filter(({ local }) => !local.startsWith(PUBLIC_PREFIX) && local !== ALLOWED_ADDRESS)
      .map(({ local, port }) => `${local}:${port}`)
  }

  mustBeInNamespace(): void {
    if (!this.inNamespace) throw new CannotShow('needs a network namespace')
  }

  mustHaveTls(): void {
    if (this.tls === null) throw new CannotShow('needs openssl')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#kept) await one[Symbol.asyncDispose]()
  }
}

/** Every name under `.test` has an address of its own that looks public; others do not exist. */
function addressOf(name: string): { a?: string[]; rcode?: number } {
  if (!name.endsWith('.test')) return { rcode: 3 }
  let hash = 7
  for (const character of name) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0
  return { a: [`11.${(hash >>> 16) & 255}.${(hash >>> 8) & 255}.${(hash & 127) + 2}`] }
}
