// The quick part of the hostile web. All of it: `npm run hostile`.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { CATALOGUE } from './catalogue/index.ts'

test('every case has a name of its own and says what it is about', () => {
  const ids = CATALOGUE.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(ids.length, 220)
  for (const { id, does, holds } of CATALOGUE) {
    assert.match(id, /^[A-Z]\d{1,2}$/)
    assert.ok(does !== '' && holds !== '')
  }
})

test('what the hostile web does is survived', async (t) => {
  const run = [join(import.meta.dirname, 'run.ts'), '--quick', '--json']
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...run], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, verdict, seen } = JSON.parse(line)
    const { does = '' } = CATALOGUE.find((one) => one.id === id) ?? {}
    const skip = verdict === 'cannot be shown here' ? seen : false
    await t.test(`${id}: ${does}`, { skip }, () => assert.notEqual(verdict, 'fails', seen))
  }
})
