// How much of the main content of real pages is found, and how much else: Jelajah's parser beside
// Mozilla's Readability, on pages whose true content is known. Prints figures, asserts nothing.
//
//   sh scripts/node bench/extraction/extraction.ts FOLDER
//     [--sets A,B] [--only jelajah|readability] [--pages N] [--json]
import { parseArgs } from 'node:util'
import { InvalidInput } from '../../src/core/errors.ts'
import { machine } from '../machine.ts'
import { type PageSet, readSets } from './data.ts'
import { EXTRACTORS, type Extractor, ExtractorProcess } from './extractors.ts'
import { lostOverall, meanOverKinds, type Outcome, reportOf } from './report.ts'
import type { Answer } from './runner.ts'
import { figuresOf, type Result } from './score.ts'

const USAGE =
  'usage: bench/extraction/extraction.ts FOLDER [--sets A,B] [--only jelajah|readability] [--pages N] [--json]'
/** So many pages are read before the clock counts: the first ones are compiled, not measured. */
const WARM_UP_PAGES = 30
const NOTHING = { text: '', title: '', author: '', date: '', description: '', lang: '', kind: '' }

type Options = {
  readonly sets: readonly PageSet[]
  readonly extractors: readonly Extractor[]
  readonly json: boolean
}

async function runSet(set: PageSet, extractor: Extractor): Promise<Outcome> {
  using running = new ExtractorProcess(extractor)
  for (const page of set.pages.slice(0, WARM_UP_PAGES)) await running.answer(page)
  const results: Result[] = []
  for (const truth of set.pages) {
    const { file, url } = truth
    const answer = await running.answer({ file, url })
    if (!answer.ok) process.stderr.write(`${extractor.name}, ${file}: ${answer.reason}\n`)
    results.push({ truth, ...taken(answer) })
  }
  const kinds = Map.groupBy(results, ({ truth }) => truth.kind)
  const byKind = [...kinds].map(([kind, group]) => [kind, figuresOf(set, group)] as const)
  return {
    extractor: extractor.name,
    all: figuresOf(set, results),
    byKind: new Map(byKind.sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function taken(answer: Answer): Pick<Result, 'extracted' | 'cpuMs'> {
  if (!answer.ok) return { extracted: NOTHING, cpuMs: null }
  return { extracted: answer.extracted, cpuMs: answer.cpuMs }
}

function plainOf(outcome: Outcome): Record<string, unknown> {
  const { extractor, all, byKind } = outcome
  const plain = (figures: typeof all) => ({ ...figures, about: Object.fromEntries(figures.about) })
  const kinds = [...byKind].map(([kind, figures]) => [kind, plain(figures)])
  const mean = byKind.size > 1 ? { f1OverKinds: meanOverKinds(outcome) } : {}
  return { extractor, ...plain(all), ...mean, byKind: Object.fromEntries(kinds) }
}

async function main({ sets, extractors, json }: Options): Promise<void> {
  const everything: Outcome[] = []
  const plain: Record<string, unknown> = {}
  for (const set of sets) {
    const outcomes: Outcome[] = []
    for (const extractor of extractors) {
      process.stderr.write(`${set.name}: ${extractor.name} …\n`)
      outcomes.push(await runSet(set, extractor))
    }
    everything.push(...outcomes)
    plain[set.name] = { metric: set.metric, results: outcomes.map(plainOf) }
    if (!json) process.stdout.write(`\n${reportOf(set, outcomes)}\n`)
  }
  if (json) process.stdout.write(`${JSON.stringify({ machine: machine(), sets: plain })}\n`)
  else if (sets.length > 1) process.stdout.write(`\n${lostOverall(everything)}\n`)
}

function decodeOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sets: { type: 'string' },
      only: { type: 'string' },
      pages: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1) throw new InvalidInput('arguments', USAGE)
  const chosen = EXTRACTORS.filter(
    ({ name }) => values.only === undefined || name.toLowerCase() === values.only,
  )
  if (chosen.length === 0) throw new InvalidInput('--only', USAGE)
  const limit = values.pages === undefined ? Number.POSITIVE_INFINITY : Number(values.pages)
  if (!(limit >= 1)) throw new InvalidInput('--pages', 'wanted is a number of at least 1')
  const sets = readSets(folder, values.sets?.split(',') ?? null)
  return {
    sets: sets.map((set) => ({ ...set, pages: spread(set.pages, limit) })),
    extractors: chosen.filter(isThere),
    json: values.json,
  }
}

function isThere(extractor: Extractor): boolean {
  const why = extractor.missing()
  if (why !== null) process.stderr.write(`Without ${extractor.name}: ${why}\n`)
  return why === null
}

/** Some of a list, from all over it. */
function spread<T>(list: readonly T[], limit: number): T[] {
  const step = Math.max(1, list.length / limit)
  return Array.from(
    { length: Math.min(limit, list.length) },
    (_, at) => list[Math.floor(at * step)],
  ).filter((one) => one !== undefined)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
try {
  const options = decodeOptions()
  if (!options.json && !process.env.BENCH_MACHINE_SHOWN) {
    process.stdout.write(`Machine: ${machine()}\n`)
  }
  await main(options)
} catch (error) {
  if (!(error instanceof InvalidInput || error instanceof TypeError)) throw error
  const at = error instanceof InvalidInput ? `${error.at}: ` : ''
  process.stderr.write(`${at}${error.message}\n`)
  process.exit(2)
}
