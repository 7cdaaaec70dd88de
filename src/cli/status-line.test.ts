import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../lib/clock.ts'
import { cells } from '../lib/terminal.ts'
import { type Status, secondsLeft, statusLine } from './status-line.ts'
import { StatusPrinter } from './status-printer.ts'

const STATUS: Status = {
  stored: 1200,
  maxPages: 5000,
  pagesPerSecond: 38,
  queued: 45_678,
  inFlight: 12,
  failed: 3,
  refused: 250,
  bytes: 12_345_678,
  elapsedMs: 65_000,
  durationMs: null,
  hosts: [
    { host: 'b.test', stored: 300 },
    { host: 'a.test', stored: 900 },
  ],
}

test('a wide terminal shows everything, the largest host first', () => {
  assert.equal(
    statusLine(STATUS, 200),
    '1,200/5,000 pages · 38.0/s · 45,678 queued · 3 failed · ≤ 1m 40s left · a.test 75% b.test 25% ' +
      '· 12 in flight · 250 refused · 12.3 MB · 1m 05s',
  )
})

test('a line never is wider than the terminal', () => {
  for (let width = 1; width < 160; width++) assert.ok(cells(statusLine(STATUS, width)) <= width)
})

test('the nearest of time limit and page limit says what is left', () => {
  assert.equal(secondsLeft(STATUS), 100)
  assert.equal(secondsLeft({ ...STATUS, durationMs: 75_000 }), 10)
  assert.equal(secondsLeft({ ...STATUS, pagesPerSecond: 0 }), null)
  assert.equal(secondsLeft({ ...STATUS, durationMs: 1000 }), 0)
})

test('a host name cannot reach the terminal', () => {
  const hosts = [
    { host: '\x1b[31mevil\x07', stored: 1 },
    { host: 'b', stored: 1 },
  ]
  assert.doesNotMatch(statusLine({ ...STATUS, hosts }, 300), /[\x00-\x1f]/)
})

function printer(isTTY: boolean, quiet = false) {
  const clock = new ManualClock()
  const written: string[] = []
  const stream = { isTTY, columns: 60, write: (text: string) => written.push(text) }
  return { clock, written, printer: new StatusPrinter({ stream, clock, quiet }) }
}

test('on a terminal one line is drawn over and over, and notices stay above it', () => {
  const { printer: live, written, clock } = printer(true)
  live.show(STATUS)
  live.show(STATUS)
  clock.advance(1000)
  live.show(STATUS)
  live.notice('parser died\x1b[2J')
  live.end()
  assert.equal(written.length, 4)
  assert.match(written[0]!, /^\r\x1b\[2K1,200.{0,58}$/)
  assert.match(written[2]!, /^\r\x1b\[2Kparser died\n1,200/)
  assert.equal(written[3], '\r\x1b[2K')
})

test('in a pipe a plain line comes every few seconds', () => {
  const { printer: plain, written, clock } = printer(false)
  for (let second = 0; second <= 10; second++) {
    plain.show(STATUS)
    clock.advance(1000)
  }
  plain.end()
  assert.equal(written.length, 2)
  assert.match(written[0]!, /^1,200\/5,000 pages .*\n$/)
})

test('quiet is quiet', () => {
  const { printer: quiet, written, clock } = printer(true, true)
  clock.advance(10_000)
  quiet.show(STATUS)
  quiet.notice('x')
  quiet.end()
  assert.deepEqual(written, [])
})
