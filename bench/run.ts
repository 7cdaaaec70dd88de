// All benchmarks, one after the other, as Markdown on stdout that can go into the README as it is;
// progress goes to stderr. Prints numbers, asserts nothing, leaves nothing running. Each part is a
// program that can be run alone.
//
//   npm run bench -- --budget [--save]      what a page costs by stage and process (budget/budget.ts)
//   npm run bench [-- --quick] [-- --only NAME] [-- --truth FOLDER] [-- --data FOLDER]
//
// The folder of --truth holds pages with truth (README.md), that of --data a crawl of several hosts:
// without them nothing is said about main content, and about search.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { documentationRoot } from './crawl/webs.ts'
import { machine } from './machine.ts'
import { tableFromLines } from './table.ts'

type Options = {
  readonly quick: boolean
  /** A folder of pages whose main content is known. */
  readonly truth: string | undefined
  /** A data folder with a crawl. */
  readonly data: string | undefined
}

type Part = {
  readonly name: string
  readonly title: string
  readonly file: string
  /** Null when it cannot run with these. */
  args(options: Options): readonly string[] | null
  /** It prints neither Markdown nor JSON: shown as it is. */
  readonly plain?: true
  /** It is stopped after this time: far more than it needs on two slow cores. */
  readonly limitMinutes: number
}

const PARTS: readonly Part[] = [
  {
    name: 'crawl',
    title: 'A crawl from start to end, beside Crawlee',
    file: 'crawl/crawl.ts',
    args: ({ quick }) => (quick ? ['--quick'] : []),
    limitMinutes: 40,
  },
  {
    name: 'stages',
    title: 'Where the time goes, per page',
    file: 'stages.ts',
    args: ({ quick }) => (quick ? ['--quick'] : []),
    limitMinutes: 5,
  },
  {
    name: 'frontier',
    title: 'The frontier, by number of URLs',
    file: 'frontier.ts',
    args: ({ quick }) => [quick ? '100000' : '--full'],
    limitMinutes: 20,
  },
  {
    name: 'orderings',
    title: 'What an ordering costs in the frontier',
    file: 'orderings.ts',
    args: ({ quick }) => (quick ? ['--quick'] : []),
    limitMinutes: 10,
  },
  {
    name: 'graph',
    title: 'The link graph, by number of pages',
    file: 'graph.ts',
    args: ({ quick }) => (quick ? ['--quick'] : []),
    limitMinutes: 5,
  },
  {
    name: 'pagerank',
    title: 'PageRank at scale',
    file: 'pagerank.ts',
    args: ({ quick }) => (quick ? ['--pages', '100000'] : []),
    limitMinutes: 5,
  },
  {
    name: 'parse',
    title: 'The whole parse, beside Readability',
    file: 'parse.ts',
    args: ({ quick }) => (quick ? ['--quick'] : []),
    limitMinutes: 15,
  },
  {
    name: 'extraction',
    title: 'Main content, beside Readability',
    file: 'extraction/extraction.ts',
    args: ({ quick, truth }) =>
      truth === undefined ? null : [truth, ...(quick ? ['--pages', '50'] : [])],
    limitMinutes: 40,
  },
  {
    name: 'links',
    title: 'Links, beside those of parse5',
    file: 'links.ts',
    args: ({ quick }) => ['--pages', quick ? '100' : '1000'],
    limitMinutes: 5,
  },
  {
    name: 'text',
    title: 'Text processing, beside packages that do the same',
    file: 'text.ts',
    args: ({ quick, truth }) => [
      ...(quick ? ['--quick'] : []),
      ...(truth === undefined ? [] : ['--truth', truth]),
    ],
    limitMinutes: 10,
  },
  {
    name: 'html-scanner',
    title: 'Reading HTML',
    file: 'html-scanner.ts',
    args: ({ quick }) => [documentationRoot(), quick ? '60' : '300'],
    plain: true,
    limitMinutes: 5,
  },
  {
    name: 'search',
    title: 'Search: stems and PageRank',
    file: 'search/search.ts',
    args: ({ quick, data }) =>
      data === undefined ? null : [data, ...(quick ? ['--queries', '200'] : [])],
    limitMinutes: 20,
  },
  {
    name: 'search-latency',
    title: 'Search: how long it takes',
    file: 'search-latency.ts',
    args: ({ quick, data }) =>
      data === undefined ? null : [data, ...(quick ? [] : ['--pages', '100000'])],
    limitMinutes: 30,
  },
  {
    name: 'scale',
    title: 'Many machines: what a page costs',
    file: 'scale/scale.ts',
    args: ({ quick }) => (quick ? ['--quick', '--programs', '1'] : []),
    limitMinutes: 15,
  },
  {
    name: 'saturation',
    title: 'Many machines: where one Redis and one PostgreSQL end',
    file: 'scale/saturation.ts',
    args: ({ quick }) => (quick ? ['--seconds', '3', '--processes', '1'] : []),
    limitMinutes: 10,
  },
]

/** How long a part may take to clean up after it was asked to stop. */
const GRACE_MS = 10_000

async function runPart(part: Part, options: Options): Promise<string> {
  const file = join(import.meta.dirname, part.file)
  if (!existsSync(file)) return 'Skipped: this part is not there.'
  const own = part.args(options)
  if (own === null) return 'Skipped: it needs a folder (--truth or --data, see README.md).'
  process.stderr.write(`\n${part.title} …\n`)
  const args = [file, ...own]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_MACHINE_SHOWN: '1' },
  })
  const stop = () => child.kill('SIGTERM')
  process.once('exit', stop)
  const timers = [
    setTimeout(stop, part.limitMinutes * 60_000),
    setTimeout(() => child.kill('SIGKILL'), part.limitMinutes * 60_000 + GRACE_MS),
  ]
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  for (const timer of timers) clearTimeout(timer)
  process.removeListener('exit', stop)
  const note = code === 0 ? '' : `\n\nThis part did not end well (${code ?? 'stopped'}).`
  const text = output.trim()
  return (part.plain ? `\`\`\`\n${text}\n\`\`\`` : tableFromLines(text)) + note
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    truth: { type: 'string' },
    data: { type: 'string' },
    budget: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
})
process.stdout.write(`Machine: ${machine()}\n`)
const BUDGET: Part = {
  name: 'budget',
  title: 'What a page costs, by stage and process',
  file: 'budget/budget.ts',
  args: ({ quick }) => [...(quick ? ['--quick'] : []), ...(values.save ? ['--save'] : [])],
  limitMinutes: 10,
}
for (const part of values.budget ? [BUDGET] : PARTS) {
  if (values.only !== undefined && values.only !== part.name) continue
  const { quick, truth, data } = values
  process.stdout.write(`\n## ${part.title}\n\n${await runPart(part, { quick, truth, data })}\n`)
}
