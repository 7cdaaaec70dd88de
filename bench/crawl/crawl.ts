// Jelajah and other crawlers crawl the same webs from the same server, one after the other; what is
// printed is measured on all of them in this run. Asserts nothing, but says when the page sets differ.
//
//   sh scripts/node bench/crawl/crawl.ts [--quick] [--rounds N] [--only NAME,NAME] [--web NAME] [--times N] [--keep]
//
// `--times 20` crawls the real pages on twenty hosts each. Names: jelajah, links (Jelajah with --parts links),
// crawlee, scrapy, go, goquery, lean; `all` for all of them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { machine } from '../machine.ts'
import { crawlOnce } from './crawl-once.ts'
import { type Crawler, crawlee, jelajah, jelajahLinks } from './crawlers.ts'
import { freePort, type Server, serve } from './nginx.ts'
import { provide } from './packages.ts'
import { go, goquery, lean, scrapy } from './peers.ts'
import { median, type Run, tableOf } from './report.ts'
import { NGINX, WEBS, type Web } from './webs.ts'

const DIFFERENCES_SHOWN = 20
const ALL: readonly Crawler[] = [jelajah, jelajahLinks, lean, go, goquery, scrapy, crawlee]

type Options = {
  readonly quick: boolean
  readonly rounds: number
  readonly times: number
  readonly crawlers: readonly Crawler[]
  readonly keep: boolean
}

async function benchWeb(web: Web, binary: string, options: Options): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'jelajah-bench-'))
  const remove = () => rmSync(work, { recursive: true, force: true })
  if (!options.keep) process.once('exit', remove)
  try {
    const port = await freePort()
    const { quick, times } = options
    const sites = await web.prepare({ work, port, quick, times })
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
      const run = await crawlOnce({ crawler, server, work: join(work, `${crawler.name}-${round}`) })
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
      times: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
    },
  })
  const names = (values.only ?? 'crawlee,jelajah').split(',')
  const chosen = ALL.filter(({ option }) => names.includes('all') || names.includes(option))
  const crawlers = chosen.filter((crawler) => {
    const why = crawler.missing()
    if (why !== null) process.stdout.write(`Without ${crawler.name}: ${why}\n`)
    return why === null
  })
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3))
  const webs = WEBS.filter(({ name }) => values.web === undefined || name === values.web)
  const { quick, keep } = values
  return { quick, rounds, times: Number(values.times), crawlers, keep, webs }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
if (!process.env.BENCH_MACHINE_SHOWN) process.stdout.write(`Machine: ${machine()}\n`)
const options = decodeOptions()
const binary = provide(NGINX)
for (const web of options.webs) await benchWeb(web, binary, options)
