import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FakeAnswers, FakeWeb, failed, STALE } from '../../test/support/fake-web.ts'
import { canonicalise } from '../core/url.ts'
import { ManualClock } from '../lib/clock.ts'
import { fetchRobots } from './fetch-robots.ts'
import { robotsBytesWanted } from './robots-answer.ts'

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
