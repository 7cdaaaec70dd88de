import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Plan } from './experiment.ts'
import { writeOutputs } from './outputs.ts'
import { readPlan } from './plan.ts'
import { Baselines, groupBy, summarise, tablesOf } from './results.ts'
import { runExperiment } from './run-experiment.ts'

const top = mkdtempSync(join(tmpdir(), 'jelajah-experiment-'))
after(() => rmSync(top, { recursive: true, force: true }))

const SIMULATED = readPlan(
  `{ "name": "tiny", "kind": "simulate", "web": "sample",
     "options": { "topic": "gempa", "budget": "3%" },
     "factors": { "ordering": ["breadth-first", "shark-search:beta=0.5"] },
     "repeats": 2, "baseline": { "ordering": "breadth-first" }, "stop": ["2%"] }`,
  'tiny.json',
)

async function run(plan: Plan, folder: string, stopAfter = Number.POSITIVE_INFINITY) {
  const controller = new AbortController()
  const ran: number[] = []
  const cells = await runExperiment({
    ...{ plan, folder, cwd: top, signal: controller.signal },
    watcher: {
      onProgress: () => {},
      onNotice: () => {},
      onDone: ({ cell }, seconds) => {
        if (seconds !== null) ran.push(cell.number)
        if (ran.length >= stopAfter) controller.abort(new Error('stopped'))
      },
    },
  }).catch((error: unknown) => (controller.signal.aborted ? [] : Promise.reject(error)))
  const run = { plan, cells, language: 'en', command: 'jelajah experiment tiny.json' } as const
  const notes = { command: `${run.command} --out x`, startedAt: 0, endedAt: 1, seconds: [] }
  if (cells.length > 0) await writeOutputs(folder, run, notes)
  return { cells, ran }
}

function bytesIn(folder: string): Record<string, string> {
  const files = globSync('**/*.{json,csv,tex,svg,html}', { cwd: folder }).sort()
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}

test('an interrupted experiment goes on where it was, and gives the same bytes', async () => {
  const whole = await run(SIMULATED, join(top, 'whole'))
  // The first repeat of every level, then the second.
  assert.deepEqual(whole.ran, [1, 3, 2, 4])
  const first = await run(SIMULATED, join(top, 'cut'), 2)
  assert.deepEqual(first.ran, [1, 3])
  const second = await run(SIMULATED, join(top, 'cut'))
  assert.deepEqual(second.ran, [2, 4])
  assert.deepEqual(bytesIn(join(top, 'cut')), bytesIn(join(top, 'whole')))
})

test('a table has means with intervals, and differences to the baseline', async () => {
  const { cells } = await run(SIMULATED, join(top, 'whole'))
  const [table] = tablesOf(SIMULATED, cells)
  assert.deepEqual(
    table?.rows.map(({ labels }) => labels.ordering),
    ['breadth-first', 'shark-search:beta=0.5'],
  )
  const ref = { measure: 'harvest', of: '', at: '2%' }
  const [base, other] = groupBy(cells, ['ordering']).map((group) =>
    summarise(group, ref, new Baselines(SIMULATED, cells)),
  )
  assert.equal(base?.difference, null)
  assert.ok((other?.mean ?? 0) > (base?.mean ?? 0))
  const difference = (other?.mean ?? 0) - (base?.mean ?? 0)
  assert.ok(Math.abs((other?.difference?.mean ?? 0) - difference) < 1e-9)
})

test('a damaged result is no result: its cell is run again', async () => {
  const folder = join(top, 'whole')
  const [file] = globSync('cells/*.json', { cwd: folder })
  const text = readFileSync(join(folder, file!), 'utf8')
  writeFileSync(join(folder, file!), text.slice(0, 100))
  assert.equal((await run(SIMULATED, folder)).ran.length, 1)
  assert.equal(readFileSync(join(folder, file!), 'utf8'), text)
})

test('a real crawl through the proxy is measured: pages, stages, processes, order and maps', async () => {
  const plan = readPlan(
    `{ "name": "real", "kind": "crawl", "web": { "sample": "campus" }, "maps": true,
       "options": { "topic": "tea", "stopWords": "stop.txt", "pages": 30, "delay": 0, "latency": 1, "bandwidth": 5000,
                    "scope": "any", "workers": 1 },
       "factors": { "ordering": ["breadth-first"] }, "stop": ["1%"] }`,
    'real.json',
  )
  // Files are found beside the plan.
  writeFileSync(join(top, 'stop.txt'), 'the\nof\n')
  const folder = join(top, 'real')
  const { cells } = await run(plan, folder)
  const { result } = cells[0]!
  const value = (measure: string, of = '', at = '') =>
    result.measures.find((m) => m.measure === measure && m.of === of && m.at === at)?.value ?? null
  assert.equal(value('pages'), 30)
  assert.ok(value('p_cs', 'pagerank', '1%') !== null)
  assert.ok(value('harvest') !== null && value('harvest', 'topic') !== null)
  for (const stage of ['download', 'parse', 'queue']) assert.ok(value('stage_ms', stage) !== null)
  if (process.platform === 'linux') assert.ok((value('memory_peak', 'parser') ?? 0) > 10)
  assert.equal(result.maps.length, 4)
  assert.deepEqual(globSync('work', { cwd: folder }), [])
})
