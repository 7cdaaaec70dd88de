import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { eventually, FeedFixture, upTo } from '../../test/support/feed-fixture.ts'
import { followFeed } from './feed-client.ts'
import { openFeedServer } from './feed-server.ts'

function follow(path: string) {
  const leaving = new AbortController()
  const heard: number[] = []
  const ended = followFeed({
    path,
    after: () => heard.at(-1) ?? 0,
    onMessage: ({ cursor }) => heard.push(cursor),
    signal: leaving.signal,
  })
  return {
    heard,
    async [Symbol.asyncDispose]() {
      leaving.abort()
      await ended
    },
  }
}

test('a client waits for its feed, and goes on from its cursor with the next one that serves', async () => {
  await using fixture = await FeedFixture.open(3)
  await using client = follow(fixture.path)
  {
    await using _server = await openFeedServer({ path: fixture.path, feed: fixture.changes })
    await eventually(() => client.heard.length === 3, 'three changes')
  }
  await fixture.save(2)
  await using _server = await openFeedServer({ path: fixture.path, feed: fixture.changes })
  await eventually(() => client.heard.length === 5, 'the others')
  assert.deepEqual(client.heard, upTo(5))
})

test('whoever speaks otherwise is left, and asked again later', async () => {
  await using fixture = await FeedFixture.open(1)
  let asked = 0
  const stranger = createServer((socket) => {
    asked++
    socket.on('error', () => {})
    socket.write(asked === 1 ? 'SSH-2.0\n' : `"${'x'.repeat(200_000)}`)
  })
  stranger.listen(fixture.path)
  await using client = follow(fixture.path)
  await eventually(() => asked >= 3, 'more tries')
  stranger.close()
  rmSync(fixture.path, { force: true })
  await using _server = await openFeedServer({ path: fixture.path, feed: fixture.changes })
  await eventually(() => client.heard.length === 1, 'the change')
  assert.deepEqual(client.heard, upTo(1))
})
