// `jelajah demo`: the main job on the bundled sample web, with nothing but this machine, and the
// result held against the truth, which is computed from the web's own link graph.
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { canonicalise } from '../../core/url.ts'
import { IS_BUILT } from '../../lib/module-beside.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { extra, missing, politenessBreaches, twice, wrongStates } from '../../sample-web/checker.ts'
import { type ExpectedCrawl, expectedCrawl } from '../../sample-web/oracle.ts'
import { demoSite } from '../../sample-web/samples.ts'
import { type ServedSite, startSite } from '../../sample-web/server.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { runCrawl } from '../crawl/terminal-crawl.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import type { DemoOptions } from '../reader-commands.ts'

/** Kept, so that there is something to look at afterwards; made anew by each demo. */
const DEMO_FOLDER = 'jelajah-data/demo'
/** Gentle enough to see it work, short enough to watch to the end. */
const DELAY_MS = 40
/**
 * Gaps are measured where requests arrive. On a busy machine one may be held up on its way and the
 * next one not; how long the small web itself stood still is measured, the rest is within this.
 */
const TOLERANCE_MS = 20
const ALL = 1_000_000
/** What a user types: in a checkout there is nothing on the PATH. */
const PROGRAM = IS_BUILT ? 'jelajah' : 'bin/jelajah'

export async function runDemo(options: DemoOptions, out: Output): Promise<ExitCode> {
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
    ...{ seeds, settings, dataDir, topic: null, name: 'demo', fresh: true, warnings: [] },
    refresh: null,
    index: false,
    dryRun: false,
  }
  const code = await runCrawl({ ...options, ...request }, out)
  if (code !== EXIT.done) return code
  const expected = expectedCrawl(site, { seeds, scope: 'domain' })
  const problems = await compare(workspaceOf({ dataDir }), expected, served)
  if (!options.json) await out.write(verdict(problems, expected, dataDir))
  for (const problem of problems.slice(0, 20)) out.warn(`  ${problem}\n`)
  if (problems.length > 0) return EXIT.error
  if (isWatched(options)) {
    await (await import('./demo-server.ts')).serveDemo(dataDir, served.seeds, out)
  }
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
  await using jobs = await workspace.jobStore()
  const job = await jobs.findByName('demo')
  await using reader = await workspace.pageReader()
  if (job === null || reader === null) return ['the crawl left nothing behind']
  await using urlStates = await workspace.ledger(job)
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
