import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { machineFolder, makeMachineFolder } from './machine-folder.ts'

const dir = mkdtempSync(join(tmpdir(), 'jelajah-machine-'))
after(() => rmSync(dir, { recursive: true }))

test('the folder of a place is the same for all who name it, and another for another', () => {
  const env = { XDG_RUNTIME_DIR: dir }
  assert.equal(machineFolder('postgres://a/b', env), machineFolder('postgres://a/b', env))
  assert.notEqual(machineFolder('postgres://a/b', env), machineFolder('postgres://a/c', env))
  assert.equal(dirname(machineFolder('postgres://a/b', env)), dir)
  const cached = { XDG_CACHE_HOME: dir }
  assert.equal(dirname(machineFolder('postgres://a/b', cached)), join(dir, 'jelajah'))
  const home = { HOME: dir }
  assert.equal(dirname(machineFolder('postgres://a/b', home)), join(dir, '.cache', 'jelajah'))
  assert.equal(dirname(machineFolder('postgres://a/b', { HOME: '/nonexistent' })), tmpdir())
})

test('it is made for this user alone, and may be there already', () => {
  const path = join(dir, 'own')
  makeMachineFolder(path)
  makeMachineFolder(path)
  assert.equal(statSync(path).mode & 0o777, 0o700)
})

test('one that others can enter, or that leads elsewhere, is refused', () => {
  const open = join(dir, 'open')
  mkdirSync(open)
  chmodSync(open, 0o755)
  const link = join(dir, 'link')
  symlinkSync(join(dir, 'own'), link)
  for (const path of [open, link]) {
    assert.throws(() => makeMachineFolder(path), { message: /not a folder of this user alone/ })
  }
})
