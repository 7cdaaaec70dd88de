// `jelajah serve`: its flags, and how they become the options of a server.
import { isIP } from 'node:net'
import { totalmem } from 'node:os'
import { Refused } from '../../core/errors.ts'
import { Problems } from '../../options/bad-options.ts'
import { DEFAULT_CEILINGS, type JobCeilings } from '../../options/job-ceilings.ts'
import { bytes, list, number, type Option, text } from '../../options/option.ts'
import { type CrawlChoices, crawlOptions } from '../../options/options.ts'
import { ORDERING_CHOICES } from '../../ordering/index.ts'
import { parseArgs, refuseWords } from '../args.ts'
import type { Command } from '../command.ts'
import { JSON_OUTPUT, QUIET, VERBOSE } from '../common-options.ts'
import { readOptions, readSources, type Sources, type Surroundings } from '../sources.ts'
import { readSynonyms, SYNONYMS, type SynonymsChoice } from '../synonyms-option.ts'
import {
  openedByHand,
  readWorkspace,
  WORKSPACE_KEYS,
  WORKSPACE_OPTIONS,
} from '../workspace-options.ts'
import { PUBLIC_OPTIONS, type PublicChoices, readPublicSearch } from './public-options.ts'
import type { ServeOptions } from './server-parts.ts'

type OwnChoices = PublicChoices &
  SynonymsChoice &
  Omit<
    ServeOptions,
    | 'allowPrivate'
    | 'connectTo'
    | 'dns'
    | 'proxies'
    | 'delayMs'
    | 'ceilings'
    | 'publicSearch'
    | 'synonyms'
  >

type ServeSurroundings = Surroundings & {
  /** What this machine has, or what it lets us use of it. */
  readonly memoryBytes: number
}

export const DEFAULT_PORT = 8088
const LOOPBACK = '127.0.0.1'
/** Four jobs with as many connections as a job has by default. */
const CONNECTIONS = 128
const MIN_TOKEN = 16
const MIN_MEMORY = 64 * 2 ** 20

export const OWN_OPTIONS: readonly Option<OwnChoices>[] = [
  number({
    name: 'port',
    env: 'PORT',
    min: 0,
    max: 65_535,
    default: String(DEFAULT_PORT),
    help: 'where to listen; 0: any free port',
  }),
  text({
    name: 'host',
    env: 'HOST',
    value: 'ADDRESS',
    default: LOOPBACK,
    help: 'the address to listen on; any but a loopback one needs a token',
    to: (host) => ({ host: addressOf(host) }),
  }),
  text({
    name: 'token',
    env: 'JELAJAH_TOKEN',
    help:
      `what a client must show, at least ${MIN_TOKEN} characters; better in the environment, as others ` +
      'on this machine can see the flags of a process',
    to: (token) => ({ token: tokenOf(token) }),
  }),
  list({
    name: 'allow-host',
    value: 'NAME',
    help: 'a name under which the server is asked, such as that of a proxy before it',
    to: (names) => ({ allowedHosts: names.map(hostNameOf) }),
  }),
  number({
    name: 'jobs',
    min: 1,
    max: 256,
    default: 'as many as cores, at least 2',
    help: 'crawls that run at once; more wait for their turn',
  }),
  number({
    name: 'connections',
    min: 1,
    max: 65_536,
    default: String(CONNECTIONS),
    help: 'requests in flight over all crawls: a crawl waits until its --concurrency fits',
  }),
  bytes({
    name: 'memory',
    min: MIN_MEMORY,
    max: 2 ** 50,
    default: 'half of what this machine has',
    help: 'no further crawl starts while the running ones use more',
    to: (memoryBytes) => ({ memoryBytes }),
  }),
  ...PUBLIC_OPTIONS,
  SYNONYMS,
  ...WORKSPACE_OPTIONS,
  { ...JSON_OUTPUT, help: 'print {"url":…,"pid":…} on stdout when it listens' },
  { ...QUIET, help: 'nothing but errors' },
  VERBOSE,
]

const DAY_MS = 86_400_000
/** The longest time a timer can be set to, in whole seconds. */
const MAX_SECONDS = 2_147_483

/** What a job over HTTP may ask for at most. */
const CEILING_OPTIONS: readonly Option<JobCeilings>[] = [
  number({
    name: 'job-min-delay',
    env: 'JELAJAH_JOB_MIN_DELAY',
    value: 'MS',
    min: 0,
    max: DAY_MS,
    default: String(DEFAULT_CEILINGS.minDelayMs),
    help: 'the smallest delay a job may ask for',
    to: (minDelayMs) => ({ minDelayMs }),
  }),
  number({
    name: 'job-max-pages',
    env: 'JELAJAH_JOB_MAX_PAGES',
    min: 1,
    default: String(DEFAULT_CEILINGS.maxPages),
    help: 'the most pages a job may ask for',
    to: (maxPages) => ({ maxPages }),
  }),
  bytes({
    name: 'job-max-body',
    env: 'JELAJAH_JOB_MAX_BODY',
    min: 1024,
    max: 2 ** 30,
    default: '256MiB',
    help: 'the longest body a job may ask for',
    to: (maxBodyBytes) => ({ maxBodyBytes }),
  }),
  number({
    name: 'job-max-concurrency',
    env: 'JELAJAH_JOB_MAX_CONCURRENCY',
    min: 1,
    max: 4096,
    default: 'as many as --connections',
    help: 'the most requests in flight a job may ask for',
    to: (maxConcurrency) => ({ maxConcurrency }),
  }),
  number({
    name: 'job-max-per-host',
    env: 'JELAJAH_JOB_MAX_PER_HOST',
    min: 1,
    max: 256,
    default: String(DEFAULT_CEILINGS.maxPerHost),
    help: 'the most of them to one host',
    to: (maxPerHost) => ({ maxPerHost }),
  }),
  number({
    name: 'job-max-duration',
    env: 'JELAJAH_JOB_MAX_DURATION',
    value: 'SECONDS',
    min: 1,
    max: MAX_SECONDS,
    default: 'none',
    help: 'the longest time a job may ask for; one that does not say has this',
    to: (seconds) => ({ maxDurationMs: seconds * 1000 }),
  }),
]

/** By `keyOf` their names, for the config file. */
const CEILING_KEYS: readonly string[] = CEILING_OPTIONS.map(({ name }) => name.replaceAll('-', ''))

/** What every job of this server is given, or has unless it says otherwise. */
const JOB_NAMES = ['delay', 'contact', 'allow-private', 'connect-to', 'dns', 'proxy', 'plugin']
const PLUGIN_HELP = 'a module that jobs may ask for by its name, for all its hooks and its ordering'
const JOB_OPTIONS = crawlOptions(ORDERING_CHOICES)
  .filter(({ name }) => JOB_NAMES.includes(name))
  .map((option) => (option.name === 'plugin' ? { ...option, help: PLUGIN_HELP } : option))
  .map(openedByHand)
export const JOB_AND_CEILING_OPTIONS = [...JOB_OPTIONS, ...CEILING_OPTIONS]
/** Keys of the config file that count here; it is written for `crawl`. Only a flag opens doors. */
const FILE_KEYS = [
  ...WORKSPACE_KEYS,
  ...CEILING_KEYS,
  'delay',
  'contact',
  'connectto',
  'dns',
  'proxy',
]

export const command: Command = {
  usage: '[options]',
  options: OWN_OPTIONS,
  more: { title: 'For every crawl it is asked for:', options: JOB_AND_CEILING_OPTIONS },
  examples: [
    ['serve', 'then open http://127.0.0.1:8088 in a browser'],
    ['serve --data ./news --port 9000 --contact you@example.com', 'with the crawls of a folder'],
    ['serve --host 0.0.0.0', 'for other machines: JELAJAH_TOKEN must be set'],
    [
      'serve --data postgres://db/web --frontier redis://cache',
      'the master of workers on other machines: it takes crawls, they fetch',
    ],
    [
      'serve --public-search https://example.org --public-crawl docs --public-key KEY',
      'pages of that site may search that crawl: JELAJAH_TOKEN must be set',
    ],
  ],
  run: async (argv, around, out) => {
    const options = parseServe(argv, { ...around, memoryBytes: usableMemory() })
    const plugins = await checkedPlugins(options, around)
    return (await import('./run-server.ts')).runServe({ ...options, plugins }, out)
  },
}

/** All that is wrong with them is said before the server starts. */
export async function checkedPlugins(
  { plugins }: Pick<ServeOptions, 'plugins'>,
  { cwd }: Pick<ServeSurroundings, 'cwd'>,
): Promise<ServeOptions['plugins']> {
  if (plugins.length === 0) return plugins
  const problems = new Problems()
  const { readPlugins } = await import('../../plugin/read-plugins.ts')
  const known = await readPlugins({ plugins }, cwd, problems)
  problems.throwIfAny()
  return known.plugins ?? []
}

/** A container may have less than its machine. */
export function usableMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

/** `options`: of those that are not for jobs. */
export function parseServe(
  argv: readonly string[],
  around: ServeSurroundings,
  options: readonly Option<OwnChoices>[] = OWN_OPTIONS,
): ServeOptions {
  const problems = new Problems()
  const args = parseArgs(argv, [...options, ...JOB_OPTIONS, ...CEILING_OPTIONS], problems)
  refuseWords(args, 0, problems)
  const sources = readSources(args, around, problems)
  const file = new Map([...sources.file].filter(([key]) => FILE_KEYS.includes(key)))
  const own = readOptions(options, { ...sources, file }, problems)
  const jobs: Partial<CrawlChoices> = readOptions(JOB_OPTIONS, { ...sources, file }, problems)
  const ceilings = readOptions(CEILING_OPTIONS, { ...sources, file }, problems)
  const { frontier: _, publicOrigins, publicCrawls, publicKey, publicRate, ...chosen } = own
  const workspace = readWorkspace(own, { sources, around, problems })
  refuseOpenDoor(own, sources, problems)
  const publicSearch = readPublicSearch(own, sources, problems)
  const synonyms = readSynonyms(own, around.cwd, problems)
  problems.throwIfAny()
  return {
    port: DEFAULT_PORT,
    host: LOOPBACK,
    token: null,
    allowedHosts: [],
    trustedProxies: [],
    jobs: Math.max(2, around.cores),
    connections: CONNECTIONS,
    memoryBytes: Math.max(MIN_MEMORY, Math.floor(around.memoryBytes / 2)),
    json: false,
    quiet: false,
    verbose: false,
    ...chosen,
    ...workspace,
    publicSearch,
    synonyms,
    allowPrivate: jobs.allowPrivate ?? false,
    connectTo: jobs.connectTo ?? [],
    dns: jobs.dns ?? [],
    proxies: jobs.proxies ?? [],
    plugins: jobs.plugins ?? [],
    delayMs: jobs.delayMs ?? null,
    contact: jobs.contact ?? null,
    ceilings: { ...DEFAULT_CEILINGS, ...ceilings },
  }
}

function isLoopbackAddress(host: string): boolean {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** A client that reaches an address other than a loopback one could crawl in our name. */
function refuseOpenDoor(
  { host = LOOPBACK }: Partial<OwnChoices>,
  { locations }: Sources,
  problems: Problems,
): void {
  // A token that is not fit for use is a problem of its own.
  if (isLoopbackAddress(host) || locations.has('token')) return
  problems.add(
    'flag',
    '--host',
    `others can reach ${host}: set JELAJAH_TOKEN to a secret of at least ${MIN_TOKEN} characters ` +
      '(openssl rand -hex 16 makes one), or leave the address out to serve this machine alone',
  )
}

function addressOf(written: string): string {
  const bare = written.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (isIP(bare) !== 0) return bare
  // The meaning of `localhost` is not left to a hosts file.
  if (bare === 'localhost') return LOOPBACK
  if (/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(bare)) return bare
  throw new Refused('needs an address such as 127.0.0.1 or ::1, or a name')
}

/** Never shown, not even when it is wrong. */
function tokenOf(token: string): string {
  if (/^[!-~]{16,512}$/.test(token)) return token
  throw new Refused(`needs ${MIN_TOKEN} to 512 letters, digits and signs without spaces`)
}

function hostNameOf(written: string): string {
  const url = URL.parse(`http://${written}`)
  if (url !== null && url.host !== '' && /^[^/?#@\\\s]+$/.test(written)) {
    // The port of the scheme is a port as well, and `URL` would drop it.
    return /:80$/.test(written) ? `${url.hostname}:80` : url.host
  }
  throw new Refused('needs a name such as crawler.example.org, with a port where it has one')
}
