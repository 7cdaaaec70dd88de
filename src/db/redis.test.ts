import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sharedRedisUrl, startRedis } from '../../test/servers/redis.ts'
import { CrawlerError } from '../core/errors.ts'
import { openRedis } from './redis.ts'
import { scriptOf } from './redis-client.ts'
import { redisError } from './redis-error.ts'
import { parseRedisUrl } from './redis-url.ts'

function failsWith(code: string, words: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof CrawlerError, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, words)
    assert.doesNotMatch(error.message, /hidden/)
    return true
  }
}

test('an address tells where, as whom and under which names', () => {
  const { nodes, ...rest } = parseRedisUrl(
    'rediss://me:p%40ss@r.test:7000/2?prefix=x&partitions=4&lease=2.5',
  )
  assert.deepEqual(nodes, [{ host: 'r.test', port: 7000 }])
  assert.deepEqual(rest, {
    ...{ isCluster: false, tls: true, username: 'me', password: 'p@ss' },
    ...{ db: 2, prefix: 'x' },
  })
  const plain = parseRedisUrl('redis://[::1]')
  assert.deepEqual(plain.nodes, [{ host: '::1', port: 6379 }])
  assert.deepEqual([plain.db, plain.prefix, plain.tls], [0, 'jelajah', false])
  assert.equal(parseRedisUrl('redis://:secret@r.test').password, 'secret')
})

test('several hosts, or the word, are a Cluster', () => {
  const many = parseRedisUrl('redis://a:1,b:2,c')
  assert.equal(many.isCluster, true)
  assert.deepEqual(many.nodes.at(-1), { host: 'c', port: 6379 })
  assert.equal(parseRedisUrl('redis+cluster://a').isCluster, true)
})

for (const url of [
  '',
  'http://a',
  'redis://',
  'redis://a:0',
  'redis://a:99999',
  'redis://a:b',
  'redis://a/x',
  'redis://me:hidden@a?prefix={x}',
  'redis://me:hidden@a?partitions=0',
  'redis://me:hidden@a?shards=0',
  'redis://me:hidden@a?lease=0',
  'redis://me:hidden@a?nothing=1',
  'redis://me:hid%den@a',
]) {
  test(`"${url}" is told to be no address, with no password in the words`, () => {
    assert.throws(() => parseRedisUrl(url), failsWith('store-unreachable', /no address of a Redis/))
  })
}

test('no piece of a password is repeated where an address cannot be read', () => {
  for (const password of ['hid/den', '12/3?hidden', 'hid@den', '?hidden=1', '#hidden']) {
    for (const user of ['', 'me']) {
      const read = (): unknown => parseRedisUrl(`redis://${user}:${password}@a`)
      try {
        read()
      } catch (error) {
        assert.doesNotMatch(String(error), /hid|den|12/, password)
      }
    }
  }
})

test('what a server says is wrong is reported in words', () => {
  for (const [said, code, words] of [
    ['NOAUTH Authentication required.', 'store-unreachable', /wants a password/],
    ['READONLY You can’t write against a replica', 'store-unreachable', /replica/],
    ['OOM command not allowed', 'disk-full', /memory/],
    ['LOADING Redis is loading', 'store-busy', /loading/],
    ['connect ECONNREFUSED 127.0.0.1:1', 'store-unreachable', /is it running/],
    ['Connection is closed.', 'store-unreachable', /cannot be reached/],
  ] as const) {
    assert.ok(failsWith(code, words)(redisError(new Error(said), 'redis://a')))
  }
  const other = new Error('ERR of our own')
  assert.equal(redisError(other, 'redis://a'), other)
})

test('a server that is not there, or wants a password, is reported at once', async () => {
  await assert.rejects(
    openRedis({ url: 'redis://me:hidden@127.0.0.1:1' }),
    failsWith('store-unreachable', /redis:\/\/me:\*\*\*@127\.0\.0\.1:1 does not answer/),
  )
  await using server = await startRedis()
  await using admin = await openRedis({ url: server.url })
  await admin.call('CONFIG', 'SET', 'requirepass', 'open')
  await assert.rejects(openRedis({ url: server.url }), failsWith('store-unreachable', /password/))
  const wrong = server.url.replace('//', '//:hidden@')
  await assert.rejects(openRedis({ url: wrong }), failsWith('store-unreachable', /password/))
  await using right = await openRedis({ url: server.url.replace('//', '//:open@') })
  assert.equal(await right.call('PING'), 'PONG')
})

test('a server that may throw keys away is warned of', async () => {
  await using server = await startRedis({
    settings: ['--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru'],
  })
  await using connection = await openRedis({ url: server.url })
  assert.match(connection.warnings.join(), /allkeys-lru.*noeviction/)
})

test('calls wait for a server that comes back, and fail past the deadline', async () => {
  await using server = await startRedis()
  await using connection = await openRedis({ url: server.url, deadlineMs: 400 })
  await server.stop('SIGKILL')
  const waiting = connection.call('INCR', 'n')
  await server.start()
  assert.equal(await waiting, 1)
  await server.stop('SIGKILL')
  await assert.rejects(connection.call('INCR', 'n'), failsWith('store-unreachable', /for 1 s/))
})

test('a script that the server does not know is made known to it', async () => {
  await using connection = await openRedis({ url: await sharedRedisUrl() })
  const word = randomBytes(9).toString('hex')
  const script = scriptOf('unknown', `return '${word}'`)
  const isKnown = () => connection.call('SCRIPT', 'EXISTS', script.sha)
  assert.deepEqual(await isKnown(), [0])
  assert.equal(await connection.run(script, ['none'], []), word)
  assert.deepEqual(await isKnown(), [1])
  assert.equal(await connection.run(script, ['none'], []), word)
})
