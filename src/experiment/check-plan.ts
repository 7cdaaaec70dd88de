// Checks the measures that a plan names, and the options of every cell by the rules of a crawl, before the first
// cell runs.
import { InvalidInput, shown } from '../core/errors.ts'
import { BadOptions } from '../options/bad-options.ts'
import { SAMPLE_NAMES } from '../simulate/sample/sample-names.ts'
import { SAMPLE_WEBS } from '../simulate/sample/sample-webs.ts'
import type { Choices, Plan } from './experiment.ts'
import { cellsOf } from './grid.ts'
import { measureProblems } from './known-measures.ts'
import { throwProblems } from './plan.ts'
import { replayOptions } from './simulated-cell.ts'
import { readOptions } from './subject.ts'
import { withMadeTopic } from './webs.ts'

type Problem = { readonly at: string; readonly message: string }

/** What the experiment itself decides. */
const REFUSED: Readonly<Record<string, string>> = {
  data: 'results have a folder of their own; what is crawled is "web"',
  frontier: 'cells run in a folder of their own',
  name: 'cells are named after their levels',
  fresh: 'every cell begins from scratch',
  index: 'no cell keeps a search index',
}
const ANY_SEED = 'http://example.com/'

/** InvalidInput with all problems at once. */
export async function checkPlan(plan: Plan, file: string, cwd: string): Promise<void> {
  const problems: Problem[] = measureProblems(plan)
  const checked = new Set<string>()
  const made = plan.web.from === 'sample' ? SAMPLE_WEBS[sampleOf(plan.web.sample)]() : null
  for (const { options } of cellsOf(plan, { cwd })) {
    const text = JSON.stringify(options)
    if (checked.has(text)) continue
    checked.add(text)
    problems.push(...ownProblems(options, plan))
    const whole = plan.kind === 'simulate' ? replayOptions(options) : options
    problems.push(...(await crawlProblems(withMadeTopic(whole, made), plan, cwd)))
  }
  throwProblems(file, problems)
}

function sampleOf(name: string) {
  return SAMPLE_NAMES.find((known) => known === name) ?? SAMPLE_NAMES[0]
}

async function crawlProblems(options: Choices, { web }: Plan, cwd: string): Promise<Problem[]> {
  const own = Object.keys(REFUSED)
  const known = Object.fromEntries(Object.entries(options).filter(([name]) => !own.includes(name)))
  try {
    await readOptions(known, seedsOf(known, web), cwd)
    return []
  } catch (error) {
    if (error instanceof BadOptions) return [...error.problems]
    if (error instanceof InvalidInput) return [{ at: error.at, message: error.message }]
    throw error
  }
}

function seedsOf({ seeds }: Choices, web: Plan['web']): readonly string[] {
  if (Array.isArray(seeds)) return seeds.map(String)
  return web.from === 'seeds' ? web.seeds : [ANY_SEED]
}

function ownProblems(options: Choices, { kind, web }: Plan): Problem[] {
  const problems: Problem[] = []
  for (const [name, why] of Object.entries(REFUSED)) {
    if (Object.hasOwn(options, name))
      problems.push({ at: name, message: `cannot be chosen: ${why}` })
  }
  for (const name of ['bandwidth', 'bandwidthPerConnection'] as const) {
    problems.push(...inRange(name, options[name], { min: 1, max: 10_000_000, of: 'kB/s' }))
  }
  problems.push(...inRange('latency', options.latency, { min: 0, max: 60_000, of: 'ms' }))
  const { budget } = options
  if (budget !== undefined && !/^\d{1,3}(?:\.\d+)?%$/.test(String(budget))) {
    problems.push({ at: 'budget', message: `needs a share such as 20%, not ${shown(budget)}` })
  }
  if (budget !== undefined && kind === 'crawl') {
    problems.push({ at: 'budget', message: 'is for simulated crawls; give maxPages or duration' })
  }
  const isShaped = ['bandwidth', 'bandwidthPerConnection', 'latency'].some((name) =>
    Object.hasOwn(options, name),
  )
  if (isShaped && Object.hasOwn(options, 'proxy')) {
    problems.push({ at: 'proxy', message: 'bandwidth and latency are limited by a proxy of ours' })
  }
  const isMade = web.from === 'sample' || web.from === 'hosts'
  if (isMade && Object.hasOwn(options, 'seeds')) {
    problems.push({ at: 'seeds', message: 'a sample web has seeds of its own' })
  }
  return problems
}

function inRange(
  at: string,
  value: unknown,
  { min, max, of }: { readonly min: number; readonly max: number; readonly of: string },
): Problem[] {
  const isFine = typeof value === 'number' && value >= min && value <= max
  if (value === undefined || isFine) return []
  return [{ at, message: `needs a number of ${of} from ${min} to ${max}, not ${shown(value)}` }]
}
