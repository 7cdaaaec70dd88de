// Runs test files, the longest first: `run-all.ts PATTERN…`. Those of `test/` start processes that wait for each
// other and for hosts, so two processors have room for four files; the short ones fill the end.
import { globSync } from 'node:fs'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

const TIMEOUT_MS = 300_000
const AT_A_TIME = 4
/** Files of `test/` that take half a minute or more. */
const LONGEST =
  /dispatcher|crawl\.test|serve\.test|kill\.test|browser\/|faults|hostile\/|package\.test|workers/

const files = process.argv
  .slice(2)
  .flatMap(filesOf)
  .toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))

run({ files, concurrency: AT_A_TIME, timeout: TIMEOUT_MS })
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .compose(new spec())
  .pipe(process.stdout)

function filesOf(pattern: string): readonly string[] {
  const found = globSync(pattern, { exclude: ['**/node_modules/**'] })
  if (found.length === 0) throw new Error(`there is no test ${pattern}`)
  return found
}

function rank(file: string): number {
  if (!file.startsWith('test/')) return 2
  return LONGEST.test(file) ? 0 : 1
}
