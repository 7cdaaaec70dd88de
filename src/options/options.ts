// The options of a crawl: one table from which flags, environment, config file, help and the HTTP
// schema are made. Orderings come from their own list, which `core` does not know.
import { isIP } from 'node:net'
import {
  DEFAULT_DOMAIN_BUDGET,
  DEFAULT_HOST_BUDGET,
  decodeBudget,
  shownBudget,
} from '../core/budget.ts'
import { Refused } from '../core/errors.ts'
import { compileGlob } from '../core/glob.ts'
import { type ConnectTo, type CrawlSettings, HOST_POLICIES, SCOPES } from '../core/job.ts'
import { PARTS, type Part } from '../core/page.ts'
import { type AllowPrivate, allowedEntry, isNetworkText } from '../core/private-access.ts'
import { HARVEST_OPTIONS, TOPIC_OPTIONS } from './focus-options.ts'
import { bytes, choice, flag, grant, list, number, type Option, text } from './option.ts'
import { DEFAULT_SETTINGS, userAgentFor } from './settings.ts'

/** `contact` is not kept by itself: it becomes a part of the user agent. */
export type CrawlChoices = CrawlSettings & { readonly contact: string }

/** The longest time a timer can be set to, in whole seconds. */
const MAX_SECONDS = 2_147_483
const DAY_MS = 86_400_000
const MAX_GLOBS = 1000
/** Commas inside of braces are a part of a glob. */
const BETWEEN_GLOBS = /\s+|,(?![^{}]*\})/

export const OPTION_GROUPS = [
  'limits',
  'manners',
  'order',
  'network',
  'keeping',
  'topic',
  'harvest',
] as const
export type OptionGroup = (typeof OPTION_GROUPS)[number]

export function crawlOptions(
  orderings: readonly { readonly name: string }[],
): readonly Option<CrawlChoices>[] {
  const groups = groupedOptions(orderings)
  return OPTION_GROUPS.flatMap((group) => groups[group])
}

/** The same, by what they have to do with. */
export function groupedOptions(
  orderings: readonly { readonly name: string }[],
): Readonly<Record<OptionGroup, readonly Option<CrawlChoices>[]>> {
  return {
    limits: LIMITS,
    manners: MANNERS,
    order: choices(orderings),
    network: NETWORK,
    keeping: KEEPING,
    topic: TOPIC_OPTIONS,
    harvest: HARVEST_OPTIONS,
  }
}

/** Settings as chosen; what was not chosen has its default. `focused`: the ordering that was is. */
export function settingsFrom(
  chosen: Partial<CrawlChoices>,
  cores: number,
  focused = false,
): CrawlSettings {
  const { contact, ...settings } = chosen
  return {
    ...DEFAULT_SETTINGS,
    // Equal shares for all hosts would take back what a focused ordering found out about them.
    hostPolicy: focused ? 'best' : DEFAULT_SETTINGS.hostPolicy,
    // The scouter and the store need a core, too: with a thread more, all of them wait in turns. More
    // than eight never paid.
    parserThreads: Math.max(1, Math.min(8, cores - 1)),
    userAgent: userAgentFor(contact ?? null),
    ...settings,
  }
}

const LIMITS: readonly Option<CrawlChoices>[] = [
  number({
    name: 'max-pages',
    aliases: ['limit'],
    min: 1,
    default: '1000',
    help: 'stop after N stored pages',
    to: (maxPages) => ({ maxPages }),
  }),
  number({
    name: 'max-depth',
    aliases: ['depth'],
    min: 0,
    help: 'at most N links away from a seed',
    to: (maxDepth) => ({ maxDepth }),
  }),
  number({
    name: 'duration',
    env: 'CRAWLER_DURATION_SECONDS',
    value: 'SECONDS',
    min: 0.001,
    max: MAX_SECONDS,
    fraction: true,
    help: 'stop after this time',
    to: (seconds) => ({ durationMs: Math.max(1, Math.round(seconds * 1000)) }),
  }),
  choice({
    name: 'scope',
    choices: SCOPES,
    default: 'domain',
    help: "stay on the seeds' hosts, on their registrable domains, or roam",
    to: (scope) => ({ scope }),
  }),
  list({
    name: 'include',
    value: 'GLOB',
    separator: BETWEEN_GLOBS,
    help: 'only URLs that match, such as "/blog/**" or "*.example.com"',
    to: (globs) => ({ include: globsOf(globs) }),
  }),
  list({
    name: 'exclude',
    value: 'GLOB',
    separator: BETWEEN_GLOBS,
    help: 'no URL that matches; wins over --include',
    to: (globs) => ({ exclude: globsOf(globs) }),
  }),
  number({
    name: 'trap-budget',
    min: 0,
    default: '200',
    help: 'pages of one path template of a host that show nothing new; 0: no limit',
    to: (trapBudget) => ({ trapBudget }),
  }),
  number({
    name: 'max-requests',
    min: 1,
    default: '20 for each of --max-pages, and 2000',
    help: 'requests of the whole crawl',
    to: (maxRequests) => ({ maxRequests }),
  }),
  text({
    name: 'host-budget',
    value: 'K=N,…',
    default: shownBudget(DEFAULT_HOST_BUDGET),
    help: 'what one host may cost: requests, bytes, seconds of parsing (cpu), requests in a row without a new page (barren) or that it forbids (forbidden); 0: no limit',
    to: (given) => ({ hostBudget: decodeBudget(given, DEFAULT_HOST_BUDGET) }),
  }),
  text({
    name: 'domain-budget',
    value: 'K=N,…',
    default: shownBudget(DEFAULT_DOMAIN_BUDGET),
    help: 'the same for all hosts of one registrable domain together',
    to: (given) => ({ domainBudget: decodeBudget(given, DEFAULT_DOMAIN_BUDGET) }),
  }),
  list({
    name: 'strip-params',
    value: 'A,B',
    default: 'tracking,session',
    help: 'parameters that make no other URL: names, tracking (utm_…, gclid, fbclid …), session (jsessionid, PHPSESSID …) or none',
    to: (names) => ({ stripParams: stripParamsOf(names) }),
  }),
  flag({
    name: 'follow-actions',
    help: 'also links that do something, such as /logout and /delete?id=1',
    to: (followActions) => ({ followActions }),
  }),
]

/** Also asked for where no crawl is started. */
export const CONTACT: Option<Pick<CrawlChoices, 'contact'>> = text({
  name: 'contact',
  env: 'JELAJAH_CONTACT',
  value: 'URL|MAIL',
  help: 'whom a site can ask about this crawl; part of the user agent',
  to: (contact) => ({ contact: headerText(contact, /^[!-'*-~]+$/, 'an address or a URL') }),
})

const MANNERS: readonly Option<CrawlChoices>[] = [
  number({
    name: 'delay',
    env: 'CRAWL_DELAY_MS',
    value: 'MS',
    min: 0,
    max: DAY_MS,
    default: '1000',
    help: 'gap between requests to one host',
    to: (delayMs) => ({ delayMs }),
  }),
  number({
    name: 'concurrency',
    env: 'CRAWLER_MAX_THREADS',
    min: 1,
    max: 4096,
    default: '32',
    help: 'requests in flight over all hosts',
    to: (concurrency) => ({ concurrency }),
  }),
  number({
    name: 'per-host',
    min: 1,
    max: 256,
    default: '1',
    help: 'requests in flight to one host',
    to: (perHost) => ({ perHost }),
  }),
  number({
    name: 'per-ip',
    min: 1,
    max: 1000,
    help: 'requests in flight to one address, over all hosts that it serves, by each process that fetches',
    to: (perIp) => ({ perIp }),
  }),
  number({
    name: 'max-crawl-delay',
    value: 'SECONDS',
    min: 0,
    max: DAY_MS / 1000,
    fraction: true,
    default: '30',
    help: 'a host whose robots.txt asks for a longer Crawl-delay is left alone',
    to: (seconds) => ({ maxCrawlDelayMs: Math.round(seconds * 1000) }),
  }),
  CONTACT,
  text({
    name: 'user-agent',
    default: 'Jelajah/VERSION (+CONTACT)',
    help: 'what servers see as our name',
    to: (userAgent) => ({ userAgent: headerText(userAgent, /^[ -~]+$/, 'plain ASCII') }),
  }),
  flag({
    name: 'ignore-robots',
    help: 'do not ask for robots.txt; for sites of your own',
    to: (ignoreRobots) => ({ ignoreRobots }),
  }),
  flag({
    name: 'sitemaps',
    on: true,
    help: 'read sitemaps',
    to: (sitemaps) => ({ sitemaps }),
  }),
  number({
    name: 'max-sitemaps',
    min: 1,
    max: 10_000,
    default: '100',
    help: 'sitemap files of one host that are read at most',
    to: (maxSitemaps) => ({ maxSitemaps }),
  }),
]

const choices = (
  orderings: readonly { readonly name: string }[],
): readonly Option<CrawlChoices>[] => [
  choice({
    name: 'ordering',
    choices: orderings.map(({ name }) => name),
    value: 'NAME',
    default: DEFAULT_SETTINGS.ordering,
    help: `which URL of a host goes first: ${orderings.map(({ name }) => name).join(', ')}`,
    to: (ordering) => ({ ordering }),
  }),
  list({
    name: 'ordering-option',
    value: 'K=V',
    help: "an option of that ordering; 'jelajah help orderings' lists them",
    to: (pairs) => ({ orderingOptions: Object.fromEntries(pairs.map(pairOf)) }),
  }),
  choice({
    name: 'host-policy',
    choices: HOST_POLICIES,
    default: 'fair; best for focused orderings',
    help: 'which host goes first: the least served, the one with most waiting, the best head',
    to: (hostPolicy) => ({ hostPolicy }),
  }),
  number({
    name: 'buffer',
    min: 1,
    help: 'the frontier keeps only the best N URLs',
    to: (buffer) => ({ buffer }),
  }),
]

const NETWORK: readonly Option<CrawlChoices>[] = [
  number({
    name: 'timeout',
    value: 'MS',
    min: 1,
    max: DAY_MS,
    default: '60000',
    help: 'deadline of one request, from its start to the last byte',
    to: (timeoutMs) => ({ timeoutMs }),
  }),
  number({
    name: 'retries',
    min: 0,
    max: 100,
    default: '3',
    help: 'further tries of a URL that failed for now',
    to: (retries) => ({ retries }),
  }),
  number({
    name: 'host-patience',
    value: 'SECONDS',
    min: 0,
    max: DAY_MS / 1000,
    fraction: true,
    default: '420',
    help: 'with nothing else left, wait so long for a host that answered before and is down',
    to: (seconds) => ({ hostPatienceMs: Math.round(seconds * 1000) }),
  }),
  bytes({
    name: 'max-body',
    min: 1024,
    max: 2 ** 30,
    default: '1MiB',
    help: 'a longer body is cut there, and its page marked as truncated',
    to: (maxBodyBytes) => ({ maxBodyBytes }),
  }),
  bytes({
    name: 'max-links-body',
    min: 1024,
    max: 2 ** 28,
    default: '16MiB',
    help: 'of a longer body the links are read up to here, and nothing else',
    to: (maxLinksBytes) => ({ maxLinksBytes }),
  }),
  list({
    name: 'proxy',
    env: 'JELAJAH_PROXY',
    value: 'URL',
    help:
      'http(s)://[user:password@]host:port; several take turns. A password is not kept with the ' +
      'crawl; others on this machine can see flags, so better in the environment',
    to: (proxies) => ({ proxies: proxies.map(proxyOf) }),
  }),
  list({
    name: 'connect-to',
    value: 'PATTERN=ADDR:PORT',
    help: 'reach hosts that match under another address',
    to: (entries) => ({ connectTo: entries.map(connectToOf) }),
  }),
  list({
    name: 'dns',
    value: 'ADDR[:PORT]',
    help: "name servers to ask in place of the system's; the hosts file still counts first",
    to: (servers) => ({ dns: servers.map(nameServerOf) }),
  }),
  grant({
    name: 'allow-private',
    value: 'HOST|CIDR',
    help:
      'also private, loopback and link-local addresses: all, or only those of =HOST or =CIDR, which may ' +
      'be given several times and end in :PORT',
    takesWord: isNetworkText,
    to: (allowed) => ({ allowPrivate: allowPrivateOf(allowed) }),
  }),
  flag({ name: 'http2', help: 'speak HTTP/2 where a server does', to: (http2) => ({ http2 }) }),
  flag({
    name: 'insecure-tls',
    help: 'accept certificates that do not verify',
    to: (insecureTls) => ({ insecureTls }),
  }),
]

const KEEPING: readonly Option<CrawlChoices>[] = [
  list({
    name: 'parts',
    value: 'A,B',
    default: 'all',
    help: `what is kept of a page besides its text: ${PARTS.join(', ')}, all or none`,
    to: (entries) => ({ parts: partsOf(entries) }),
  }),
  flag({ name: 'keep-html', help: 'keep the HTML too', to: (keepHtml) => ({ keepHtml }) }),
  number({
    name: 'parser-threads',
    min: 1,
    max: 64,
    default: 'one less than cores, at most 8',
    help: 'threads that parse',
    to: (parserThreads) => ({ parserThreads }),
  }),
]

function headerText(value: string, form: RegExp, needs: string): string {
  if (form.test(value) && value.length <= 512) return value
  throw new Refused(`needs ${needs} of at most 512 characters`)
}

/** As given, once each is known to compile. Every link is held against all of them. */
function globsOf(globs: readonly string[]): readonly string[] {
  if (globs.length > MAX_GLOBS) throw new Refused(`takes at most ${MAX_GLOBS} globs`)
  return globs.map(globOf)
}

/** The glob as given, once it is known to compile. */
function globOf(glob: string): string {
  compileGlob(glob)
  return glob
}

function pairOf(pair: string): [string, string] {
  const at = pair.indexOf('=')
  if (at <= 0) throw new Refused(`needs KEY=VALUE, not "${pair}"`)
  return [pair.slice(0, at), pair.slice(at + 1)]
}

function proxyOf(given: string): string {
  const url = URL.parse(given)
  // Without the value: a proxy often carries a password.
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new Refused('needs http://host:port or https://host:port')
  }
  return given
}

function connectToOf(given: string): ConnectTo {
  const parts = /^([^=\s]+)=(\[[0-9a-f:.]+\]|[^=\s:[\]]+):(\d{1,5})$/i.exec(given)
  const [, pattern = '', address = '', digits = '0'] = parts ?? []
  const port = Number(digits)
  if (port < 1 || port > 65_535) {
    throw new Refused(`needs PATTERN=ADDR:PORT such as *.test=127.0.0.1:8080, not "${given}"`)
  }
  return { pattern, address, port }
}

function nameServerOf(given: string): string {
  const [, v6 = '', v4 = '', digits = '53'] =
    /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(given) ?? []
  const port = Number(digits)
  const isValid = port >= 1 && port <= 65_535
  if (isIP(given) === 6) return `[${given}]:53`
  if (isIP(v4) === 4 && isValid) return `${v4}:${port}`
  if (isIP(v6) === 6 && isValid) return `[${v6}]:${port}`
  throw new Refused(`needs an address such as 9.9.9.9, 127.0.0.1:5353 or [::1]:53, not "${given}"`)
}

function allowPrivateOf(allowed: boolean | readonly string[]): AllowPrivate {
  return typeof allowed === 'boolean' ? allowed : [...new Set(allowed.map(allowedEntry))]
}

function stripParamsOf(entries: readonly string[]): readonly string[] {
  const names = entries.flatMap((entry) => entry.split(',')).map((name) => name.trim())
  const wrong = names.filter((name) => !/^[\w.\-[\]]{1,64}\*?$/.test(name))
  if (wrong.length > 0) {
    throw new Refused(`needs names of parameters, tracking, session or none, not "${wrong[0]}"`)
  }
  return names.includes('none') ? [] : [...new Set(names)]
}

function partsOf(entries: readonly string[]): readonly Part[] {
  const names = entries.flatMap((entry) => entry.split(',')).map((name) => name.trim())
  if (names.includes('all')) return PARTS
  const wrong = names.filter((name) => name !== 'none' && !PARTS.some((part) => part === name))
  if (wrong.length > 0) {
    throw new Refused(`knows ${PARTS.join(', ')}, all and none, not "${wrong.join('", "')}"`)
  }
  return PARTS.filter((part) => names.includes(part))
}
