import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise, originOf } from '../core/url.ts'
import type { RobotsAnswer } from './robots-answer.ts'
import { RobotsKeeper } from './robots-keeper.ts'

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
