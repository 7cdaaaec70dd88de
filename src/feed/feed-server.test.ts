import assert from 'node:assert/strict'
import { existsSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { type ByHand, eventually, FeedFixture, upTo } from '../../test/support/feed-fixture.ts'
import { feedSocketAt, MAX_REQUEST_BYTES } from './feed-protocol.ts'
import { type FeedServer, MAX_LISTENERS, openFeedServer } from './feed-server.ts'

const BRIEFLY = { stallMs: 300, maxMs: 60_000 }

/** A workspace with `pages` pages, and a server for its changes. */
async function served(
  pages: number,
  body: (fixture: FeedFixture, server: FeedServer) => Promise<void>,
): Promise<void> {
  await using fixture = await FeedFixture.open(pages)
  await using server = await openFeedServer({ path: fixture.path, feed: fixture.changes })
  await body(fixture, server)
}

test('who asks for nothing is told everything, and then what comes', () =>
  served(3, async (fixture) => {
    using listener = await fixture.listen()
    await listener.until(3)
    await fixture.save(2)
    await listener.until(5)
    assert.deepEqual(listener.cursors, upTo(5))
    assert.equal(
      listener.lines[0],
      `{"cursor":1,"change":"add","id":1,"url":"http://a.test/1","crawl":${fixture.job.id}}`,
    )
  }))

test('who gives a cursor is told what came after it, and may ask again', () =>
  served(5, async (fixture) => {
    using listener = await fixture.listen('{"after":3}\n')
    await listener.until(2)
    assert.deepEqual(listener.cursors, [4, 5])
    listener.socket.write('{"after":')
    listener.socket.write('1}\r\n\n')
    await listener.until(6)
    assert.deepEqual(listener.cursors, [4, 5, 2, 3, 4, 5])
  }))

test('who names its store is told which this is; one of another store begins again', () =>
  served(3, async (fixture) => {
    const store = await fixture.changes.mark()
    using right = await fixture.listen(`{"after":2,"store":"${store}"}\n`)
    using wrong = await fixture.listen('{"after":2,"store":"another"}\n')
    using late = await fixture.listen('{"after":1000}\n')
    await right.until(2)
    await wrong.until(4)
    await late.until(3)
    assert.deepEqual(right.lines[0], `{"store":"${store}","cursor":2,"last":3}`)
    assert.deepEqual(wrong.lines[0], `{"store":"${store}","cursor":0,"last":3}`)
    assert.deepEqual(late.cursors, [1, 2, 3])
  }))

test('who has closed its own end is told all the same', () =>
  served(2, async (fixture) => {
    using listener = await fixture.listen('{"after":0}\n')
    listener.socket.end()
    await listener.until(2)
    await fixture.save(1)
    await listener.until(3)
    assert.deepEqual(listener.cursors, [1, 2, 3])
  }))

test('what is no request is answered with a line that says so, and the end', () =>
  served(2, async (fixture, server) => {
    const whole = ['GET / HTTP/1.1\r\n\r\n', '\0\xff\n', '{"after":"x"}\n', '['.repeat(90_000)]
    whole.push(`{"after": ${' '.repeat(MAX_REQUEST_BYTES)}0}\n`)
    for (const request of whole) {
      using listener = await fixture.listen(request)
      await listener.closed
      assert.match(listener.lines.join('\n'), /^\{"error":"not understood/, request.slice(0, 20))
    }
    await eventually(() => server.listeners === 0, 'nobody')
  }))

test('a listener that does not read costs nothing, and hears everything when it does', () =>
  served(3000, async (fixture, server) => {
    using slow = await fixture.listen('{"after":0}\n')
    slow.socket.pause()
    using other = await fixture.listen('{"after":0}\n')
    await other.until(3000)
    slow.socket.resume()
    await slow.until(3000)
    assert.deepEqual(slow.cursors, upTo(3000))
    assert.equal(server.listeners, 2)
  }))

test('who asks without end and never reads is heard no more, and fills no memory', () =>
  served(50, async (fixture, server) => {
    using listener = await fixture.listen('{"after":0,"store":""}\n')
    listener.socket.pause()
    const many = '{"after":0,"store":""}\n'.repeat(2000)
    for (let nth = 0; nth < 200 && !listener.socket.writableNeedDrain; nth++) {
      listener.socket.write(many)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    assert.ok(listener.socket.writableNeedDrain, 'it waits')
    using other = await fixture.listen()
    await other.until(50)
    assert.equal(server.listeners, 2)
  }))

test('there is room for many listeners but not for any number, and those that left make room', () =>
  served(1, async (fixture, server) => {
    const listeners: ByHand[] = []
    try {
      for (let nth = 0; nth < MAX_LISTENERS; nth++)
        listeners.push(await fixture.listen('{"after":1}\n'))
      await eventually(() => server.listeners === MAX_LISTENERS, 'all of them')
      using refused = await fixture.listen()
      await refused.closed
      assert.deepEqual(refused.lines, [])
      listeners[7]!.socket.end()
      listeners[9]!.socket.destroy()
      for (const _ of [1, 2]) {
        await eventually(() => server.listeners <= MAX_LISTENERS, 'room')
        let taken: ByHand | null = null
        while (taken === null) {
          const next = await fixture.listen('{"after":0}\n')
          const isIn = await Promise.race([
            next.until(1).then(() => true),
            next.closed.then(() => false),
          ])
          if (isIn) taken = next
        }
        listeners.push(taken)
      }
    } finally {
      for (const listener of listeners) listener[Symbol.dispose]()
    }
  }))

test('at the end those who read hear everything, then the end; who does not read is left', () =>
  served(2000, async (fixture, server) => {
    using reading = await fixture.listen('{"after":0}\n')
    using silent = await fixture.listen()
    using stuck = await fixture.listen('{"after":0}\n')
    stuck.socket.pause()
    await reading.until(1)
    await fixture.save(2000)
    await server.finish(BRIEFLY)
    await Promise.all([reading.closed, silent.closed])
    assert.deepEqual([reading.cursors.length, silent.cursors.length], [4000, 4000])
    await eventually(() => server.listeners === 0, 'nobody')
    await assert.rejects(fixture.listen(), { code: 'ENOENT' })
  }))

test('what a killed process left at the path is replaced, and only this user may connect', async () => {
  await using fixture = await FeedFixture.open(1)
  writeFileSync(fixture.path, 'stale')
  {
    await using _server = await openFeedServer({ path: fixture.path, feed: fixture.changes })
    using listener = await fixture.listen()
    await listener.until(1)
    assert.equal(statSync(fixture.path).mode & 0o777, 0o600)
    assert.ok(statSync(fixture.path).isSocket())
  }
  assert.equal(existsSync(fixture.path), false)
})

test('where the path is too long for a socket a link leads to it, and nothing is left behind', async () => {
  await using fixture = await FeedFixture.open(2)
  const folder = join(fixture.dir, 'deep'.repeat(30))
  mkdirSync(folder)
  const path = join(folder, 'feed.sock')
  symlinkSync('/nowhere/at-all', path)
  let target = ''
  {
    await using _server = await openFeedServer({ path, feed: fixture.changes })
    assert.ok(lstatSync(path).isSymbolicLink())
    target = feedSocketAt(path)
    assert.equal(statSync(dirname(target)).mode & 0o777, 0o700)
    const { ByHand } = await import('../../test/support/feed-fixture.ts')
    using listener = await ByHand.open(target, '{"after":0}\n')
    await listener.until(2)
    // As after a kill: the link and its socket still exist when the next server starts.
    const next = createServer()
    const { listenAt } = await import('./feed-protocol.ts')
    await using _place = await listenAt(next, path)
    assert.equal(existsSync(target), false)
    target = feedSocketAt(path)
    next.close()
  }
  assert.equal(existsSync(dirname(target)), false)
  assert.equal(lstatSync(path, { throwIfNoEntry: false }), undefined)
})
