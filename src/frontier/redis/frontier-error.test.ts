import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CrawlerError } from '../../core/errors.ts'
import { frontierError } from './frontier-error.ts'

const name = { prefix: 'jelajah', crawlId: 7, shard: 0 }

for (const [said, code] of [
  ['LOST the frontier is not here', 'store-damaged'],
  ['ERR LOST the frontier is not here', 'store-damaged'],
  ['LAYOUT 99', 'store-newer'],
  ['OTHER crawl', 'store-damaged'],
] as const) {
  test(`"${said}" is told as ${code}`, () => {
    const error = frontierError(new Error(said), name, 'redis://a')
    assert.ok(error instanceof CrawlerError)
    assert.equal(error.code, code)
  })
}

test('what only has such a word somewhere in it stays what it is', () => {
  for (const said of [
    'WRONGTYPE of key LOST and found',
    'ERR user_script:1: bad argument http://a.test/OTHER page',
    'LOSTNESS is no word of ours',
  ]) {
    const error = new Error(said)
    assert.equal(frontierError(error, name, 'redis://a'), error)
  }
})
