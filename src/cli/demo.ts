// `jelajah demo`: the main job on the bundled sample web, with nothing but this machine, and the
// result held against the truth, which is computed from the web's own link graph.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { resolve } from 'node:path'
import type { PublicSearch } from '../api/api-deps.ts'
import { canonicalise } from '../core/url.ts'
import { IS_BUILT } from '../lib/module-beside.ts'
import { StopSignals } from '../lib/stop-signals.ts'
import { safeText } from '../lib/terminal.ts'
import { DEFAULT_CEILINGS } from '../options/job-ceilings.ts'
import { type ChosenBy, flag, number } from '../options/option.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { FOLDER } from '../options/workspace.ts'
import type { ExpectedCrawl } from '../sample-web/oracle.ts'
import type { ServedSite } from '../sample-web/server.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Command, readCommand } from './command.ts'
import { JSON_OUTPUT, QUIET, VERBOSE } from './common-options.ts'
import { serveWeb, WEB_PORT } from './demo-web.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { CannotListen } from './serve/listen.ts'
import { PUBLIC_RATE } from './serve/public-options.ts'
import type { OpenServer } from './serve/run-server.ts'
import type { ServeOptions } from './serve/server-parts.ts'
import type { Surroundings } from './sources.ts'

/** Kept, so that there is something to look at afterwards. Each demo starts with an empty one. */
const DEMO_FOLDER = 'jelajah-data/demo'
/** Gentle enough to see it work, short enough to watch to the end. */
const DELAY_MS = 40
/**
 * Gaps are measured where requests arrive. On a busy machine one may be held up on its way and the
 * next one not; how long the small web itself stood still is measured, the rest is within this.
 */
const TOLERANCE_MS = 20
const ALL = 1_000_000
const CRAWL_NAME = 'demo'
/** What a user types: in a checkout there is nothing on the PATH. */
const PROGRAM = IS_BUILT ? 'jelajah' : 'bin/jelajah'

const OPTIONS = [
  FOLDER,
  flag({
    name: 'serve',
    on: true,
    help: 'end with the dashboard on what was crawled, as it does on a terminal',
  }),
  flag({
    name: 'web',
    help: 'only serve the small web, until Ctrl-C, for crawls of your own; guides and lessons use it',
  }),
  number({
    name: 'port',
    min: 0,
    max: 65_535,
    default: String(WEB_PORT),
    help: 'with --web: where it listens; 0: any free port',
  }),
  JSON_OUTPUT,
  QUIET,
  VERBOSE,
] as const

export const command: Command = {
  usage: '[options]',
  options: OPTIONS,
  examples: [
    ['demo', 'takes some seconds, needs no network; then shows the result in the browser'],
    ['demo --no-serve', 'ends by itself, on a terminal too'],
    ['demo --web', 'a web to try things on; crawl it from another terminal'],
  ],
  run: (argv, around, out) => {
    const options = parseDemo(argv, around)
    return options.web ? serveWeb(options, out) : runDemo(options, out)
  },
}

/** On a terminal it ends with the dashboard. */
const DEFAULTS = { json: false, quiet: false, verbose: false, serve: true, web: false }

type DemoOptions = ReturnType<typeof parseDemo>

export function parseDemo(argv: readonly string[], around: Surroundings) {
  const read = readCommand<ChosenBy<typeof OPTIONS>>(OPTIONS, argv, around)
  const { web = false, port = WEB_PORT } = read.chosen
  if (!web && read.args.given.has('port')) {
    read.problems.add('flag', '--port', 'is for the small web alone: give --web as well')
  }
  read.problems.throwIfAny()
  // Only a folder named on the command line: a demo must not land among real crawls.
  const dataDir = read.args.given.has('data') ? read.workspace.dataDir : null
  return { ...DEFAULTS, ...read.chosen, port, dataDir }
}

async function runDemo(options: DemoOptions, out: Output): Promise<ExitCode> {
  const { demoSite } = await import('../sample-web/samples.ts')
  const { expectedCrawl } = await import('../sample-web/oracle.ts')
  const { startSite } = await import('../sample-web/server.ts')
  const { workspaceOf } = await import('../workspace/open-workspace.ts')
  const { runCrawl } = await import('./crawl/run-crawl.ts')
  const site = demoSite()
  await using served = await startSite(site)
  const dataDir = options.dataDir ?? resolve(DEMO_FOLDER)
  if (options.dataDir === null) rmSync(dataDir, { recursive: true, force: true })
  if (!options.json && !options.quiet) {
    const { pages, hosts } = site
    const unlinked = hosts.reduce((sum, host) => sum + host.orphans, 0)
    out.warn(
      `A small web runs on this machine: ${pages + unlinked} pages on ${hosts.length} hosts, ` +
        `${unlinked} of them\n` +
        'known only to sitemaps; beside them copies, redirects, dead links and what robots.txt ' +
        'forbids.\nCrawling it …\n',
    )
  }
  const seeds = served.seeds.map((seed) => canonicalise(seed)).filter((seed) => seed !== null)
  // Its hosts are on this machine, which the address guard would refuse for all but the seeds.
  const settings = { ...DEFAULT_SETTINGS, delayMs: DELAY_MS, allowPrivate: true }
  const request = {
    ...{ seeds, settings, dataDir, topic: null, name: CRAWL_NAME, fresh: true, warnings: [] },
    refresh: null,
    index: false,
    dryRun: false,
    isAnew: true as const,
  }
  const code = await runCrawl({ ...options, ...request }, out)
  if (code !== EXIT.done) {
    if (!options.quiet) out.warn('The demo ended early; the same command begins it anew.\n')
    return code
  }
  const expected = expectedCrawl(site, { seeds, scope: 'domain' })
  const problems = await compare(workspaceOf({ dataDir }), expected, served)
  if (!options.json) await out.write(verdict(problems, expected, dataDir))
  for (const problem of problems.slice(0, 20)) out.warn(`  ${problem}\n`)
  if (problems.length > 0) return EXIT.error
  if (isWatched(options)) await serveDemo(dataDir, served, out)
  return EXIT.done
}

/** A person sits before it and asked for nothing else than to see it. */
function isWatched({ json, quiet, serve }: DemoOptions): boolean {
  return serve && !json && !quiet && process.stdin.isTTY === true && process.stdout.isTTY === true
}

/** Everything in which the crawl and the truth differ; empty when they agree. */
async function compare(
  workspace: Workspace,
  expected: ExpectedCrawl,
  { log, unseenMs }: ServedSite,
): Promise<string[]> {
  const { extra, missing, politenessBreaches, twice, wrongStates } = await import(
    '../sample-web/checker.ts'
  )
  await using jobs = await workspace.jobStore()
  const job = await jobs.findByName(CRAWL_NAME)
  await using reader = await workspace.pageReader()
  if (job === null || reader === null) return ['the crawl left nothing behind']
  await using urlStates = await workspace.urlStates(job)
  const pages = await reader.list({ crawlId: job.id, after: 0, limit: ALL })
  const urls = (await urlStates?.list({ after: 0, limit: ALL })) ?? []
  const rules = { delayMs: DELAY_MS, perHost: 1, toleranceMs: TOLERANCE_MS, unseenMs }
  return [
    ...missing(pages, expected).map((url) => `missing: ${url}`),
    ...extra(pages, expected).map((url) => `stored, but should not be: ${url}`),
    ...twice(pages, expected).map((url) => `stored twice: ${url}`),
    ...wrongStates(urls, expected),
    ...politenessBreaches(log, rules).map(({ host, detail }) => `${host}: ${detail}`),
  ]
}

function verdict(problems: readonly string[], expected: ExpectedCrawl, dataDir: string): string {
  const { stored, duplicates, redirected, refused, failed } = expected
  if (problems.length > 0) return `\nNot as computed: ${problems.length} differences.\n`
  return `
Equal to the truth, computed from the web's own link graph: ${stored.size} pages stored,
${duplicates.size} duplicates, ${redirected.size} redirects, ${refused.size} refused and ${failed.size} failed, each for the expected reason.

${lookAround(dataDir, [...refused.keys()][0] ?? '')}
`
}

export function lookAround(dataDir: string, refused: string): string {
  const lines = [
    `serve --data ${dataDir}     (the dashboard)`,
    `pages --data ${dataDir}`,
    `urls --state refused --data ${dataDir}`,
    `explain ${refused} --data ${dataDir}`,
    `search health clinic --data ${dataDir}`,
    `rank --top 10 --data ${dataDir}`,
    `graph sites --out sites.html --data ${dataDir}     (a map for the browser)`,
    `export --format ndjson --out pages.ndjson --data ${dataDir}`,
  ]
  return ['Look around:', ...lines.map((line) => `  ${PROGRAM} ${line}`)].join('\n')
}

/**
 * Ends the demo on a terminal: serves the dashboard with the crawl that has just finished until Ctrl-C.
 * The sample web stays up for further crawls, and its pages may search the crawl.
 */
export async function serveDemo(
  dataDir: string,
  { seeds, add }: Pick<ServedSite, 'seeds' | 'add'>,
  out: Output,
): Promise<void> {
  const { SEARCH_PAGE, searchPage } = await import('../sample-web/search-page.ts')
  const say = (text: string): void => out.warn(`${text}\n`)
  const log = (text: string): void => say(safeText(`jelajah: ${text}`))
  using signals = new StopSignals({ onLeave: () => say('leaving at once') })
  const publicSearch = searchFor(seeds)
  const server = await openSomewhere({ ...optionsFor(dataDir), publicSearch, log })
  const { key } = publicSearch
  add(SEARCH_PAGE, (host) => searchPage(host, { server: server.url, key, crawl: CRAWL_NAME }))
  say(`
The dashboard shows it, with its pages and maps: ${server.url}
A page of the small web has a search box: ${new URL(SEARCH_PAGE, seeds[0])}
The small web stays up meanwhile. To crawl it again from there, start with any of these:
${seeds.map((seed) => `  ${seed}`).join('\n')}
Ctrl-C ends the demo.`)
  await signals.first
  say('\nstopping')
  await server.close()
}

/** For the pages of the sample web, with a key of this demo alone. */
function searchFor(seeds: readonly string[]): PublicSearch {
  const origins = seeds.map((seed) => new URL(seed).origin)
  const key = randomBytes(16).toString('hex')
  return { origins, crawls: [CRAWL_NAME], key, rate: PUBLIC_RATE }
}

/** On the usual port, or on any that is free. */
async function openSomewhere(
  options: Omit<ServeOptions, 'port'> & { readonly log: (text: string) => void },
): Promise<OpenServer> {
  const { openServer } = await import('./serve/run-server.ts')
  const { DEFAULT_PORT } = await import('./serve/serve.ts')
  try {
    return await openServer({ ...options, port: DEFAULT_PORT })
  } catch (error) {
    if (!(error instanceof CannotListen) || !error.inUse) throw error
    return openServer({ ...options, port: 0 })
  }
}

function optionsFor(dataDir: string): Omit<ServeOptions, 'port'> {
  return {
    host: '127.0.0.1',
    token: null,
    allowedHosts: [],
    trustedProxies: [],
    publicSearch: null,
    synonyms: null,
    // The sample web is on this machine.
    allowPrivate: true,
    connectTo: [],
    dns: [],
    proxies: [],
    plugins: [],
    jobs: Math.max(2, availableParallelism()),
    connections: 128,
    memoryBytes: Math.floor(totalmem() / 2),
    delayMs: null,
    contact: null,
    ceilings: DEFAULT_CEILINGS,
    dataDir,
    json: false,
    quiet: true,
    verbose: false,
  }
}
