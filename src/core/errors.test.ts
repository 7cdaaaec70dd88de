import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { moduleProblem } from './errors.ts'

const folder = mkdtempSync(join(tmpdir(), 'module-problem-'))
after(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}')
// Node tells of a package that says CommonJS and of modules in it; that is not for these tests.
process.removeAllListeners('warning')

function problemOf(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  try {
    createRequire(path)(path)
  } catch (error) {
    return moduleProblem(error)
  }
  return 'none'
}

test('a syntax error in TypeScript is reported with its line', () => {
  assert.match(problemOf('own.mts', '// mine\nexport default { name: "x" about }\n'), /^line 2: /)
})

test('a syntax error in JavaScript is reported with the command that shows its line', () => {
  const said = problemOf('own.mjs', 'export default { name: "x" about }\n')
  assert.equal(said, "Unexpected identifier 'about' (node --check with this file shows where)")
})

test('a module that package.json makes CommonJS is told how to become one', () => {
  for (const name of ['own.ts', 'own.js'])
    assert.match(
      problemOf(name, 'export default {}'),
      /write "type": "module" there, or end its name with \.mts/,
    )
})

test('what a module throws is reported as it is, in one line', () => {
  assert.equal(problemOf('thrown.mjs', 'throw new Error("no luck\\nat all")'), 'no luck')
  assert.equal(moduleProblem('nothing'), 'nothing')
})
