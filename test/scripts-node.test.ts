import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'jelajah-checkout-'))
  mkdirSync(join(root, 'scripts'))
  const script = join(import.meta.dirname, '..', 'scripts', 'node')
  copyFileSync(script, join(root, 'scripts', 'node'))
})
afterEach(() => rmSync(root, { recursive: true }))

/** With the Node that runs this test as the system's: it is new enough. */
function run() {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  return spawnSync('sh', [join(root, 'scripts', 'node')], { env, encoding: 'utf8' })
}

test('a checkout without its packages asks for npm install', () => {
  for (const mark of ['package-lock.json', '.git']) {
    writeFileSync(join(root, mark), '')
    const { status, stderr, stdout } = run()
    assert.deepEqual([status, stdout], [4, ''])
    assert.match(stderr, /Run 'npm install' in /)
    rmSync(join(root, mark))
  }
})

test('an installed package, whose packages are elsewhere, runs', () => {
  const { status, stdout } = run()
  assert.deepEqual([status, stdout], [0, `${process.execPath}\n`])
})
