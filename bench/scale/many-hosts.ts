// A wide crawl: many hosts of a few small pages, of which half are missing. Every host has a robots.txt to keep and every
// missing page a result to write, so this shows what waiting for a database costs. The same web is crawled into a
// folder and with servers, by one program. Times depend on the machine; what counts is their ratio. Asserts nothing.
//
//   sh scripts/node bench/scale/many-hosts.ts [--hosts 300] [--concurrency 16] [--on folder,postgres,redis]
//     [--rounds 3] [--program PATH]
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { temporaryFolder } from '../../test/e2e/crawling.ts'
import { meter } from '../crawl/meter.ts'
import { machine } from '../machine.ts'
import { markdownTable } from '../table.ts'
import { startServers } from './servers.ts'

const LIMIT_MS = 300_000
/** Of every answer: a host that is near. */
const LATENCY_MS = 20
/** The first page leads to the others. */
const LINKS = [1, 2, 3]
const LAST_PAGE = 1

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '300' },
    concurrency: { type: 'string', default: '16' },
    on: { type: 'string', default: 'folder,postgres,redis' },
    rounds: { type: 'string', default: '3' },
    /** The command of another checkout, to compare with. */
    program: { type: 'string', default: join(import.meta.dirname, '..', '..', 'bin', 'jelajah') },
  },
})

async function serveHosts(): Promise<Server> {
  const server = createServer(({ url = '', headers: { host = '' } }, response) => {
    const at = Number(/^\/p(\d+)$/.exec(url)?.[1] ?? Number.NaN)
    const status = at <= LAST_PAGE ? 200 : 404
    const links = at === 0 ? LINKS.map((to) => `<a href="/p${to}">page ${to}</a>`).join(' ') : ''
    const body = `<title>${host} ${at}</title><p>Page ${at} of ${host}</p>${links}`
    setTimeout(() => {
      response.writeHead(status, { 'content-type': 'text/html' }).end(status === 200 ? body : '')
    }, LATENCY_MS)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Returns pages, and seconds from start to end. */
async function crawl(on: string, port: number): Promise<readonly [number, number]> {
  await using folder = await temporaryFolder()
  await using servers = on === 'folder' ? null : await startServers()
  const frontier = servers !== null && on === 'redis' ? ['--frontier', servers.redis.url] : []
  const where = ['--data', servers?.database ?? folder.path, ...frontier]
  const flags = Object.entries({
    ...{ delay: 0, retries: 0, concurrency: values.concurrency, 'max-pages': 1_000_000 },
    'connect-to': `*.test=127.0.0.1:${port}`,
  }).flatMap(([name, value]) => [`--${name}`, String(value)])
  const seeds = Array.from({ length: Number(values.hosts) }, (_, at) => `http://h${at}.test/p0`)
  const plain = ['--allow-private', '--no-sitemaps', '--json', '--quiet']
  const { stdout, stderr, wallSeconds } = await meter({
    command: ['sh', values.program, 'crawl', ...seeds, ...where, ...flags, ...plain],
    limitMs: LIMIT_MS,
  })
  if (stdout === '') throw new Error(`the crawl failed:\n${stderr.slice(-4000)}`)
  return [JSON.parse(stdout).stored, wallSeconds]
}

const server = await serveHosts()
const { port } = server.address() as AddressInfo
const rows: string[][] = []
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const on of values.on.split(',')) {
    const [stored, seconds] = await crawl(on, port)
    rows.push([on, String(stored), seconds.toFixed(1)])
    process.stderr.write(`${rows.at(-1)?.join(' | ')}\n`)
  }
}
process.stdout.write(`${machine()}\n\n${markdownTable(['', 'pages', 'seconds'], rows)}\n`)
server.closeAllConnections()
server.close()
