import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { asStranger } from '../../test/support/as-stranger.ts'
import { refuseExisting, writeAtomically } from './atomic-write.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'jelajah-whole-'))
})
afterEach(() => {
  chmodSync(dir, 0o700)
  rmSync(dir, { recursive: true })
})

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts
}

test('a file is there whole, in the place of the one before', async () => {
  const path = join(dir, 'map.svg')
  writeFileSync(path, 'before')
  assert.equal(await writeAtomically(path, pieces('one ', 'two')), 7)
  assert.equal(readFileSync(path, 'utf8'), 'one two')
  assert.deepEqual(readdirSync(dir), ['map.svg'])
})

test('what fails on its way leaves everything as it was', async () => {
  const path = join(dir, 'map.svg')
  writeFileSync(path, 'before')
  const failing = async function* () {
    yield 'one'
    throw new RangeError('no more')
  }
  await assert.rejects(writeAtomically(path, failing()), RangeError)
  assert.equal(readFileSync(path, 'utf8'), 'before')
  assert.deepEqual(readdirSync(dir), ['map.svg'])
})

test('a link where it is written on its way is not followed', async () => {
  const path = join(dir, 'map.svg')
  const victim = join(dir, 'victim')
  writeFileSync(victim, 'untouched')
  symlinkSync(victim, `${path}.part-${process.pid}`)
  await writeAtomically(path, pieces('one'))
  assert.deepEqual([readFileSync(victim, 'utf8'), readFileSync(path, 'utf8')], ['untouched', 'one'])
})

test('a place where nothing can be is refused in words', async () => {
  writeFileSync(join(dir, 'file'), '')
  symlinkSync('loop', join(dir, 'loop'))
  mkdirSync(join(dir, 'closed'), { mode: 0 })
  const refused = (name: string) => () => refuseExisting(join(dir, name), { force: false })
  const cases: readonly (readonly [name: string, message: RegExp])[] = [
    ['file', /there already; --force/],
    ['closed', /is a folder/],
    ['none/map.svg', /there is no folder/],
    ['file/map.svg', /there is no folder/],
    ['loop', /cannot be written/],
  ]
  for (const [name, message] of cases) {
    assert.throws(refused(name), { name: 'InvalidInput', message }, name)
  }
  await asStranger(dir, () => {
    const message = /cannot be written/
    assert.throws(refused('closed/map.svg'), { name: 'InvalidInput', message })
  })
})

test('a folder that lets nobody write is named, not the file on its way there', async () => {
  await asStranger(dir, async () => {
    const message = `nothing can be written into the folder ${dir}`
    const written = writeAtomically(join(dir, 'map.svg'), pieces('one'))
    await assert.rejects(written, { name: 'InvalidInput', message })
  })
})
