import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FakeAnswers, FakeWeb, failed, STALE } from '../../test/support/fake-web.ts'
import { canonicalise, originOf } from '../core/url.ts'
import { ManualClock } from '../lib/clock.ts'
import { type RobotsAnswer, robotsBytesWanted } from './robots-answer.ts'
import { fetchRobots, RobotsKeeper } from './robots-keeper.ts'

type Known = Readonly<Record<string, Partial<RobotsAnswer>>>

/** A keeper that has loaded the rules of every origin there is. */
async function keeperOf(known: Known): Promise<RobotsKeeper> {
  const keeper = new RobotsKeeper({
    load: async (url) => ({ status: 'fetched', body: '', ...known[originOf(url)] }),
    maxCrawlDelayMs: 30_000,
    onCrawlDelay: () => {},
  })
  for (const origin of Object.keys(known)) await keeper.rulesFor(canonicalise(`${origin}/x`)!)
  return keeper
}

const SHUT = 'User-agent: *\nDisallow: /'

test('a host is shut when its robots.txt keeps us from the front page or is not given out', async () => {
  const keeper = await keeperOf({
    'http://shut.test': { body: SHUT },
    'https://lost.test': { status: 'unreachable' },
    'http://none.test': { status: 'unavailable' },
    'http://part.test': { body: 'User-agent: *\nDisallow: /private' },
    'http://ours.test': { body: `${SHUT}\nUser-agent: Jelajah\nAllow: /` },
  })
  const shut = ['shut', 'lost', 'none', 'part', 'ours', 'unknown'].map((name) =>
    keeper.shutBy({ host: `${name}.test`, trouble: '' }),
  )
  assert.deepEqual(shut, ['robots', 'robots-unreachable', null, null, null, null])
})

test('a host that cannot be reached is not shut by its robots.txt', async () => {
  const keeper = await keeperOf({
    'http://lost.test': { status: 'unreachable' },
    'http://shut.test': { body: SHUT },
  })
  for (const trouble of ['dns: ENOTFOUND', 'connect: ECONNREFUSED', 'timeout-connect: 9 ms']) {
    assert.equal(keeper.shutBy({ host: 'lost.test', trouble }), null, trouble)
    assert.equal(keeper.shutBy({ host: 'shut.test', trouble }), 'robots', trouble)
  }
  assert.equal(keeper.shutBy({ host: 'lost.test', trouble: 'http-503' }), 'robots-unreachable')
})

test('a host with two origins is shut only when both are', async () => {
  const half = await keeperOf({ 'http://a.test': { body: SHUT }, 'https://a.test': { body: '' } })
  assert.equal(half.shutBy({ host: 'a.test', trouble: '' }), null)
  const whole = await keeperOf({
    'http://a.test': { body: SHUT },
    'https://a.test': { body: SHUT },
  })
  assert.equal(whole.shutBy({ host: 'a.test', trouble: '' }), 'robots')
})

const AT = 'http://a.test/robots.txt'
const moved = (location: string) => ({ status: 301, headers: { location } })

async function answerOf(answers: FakeAnswers) {
  const web = new FakeWeb(new ManualClock(0), answers)
  const answer = await fetchRobots(canonicalise(AT)!, (url) =>
    web.fetch({ url, wants: robotsBytesWanted, onStart: () => {} }),
  )
  return { answer, requests: web.asked.length }
}

test('a robots.txt that moved is read where it is, also on another host', async () => {
  const { answer } = await answerOf({
    [AT]: moved('/r'),
    'http://a.test/r': moved('https://b.test/r'),
    'https://b.test/r': { body: 'Disallow: /' },
  })
  assert.deepEqual(answer, { status: 'fetched', body: 'Disallow: /' })
})

test('after five redirects there is no file', async () => {
  const { answer, requests } = await answerOf({ [AT]: moved(AT) })
  assert.deepEqual([answer?.status, requests], ['unavailable', 6])
})

test('a host that does not answer forbids everything, also behind a redirect', async () => {
  const lost = failed('timeout-connect: 10 s')
  for (const answers of [{ [AT]: lost }, { [AT]: moved('/r'), 'http://a.test/r': lost }]) {
    assert.equal((await answerOf(answers)).answer?.status, 'unreachable')
  }
})

test('a host that the address guard refuses has no file: its pages are refused one by one', async () => {
  const refused = { outcome: 'refused', reason: 'private-address: 10.0.0.1' } as const
  assert.equal((await answerOf({ [AT]: refused })).answer?.status, 'unavailable')
  const behind = { [AT]: moved('http://b.test/r'), 'http://b.test/r': refused }
  assert.equal((await answerOf(behind)).answer?.status, 'unreachable')
})

test('a connection that was closed before any answer teaches nothing', async () => {
  assert.equal((await answerOf({ [AT]: STALE })).answer, null)
})
