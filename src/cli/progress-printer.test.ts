import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../lib/clock.ts'
import { ProgressPrinter, progressLine } from './progress-printer.ts'

test('the line shows how much is done, how long it may take and at what it is', () => {
  assert.equal(progressLine(0, 'tea', 0), `${'░'.repeat(24)} 0 % · tea`)
  const half = `${'█'.repeat(12)}${'░'.repeat(12)}`
  assert.equal(progressLine(0.5, 'tea\u001b[31m', 60_000), `${half} 50 % · 1m 00s left · tea`)
  assert.equal(progressLine(1, 'tea', 60_000), `${'█'.repeat(24)} 100 % · 0s left · tea`)
  assert.match(progressLine(2, 'tea', 10), /100 %/)
})

function printed(stream: { isTTY: boolean; columns?: number }, quiet = false) {
  const lines: string[] = []
  const clock = new ManualClock()
  const write = (text: string) => lines.push(text)
  const printer = new ProgressPrinter({ stream: { ...stream, write }, clock, quiet })
  return { lines, clock, printer }
}

test('on a terminal one line is written over and taken away at the end', () => {
  const { lines, clock, printer } = printed({ isTTY: true, columns: 40 })
  printer.show(0.1, 'a')
  printer.show(0.2, 'too soon after it')
  clock.advance(200)
  printer.show(0.3, 'b'.repeat(100))
  printer.end()
  printer.end()
  assert.equal(lines.length, 3)
  assert.ok(lines.every((line) => line.startsWith('\r\u001b[2K')))
  assert.ok(lines[1]!.length < 45)
  assert.equal(lines[2], '\r\u001b[2K')
})

test('in a log there is a line now and then, and none when it should be quiet', () => {
  const log = printed({ isTTY: false })
  log.printer.show(0.1, 'a')
  log.clock.advance(20_000)
  log.printer.show(0.5, 'a')
  log.printer.end()
  assert.deepEqual(log.lines.length, 1)
  assert.match(log.lines[0]!, /50 % · 20s left · a\n$/)
  const quiet = printed({ isTTY: true }, true)
  quiet.printer.show(0.1, 'a')
  assert.deepEqual(quiet.lines, [])
})
