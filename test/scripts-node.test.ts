import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'jelajah-checkout-'))
  mkdirSync(join(root, 'scripts'))
  const scripts = join(import.meta.dirname, '..', 'scripts')
  for (const name of ['node', 'check-node', 'node-hashes']) {
    copyFileSync(join(scripts, name), join(root, 'scripts', name))
  }
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

test('a Node that npm brought along is not run when its hash is not the known one', () => {
  const brought = join(root, 'node_modules', 'node')
  mkdirSync(join(brought, 'bin'), { recursive: true })
  for (const [version, reason] of Object.entries({ '24.21.0': /unexpected/, '1.2.3': /No hash/ })) {
    writeFileSync(join(brought, 'package.json'), JSON.stringify({ version }))
    writeFileSync(join(brought, 'bin', 'node'), '#!/bin/sh\necho v99.0.0\n', { mode: 0o755 })
    const { stdout, stderr } = run()
    assert.match(stderr, reason)
    assert.equal(stdout, `${process.execPath}\n`)
    assert.equal(existsSync(join(brought, 'bin', 'node')), false)
  }
})

test('an installed package, whose packages are elsewhere, runs', () => {
  const { status, stdout } = run()
  assert.deepEqual([status, stdout], [0, `${process.execPath}\n`])
})
