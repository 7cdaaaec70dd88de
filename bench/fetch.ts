// CPU per request of our fetcher beside plain undici, on loopback, against a server in a process
// of its own: what the guards cost.
//
//   sh scripts/node bench/fetch.ts [requests] [body bytes] [hosts]
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { LookupFunction } from 'node:net'
import { availableParallelism } from 'node:os'
import { Agent, request } from 'undici'
import { type CanonicalUrl, canonicalise } from '../src/core/url.ts'
import { openFetcher } from '../src/http/fetcher.ts'

const REQUESTS = Number(process.argv[2] ?? 20_000)
const BODY_BYTES = Number(process.argv[3] ?? 20_000)
const HOSTS = Number(process.argv[4] ?? 32)
const ROUNDS = 3

type Subject = {
  readonly name: string
  readonly get: (url: CanonicalUrl) => Promise<number>
  readonly close: () => PromiseLike<void>
}

function serve(): void {
  const body = Buffer.alloc(BODY_BYTES, 'lorem ipsum ')
  const headers = { 'content-type': 'text/html', 'content-length': body.length, etag: '"1"' }
  const server = createServer((_request, response) => {
    response.writeHead(200, headers)
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
}

function ours(): Subject {
  const fetcher = openFetcher({
    userAgent: 'Jelajah-bench/1',
    timeoutMs: 30_000,
    proxies: [],
    connectTo: [],
    dns: [],
    allowPrivate: true,
    http2: false,
    insecureTls: false,
    concurrency: HOSTS,
    perHost: 1,
    trustedHosts: new Set(),
  })
  const get = async (url: CanonicalUrl): Promise<number> => {
    const fetched = await fetcher.fetch({ url, wants: () => 1 << 20, onStart: () => {} })
    if (fetched.outcome !== 'response') throw new Error(fetched.outcome)
    return fetched.body.reduce((sum, chunk) => sum + chunk.length, 0)
  }
  return { name: 'fetcher', get, close: () => fetcher[Symbol.asyncDispose]() }
}

/** undici asks the system, which need not know `*.localhost`. */
const toLoopback: LookupFunction = (_name, { all }, done) => {
  if (all) done(null, [{ address: '127.0.0.1', family: 4 }])
  else done(null, '127.0.0.1', 4)
}

function plainUndici(): Subject {
  const dispatcher = new Agent({ connections: 1, connect: { lookup: toLoopback } })
  const headers = {
    'user-agent': 'Jelajah-bench/1',
    accept: 'text/html',
    'accept-encoding': 'gzip',
  }
  const get = async (url: CanonicalUrl): Promise<number> => {
    const { body } = await request(url, { dispatcher, headers })
    let bytes = 0
    for await (const chunk of body) bytes += chunk.length
    return bytes
  }
  return { name: 'undici.request', get, close: () => dispatcher.close() }
}

/** Every host has one request in flight at a time, as in a crawl. */
async function drive(
  subject: Subject,
  urls: readonly CanonicalUrl[],
  total: number,
): Promise<void> {
  let left = total
  const walk = async (url: CanonicalUrl): Promise<void> => {
    for (left -= 1; left >= 0; left -= 1) {
      if ((await subject.get(url)) !== BODY_BYTES) throw new Error('a body is not complete')
    }
  }
  await Promise.all(urls.map(walk))
}

async function measure(subject: Subject, urls: readonly CanonicalUrl[]): Promise<void> {
  await drive(subject, urls, REQUESTS / 4)
  for (let round = 0; round < ROUNDS; round += 1) {
    const cpu = process.cpuUsage()
    const from = performance.now()
    await drive(subject, urls, REQUESTS)
    const { user, system } = process.cpuUsage(cpu)
    const seconds = (performance.now() - from) / 1000
    const perRequest = ((user + system) / REQUESTS).toFixed(1)
    const userOnly = (user / REQUESTS).toFixed(1)
    const rate = Math.round(REQUESTS / seconds)
    console.log(`${subject.name.padEnd(15)} ${perRequest} µs CPU (${userOnly} user)  ${rate}/s`)
  }
  await subject.close()
}

async function main(): Promise<void> {
  const server = fork(import.meta.filename, process.argv.slice(2), {
    env: { ...process.env, SERVE: '1' },
  })
  const { port } = await new Promise<{ port: number }>((resolve) => {
    server.once('message', (address) => resolve(address as { port: number }))
  })
  const urls = Array.from({ length: HOSTS }, (_, n) =>
    canonicalise(`http://h${n}.localhost:${port}/page`),
  ).filter((url) => url !== null)
  console.log(
    `${REQUESTS} requests of ${BODY_BYTES} bytes, ${HOSTS} hosts, Node ${process.version}, ${availableParallelism()} cores`,
  )
  for (const make of [ours, plainUndici]) await measure(make(), urls)
  server.kill()
}

if (process.env.SERVE === '1') serve()
else await main()
