import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../lib/clock.ts'
import { cells } from '../../lib/terminal.ts'
import { type HostStatus, type Status, StatusPrinter, statusLine } from './status-line.ts'

const NOW = 1_000_000

function host(name: string, stored: number, changes: Partial<HostStatus> = {}): HostStatus {
  return { host: name, stored, queued: 5, trouble: '', restsUntil: NOW, ...changes }
}

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
  hosts: [host('b.test', 300), host('a.test', 900)],
  harvest: null,
}

function line(changes: Partial<Status> = {}): string {
  return statusLine({ ...STATUS, ...changes }, 300, NOW)
}

test('shares of hosts never add up to more than the whole, whoever counts first', () => {
  const hosts = [host('a.test', 29), host('b.test', 18), host('c.test', 5)]
  const text = line({ stored: 50, hosts })
  const shares = [...text.matchAll(/(\d+)%/g)].map((match) => Number(match[1]))
  assert.deepEqual(shares, [55, 34, 9])
  const thirds = line({ stored: 3, hosts: hosts.map((each) => ({ ...each, stored: 1 })) })
  assert.match(thirds, /33%.*33%.*33%/)
})

test('a wide terminal shows everything, the largest host first', () => {
  assert.equal(
    line(),
    '1,200/5,000 pages · 38.0/s · 45,678 queued · 3 failed · ≤ 1m 40s left · a.test 75% b.test 25% ' +
      '· 12 in flight · 250 refused · 12.3 MB · 1m 05s',
  )
})

test('a focused crawl shows its harvest, and that of the last pages once they are not all', () => {
  const harvest = { judged: 1000, hot: 420, recentJudged: 500, recentHot: 185, leftOut: 0 }
  assert.match(line({ harvest }), / · 38.0\/s · harvest 42 % \(last 500: 37 %\) · 45,678 queued/)
  const first = { judged: 40, hot: 1, recentJudged: 40, recentHot: 1, leftOut: 0 }
  assert.match(line({ harvest: first }), / · harvest 2.5 % · /)
  const none = { judged: 0, hot: 0, recentJudged: 0, recentHot: 0, leftOut: 0 }
  assert.doesNotMatch(line({ harvest: none }), /harvest/)
})

test('the default limit is not spoken of before it can be reached', () => {
  const few = { stored: 524, maxPages: 1000, queued: 80 }
  assert.match(line(few), /^524 pages · /)
  assert.match(line({ ...few, queued: 800 }), /^524\/1,000 pages · /)
  assert.match(line({ ...few, maxPages: 2000 }), /^524\/2,000 pages · /)
})

test('a line never is wider than the terminal', () => {
  for (let width = 1; width < 160; width++)
    assert.ok(cells(statusLine(STATUS, width, NOW)) <= width)
})

test('the nearest of time limit and page limit says what is left at most', () => {
  assert.match(line(), / ≤ 1m 40s left /)
  assert.match(line({ durationMs: 75_000 }), / ≤ 10s left /)
  assert.match(line({ durationMs: 1000 }), / ≤ 0s left /)
  assert.match(line({ durationMs: 75_000, pagesPerSecond: 0 }), / ≤ 10s left /)
})

test('a queue that ends before the limit says what is left at least', () => {
  assert.match(line({ queued: 64, inFlight: 12 }), / ≥ 2s left /)
})

test('a crawl that stands still foretells nothing', () => {
  for (const pagesPerSecond of [0, 0.01]) assert.doesNotMatch(line({ pagesPerSecond }), /left/)
})

test('while nothing is in flight it is said which host is waited for', () => {
  const rests = (seconds: number) => ({ restsUntil: NOW + seconds * 1000 })
  const hosts = [
    host('late.test', 9, rests(7200)),
    host('localhost:8191', 1, { ...rests(3540), trouble: 'http-503' }),
    host('done.test', 5, { queued: 0 }),
  ]
  const idle = { pagesPerSecond: 0, inFlight: 0, hosts }
  assert.match(line(idle), / · waiting for localhost:8191, 59m 00s \(http-503\) · /)
  assert.doesNotMatch(line({ ...idle, inFlight: 1 }), /waiting/)
  assert.doesNotMatch(line({ ...idle, queued: 0 }), /waiting/)
  assert.doesNotMatch(line({ ...idle, hosts: [host('a.test', 1, rests(1))] }), /waiting/)
})

test('a host name cannot reach the terminal', () => {
  const hosts = [host('\x1b[31mevil\x07', 1), host('b', 1)]
  assert.doesNotMatch(line({ hosts }), /[\x00-\x1f]/)
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

test('what is done besides crawling is shown at once on a terminal, in a log when it takes long', () => {
  const live = printer(true)
  live.printer.busy('building the topic')
  assert.deepEqual(live.written, ['\r\x1b[2Kbuilding the topic'])
  const plain = printer(false)
  plain.printer.busy('fetching 1')
  plain.clock.advance(5000)
  plain.printer.busy('fetching 2')
  assert.deepEqual(plain.written, ['fetching 2\n'])
})

test('quiet is quiet', () => {
  const { printer: quiet, written, clock } = printer(true, true)
  clock.advance(10_000)
  quiet.show(STATUS)
  quiet.notice('x')
  quiet.busy('x')
  quiet.end()
  assert.deepEqual(written, [])
})

test('of a crawl that is gone over again it shows what was looked at, and what is left', () => {
  const revisits = { done: 240, of: 1000 }
  const shown = line({ revisits, queued: 0, inFlight: 0, failed: 0 })
  assert.match(shown, /^1,200\/5,000 pages · 240 of 1,000 looked at again · 38\.0\/s · ≥ 20s left/)
  assert.match(line({ revisits, queued: 7 }), / · 7 queued · /)
})
