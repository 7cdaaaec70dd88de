// How much is loaded before a command does anything. Budgets that only go down.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '../src/cli/commands.ts'

/** Modules that `--version` and `--help` load. */
const MAX_AT_START = 14
/** Modules that `--help` of any one command loads: that of `crawl` names every ordering with its options. */
const MAX_FOR_HELP = 73

const MAIN = join(import.meta.dirname, '../src/main/jelajah.ts')
/** Counts the files that are loaded as modules, and prints the number at the end. */
const COUNTER = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  import { writeSync } from 'node:fs'
  let count = 0
  registerHooks({ load(url, context, next) {
    if (url.startsWith('file:')) count++
    return next(url, context)
  } })
  process.on('exit', () => writeSync(2, String(count)))
`)}`

function modulesFor(...argv: string[]): number {
  const { stderr, status } = spawnSync(process.execPath, ['--import', COUNTER, MAIN, ...argv], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return Number(stderr)
}

test('the version and the general help load no command', () => {
  for (const flag of ['--version', '--help']) {
    const count = modulesFor(flag)
    assert.ok(count > 1 && count <= MAX_AT_START, `${flag} loads ${count} modules`)
  }
})

test('the help of a command loads its flags, not what the command does', () => {
  // The heaviest, and one that reads stored pages; others are like one of them.
  const sizes = ['crawl', 'search'].map((name) => ({ name, count: modulesFor(name, '--help') }))
  assert.ok(COMMANDS.length > sizes.length)
  for (const { name, count } of sizes) {
    assert.ok(count <= MAX_FOR_HELP, `${name} --help loads ${count} modules`)
  }
})
