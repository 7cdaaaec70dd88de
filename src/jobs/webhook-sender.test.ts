import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import {
  openWebhookSender,
  type Sent,
  signature,
  type WebhookSenderOptions,
  webhookCall,
} from './webhook-sender.ts'

const SECRET = 'a-secret-of-some-length'
const BODY = JSON.stringify({ id: 'x', event: 'completed', job: { name: 'kabar — ☕' } })

async function receiver(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    port,
    url: `http://127.0.0.1:${port}/in?key=1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function send(url: string, options: Partial<WebhookSenderOptions> = {}): Promise<Sent> {
  const network = {
    allowPrivate: true,
    connectTo: [],
    dns: [],
    proxies: [],
    userAgent: 'Jelajah/test',
  }
  await using sender = openWebhookSender({ ...network, ...options })
  const webhook = { url, secret: SECRET, events: ['completed'] as const }
  const delivery = { id: 'd1', event: 'completed', body: BODY } as const
  return await sender.send(webhookCall(webhook, delivery, 1_700_000_000_999))
}

test('a call arrives as JSON with its id and a signature over time and body', async () => {
  const got: { request?: IncomingMessage; body?: string } = {}
  await using there = await receiver(async (request, response) => {
    got.request = request
    got.body = await text(request)
    response.writeHead(204).end()
  })
  assert.deepEqual(await send(there.url), { outcome: 'arrived' })
  assert.equal(got.body, BODY)
  assert.equal(got.request?.method, 'POST')
  assert.equal(got.request?.url, '/in?key=1')
  const headers = got.request?.headers ?? {}
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['user-agent'], 'Jelajah/test')
  assert.equal(headers['jelajah-delivery'], 'd1')
  assert.equal(headers['jelajah-event'], 'completed')
  const expected = signature(SECRET, 1_700_000_000, BODY)
  assert.equal(headers['jelajah-signature'], `t=1700000000,v1=${expected}`)
})

test('only an answer of the two hundreds is an arrival', async () => {
  let status = 200
  await using there = await receiver((request, response) => {
    request.resume()
    response.writeHead(status).end('{}')
  })
  for (status of [200, 201, 202, 299]) {
    assert.deepEqual(await send(there.url), { outcome: 'arrived' }, String(status))
  }
  for (status of [400, 404, 429, 500, 503]) {
    const reason = `status: ${status}`
    assert.deepEqual(await send(there.url), { outcome: 'failed', reason, final: false })
  }
  status = 410
  assert.deepEqual(await send(there.url), { outcome: 'failed', reason: 'status: 410', final: true })
})

test('a redirect is a failure, and nobody is called where it leads', async () => {
  const asked: (string | undefined)[] = []
  await using there = await receiver((request, response) => {
    asked.push(request.url)
    request.resume()
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  assert.deepEqual(await send(there.url), {
    outcome: 'failed',
    reason: 'redirect: 307',
    final: false,
  })
  assert.deepEqual(asked, ['/in?key=1'])
})

test('private addresses are not called, by number or by name, unless that is allowed', async () => {
  let calls = 0
  await using there = await receiver((_request, response) => {
    calls++
    response.end()
  })
  const refused = { allowPrivate: false, lookup: async () => ({ addresses: ['127.0.0.1'] }) }
  const urls = [
    there.url,
    `http://localhost:${there.port}/`,
    `http://[::ffff:127.0.0.1]:${there.port}/`,
    `http://hooks.example:${there.port}/`,
    `http://2130706433:${there.port}/`,
  ]
  for (const url of urls) {
    const sent = await send(url, refused)
    assert.equal(sent.outcome, 'failed', url)
    assert.match(sent.outcome === 'failed' ? sent.reason : '', /^private-address: /, url)
    assert.equal(sent.outcome === 'failed' && sent.final, true)
  }
  assert.match(JSON.stringify(await send('http://10.0.0.1:6379/')), /port: 6379/)
  assert.equal(calls, 0)
})

test('a receiver that is not there, says nothing or never ends is a failure in bounded time', async () => {
  await using silent = await receiver((request) => request.resume())
  await using endless = await receiver((request, response) => {
    request.resume()
    response.writeHead(200)
    const more = () => response.write('x'.repeat(16_384), () => setImmediate(more))
    more()
    response.on('error', () => {})
  })
  const hasty = { timeoutMs: 200 }
  assert.match(JSON.stringify(await send(silent.url, hasty)), /timeout/)
  // The body is longer than is read: the outcome is known by then.
  assert.deepEqual(await send(endless.url), { outcome: 'arrived' })
  const gone = await receiver(() => {})
  await gone[Symbol.asyncDispose]()
  assert.match(JSON.stringify(await send(gone.url, hasty)), /ECONNREFUSED.*"final":false/)
})
