import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runHere } from '../../test/e2e/in-process.ts'
import { parseExperiment } from './experiment.ts'

test('results name the command without what changes no result', () => {
  const argv = 'p.json --out a --quiet -q --json=true --fresh --out=b --set x=1 --repeats 2'
  const parsed = parseExperiment(argv.split(' '), { cwd: '/', env: {}, cores: 2 })
  assert.equal(parsed.madeBy, 'jelajah experiment p.json --set x=1 --repeats 2')
  assert.equal(parsed.command, `jelajah experiment ${argv}`)
})

test('plans that come with the program are listed with what they are about', async () => {
  const { stdout } = await runHere(['experiment'])
  assert.match(stdout, /^ {2}jelajah experiment fixed-time +Pages in a fixed time$/m)
  assert.doesNotMatch(stdout, / $/m)
})
