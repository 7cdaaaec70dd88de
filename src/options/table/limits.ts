// Options that say where a crawl ends, and what goes first.
import {
  DEFAULT_DOMAIN_BUDGET,
  DEFAULT_HOST_BUDGET,
  decodeBudget,
  encodeBudget,
  shownBudget,
} from '../../core/budget.ts'
import { HOST_POLICIES, type HostPolicyName, SCOPES } from '../../core/crawl-terms.ts'
import {
  ALWAYS,
  choiceSetting,
  flagSetting,
  listSetting,
  NEVER,
  numberSetting,
  ON_RESUME,
  SECONDS,
  same,
  type Texts,
  textSetting,
} from '../setting.ts'
import { extensionsOf, globsOf, listOrNone, pairOf, stripParamsOf } from '../values.ts'

/** The longest time a timer can be set to, in whole seconds. */
const MAX_SECONDS = 2_147_483
/** Commas inside of braces are a part of a glob. */
const BETWEEN_GLOBS = /\s+|,(?![^{}]*\})/
const NO_TEXTS: readonly string[] = []

/** What a program gives `crawl()` for the entries below. Every default is that of the command line. */
export type GivenLimits = {
  /** Stop after so many stored pages. Default: 1000. */
  readonly maxPages?: number
  /** At most so many links away from a seed. */
  readonly maxDepth?: number
  /** Stop after so many seconds. */
  readonly duration?: number
  /** Stay on the hosts of the seeds, on their registrable domains (the default), or roam. */
  readonly scope?: 'host' | 'domain' | 'any'
  /** Only URLs that match one of these globs. */
  readonly include?: Texts
  /** No URL that matches one of these globs. */
  readonly exclude?: Texts
  /** Pages of one path template of a host that show nothing new; 0: no limit. */
  readonly trapBudget?: number
  /** Requests of the whole crawl. */
  readonly maxRequests?: number
  /** What one host may cost, such as `requests=1000,bytes=1e9`. */
  readonly hostBudget?: string
  /** The same for all hosts of one registrable domain together. */
  readonly domainBudget?: string
  /** Parameters that make no other URL. */
  readonly stripParams?: Texts
  /** Also links that do something, such as `/logout`. */
  readonly followActions?: boolean
  /** Do not ask for files that end with these, such as `php`. */
  readonly skipExtensions?: Texts
  /** Ask for files that end with these although they are usually no pages. */
  readonly allowExtensions?: Texts
  /** Which URL of a host goes first: the name of an ordering, or the path of a module with one. */
  readonly ordering?: string
  /** Options of that ordering, by name. */
  readonly orderingOption?: Texts | Readonly<Record<string, string | number>>
  /** Which host goes first. */
  readonly hostPolicy?: HostPolicyName
  /** The frontier keeps only the best so many URLs. */
  readonly buffer?: number
}

export const LIMITS = {
  maxPages: numberSetting({
    name: 'max-pages',
    aliases: ['limit'],
    min: 1,
    preset: 1000,
    help: 'stop after N stored pages',
    mayChange: [...ALWAYS, 'resume-over-http'],
  }),
  maxDepth: numberSetting({
    name: 'max-depth',
    aliases: ['depth'],
    min: 0,
    preset: null,
    help: 'at most N links away from a seed',
    mayChange: [...ON_RESUME, 'resume-over-http'],
  }),
  durationMs: numberSetting({
    name: 'duration',
    env: 'CRAWLER_DURATION_SECONDS',
    value: 'SECONDS',
    min: 0.001,
    max: MAX_SECONDS,
    fraction: true,
    scale: SECONDS,
    preset: null,
    help: 'stop after this time',
    mayChange: [...ALWAYS, 'resume-over-http'],
  }),
  scope: choiceSetting({
    name: 'scope',
    choices: SCOPES,
    preset: 'domain',
    help: "stay on the seeds' hosts, on their registrable domains, or roam",
    mayChange: NEVER,
  }),
  include: listSetting({
    name: 'include',
    value: 'GLOB',
    separator: BETWEEN_GLOBS,
    preset: NO_TEXTS,
    help: 'only URLs that match, such as "/blog/**" or "*.example.com"',
    mayChange: NEVER,
    to: globsOf,
    encode: same,
  }),
  exclude: listSetting({
    name: 'exclude',
    value: 'GLOB',
    separator: BETWEEN_GLOBS,
    preset: NO_TEXTS,
    help: 'no URL that matches; wins over --include',
    mayChange: NEVER,
    to: globsOf,
    encode: same,
  }),
  /** Pages of one path template of a host that show nothing new before it is a trap; 0: no limit. */
  trapBudget: numberSetting({
    name: 'trap-budget',
    min: 0,
    preset: 200,
    help: 'pages of one path template of a host that show nothing new; 0: no limit',
    mayChange: ON_RESUME,
  }),
  /** Requests of the whole crawl; null: as budget.ts has it. */
  maxRequests: numberSetting({
    name: 'max-requests',
    min: 1,
    preset: null,
    default: '20 for each of --max-pages, and 2000',
    help: 'requests of the whole crawl',
    mayChange: ON_RESUME,
  }),
  hostBudget: textSetting({
    name: 'host-budget',
    value: 'K=N,…',
    preset: DEFAULT_HOST_BUDGET,
    default: shownBudget(DEFAULT_HOST_BUDGET),
    help: 'what one host may cost: requests, bytes, seconds of parsing (cpu), requests in a row without a new page (barren) or that it forbids (forbidden); 0: no limit',
    mayChange: ON_RESUME,
    to: (given) => decodeBudget(given, DEFAULT_HOST_BUDGET),
    encode: encodeBudget,
  }),
  domainBudget: textSetting({
    name: 'domain-budget',
    value: 'K=N,…',
    preset: DEFAULT_DOMAIN_BUDGET,
    default: shownBudget(DEFAULT_DOMAIN_BUDGET),
    help: 'the same for all hosts of one registrable domain together',
    mayChange: ON_RESUME,
    to: (given) => decodeBudget(given, DEFAULT_DOMAIN_BUDGET),
    encode: encodeBudget,
  }),
  /** Parts of queries and sessions that no URL keeps: see core/url.ts. */
  stripParams: listSetting<readonly string[]>({
    name: 'strip-params',
    value: 'A,B',
    preset: ['tracking', 'session'],
    default: 'tracking,session',
    help: 'parameters that make no other URL: names, tracking (utm_…, gclid, fbclid …), session (jsessionid, PHPSESSID …) or none',
    mayChange: NEVER,
    to: stripParamsOf,
    encode: listOrNone,
  }),
  /** Lower case, without the dot. */
  skipExtensions: listSetting<readonly string[]>({
    name: 'skip-extensions',
    value: 'A,B',
    preset: NO_TEXTS,
    help: 'do not ask for files that end with these, such as pdf,ps,php, beside those that are never pages',
    mayChange: NEVER,
    to: extensionsOf,
    encode: same,
  }),
  /** Lower case, without the dot. */
  allowExtensions: listSetting<readonly string[]>({
    name: 'allow-extensions',
    value: 'A,B',
    preset: NO_TEXTS,
    help:
      'ask for files that end with these, such as ps or xml, although they are usually no pages; ' +
      'only HTML and text/* are read, other types are refused when they come',
    mayChange: NEVER,
    to: extensionsOf,
    encode: same,
  }),
  /** Also links that do something rather than show something. */
  followActions: flagSetting({
    name: 'follow-actions',
    help: 'also links that do something, such as /logout and /delete?id=1',
    mayChange: NEVER,
  }),
}

export const ORDER = {
  /** The name of one of the orderings, which are a list of their own. */
  ordering: textSetting({
    name: 'ordering',
    value: 'NAME',
    preset: 'breadth-first',
    default: 'breadth-first',
    help: 'which URL of a host goes first',
    mayChange: NEVER,
    to: same,
    encode: same,
  }),
  orderingOptions: listSetting<Readonly<Record<string, string>>>({
    name: 'ordering-option',
    value: 'K=V',
    preset: {},
    help: "an option of that ordering; 'jelajah help orderings' lists them",
    bodyHelp: 'options of that ordering, as "K=V" or an object; GET /options lists them',
    carries: 'pairs',
    mayChange: NEVER,
    to: (pairs) => Object.fromEntries(pairs.map(pairOf)),
    encode: same,
  }),
  /** Focused orderings have another preset: see settingsFrom. */
  hostPolicy: choiceSetting({
    name: 'host-policy',
    choices: HOST_POLICIES,
    preset: 'fair',
    default: 'fair; best for focused orderings',
    help: 'which host goes first: the least served, the one with most waiting, the best head',
    mayChange: NEVER,
  }),
  /** The frontier keeps only the best N; null: all of them. */
  buffer: numberSetting({
    name: 'buffer',
    min: 1,
    preset: null,
    help: 'the frontier keeps only the best N URLs',
    mayChange: NEVER,
  }),
}
