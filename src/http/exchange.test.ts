// How requests follow each other on connections, and how they end early.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import {
  type FetchKit,
  fetchWith,
  openFetchKit,
  openTestFetcher,
  response,
  summary,
  text,
} from '../../test/support/fetch-kit.ts'
import { listen } from '../../test/support/hostile-server.ts'
import { InvalidInput } from '../core/errors.ts'
import type { Answer } from './resolver.ts'

let kit: FetchKit

before(async () => {
  kit = await openFetchKit()
})

after(async () => {
  await kit[Symbol.asyncDispose]()
})

test('requests to one origin follow each other on one connection', async () => {
  await kit.fetch('close')
  for (let n = 1; n <= 3; n += 1) {
    await kit.fetch('ok')
    assert.equal(kit.site.log.at(-1), `ok#${n}`)
  }
})

test('an unwanted small body is read to its end, and the connection stays', async () => {
  await kit.fetch('close')
  await kit.fetch('ok', { wants: () => 0 })
  await kit.fetch('ok')
  assert.equal(kit.site.log.at(-1), 'ok#2')
})

test('a body that is a little longer than wanted is cut, and the connection stays', async () => {
  await kit.fetch('close')
  const fetched = response(await kit.fetch('ok', { wants: () => 7 }))
  assert.equal(text(fetched), '<title>')
  assert.equal(fetched.truncated, true)
  await kit.fetch('ok')
  assert.equal(kit.site.log.at(-1), 'ok#2')
})

test('a body exactly as long as wanted is whole', async () => {
  const fetched = response(await kit.fetch('ok', { wants: () => 17 }))
  assert.equal(fetched.truncated, false)
})

test('a request that may not go out any more does not, and comes back as one that never did', async () => {
  const before = kit.site.log.length
  const onStart = (): void => assert.fail('it went out')
  assert.equal(summary(await kit.fetch('ok', { mayStart: () => false, onStart })), 'stale')
  assert.equal(kit.site.log.length, before)
  assert.equal(
    summary(await kit.fetch('ok', { mayStart: () => true })),
    summary(await kit.fetch('ok')),
  )
})

for (const path of ['T14', 'T14-reset']) {
  test(`${path}: a kept connection that the server had closed is reported as such, not asked again`, async () => {
    await kit.fetch('close')
    await kit.fetch(path)
    assert.equal(summary(await kit.fetch(path)), 'stale')
    assert.equal(text(await kit.fetch(path)), '<title>ok</title>')
    assert.deepEqual(kit.site.log.slice(-3), [`${path}#1`, `${path}#2`, `${path}#1`])
  })
}

test('a body that drips is cut off by the total deadline', async () => {
  const hasty = openTestFetcher({ timeoutMs: 300, trustedHosts: new Set([kit.site.host]) })
  const fetched = await fetchWith(hasty, `${kit.site.origin}/T7`)
  assert.equal(summary(fetched), 'failed timeout-total: 300 ms')
  await hasty[Symbol.asyncDispose]()
})

test('every X-Robots-Tag is reported, in order', async () => {
  const { headers } = response(await kit.fetch('H20-tags'))
  assert.deepEqual(headers.robotsTag, ['noindex', 'otherbot: nofollow'])
})

test('a 304 is an answer when conditions were sent', async () => {
  const fetched = await kit.fetch('H17', { headers: { 'if-none-match': '"1"' } })
  assert.equal(response(fetched).status, 304)
})

test('a refused connection is the host’s fault and worth another try', async () => {
  const gone = createServer()
  const port = await listen(gone)
  await new Promise((resolve) => gone.close(resolve))
  const connectTo = [{ pattern: '*', address: '127.0.0.1', port }]
  const fetched = await fetchWith(openTestFetcher({ connectTo }), 'http://gone.test/')
  assert.equal(summary(fetched), 'failed connect: ECONNREFUSED')
  assert.ok(fetched.outcome === 'failed' && fetched.transient && fetched.hostFault)
  assert.ok(fetched.outcome === 'failed' && fetched.startedAt === null)
})

test('a host nobody named is refused without a connection, also when its name leads astray', async () => {
  const lookup = async () => ({ addresses: ['127.0.0.1'] })
  const fetcher = openTestFetcher({ lookup })
  const port = kit.site.host.split(':')[1]
  const seen = kit.site.log.length
  for (const name of ['127.0.0.1', 'localhost', 'rebound.test', '[::ffff:127.0.0.1]']) {
    const fetched = await fetchWith(fetcher, `http://${name}:${port}/ok`)
    assert.match(summary(fetched), /^refused private-address: /, name)
  }
  assert.equal(kit.site.log.length, seen)
})

test('a name that does not resolve is the host’s fault', async () => {
  const lookup = async (): Promise<Answer> => {
    throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
  }
  const fetched = await fetchWith(openTestFetcher({ lookup }), 'http://missing.test/')
  assert.equal(summary(fetched), 'failed dns: ENOTFOUND')
  assert.ok(fetched.outcome === 'failed' && fetched.transient && fetched.hostFault)
})

test('a user agent that would break the request is bad input', () => {
  assert.throws(() => openTestFetcher({ userAgent: 'a\r\nb: c' }), InvalidInput)
})

test('a signal ends a request under way, and one that is aborted already sends none', async () => {
  const abort = new AbortController()
  const onStart = (): void => abort.abort()
  const fetched = await kit.fetch('T1', { signal: abort.signal, onStart })
  assert.equal(summary(fetched), 'failed connect: cancelled')
  const seen = kit.site.log.length
  assert.equal(summary(await kit.fetch('ok', { signal: abort.signal })), summary(fetched))
  assert.equal(kit.site.log.length, seen)
})

test('closing a fetcher ends what is under way, and later requests fail at once', async () => {
  const fetcher = openTestFetcher({ trustedHosts: new Set([kit.site.host]) })
  const url = `${kit.site.origin}/T1`
  const onStart = (): void => void fetcher[Symbol.asyncDispose]()
  assert.equal(summary(await fetchWith(fetcher, url, { onStart })), 'failed connect: cancelled')
  assert.equal(summary(await fetchWith(fetcher, url)), 'failed connect: cancelled')
  await kit.site.quiet()
})

test('a caller that throws gets a failure back, not a crash', async () => {
  const wants = (): number => {
    throw new RangeError('no')
  }
  assert.equal(summary(await kit.fetch('ok', { wants })), 'failed protocol: RangeError')
})

test('many requests at once each get their own answer', async () => {
  const paths = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? 'ok' : 'T12'))
  const found = await Promise.all(paths.map((path) => kit.fetch(path)))
  const outcomes = found.map(({ outcome }) => (outcome === 'response' ? 'ok' : 'T12'))
  assert.deepEqual(outcomes, paths)
})
