import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccessRecord } from './access-log.ts'
import {
  askedTooOften,
  extra,
  missing,
  type PolitenessRules,
  politenessBreaches,
  requestCounts,
  twice,
  wrongStates,
} from './checker.ts'
import type { ExpectedCrawl } from './oracle.ts'

/** A request, by default to a.test, that took `tookMs`. */
function request(startedAt: number, tookMs: number, path = '/', host = 'a.test'): AccessRecord {
  const endedAt = startedAt + tookMs
  return { host, path, status: 200, startedAt, endedAt, connection: 1, userAgent: 'test' }
}

const RULES = { delayMs: 100, perHost: 1, toleranceMs: 2 }
const kinds = (log: AccessRecord[], rules: PolitenessRules = RULES) =>
  politenessBreaches(log, rules).map((breach) => breach.kind)

const CASES: readonly [string, AccessRecord[], string[]][] = [
  ['an empty log is polite', [], []],
  ['one request is polite', [request(0, 500)], []],
  ['a full delay between starts is polite', [request(0, 10), request(100, 10)], []],
  ['a gap short by less than the tolerance is polite', [request(0, 10), request(98.5, 10)], []],
  ['a gap that is too short is a breach', [request(0, 10), request(90, 10)], ['gap']],
  ['order in the log does not matter', [request(90, 10), request(0, 10)], ['gap']],
  ['another host has its own clock', [request(0, 10), request(1, 10, '/', 'b.test')], []],
  ['two at once are a breach', [request(0, 150), request(120, 10)], ['concurrency']],
  ['an end a moment after the next start is polite', [request(0, 101), request(100, 10)], []],
  [
    'a request that never ends is a breach with each that follows',
    [request(0, 1000), request(120, 10), request(240, 10)],
    ['concurrency', 'concurrency'],
  ],
  ['both at once are both told', [request(0, 150), request(50, 10)], ['gap', 'concurrency']],
  [
    'robots.txt and the page after it count alike',
    [request(0, 5, '/robots.txt'), request(20, 5, '/')],
    ['gap'],
  ],
]

for (const [title, log, breaches] of CASES) {
  test(title, () => assert.deepEqual(kinds(log), breaches))
}

test('more at once may be allowed, and one more than that is a breach', () => {
  const log = [request(0, 500), request(100, 500), request(200, 500)]
  assert.deepEqual(kinds(log, { ...RULES, perHost: 3 }), [])
  assert.deepEqual(kinds(log, { ...RULES, perHost: 2 }), ['concurrency'])
})

test('hosts may have delays of their own', () => {
  const log = ['a.test', 'b.test'].flatMap((host) => [
    request(0, 1, '/', host),
    request(150, 1, '/', host),
  ])
  const delayMs = (host: string) => (host === 'b.test' ? 1000 : 100)
  const breaches = politenessBreaches(log, { ...RULES, delayMs })
  assert.deepEqual(
    breaches.map(({ host, at }) => [host, at]),
    [['b.test', 150]],
  )
})

test('a breach names the requests, their distance and the moment', () => {
  const [breach] = politenessBreaches([request(0, 1, '/one'), request(40, 1, '/two')], RULES)
  assert.equal(breach!.at, 40)
  assert.equal(breach!.detail, '/two came 40.0 ms after /one (100 ms expected)')
})

/** A process that stalled only from one moment to the other. */
const stoodStill = (from: number, to: number) => (lo: number, hi: number) =>
  Math.max(0, Math.min(to, hi) - Math.max(from, lo))

test('a gap is short without a breach when the request before waited to be seen', () => {
  const log = [request(0, 1), request(180, 1), request(200, 1), request(300, 1)]
  assert.deepEqual(kinds(log), ['gap'])
  assert.deepEqual(kinds(log, { ...RULES, unseenMs: stoodStill(95, 180) }), [])
})

test('a gap shorter than the wait before it explains is a breach', () => {
  const log = [request(0, 1), request(180, 1), request(200, 1)]
  assert.deepEqual(kinds(log, { ...RULES, unseenMs: stoodStill(120, 180) }), ['gap'])
  assert.deepEqual(kinds(log, { ...RULES, unseenMs: stoodStill(181, 300) }), ['gap'])
})

test('a crawler that keeps no delay is found though the machine never stops standing still', () => {
  const log = Array.from({ length: 10 }, (_, nth) => request(nth * 5, 1))
  const unseenMs = (from: number, to: number) => to - from
  assert.equal(kinds(log, { ...RULES, unseenMs }).length > 3, true)
})

test('half a delay, kept all the time, is no matter of standing still', () => {
  const log = Array.from({ length: 10 }, (_, nth) => request(nth * 50, 1))
  const unseenMs = (from: number, to: number) => to - from
  assert.equal(kinds(log, { ...RULES, unseenMs }).length > 0, true)
})

test('requests are counted per URL, queries apart, and those above the allowance are reported', () => {
  const log = ['/', '/', '/?a=1', '/'].map((path, at) => request(at, 0, path))
  assert.deepEqual(
    [...requestCounts(log)],
    [
      ['http://a.test/', 3],
      ['http://a.test/?a=1', 1],
    ],
  )
  assert.deepEqual(
    askedTooOften(log, () => 2),
    [{ url: 'http://a.test/', times: 3 }],
  )
  assert.deepEqual(
    askedTooOften(log, (url) => (url.endsWith('/') ? 3 : 1)),
    [],
  )
})

const EXPECTED: ExpectedCrawl = {
  stored: new Set(['/a', '/b']),
  duplicates: new Map([['/b2', ['/b', '/b2']]]),
  redirected: new Map([['/old', '/a']]),
  refused: new Map([['/p', 'robots']]),
  failed: new Map([['/x', 'http-404']]),
}
const row = (url: string, duplicateOf: number | null = null) => ({ url, duplicateOf })

const STORED_CASES: readonly [string, ReturnType<typeof row>[], Record<string, string[]>][] = [
  ['all there is well', [row('/a'), row('/b'), row('/b2', 2)], {}],
  ['any of a group may be the one that is stored', [row('/a'), row('/b2'), row('/b', 2)], {}],
  ['a lost page is missing', [row('/b'), row('/b2', 1)], { missing: ['/a'] }],
  ['a duplicate without a row is missing', [row('/a'), row('/b')], { missing: ['/b2'] }],
  [
    'a group of which all are called duplicates is missing',
    [row('/a'), row('/b', 1), row('/b2', 1)],
    { missing: ['/b'] },
  ],
  ['two stored of one group are twice', [row('/a'), row('/b'), row('/b2')], { twice: ['/b'] }],
  [
    'two rows of one URL are twice',
    [row('/a'), row('/a'), row('/b'), row('/b2', 3)],
    { twice: ['/a'] },
  ],
  [
    'a page that should not be there is extra',
    [row('/a'), row('/b'), row('/b2', 2), row('/p')],
    { extra: ['/p'] },
  ],
  [
    'a page called a duplicate that is none is extra, and missing as itself',
    [row('/a', 2), row('/b'), row('/b2', 2)],
    { extra: ['/a'], missing: ['/a'] },
  ],
]

for (const [title, rows, found] of STORED_CASES) {
  test(title, () => {
    const want = { missing: [], extra: [], twice: [], ...found }
    const got = {
      missing: missing(rows, EXPECTED),
      extra: extra(rows, EXPECTED),
      twice: twice(rows, EXPECTED),
    }
    assert.deepEqual(got, want)
  })
}

const state = (url: string, of: string, reason = '') => ({ url, state: of, reason })
const GOOD_STATES = [
  state('/a', 'stored'),
  state('/b', 'duplicate', '/b2'),
  state('/b2', 'stored'),
  state('/old', 'redirected', '/a'),
  state('/p', 'refused', 'robots: Disallow: /p'),
  state('/x', 'failed', 'http-404'),
]

test('states as expected are well, whatever stands after the code of a reason', () => {
  assert.deepEqual(wrongStates(GOOD_STATES, EXPECTED), [])
})

test('a state not reached, another reason, an unknown URL and a lost one are all told', () => {
  const rows = [
    state('/a', 'queued'),
    ...GOOD_STATES.slice(1, 4),
    state('/p', 'refused', 'scope'),
    state('/new', 'stored'),
  ]
  const wrong = wrongStates(rows, EXPECTED)
  assert.equal(wrong.length, 4)
  for (const url of ['/a', '/p', '/new', '/x']) {
    assert.ok(
      wrong.some((line) => line.startsWith(`${url} `)),
      url,
    )
  }
})
