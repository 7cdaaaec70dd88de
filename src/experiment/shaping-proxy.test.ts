import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { test } from 'node:test'
import { openShapingProxy, TokenBucket } from './shaping-proxy.ts'

test('a bucket lets a burst pass, then as much as its rate', () => {
  // 100 kB/s: the burst is 5,000 bytes.
  const bucket = new TokenBucket(100_000)
  assert.equal(bucket.take(5000, 0), 0)
  assert.equal(bucket.take(1000, 0), 10)
  // The next one waits longer.
  assert.equal(bucket.take(1000, 0), 20)
  assert.equal(bucket.take(1000, 20), 10)
  // A long rest saves up no more than the burst.
  assert.equal(bucket.take(5000, 10_000), 0)
  assert.equal(bucket.take(100, 10_000), 1)
})

async function get(proxy: number, url: string): Promise<{ status: number; body: string }> {
  const asked = request({ host: '127.0.0.1', port: proxy, path: url, headers: { host: 'x' } }).end()
  const [response] = await once(asked, 'response')
  let body = ''
  for await (const chunk of response) body += chunk
  return { status: response.statusCode, body }
}

test('requests pass unchanged, to the host they name or to the one that stands in for all', async () => {
  const server = createServer((asked, answer) => {
    answer
      .writeHead(200, { 'x-kept': 'yes' })
      .end(`${asked.headers.host}${asked.url} ${'x'.repeat(20_000)}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const shape = { bytesPerSecond: 2_000_000, bytesPerConnection: 1_000_000, latencyMs: 1 }
  {
    await using named = await openShapingProxy(shape, null)
    const { status, body } = await get(named.port, `http://a.localhost:${port}/p?q=1`)
    assert.equal(status, 200)
    assert.equal(body, `a.localhost:${port}/p?q=1 ${'x'.repeat(20_000)}`)
    await using standIn = await openShapingProxy({ ...shape, bytesPerSecond: null }, { port })
    assert.match((await get(standIn.port, 'http://any.test/')).body, /^any\.test\/ x/)
  }
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  await using closed = await openShapingProxy(shape, { port })
  assert.equal((await get(closed.port, 'http://any.test/')).status, 502)
})

test('a host that resets its connection in an answer fails that answer, not the proxy', async () => {
  const host = createSocketServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\nbegun', () =>
        socket.resetAndDestroy(),
      )
    })
  })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  const { port } = host.address() as AddressInfo
  for (const [bytesPerSecond, latencyMs] of [
    [null, 0],
    [null, 50],
    [100_000, 0],
  ] as const) {
    const shape = { bytesPerSecond, bytesPerConnection: null, latencyMs }
    await using proxy = await openShapingProxy(shape, { port })
    await assert.rejects(get(proxy.port, 'http://any.test/'), { code: 'ECONNRESET' })
  }
  host.close()
})
