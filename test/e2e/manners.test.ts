// How the crawl behaves towards hosts with habits of their own: seen from the server's side.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { AccessRecord } from '../../src/sample-web/access-log.ts'
import { politenessBreaches } from '../../src/sample-web/checker.ts'
import { StallMeter } from '../../src/sample-web/server.ts'
import { readUrls, serve, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'

type Habits = Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>

/** A server with habits for some paths; everything else is a page without links. */
async function host(habits: Habits) {
  const asked: AccessRecord[] = []
  const stalls = new StallMeter()
  const server = await serve((request, response) => {
    const path = request.url ?? '/'
    asked.push(recordOf(request.headers.host ?? '', path))
    response.setHeader('content-type', 'text/html')
    const habit = habits[path]
    if (habit !== undefined) habit(request, response)
    else if (/\.(?:txt|xml)$/.test(path)) response.writeHead(404).end()
    else response.end(`<title>${path}</title>`)
  })
  return {
    ...server,
    asked,
    tooEarly: () =>
      politenessBreaches(asked, { ...RULES, unseenMs: stalls.msBetween.bind(stalls) }),
    [Symbol.asyncDispose]: async () => {
      stalls[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** Answered at once. */
function recordOf(host: string, path: string): AccessRecord {
  const at = performance.timeOrigin + performance.now()
  return { host, path, status: 200, startedAt: at, endedAt: at, connection: 0, userAgent: '' }
}

const DELAY_MS = 120
/** On a busy machine one request takes longer to get there than the next; who has no turn comes at once. */
const RULES = { delayMs: DELAY_MS, perHost: 1, toleranceMs: 0.75 * DELAY_MS }

const links = (paths: readonly string[]) => (_: IncomingMessage, response: ServerResponse) => {
  response.end(paths.map((path) => `<a href="${path}">${path}</a>`).join(''))
}
const pages = (count: number) => Array.from({ length: count }, (_, nth) => `/page${nth}`)

async function crawl(
  seeds: readonly string[],
  ...flags: readonly string[]
): Promise<Map<string, string>> {
  return crawlTo(0, seeds, ...flags)
}

/** The same of one that ends with this code. */
async function crawlTo(
  exit: number,
  seeds: readonly string[],
  ...flags: readonly string[]
): Promise<Map<string, string>> {
  await using folder = await temporaryFolder()
  const args = ['crawl', ...seeds, '--data', folder.path, '--quiet', '--allow-private', ...flags]
  const { code, stderr } = await runHere(args)
  assert.equal(code, exit, stderr)
  const rows = readUrls(folder.path)
  return new Map(rows.map(({ url, state, reason }) => [url, `${state} ${reason ?? ''}`.trim()]))
}

test('one page that always fails does not cost its host the others', async () => {
  const fail = (status: number) => (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status).end()
  }
  await using server = await host({
    '/': links(['/bad500', '/bad503', ...pages(8)]),
    '/bad500': fail(500),
    '/bad503': fail(503),
  })
  const at = `http://127.0.0.1:${server.port}`
  const states = await crawl([`${at}/`], '--delay', '10', '--retries', '1', '--no-sitemaps')
  assert.equal(states.get(`${at}/bad500`), 'failed http-500')
  assert.equal(states.get(`${at}/bad503`), 'failed http-503')
  for (const path of pages(8)) assert.equal(states.get(`${at}${path}`), 'stored', path)
})

test('a robots.txt that moved to a busy host gets its turn there, on that host’s clock', async () => {
  await using busy = await host({ '/': links(pages(12)) })
  await using moved = await host({
    '/robots.txt': (_, response) => {
      response.writeHead(301, { location: `http://busy.localhost:${busy.port}/moved.txt` }).end()
    },
  })
  const seeds = [`http://busy.localhost:${busy.port}/`, `http://moved.localhost:${moved.port}/`]
  const states = await crawl(
    seeds,
    '--delay',
    `${DELAY_MS}`,
    '--host-policy',
    'largest',
    '--no-sitemaps',
  )
  assert.equal(states.get(seeds[1]!), 'stored')
  const paths = busy.asked.map(({ path }) => path)
  assert.ok(paths.indexOf('/moved.txt') < paths.length - 1, 'it did not have to wait for the end')
  assert.deepEqual(busy.tooEarly(), [])
})

test('a request on a connection that turned out to be dead is repeated in the host’s own time', async () => {
  let served = 0
  await using server = await host({
    '/': (_, response) => {
      response.end(
        pages(6)
          .map((path) => `<a href="${path}">x</a>`)
          .join(''),
      )
    },
    ...Object.fromEntries(
      pages(6).map((path) => [
        path,
        (request: IncomingMessage, response: ServerResponse) => {
          // Every second request finds its kept connection closed, without an answer.
          if (served++ % 2 === 0 && request.socket.bytesWritten > 0) request.socket.destroy()
          else response.end(`<title>${path}</title>`)
        },
      ]),
    ),
  })
  const at = `http://127.0.0.1:${server.port}`
  const states = await crawl(
    [`${at}/`],
    '--delay',
    `${DELAY_MS}`,
    '--no-sitemaps',
    '--ignore-robots',
  )
  for (const path of pages(6)) assert.equal(states.get(`${at}${path}`), 'stored', path)
  assert.deepEqual(server.tooEarly(), [])
})

test('a sitemap is found behind redirects', async () => {
  const to = (location: string) => (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(302, { location }).end()
  }
  await using server = await host({
    '/sitemap.xml': to('/s1.xml'),
    '/s1.xml': to('/s2.xml'),
    '/s2.xml': to('/s3.xml'),
    '/s3.xml': to('/s4.xml'),
    '/s4.xml': (request, response) => {
      response.setHeader('content-type', 'application/xml')
      const at = `http://${request.headers.host}`
      response.end(`<urlset><url><loc>${at}/hidden</loc></url></urlset>`)
    },
  })
  const at = `http://127.0.0.1:${server.port}`
  assert.equal((await crawl([`${at}/`], '--delay', '0')).get(`${at}/hidden`), 'stored')
})

test('a host that asks for an hour of rest does not hold up the end of an incomplete crawl', async () => {
  await using server = await host({
    '/': links(['/tired', '/page0']),
    '/tired': (_, response) => {
      response.writeHead(503, { 'retry-after': '3600' }).end()
    },
  })
  const at = `http://127.0.0.1:${server.port}`
  const states = await crawlTo(12, [`${at}/`], '--delay', '0', '--no-sitemaps')
  assert.equal(states.get(`${at}/tired`), 'refused host-unreachable')
})

test('a host whose Crawl-delay is out of reason is left alone at once', async () => {
  await using server = await host({
    '/robots.txt': (_, response) => {
      response.end('User-agent: *\nCrawl-delay: 1000000000')
    },
  })
  const at = `http://127.0.0.1:${server.port}`
  const states = await crawlTo(1, [`${at}/`], '--delay', '0')
  assert.equal(states.get(`${at}/`), 'refused crawl-delay: robots.txt asks for 1000000000 s')
  // One request and the next would be 1000000000 s apart, were it kept.
  assert.equal(server.asked.length, 1)
})

test('a host that stops answering is waited for, and loses no URL', async () => {
  let downUntil = 0
  const flaky = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/page1' && downUntil === 0) downUntil = performance.now() + 2500
    if (performance.now() < downUntil) request.socket.destroy()
    else response.end(`<title>${request.url}</title>`)
  }
  const handlers = Object.fromEntries(pages(4).map((path) => [path, flaky]))
  await using server = await host({ '/': links(pages(4)), ...handlers })
  const at = `http://127.0.0.1:${server.port}`
  const states = await crawl([`${at}/`], '--delay', '0', '--no-sitemaps', '--retries', '1')
  for (const path of pages(4)) assert.equal(states.get(`${at}${path}`), 'stored', path)
})

test('a host that answered before and is gone makes a crawl incomplete', async () => {
  const gone = (request: IncomingMessage) => request.socket.destroy()
  const handlers = Object.fromEntries(pages(3).map((path) => [path, gone]))
  await using server = await host({ '/': links(pages(3)), ...handlers })
  const at = `http://127.0.0.1:${server.port}`
  const flags = ['--delay', '0', '--no-sitemaps', '--host-patience', '1']
  const states = await crawlTo(12, [`${at}/`], ...flags)
  assert.equal(states.get(`${at}/`), 'stored')
  assert.ok([...states.values()].includes('refused host-unreachable'), String([...states]))
})

test('a network that goes away is waited for, and costs nothing', async () => {
  const hosts = ['a', 'b', 'c', 'd'].map((name) => `http://${name}.test`)
  let served = 0
  const server = createServer((request, response) => {
    served += 1
    response.setHeader('content-type', 'text/html')
    if (request.url === '/') links(pages(6))(request, response)
    else if (request.url === '/robots.txt') response.writeHead(404).end()
    else response.end(`<title>${request.url}</title>`)
    if (served === 14) goAway()
  })
  const port = await listenOn(server, 0)
  const goAway = () => {
    server.close()
    setImmediate(() => server.closeAllConnections())
    setTimeout(() => void listenOn(server, port), 3000)
  }
  await using folder = await temporaryFolder()
  const flags = ['--delay', '20', '--no-sitemaps', '--retries', '0', '--json']
  const there = ['--connect-to', `*.test=127.0.0.1:${port}`, '--data', folder.path]
  const { code, stdout, stderr } = await runHere(['crawl', ...hosts, ...flags, ...there])
  server.close()
  server.closeAllConnections()
  assert.equal(code, 0, stderr)
  assert.match(stderr, /the network seems to be away/)
  assert.match(stderr, /the network is back/)
  const { stored, duplicates, failed, refused } = JSON.parse(stdout)
  assert.deepEqual([stored + duplicates, failed, refused], [28, 0, 0])
})

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

test('a seed that nobody answers fails the crawl soon, with the reason', async () => {
  await using folder = await temporaryFolder()
  const server = await host({})
  await server[Symbol.asyncDispose]()
  const seed = `http://127.0.0.1:${server.port}/`
  const args = ['crawl', seed, '--data', folder.path, '--quiet', '--json']
  const { code, stdout } = await runHere([...args, '--retries', '0', '--allow-private'])
  assert.equal(code, 1)
  const { status, note, stored } = JSON.parse(stdout)
  assert.deepEqual([status, stored], ['failed', 0])
  assert.match(note, /^no seed could be fetched: http:\S+ failed: connect: ECONNREFUSED: nothing/)
})
