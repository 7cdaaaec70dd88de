import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRedis } from '../../test/servers/redis.ts'
import { CrawlerError } from '../core/errors.ts'
import { openRedis, type RedisConnection } from './redis.ts'
import { scriptOf } from './redis-client.ts'

const SHORT_MS = 300

function failsWith(code: string, words: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof CrawlerError, String(error))
    assert.match(error.message, words)
    return error.code === code
  }
}

/** Until it can do nothing else. */
async function untilBusy(hasty: RedisConnection): Promise<void> {
  for (;;) {
    const error = await hasty.call('PING').then(
      () => null,
      (thrown: unknown) => thrown,
    )
    if (error === null) continue
    assert.ok(failsWith('store-busy', /is busy with a script/)(error))
    return
  }
}

test('what a replica cannot do is asked again, and told clearly past the deadline', async () => {
  await using server = await startRedis()
  await using admin = await openRedis({ url: server.url })
  await using patient = await openRedis({ url: server.url })
  await using hasty = await openRedis({ url: server.url, deadlineMs: SHORT_MS })
  await admin.call('REPLICAOF', '127.0.0.1', 1)
  const isReplica = failsWith('store-unreachable', /is a replica that takes no writes/)
  const waiting = patient.call('INCR', 'n')
  await assert.rejects(hasty.call('INCR', 'm'), isReplica)
  await assert.rejects(openRedis({ url: server.url }), isReplica)
  await admin.call('REPLICAOF', 'NO', 'ONE')
  assert.equal(await waiting, 1)
})

test('a full server is waited for until the deadline, and calls keep their order', async () => {
  await using server = await startRedis()
  await using admin = await openRedis({ url: server.url })
  await using patient = await openRedis({ url: server.url })
  await using hasty = await openRedis({ url: server.url, deadlineMs: SHORT_MS })
  await admin.call('CONFIG', 'SET', 'maxmemory', 1)
  const waiting = [1, 2, 3].map((word) => patient.call('RPUSH', 'list', word))
  await assert.rejects(hasty.call('SET', 'a', 1), failsWith('disk-full', /no memory left/))
  const after = patient.call('RPUSH', 'list', 4)
  await admin.call('CONFIG', 'SET', 'maxmemory', 0)
  await Promise.all([...waiting, after])
  assert.deepEqual(await patient.call('LRANGE', 'list', 0, -1), ['1', '2', '3', '4'])
  assert.equal(await hasty.call('SET', 'a', 1), 'OK')
})

test('a server that is busy with a script is asked again when it is over', async () => {
  await using server = await startRedis({ settings: ['--busy-reply-threshold', '10'] })
  await using admin = await openRedis({ url: server.url })
  await using other = await openRedis({ url: server.url })
  await using patient = await openRedis({ url: server.url })
  await using hasty = await openRedis({ url: server.url, deadlineMs: 50 })
  // Whatever fails here, nobody waits for the script to end.
  using _ = { [Symbol.dispose]: () => server.signal('SIGKILL') }
  const endless = assert.rejects(other.call('EVAL', 'while true do end', 0))
  await untilBusy(hasty)
  const waiting = patient.call('INCR', 'n')
  await untilBusy(hasty)
  await admin.call('SCRIPT', 'KILL')
  await endless
  assert.equal(await waiting, 1)
})

test('a server that loads for longer than the deadline is waited for, and that is said', async () => {
  // 100 keys at 40 ms each: longer than the deadline, which must be long enough for the server to start.
  const settings = ['--key-load-delay', '40000', '--loading-process-events-interval-bytes', '1024']
  await using server = await startRedis({ settings })
  await using admin = await openRedis({ url: server.url })
  for (let at = 0; at < 100; at += 1) await admin.call('SET', `key${at}`, 'x'.repeat(400))
  await admin.call('SAVE')
  const said: string[] = []
  const onWaiting = (words: string): void => void said.push(words)
  await using connection = await openRedis({ url: server.url, deadlineMs: 3000, onWaiting })
  await server.stop('SIGKILL')
  const started = server.start()
  assert.equal(await connection.call('INCR', 'n'), 1)
  await started
  assert.match(said.join('\n'), /is still loading its data/)
})

test('a script is given as many words as there are', async () => {
  await using server = await startRedis()
  await using connection = await openRedis({ url: server.url })
  const count = scriptOf('turns', 'return #ARGV')
  const words = Array.from({ length: 300_000 }, (_, at) => at)
  assert.equal(await connection.run(count, ['a'], words), words.length)
})
