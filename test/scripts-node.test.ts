import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
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

/** The compile cache that a command gets with this environment; '' when it gets none. */
function cacheWith(changed: Readonly<Record<string, string>>): string {
  const { NODE_COMPILE_CACHE: _, XDG_CACHE_HOME: __, ...rest } = process.env
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const script = join(root, 'scripts', 'node')
  const code = 'process.stdout.write(process.env.NODE_COMPILE_CACHE ?? "")'
  const env = { ...rest, PATH, HOME: root, ...changed }
  return spawnSync('sh', [script, '-e', code], { env, encoding: 'utf8' }).stdout
}

test("the compile cache is in the user's own cache folder, for this user alone", () => {
  const cache = cacheWith({})
  assert.equal(cache, join(root, '.cache', 'jelajah', 'compiled'))
  for (const path of [cache, dirname(cache)]) assert.equal(statSync(path).mode & 0o777, 0o700)
  assert.equal(
    cacheWith({ XDG_CACHE_HOME: join(root, 'c') }),
    join(root, 'c', 'jelajah', 'compiled'),
  )
  assert.equal(cacheWith({ HOME: '' }), '')
})

test('a cache folder that others can write, or that is only a link, is not used', () => {
  const cache = cacheWith({})
  const paths = { [cache]: 0o770, [dirname(cache)]: 0o707, [join(root, '.cache')]: 0o720 }
  for (const [path, mode] of Object.entries(paths)) {
    chmodSync(path, mode)
    assert.equal(cacheWith({}), '', path)
    chmodSync(path, 0o700)
  }
  assert.equal(cacheWith({}), cache)
  rmSync(cache, { recursive: true })
  mkdirSync(join(root, 'elsewhere'), { mode: 0o700 })
  symlinkSync(join(root, 'elsewhere'), cache)
  assert.equal(cacheWith({}), '')
})

const needsRoot = { skip: process.geteuid?.() !== 0 && 'only root can give files away' }

test('a cache folder that another user planted is not used', needsRoot, () => {
  const planted = join(root, 'planted')
  mkdirSync(planted, { mode: 0o700 })
  lchownSync(planted, 65_534, 65_534)
  assert.equal(cacheWith({ NODE_COMPILE_CACHE: planted }), '')
  mkdirSync(join(root, '.cache', 'jelajah', 'compiled'), { recursive: true, mode: 0o700 })
  lchownSync(join(root, '.cache', 'jelajah', 'compiled'), 65_534, 65_534)
  assert.equal(cacheWith({}), '')
  // Nor is one made in the home of somebody else.
  rmSync(join(root, '.cache'), { recursive: true })
  mkdirSync(join(root, '.cache'), { mode: 0o700 })
  lchownSync(join(root, '.cache'), 65_534, 65_534)
  assert.equal(cacheWith({}), '')
  assert.equal(statSync(join(root, '.cache', 'jelajah'), { throwIfNoEntry: false }), undefined)
})

test('a cache that the user named is used where nobody else can write it or take it away', () => {
  const named = join(root, 'named')
  assert.equal(cacheWith({ NODE_COMPILE_CACHE: named }), named)
  assert.equal(statSync(named).mode & 0o777, 0o700)
  chmodSync(named, 0o777)
  assert.equal(cacheWith({ NODE_COMPILE_CACHE: named }), '')
  const open = join(root, 'open')
  mkdirSync(join(open, 'named'), { recursive: true, mode: 0o700 })
  chmodSync(open, 0o777)
  assert.equal(cacheWith({ NODE_COMPILE_CACHE: join(open, 'named') }), '')
  chmodSync(open, 0o1777)
  assert.equal(cacheWith({ NODE_COMPILE_CACHE: join(open, 'named') }), join(open, 'named'))
})
