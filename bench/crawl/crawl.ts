// Jelajah and Crawlee crawl the same webs from the same server, one after the other; what is
// printed is measured on both in this run. Asserts nothing, but says when the page sets differ.
//
//   sh scripts/node bench/crawl/crawl.ts [--quick] [--rounds N] [--only jelajah|crawlee] [--keep]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { machine } from '../machine.ts'
import { type Crawler, crawlee, jelajah } from './crawlers.ts'
import { meter } from './meter.ts'
import { freePort, type Server, serve } from './nginx.ts'
import { provide } from './packages.ts'
import { median, type Run, tableOf } from './report.ts'
import { NGINX, WEBS, type Web } from './webs.ts'

/** One crawl may take this long; several times what Crawlee needs for the largest web. */
const LIMIT_MS = 600_000
const DIFFERENCES_SHOWN = 20

type Options = {
  readonly quick: boolean
  readonly rounds: number
  readonly crawlers: readonly Crawler[]
  readonly keep: boolean
}

async function benchWeb(web: Web, binary: string, options: Options): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'jelajah-bench-'))
  const remove = () => rmSync(work, { recursive: true, force: true })
  if (!options.keep) process.once('exit', remove)
  try {
    const port = await freePort()
    const sites = await web.prepare({ work, port, quick: options.quick })
    await using server = await serve({ binary, sites, port, work })
    const runs = await crawlInTurns(server, work, options)
    process.stdout.write(`\n### ${web.name} (${web.about})\n\n${tableOf(median(runs))}\n\n`)
    process.stdout.write(`${compare(runs)}\n`)
  } finally {
    if (!options.keep) remove()
  }
}

/** In turns, so that a machine that gets slower or faster does so for both. */
async function crawlInTurns(server: Server, work: string, options: Options): Promise<Run[]> {
  const runs: Run[] = []
  for (let round = 1; round <= options.rounds; round++) {
    for (const crawler of options.crawlers) {
      const run = await crawlOnce(crawler, server, join(work, `${crawler.name}-${round}`))
      const { stored, metered } = run
      const { pages } = stored
      const speed = (pages.size / metered.cpuSeconds).toFixed(1)
      process.stderr.write(
        `${crawler.name}, round ${round}: ${pages.size} pages in ${metered.wallSeconds.toFixed(1)} s, ` +
          `${speed} pages per CPU-second\n`,
      )
      runs.push(run)
    }
  }
  return runs
}

async function crawlOnce(crawler: Crawler, server: Server, work: string): Promise<Run> {
  const metered = await meter({ command: crawler.command(server.seeds, work), limitMs: LIMIT_MS })
  if (metered.exitCode !== 0) {
    const end =
      metered.exitCode === null ? 'was killed (time limit?)' : `left with ${metered.exitCode}`
    throw new Error(`${crawler.name} ${end}:\n${metered.stderr.slice(-4000)}`)
  }
  const served = await server.takeLog()
  const stored = crawler.stored(work)
  rmSync(work, { recursive: true, force: true })
  return { crawler: crawler.name, metered, served, stored }
}

function compare(runs: readonly Run[]): string {
  const lines: string[] = []
  const all = new Set(runs.flatMap(({ stored }) => [...stored.pages]))
  for (const [index, run] of runs.entries()) {
    const missed = [...all].filter((url) => !run.stored.pages.has(url)).sort()
    if (missed.length === 0) continue
    lines.push(`Run ${index + 1} (${run.crawler}) lacks ${missed.length} pages that another has:`)
    lines.push(...missed.slice(0, DIFFERENCES_SHOWN).map((url) => `- ${url}`))
  }
  if (lines.length > 0) return lines.join('\n')
  return `All ${all.size} pages were found and stored in every run.`
}

function decodeOptions(): Options & { readonly webs: readonly Web[] } {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      only: { type: 'string' },
      web: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  })
  const chosen = [crawlee, jelajah].filter(
    ({ name }) => values.only === undefined || name.toLowerCase() === values.only,
  )
  const crawlers = chosen.filter((crawler) => {
    const why = crawler.missing()
    if (why !== null) process.stdout.write(`Without ${crawler.name}: ${why}\n`)
    return why === null
  })
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3))
  const webs = WEBS.filter(({ name }) => values.web === undefined || name === values.web)
  return { quick: values.quick, rounds, crawlers, keep: values.keep, webs }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
if (!process.env.BENCH_MACHINE_SHOWN) process.stdout.write(`Machine: ${machine()}\n`)
const options = decodeOptions()
const binary = provide(NGINX)
for (const web of options.webs) await benchWeb(web, binary, options)
