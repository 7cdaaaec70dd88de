// Options that say how hosts are treated, how they are reached, and what is kept of their pages.
import type { ConnectTo } from '../../core/crawl-terms.ts'
import { type FieldRules, type FieldRulesGiven, givenRules } from '../../core/field-rules.ts'
import { KEPT, type Kept, PARTS, type PartChoice } from '../../core/page.ts'
import { namedPlugin, type PluginRecord } from '../../core/plugin.ts'
import { type AllowPrivate, isNetworkText } from '../../core/private-access.ts'
import { withoutPassword } from '../../core/workspace-url.ts'
import { grant } from '../option.ts'
import {
  ALWAYS,
  flagSetting,
  listSetting,
  NEVER,
  numberSetting,
  ON_REFRESH,
  ON_RESUME,
  SECONDS,
  type Setting,
  same,
  sizeSetting,
  type Texts,
  textSetting,
} from '../setting.ts'
import {
  allowPrivateOf,
  connectToOf,
  connectToText,
  headerText,
  keptOf,
  listOrNone,
  nameServerOf,
  partsOf,
  proxyOf,
  userAgentFor,
} from '../values.ts'

const DAY_MS = 86_400_000

/** What a program gives `crawl()` for the entries below. Every default is that of the command line. */
export type GivenNetwork = {
  /** The gap between requests to one host, in milliseconds. Default: 1000. */
  readonly delay?: number
  /** Requests in flight over all hosts. */
  readonly concurrency?: number
  /** Requests in flight to one host. */
  readonly perHost?: number
  /** Requests in flight to one address. */
  readonly perIp?: number
  /** A host whose robots.txt asks for a longer delay, in seconds, is left alone. */
  readonly maxCrawlDelay?: number
  /** Whom a site can ask about this crawl; part of the user agent. */
  readonly contact?: string
  readonly userAgent?: string
  /** Do not ask for robots.txt; for sites of your own. */
  readonly ignoreRobots?: boolean
  /** Read sitemaps. Default: true. */
  readonly sitemaps?: boolean
  readonly maxSitemaps?: number
  /** The deadline of one request in milliseconds. */
  readonly timeout?: number
  /** Further tries of a URL that failed for now. */
  readonly retries?: number
  /** How many seconds to wait for a host that answered before and is down. */
  readonly hostPatience?: number
  /** A longer body is cut there: bytes, or a text such as `2MB`. */
  readonly maxBody?: number | string
  /** Of a longer body the links are read up to here. */
  readonly maxLinksBody?: number | string
  readonly proxy?: Texts
  /** Reach hosts that match under another address: `PATTERN=ADDR:PORT`. */
  readonly connectTo?: Texts
  /** Name servers, each as `ADDR[:PORT]`. */
  readonly dns?: Texts
  /** Also private addresses: all, or only these. */
  readonly allowPrivate?: boolean | readonly string[]
  readonly http2?: boolean
  readonly insecureTls?: boolean
  /** What is kept of a page besides its text. Default: all. */
  readonly parts?: 'all' | 'none' | PartChoice | readonly PartChoice[]
  /** The store keeps only the so many most important pages. */
  readonly keepBest?: number
  readonly keepHtml?: boolean
  /** What else is kept of a page. */
  readonly keep?: Kept | readonly Kept[]
  /** Rules that take values from pages into fields, or a JSON file with them: see docs/FIELDS.md. */
  readonly fields?: FieldRulesGiven | string
  /** Modules of your own, by path or package name: see docs/PLUGINS.md. */
  readonly plugin?: Texts
  readonly parserThreads?: number
  readonly scouters?: number
}

export const MANNERS = {
  delayMs: numberSetting({
    name: 'delay',
    env: 'CRAWL_DELAY_MS',
    value: 'MS',
    min: 0,
    max: DAY_MS,
    preset: 1000,
    help: 'gap between requests to one host',
    mayChange: ALWAYS,
  }),
  concurrency: numberSetting({
    name: 'concurrency',
    env: 'CRAWLER_MAX_THREADS',
    min: 1,
    max: 4096,
    preset: 32,
    help: 'requests in flight over all hosts',
    mayChange: ALWAYS,
  }),
  perHost: numberSetting({
    name: 'per-host',
    min: 1,
    max: 256,
    preset: 1,
    help: 'requests in flight to one host',
    mayChange: ALWAYS,
  }),
  /** Requests in flight to one address, over all hosts that it serves; null: no limit. */
  perIp: numberSetting({
    name: 'per-ip',
    min: 1,
    max: 1000,
    preset: null,
    help: 'requests in flight to one address, over all hosts that it serves; in a folder by all scouters together, on servers by each',
    mayChange: ALWAYS,
  }),
  /** A host whose robots.txt asks for a longer gap is left alone. */
  maxCrawlDelayMs: numberSetting({
    name: 'max-crawl-delay',
    value: 'SECONDS',
    min: 0,
    max: DAY_MS / 1000,
    fraction: true,
    scale: SECONDS,
    preset: 30_000,
    help: 'a host whose robots.txt asks for a longer Crawl-delay is left alone',
    mayChange: ON_RESUME,
  }),
  /** Not kept by itself: it becomes a part of the user agent. */
  contact: textSetting({
    name: 'contact',
    env: 'JELAJAH_CONTACT',
    value: 'URL|MAIL',
    preset: '',
    help: 'whom a site can ask about this crawl; part of the user agent',
    mayChange: ALWAYS,
    to: (contact) => headerText(contact, /^[!-'*-~]+$/, 'an address or a URL'),
    encode: same,
  }),
  userAgent: textSetting({
    name: 'user-agent',
    weighty: true,
    preset: userAgentFor(null),
    default: 'Jelajah/VERSION (+CONTACT)',
    help: 'what servers see as our name',
    mayChange: ALWAYS,
    to: (userAgent) => headerText(userAgent, /^[ -~]+$/, 'plain ASCII'),
    encode: same,
  }),
  ignoreRobots: flagSetting({
    name: 'ignore-robots',
    weighty: true,
    help: 'do not ask for robots.txt; for sites of your own',
    mayChange: ON_REFRESH,
  }),
  sitemaps: flagSetting({
    name: 'sitemaps',
    preset: true,
    help: 'read sitemaps',
    mayChange: ON_REFRESH,
  }),
  maxSitemaps: numberSetting({
    name: 'max-sitemaps',
    min: 1,
    max: 10_000,
    preset: 100,
    help: 'sitemap files of one host that are read at most',
    mayChange: ON_RESUME,
  }),
}

const ALLOW_PRIVATE = grant<AllowPrivate>({
  name: 'allow-private',
  weighty: true,
  value: 'HOST|CIDR',
  help:
    'also private, loopback and link-local addresses: all, or only those of =HOST or =CIDR, which may ' +
    'be given several times and end in :PORT',
  takesWord: isNetworkText,
  to: allowPrivateOf,
})
const allowPrivate: Setting<AllowPrivate> = {
  ...ALLOW_PRIVATE,
  privileged: true,
  preset: false,
  mayChange: ALWAYS,
  encode: same,
}

export const NETWORK = {
  /** Deadline of one request from start to last byte. */
  timeoutMs: numberSetting({
    name: 'timeout',
    value: 'MS',
    min: 1,
    max: DAY_MS,
    preset: 60_000,
    help: 'deadline of one request, from its start to the last byte',
    mayChange: ALWAYS,
  }),
  retries: numberSetting({
    name: 'retries',
    min: 0,
    max: 100,
    preset: 3,
    help: 'further tries of a URL that failed for now',
    mayChange: ALWAYS,
  }),
  /** The preset: a host that is down for five minutes is asked once more after that. */
  hostPatienceMs: numberSetting({
    name: 'host-patience',
    value: 'SECONDS',
    min: 0,
    max: DAY_MS / 1000,
    fraction: true,
    scale: SECONDS,
    preset: 420_000,
    help: 'with nothing else left, wait so long for a host that answered before and is down',
    mayChange: ON_RESUME,
  }),
  maxBodyBytes: sizeSetting({
    name: 'max-body',
    min: 1024,
    max: 2 ** 30,
    preset: 2 ** 20,
    help: 'a longer body is cut there, and its page marked as truncated',
    mayChange: ON_RESUME,
  }),
  /** Less than the other: no further than that. */
  maxLinksBytes: sizeSetting({
    name: 'max-links-body',
    min: 1024,
    max: 2 ** 28,
    preset: 16 * 2 ** 20,
    help: 'of a longer body the links are read up to here, and nothing else',
    mayChange: ON_RESUME,
  }),
  proxies: listSetting<readonly string[]>({
    name: 'proxy',
    env: 'JELAJAH_PROXY',
    weighty: true,
    privileged: true,
    value: 'URL',
    preset: [],
    help:
      'http(s)://[user:password@]host:port; several take turns. A password is not kept with the ' +
      'crawl; others on this machine can see flags, so better in the environment',
    bodyHelp: 'http(s)://[user:password@]host:port; several take turns',
    mayChange: ALWAYS,
    to: (proxies) => proxies.map(proxyOf),
    encode: (proxies) => proxies.map(withoutPassword),
  }),
  connectTo: listSetting<readonly ConnectTo[]>({
    name: 'connect-to',
    weighty: true,
    privileged: true,
    value: 'PATTERN=ADDR:PORT',
    preset: [],
    help: 'reach hosts that match under another address',
    mayChange: ALWAYS,
    to: (entries) => entries.map(connectToOf),
    encode: (entries) => entries.map(connectToText),
  }),
  /** Each as ADDRESS:PORT. */
  dns: listSetting<readonly string[]>({
    name: 'dns',
    weighty: true,
    privileged: true,
    value: 'ADDR[:PORT]',
    preset: [],
    help: "name servers to ask in place of the system's; the hosts file still counts first",
    mayChange: ALWAYS,
    to: (servers) => servers.map(nameServerOf),
    encode: same,
  }),
  allowPrivate,
  http2: flagSetting({
    name: 'http2',
    help: 'speak HTTP/2 where a server does',
    mayChange: ALWAYS,
  }),
  insecureTls: flagSetting({
    name: 'insecure-tls',
    weighty: true,
    help: 'accept certificates that do not verify',
    mayChange: ALWAYS,
  }),
}

/** Read by fields/read-fields.ts. */
const fields: Setting<FieldRules | null> = {
  name: 'fields',
  kind: 'text',
  value: 'FILE',
  help: 'a JSON file with rules that take values from pages into named fields, by CSS selectors or JSON-LD',
  bodyHelp: 'rules that take values from pages into named fields, by CSS selectors or JSON-LD',
  carries: 'rules',
  mayChange: NEVER,
  preset: null,
  read: givenRules,
  encode: (rules) => (rules === null ? null : { rules: rules.rules }),
}

export const KEEPING = {
  parts: listSetting<readonly PartChoice[]>({
    name: 'parts',
    value: 'A,B',
    preset: PARTS,
    default: 'all',
    help: `what is kept of a page besides its text: ${PARTS.join(', ')}, all or none; scripts=text and styles=text keep the code in the page, too`,
    mayChange: NEVER,
    to: partsOf,
    encode: listOrNone,
  }),
  /** The store keeps at most so many pages; null: all. */
  keepBest: numberSetting({
    name: 'keep-best',
    min: 1,
    preset: null,
    help:
      'the store keeps only the N most important pages: one more, and the least important is dropped. ' +
      '--max-pages counts dropped pages, too',
    mayChange: NEVER,
  }),
  keepHtml: flagSetting({ name: 'keep-html', help: 'keep the HTML too', mayChange: NEVER }),
  keep: listSetting<readonly Kept[]>({
    name: 'keep',
    value: 'A,B',
    preset: [],
    help: `what else is kept of a page: ${KEPT.join(', ')}`,
    mayChange: NEVER,
    to: keptOf,
    encode: same,
  }),
  fields,
  /** Looked up by plugin/read-plugins.ts. */
  plugins: listSetting<readonly PluginRecord[]>({
    name: 'plugin',
    weighty: true,
    value: 'FILE|PACKAGE',
    preset: [],
    help: 'a module of your own that admits links, changes requests and pages, or judges them',
    bodyHelp: 'names of plug-ins that this server was started with',
    // Not to change them: their code runs only if they are named for the run.
    mayChange: ON_REFRESH,
    to: (names) => names.map(namedPlugin),
    encode: (plugins) => plugins.map(({ name }) => name),
  }),
  /** Worker threads of the parser; what a crawl has by default depends on the machine: see settingsFrom. */
  parserThreads: numberSetting({
    name: 'parser-threads',
    min: 1,
    max: 64,
    preset: 1,
    default: 'one less than cores, at most 8',
    help: 'threads that parse',
    mayChange: ALWAYS,
  }),
  /** What a crawl has by default depends on the machine: see settingsFrom. */
  scouters: numberSetting({
    name: 'scouters',
    env: 'JELAJAH_SCOUTERS',
    min: 1,
    max: 64,
    preset: 1,
    default: 'one up to 7 cores, then one per 4, at most 16',
    help:
      'processes that fetch, each with one that parses, for a crawl in a folder; they share out the ' +
      'hosts, and together keep to all limits',
    mayChange: ALWAYS,
  }),
}
