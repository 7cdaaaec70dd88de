import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { INTERRUPTED, StopSignals } from './stop-signals.ts'

const MODULE = JSON.stringify(join(import.meta.dirname, 'stop-signals.ts'))

/** The output and exit code of a separate process. */
function run(body: string): { readonly out: string; readonly code: number | null } {
  const program = `import { ignoreStopSignals, StopSignals } from ${MODULE}
    const say = (text) => process.stdout.write(text)
    const kill = (signal) => process.kill(process.pid, signal)
    const later = () => new Promise((resolve) => setImmediate(resolve))
    ${body}`
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  return { out: child.stdout + child.stderr, code: child.status }
}

test('the first signal asks to stop, and the process ends by itself', () => {
  const { out, code } = run(`
    using signals = new StopSignals({ onFirst: () => say('asked '), onLeave: () => say('left ') })
    const busy = setInterval(() => {}, 1000)
    const first = signals.first
    kill('SIGTERM')
    await first
    clearInterval(busy)
    say(String(signals.signal.aborted))`)
  assert.deepEqual([out, code], ['asked true', 0])
})

test('the second signal leaves at once, whichever of them it is', () => {
  const { out, code } = run(`
    using signals = new StopSignals({ onLeave: () => say('left') })
    setInterval(() => {}, 1000)
    kill('SIGINT')
    await signals.first
    kill('SIGHUP')
    for (;;) await later()`)
  assert.deepEqual([out, code], ['left', INTERRUPTED])
})

test('what is done with, and what leaves it to its parent, does not hold on to signals', () => {
  const done = run(`
    { using signals = new StopSignals() }
    kill('SIGTERM')
    for (let turn = 0; turn < 1000; turn++) await later()
    say('still there')`)
  assert.deepEqual([done.out, done.code], ['', null])
  const ignoring = run(`
    ignoreStopSignals()
    kill('SIGINT')
    kill('SIGINT')
    for (let turn = 0; turn < 100; turn++) await later()
    say('still there')`)
  assert.deepEqual([ignoring.out, ignoring.code], ['still there', 0])
})

test('something other than a signal can ask to stop', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  using signals = new StopSignals({ stopped: promise })
  assert.equal(signals.signal.aborted, false)
  resolve()
  await signals.first
  assert.equal(signals.signal.aborted, true)
})
