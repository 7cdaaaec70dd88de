// Webhooks from a real server to a real receiver: signed, retried, once, and through the address guard.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { query, temporaryFolder } from './crawling.ts'
import { type Served, startServer, until } from './serving.ts'

const SECRET = 'a-secret-of-some-length'

type Call = { readonly headers: IncomingHttpHeaders; readonly body: string }

/** Listens when it is told to, on a port that stays its own. */
async function openReceiver(answer: (nth: number) => { status: number; location?: string }) {
  const calls: Call[] = []
  const create = () =>
    createServer(async (request, response) => {
      const body = await text(request)
      const { status, location } = answer(calls.length)
      calls.push({ headers: request.headers, body })
      response.writeHead(status, location === undefined ? {} : { location }).end()
    })
  const listen = (server: Server, port: number) =>
    new Promise<Server>((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)))
  let server = await listen(create(), 0)
  const { port } = server.address() as AddressInfo
  const down = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${port}/hook`,
    calls,
    down,
    async up() {
      server = await listen(create(), port)
    },
    [Symbol.asyncDispose]: down,
  }
}

function assertSigned({ headers, body }: Call): void {
  const [, seconds = '', hex] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['jelajah-signature'])) ?? []
  assert.equal(hex, createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex'))
  assert.equal(JSON.parse(body).id, headers['jelajah-delivery'])
  assert.match(String(headers['user-agent']), /^Jelajah\//)
}

async function openWeb(pages = 12) {
  const hosts = [{ name: 'warta', pages, language: 'id', style: 'news' } as const]
  return startSite(createSite({ seed: 5, hosts, specials: 0 }))
}

/** What was kept about webhooks among the events of a job, as soon as there is something. */
async function noticesOf(dataDir: string, id: string): Promise<string> {
  const sql = `SELECT text FROM crawl_events WHERE type = 'notice' AND text LIKE 'webhook:%'
    AND crawl_id = ${Number(id.slice('crawl_'.length))} ORDER BY id`
  const notices = () =>
    query<{ text: string }>(join(dataDir, 'jelajah.db'), sql).map((row) => row.text)
  await until(() => notices().length > 0, 'a notice about a webhook')
  return notices().join('\n')
}

const rig = new AsyncDisposableStack()
let dataDir: string
/** May crawl and call this machine. */
let server: Served

before(async () => {
  dataDir = rig.use(await temporaryFolder()).path
  server = rig.use(await startServer(dataDir, ['--allow-private']))
})
after(() => rig.disposeAsync())

test('a receiver hears of states and pages, signed, all pages once and before the end', async () => {
  await using web = await openWeb(130)
  await using receiver = await openReceiver(() => ({ status: 204 }))
  const webhook = { url: receiver.url, secret: SECRET, events: ['running', 'page', 'completed'] }
  const id = await server.crawl({ url: web.url('warta'), delay: 1, webhook })
  const job = await server.ended(id)
  const told = () => receiver.calls.map(({ body }) => JSON.parse(body))
  await until(() => told().some(({ event }) => event === 'completed'), 'the last call')
  for (const call of receiver.calls) assertSigned(call)
  assert.equal(told()[0].event, 'running')
  assert.equal(told().at(-1).event, 'completed')
  assert.equal(told().at(-1).job.id, id)
  const stored = job.pages.filter(({ crawled_at }) => crawled_at !== undefined)
  assert.equal(told().at(-1).job.stored, stored.length)
  const urls = told().flatMap(({ pages = [] }) => pages.map(({ url }: { url: string }) => url))
  assert.deepEqual(
    urls,
    stored.map(({ url }) => url),
  )
  assert.ok(told().every(({ pages = [] }) => pages.length <= 100))
  for (const path of ['', '/overview', '/history']) {
    assert.ok(!(await server.ask(`/crawl/${id}${path}`)).text.includes(SECRET))
  }
})

test('a receiver that was down hears of it later, once, also from the next server', async () => {
  await using web = await openWeb()
  await using receiver = await openReceiver(() => ({ status: 200 }))
  await receiver.down()
  await using folder = await temporaryFolder()
  const flags = ['--allow-private']
  const webhook = { url: receiver.url, secret: SECRET }
  const id = await (async () => {
    await using server = await startServer(folder.path, flags)
    const taken = await server.crawl({ url: web.url('warta'), delay: 1, max_pages: 3, webhook })
    await server.ended(taken)
    assert.match(await noticesOf(folder.path, taken), /did not arrive/)
    return taken
  })()
  await receiver.up()
  await using _server = await startServer(folder.path, flags)
  await until(() => receiver.calls.length > 0, 'the call that had failed')
  const [call] = receiver.calls
  assert.ok(call !== undefined)
  assertSigned(call)
  assert.equal(JSON.parse(call.body).job.id, id)
  assert.equal(JSON.parse(call.body).event, 'completed')
  assert.equal(receiver.calls.length, 1)
})

test('a redirect is not followed, and that is kept where people look', async () => {
  await using web = await openWeb()
  await using there = await openReceiver(() => ({ status: 200 }))
  await using receiver = await openReceiver(() => ({ status: 307, location: there.url }))
  const webhook = { url: receiver.url, secret: SECRET }
  const id = await server.crawl({ url: web.url('warta'), delay: 1, max_pages: 2, webhook })
  assert.match(await noticesOf(dataDir, id), /redirect: 307/)
  assert.equal(there.calls.length, 0)
})

test('a private address is not called, and that is kept where people look', async () => {
  await using receiver = await openReceiver(() => ({ status: 200 }))
  await using folder = await temporaryFolder()
  await using server = await startServer(folder.path)
  const webhook = { url: receiver.url, secret: SECRET }
  const id = await server.crawl({ url: 'http://10.255.255.1/', delay: 1, webhook })
  const notices = await noticesOf(folder.path, id)
  assert.match(notices, /given up at once: private-address: 127\.0\.0\.1/)
  assert.ok(!notices.includes(SECRET))
  assert.equal(receiver.calls.length, 0)
})
