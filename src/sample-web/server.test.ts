import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get, type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { readAccessLog } from './access-log.ts'
import { factsOf, type PageFacts } from './facts.ts'
import { pathOf } from './path.ts'
import { demoSite } from './samples.ts'
import { type ServedSite, startSite } from './server.ts'
import { createSite, type Site, type SiteHost } from './site.ts'

type Fetched = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** Sends a request on a connection of its own, unless an agent keeps one. */
async function ask(
  served: ServedSite,
  host: string,
  path: string,
  headers: Record<string, string> = {},
  agent?: Agent,
): Promise<Fetched> {
  const { promise, resolve, reject } = Promise.withResolvers<Fetched>()
  const options = {
    host: '127.0.0.1',
    port: served.port,
    path,
    headers: { host: `${host}:${served.port}`, ...headers },
    ...(agent && { agent }),
  }
  get(options, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const { statusCode = 0, headers: answered } = response
      resolve({ status: statusCode, headers: answered, body: Buffer.concat(chunks) })
    })
  }).on('error', reject)
  return promise
}

/** Runs the event loop until the server, in this same process, has reached a state. */
async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((done) => setImmediate(done))
}

function pageWhere(site: Site, wanted: (facts: PageFacts, host: SiteHost) => boolean) {
  for (const host of site.hosts) {
    for (let index = 0; index < host.pages; index++) {
      if (wanted(factsOf(site, host, index), host)) return { host, path: pathOf(host, index) }
    }
  }
  throw new Error('the site has no such page')
}

test('hosts are told apart by name, and links carry the port the client knows', async () => {
  const site = demoSite()
  await using served = await startSite(site)
  const one = await ask(served, 'kedai.localhost', '/')
  const other = await ask(served, 'KABAR-sehat.localhost', '/')
  assert.equal(one.status, 200)
  assert.match(one.body.toString(), /<html lang="id">/)
  assert.match(other.body.toString(), new RegExp(`http://kabar-sehat.localhost:${served.port}/`))
  assert.equal((await ask(served, 'nobody.localhost', '/')).status, 404)
  assert.equal((await ask(served, 'kedai.localhost', '/no/such/page')).status, 404)
  const proxied = await ask(served, '', '/', { host: 'kedai.localhost' })
  assert.match(proxied.body.toString(), /href="http:\/\/kedai\.localhost\//)
})

test('a validator that still holds is answered with 304 and no body', async () => {
  await using served = await startSite(demoSite())
  const { headers } = await ask(served, 'kedai.localhost', '/')
  const byTag = await ask(served, 'kedai.localhost', '/', { 'if-none-match': headers.etag! })
  const byTime = await ask(served, 'kedai.localhost', '/', {
    'if-modified-since': headers['last-modified']!,
  })
  const stale = await ask(served, 'kedai.localhost', '/', { 'if-none-match': '"other"' })
  assert.deepEqual([byTag.status, byTag.body.length], [304, 0])
  assert.deepEqual([byTime.status, byTime.body.length], [304, 0])
  assert.equal(stale.status, 200)
})

test('hosts that compress do so only for clients that accept it', async () => {
  const site = createSite({ seed: 1, pages: 400, hosts: 12 })
  await using served = await startSite(site)
  const { host, path } = pageWhere(site, (_, one) => one.gzip)
  const plain = await ask(served, host.name, path)
  const packed = await ask(served, host.name, path, { 'accept-encoding': 'br, gzip' })
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.deepEqual(gunzipSync(packed.body), plain.body)
})

for (const declared of ['header', 'meta'] as const) {
  test(`a page in windows-1252 says so in its ${declared} and is not UTF-8`, async () => {
    const site = createSite({ seed: 2, pages: 3000, specials: 3 })
    await using served = await startSite(site)
    const { host, path } = pageWhere(
      site,
      (facts) => facts.charset === 'windows-1252' && facts.declared === declared,
    )
    const { headers, body } = await ask(served, host.name, path)
    const inHeader = headers['content-type']!.includes('windows-1252')
    assert.equal(inHeader, declared === 'header')
    if (!inHeader) assert.match(body.toString('latin1'), /<meta charset="windows-1252">/)
    assert.throws(() => new TextDecoder('utf-8', { fatal: true }).decode(body))
    assert.match(new TextDecoder('windows-1252').decode(body), /Zürich/)
  })
}

test('noindex comes in the header or in the page', async () => {
  const site = createSite({ seed: 2, pages: 3000 })
  await using served = await startSite(site)
  const inHeader = pageWhere(site, (facts) => facts.noindex === 'header')
  const inPage = pageWhere(site, (facts) => facts.noindex === 'meta')
  const header = await ask(served, inHeader.host.name, inHeader.path)
  const page = await ask(served, inPage.host.name, inPage.path)
  assert.equal(header.headers['x-robots-tag'], 'noindex')
  assert.match(page.body.toString(), /<meta name="robots" content="noindex/)
})

test('a Crawl-delay is asked for by some hosts when the option is given, else by none', async () => {
  const count = (site: Site) => site.hosts.filter((host) => host.crawlDelaySeconds > 0).length
  const site = createSite({ seed: 3, pages: 900, hosts: 30, crawlDelaySeconds: 2 })
  assert.ok(count(site) > 0 && count(site) < 30)
  assert.equal(count(createSite({ seed: 3, pages: 900, hosts: 30 })), 0)
  await using served = await startSite(site)
  const slow = site.hosts.find((host) => host.crawlDelaySeconds > 0 && host.robots !== 'absent')!
  const { body } = await ask(served, slow.name, '/robots.txt')
  assert.match(body.toString(), /^Crawl-delay: 2$/m)
})

test('the log has every request with its host, path, status, times and connection', async () => {
  await using served = await startSite(demoSite())
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await ask(served, 'kedai.localhost', '/', { 'user-agent': 'one' }, agent)
  await ask(served, 'kedai.localhost', '/nothing?x=1', {}, agent)
  agent.destroy()
  await ask(served, 'kabar-sehat.localhost', '/')
  const { log } = served
  await until(() => log.length === 3)
  assert.deepEqual(
    log.map(({ path, status, userAgent }) => [path, status, userAgent]),
    [
      ['/', 200, 'one'],
      ['/nothing?x=1', 404, ''],
      ['/', 200, ''],
    ],
  )
  assert.equal(log[0]!.host, `kedai.localhost:${served.port}`)
  assert.equal(log[0]!.connection, log[1]!.connection)
  assert.notEqual(log[1]!.connection, log[2]!.connection)
  for (const { startedAt, endedAt } of log) assert.ok(endedAt >= startedAt)
  assert.ok(log[1]!.startedAt >= log[0]!.startedAt)
})

test('a client that goes away before the answer is in the log, with status 0', async () => {
  await using served = await startSite(demoSite(), { latencyMs: 60_000 })
  const headers = { host: `kedai.localhost:${served.port}` }
  const client = request({ host: '127.0.0.1', port: served.port, path: '/', headers })
  client.on('error', () => {})
  client.end()
  await until(() => served.inFlight === 1)
  client.destroy()
  await until(() => served.log.length === 1)
  assert.equal(served.log[0]!.status, 0)
})

test('the log file holds what the log in memory holds, and is appended to', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-site-'))
  const logFile = join(folder, 'access.jsonl')
  try {
    for (let run = 0; run < 2; run++) {
      await using served = await startSite(demoSite(), { logFile })
      await ask(served, 'kedai.localhost', '/')
      await ask(served, 'kedai.localhost', '/robots.txt')
      await until(() => served.inFlight === 0)
    }
    const records = readAccessLog(logFile)
    assert.deepEqual(
      records.map((record) => record.path),
      ['/', '/robots.txt', '/', '/robots.txt'],
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a web of a million pages takes no memory of note, however many of them are served', async () => {
  const before = process.memoryUsage().heapUsed
  const site = createSite({ seed: 1, pages: 1_000_000 })
  await using served = await startSite(site, { keepRecords: 100 })
  const agent = new Agent({ keepAlive: true })
  for (let nth = 0; nth < 1500; nth++) {
    const host = site.hosts[nth % 7]!
    const { status } = await ask(
      served,
      host.name,
      pathOf(host, (nth * 7919) % host.pages),
      {},
      agent,
    )
    assert.equal(status, 200)
  }
  agent.destroy()
  assert.ok(served.log.length <= 200)
  const grownMb = (process.memoryUsage().heapUsed - before) / 1e6
  // Includes garbage that is not collected yet; holding the pages would take gigabytes.
  assert.ok(grownMb < 100, `the heap grew by ${grownMb.toFixed()} MB`)
})
