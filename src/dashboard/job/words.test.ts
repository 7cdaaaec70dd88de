import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAILURES, REFUSALS } from '../../core/visit.ts'
import type { JobHost } from '../../reads/shapes/job.ts'
import { LANGUAGES, language } from '../i18n/i18n.ts'
import { actionsFor, canGoOn, refreshWords, revisitsWords, seedSites } from './job-words.ts'
import { endOf, hostWords, reasonWords } from './reason-words.ts'

const host = (about: Partial<JobHost>): JobHost => ({
  host: 'a.test',
  site: 'a.test',
  condition: 'ready',
  queued: 1,
  in_flight: 0,
  stored: 0,
  failures: 0,
  trouble: '',
  delay_ms: 1000,
  rests_until: 5000,
  ...about,
})

test('every reason a URL can have is said in words, in every language', () => {
  for (const code of LANGUAGES) {
    language.value = code
    for (const reason of [...REFUSALS, ...FAILURES.filter((name) => name !== 'http')]) {
      assert.notEqual(reasonWords(reason), reason)
    }
  }
  language.value = 'en'
  assert.equal(reasonWords('http-404'), 'HTTP 404 Not Found')
  assert.equal(reasonWords('http-599'), 'HTTP 599')
  assert.equal(reasonWords('constructor'), 'constructor')
})

test('a host says until when it waits, and only while that lies ahead', () => {
  assert.match(
    hostWords(host({ condition: 'waiting' }), 1000, true),
    /^Waiting until \d\d:\d\d:05$/,
  )
  assert.equal(hostWords(host({ condition: 'waiting' }), 6000, true), 'Ready')
  assert.match(hostWords(host({ condition: 'slow' }), 1000, true), /^Slow: backing off until/)
})

test('a host that robots.txt keeps us from says which way', () => {
  const words = (trouble: string) => hostWords(host({ condition: 'blocked', trouble }), 0, true)
  assert.equal(words('robots'), 'Blocked by robots.txt')
  assert.equal(words('robots-unreachable'), 'Blocked: its robots.txt is not given out')
  assert.equal(
    words('robots-unreachable: http-503'),
    'robots.txt could not be had (HTTP 503 Service Unavailable)',
  )
})

test('the trouble of a host is reported in words, with what the server says of it', () => {
  const words = (about: Partial<JobHost>) => hostWords(host(about), 1000, true)
  const dns = { condition: 'troubled', trouble: 'dns: ENOTFOUND' } as const
  assert.equal(words(dns), 'Failing: Host name not found (ENOTFOUND)')
  assert.equal(words({ ...dns, trouble: 'Odd: thing' }), 'Failing: Odd: thing')
  const slow = { condition: 'slow', trouble: 'connect: ECONNREFUSED' } as const
  assert.match(words(slow), /^Slow: backing off until .* \(No connection \(ECONNREFUSED\)\)$/)
})

test('fairness is between the sites of the seeds', () => {
  const hosts = [
    { host: 'a.test', site: 'test' },
    { host: 'b.test', site: 'test' },
  ]
  assert.equal(seedSites(['http://a.test/', 'http://b.test/x'], hosts), 1)
  assert.equal(seedSites(['http://a.test/', 'http://c.other/'], hosts), 2)
  assert.equal(seedSites(['not a url', ''], []), 1)
})

test('only what ended at its limit of pages, with more to fetch, is offered more of them', () => {
  const ended = { status: 'completed', stored: 10, max_pages: 10, queued: 3 } as const
  assert.equal(canGoOn(ended), true)
  assert.equal(canGoOn({ ...ended, queued: 0 }), false)
  assert.equal(canGoOn({ ...ended, stored: 9 }), false)
  assert.equal(canGoOn({ ...ended, status: 'stopped' }), false)
})

test('no host of a job at rest is said to be asked soon', () => {
  assert.equal(hostWords(host({ condition: 'waiting' }), 0, false), 'Left in the queue')
  assert.equal(hostWords(host({ condition: 'ready', queued: 0 }), 0, false), 'Done')
  assert.equal(hostWords(host({ condition: 'blocked' }), 0, false), 'Blocked by robots.txt')
})

test('a job that has completed can be looked at again, and says what came of it', () => {
  assert.equal(actionsFor({ status: 'completed', elsewhere: false }).refresh, true)
  assert.equal(actionsFor({ status: 'incomplete', elsewhere: false }).resume, true)
  const running = actionsFor({ status: 'running', elsewhere: false })
  assert.deepEqual([running.refresh, running.stop], [false, true])
  const found = { round: 2, new: 1, changed: 2, gone: 0, unchanged: 9, kept: 3 }
  const refresh = { ...found, not_due: 0, not_yet: 0, unanswered: 3 }
  const title = 'Looking again, round 2'
  const words = '1 new, 2 changed, 0 gone, 9 unchanged, 3 without an answer'
  assert.equal(refreshWords(refresh), `${title}: ${words}`)
  assert.equal(revisitsWords(2, 1), `${title}: 1 URL still to look at`)
})

test('nothing can be asked of a job that another program runs', () => {
  const can = actionsFor({ status: 'running', elsewhere: true })
  assert.deepEqual(Object.values(can).includes(true), false)
})

test('what the user left out is told apart from what was refused', () => {
  const ends = ['scope', 'filter', 'depth', 'robots'].map((code) =>
    endOf({ state: 'refused', code }),
  )
  assert.deepEqual(ends, ['outside', 'outside', 'outside', 'refused'])
  assert.equal(endOf({ state: 'failed', code: 'http-404' }), 'failed')
})
