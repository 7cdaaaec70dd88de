// Runs test files, the longest first: `run-all.ts PATTERN…`. Those of `test/` start processes that wait for each
// other and for hosts, so two processors have room for four files; the short ones fill the end.
//
// What fails beside others is run a second time, alone: a test that has lost a race for the processor passes then, a
// defect does not. Such files are named at the end, since each of them has something to be mended.
import { globSync } from 'node:fs'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

const TIMEOUT_MS = 300_000
const AT_A_TIME = 4
/** More files than this do not fail by accident. */
const MOST_AGAIN = 3
/** Files of `test/` that take half a minute or more. */
const LONGEST =
  /dispatcher|crawl\.test|serve\.test|kill\.test|browser\/|faults|hostile\/|package\.test|workers/

const files = process.argv
  .slice(2)
  .flatMap(filesOf)
  .toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))

let failed = await failuresOf(files, AT_A_TIME)
if (failed.length > 0 && failed.length <= MOST_AGAIN && files.length > failed.length) {
  const first = failed
  process.stdout.write(`\nOnce more, alone: ${first.join(', ')}\n`)
  failed = await failuresOf(first, 1)
  const passed = first.filter((file) => !failed.includes(file))
  if (passed.length > 0) process.stdout.write(`\nPassed alone only: ${passed.join(', ')}\n`)
}
if (failed.length > 0) process.exitCode = 1

/** The files with a test that failed. */
async function failuresOf(chosen: readonly string[], atATime: number): Promise<readonly string[]> {
  const found = new Set<string>()
  const results = run({ files: [...chosen], concurrency: atATime, timeout: TIMEOUT_MS })
  results.on('test:fail', ({ file, name }) => void found.add(file ?? name))
  for await (const line of results.compose(new spec())) process.stdout.write(line)
  return [...found]
}

function filesOf(pattern: string): readonly string[] {
  const found = globSync(pattern, { exclude: ['**/node_modules/**'] })
  if (found.length === 0) throw new Error(`there is no test ${pattern}`)
  return found
}

function rank(file: string): number {
  if (!file.startsWith('test/')) return 2
  return LONGEST.test(file) ? 0 : 1
}
