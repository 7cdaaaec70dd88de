import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { lockIsHeld, openLock, waitForLock } from './lock.ts'

const dir = mkdtempSync(join(tmpdir(), 'jelajah-lock-'))
after(() => rmSync(dir, { recursive: true }))

let path = ''
let turn = 0
beforeEach(() => {
  path = join(dir, `${turn++}`, 'run', 'a.lock')
})

test('a lock that is held is not given to another, and is free again when let go', async () => {
  const lock = await openLock(path)
  assert.ok(lock)
  assert.equal(await openLock(path), null)
  assert.equal(await lockIsHeld(path), true)
  await lock[Symbol.asyncDispose]()
  assert.equal(await lockIsHeld(path), false)
  const again = await openLock(path)
  assert.ok(again)
  await again[Symbol.asyncDispose]()
})

test('looking at a lock that never was leaves nothing behind', async () => {
  assert.equal(await lockIsHeld(path), false)
  assert.equal(existsSync(path), false)
})

test('looking at a lock does not take it', async () => {
  await (await openLock(path))?.[Symbol.asyncDispose]()
  assert.equal(await lockIsHeld(path), false)
  await using lock = await openLock(path)
  assert.ok(lock)
})

test('the lock of a killed process is free, and who waited for it gets it', async () => {
  const holder = await spawnHolder(path)
  assert.equal(await openLock(path), null)
  const waited = waitForLock(path, 20_000)
  holder.kill('SIGKILL')
  await using lock = await waited
  assert.ok(lock)
  assert.equal(await openLock(path), null)
})

test('waiting ends without the lock when the time is over', async () => {
  await using _held = await openLock(path)
  await assert.rejects(waitForLock(path, 0), { code: 'store-busy' })
})

test('a folder that cannot be made is an error in our words', async () => {
  await assert.rejects(openLock('/dev/null/run/a.lock'), { code: 'store-unreachable' })
})

async function spawnHolder(path: string): Promise<ChildProcess> {
  const script = `
    const { openLock } = await import(${JSON.stringify(join(import.meta.dirname, 'lock.ts'))})
    globalThis.lock = await openLock(${JSON.stringify(path)})
    process.stdout.write(globalThis.lock ? 'held' : 'refused')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout!, 'data')
  assert.equal(String(said), 'held')
  return child
}
