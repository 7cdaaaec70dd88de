// How evenly real workers on servers serve the sites of a crawl: sites of different size and speed, of which
// the crawl fetches a part. Jain's index over the stored pages of each site, at every moment of the second half
// of the crawl and at its end. With `--join`, all workers but the first come one after the other while the
// crawl runs. Asserts nothing.
//
//   sh scripts/node bench/scale/fairness.ts [--on postgres,redis] [--programs 4] [--sites 24] [--pages 100]
//     [--delay 200] [--concurrency 64] [--join]
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { jainsIndex } from '../../src/core/fairness.ts'
import { jelajah, type Run } from '../../test/e2e/crawling.ts'
import { machine } from '../machine.ts'
import { markdownTable } from '../table.ts'
import { startServers } from './servers.ts'

const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'postgres,redis' },
    programs: { type: 'string', default: '4' },
    sites: { type: 'string', default: '24' },
    pages: { type: 'string', default: '100' },
    delay: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '64' },
    join: { type: 'boolean', default: false },
  },
})
const sites = Number(values.sites)
const pages = Number(values.pages)
const programs = Number(values.programs)
/** Between two workers that come later. */
const JOIN_MS = 4000
const START_MS = 4000

/** A third of the sites is five times as large as needed, the others twice; every fifth is slow. */
async function serveSites(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const site = Number(/^s(\d+)/.exec(request.headers.host ?? '')?.[1] ?? 0)
    const at = Number(/^\/p(\d+)/.exec(request.url ?? '')?.[1] ?? Number.NaN)
    if (Number.isNaN(at)) return void response.writeHead(404).end()
    await wait(site % 5 === 0 ? 150 : 10)
    const size = pages * (site % 3 === 0 ? 5 : 2)
    const near = [at + 1, at + 2, 2 * at + 3].filter((to) => to < size).map((to) => `/p${to}`)
    const links = [...near, `http://s${(site + 1) % sites}.test/p0`]
    const anchors = links.map((to) => `<a href="${to}">page ${to}</a>`).join(' ')
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<title>${site} ${at}</title><p>Page ${at} of site ${site}.</p>${anchors}`)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

type Found = { readonly end: number; readonly least: number; readonly stored: number }

async function crawl(on: string, port: number): Promise<Found> {
  await using servers = await startServers()
  const { database, redis } = servers
  const where = ['--data', database, ...(on === 'redis' ? ['--frontier', redis.url] : [])]
  const common = [...where, '--allow-private', '--quiet']
  const work = (): Run => jelajah(['worker', '--pairs', '1', ...common])
  const workers = Array.from({ length: values.join ? 0 : programs - 1 }, work)
  if (workers.length > 0) await wait(START_MS)
  const seeds = Array.from({ length: sites }, (_, nth) => `http://s${nth}.test/p0`)
  const flags = Object.entries({
    ...{ delay: values.delay, concurrency: values.concurrency, 'max-pages': sites * pages },
    ...{ 'connect-to': `*.test=127.0.0.1:${port}`, 'trap-budget': 0 },
  }).flatMap(([name, value]) => [`--${name}`, String(value)])
  const run = jelajah(['crawl', ...seeds, ...common, ...flags, '--no-sitemaps'])
  let isOver = false
  const ended = run.ended.finally(() => {
    isOver = true
  })
  try {
    while (!isOver && workers.length < programs - 1) {
      await Promise.race([wait(JOIN_MS), ended])
      if (!isOver) workers.push(work())
    }
    const { code, stderr } = await ended
    if (code !== 0) throw new Error(stderr)
    return await found(database)
  } finally {
    for (const each of workers) each.process.kill('SIGTERM')
    await Promise.all(workers.map((each) => each.ended))
  }
}

async function found(database: string): Promise<Found> {
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  try {
    const rows = await sql`SELECT url FROM pages ORDER BY fetched_at`
    const counts = Array.from({ length: sites }, () => 0)
    let least = 1
    for (const [nth, { url }] of rows.entries()) {
      const site = Number(/\/\/s(\d+)\./.exec(String(url))?.[1])
      counts[site] = (counts[site] ?? 0) + 1
      if (2 * nth >= rows.length) least = Math.min(least, jainsIndex(counts))
    }
    return { end: jainsIndex(counts), least, stored: rows.length }
  } finally {
    await sql.end()
  }
}

const server = await serveSites()
const { port } = server.address() as AddressInfo
const rows: string[][] = []
for (const on of values.on.split(',')) {
  const { end, least, stored } = await crawl(on, port)
  rows.push([on, String(programs), String(stored), end.toFixed(3), least.toFixed(3)])
}
const head = ['on', 'programs', 'pages', "Jain's index at the end", 'least in the second half']
process.stdout.write(`${machine()}\n\n${markdownTable(head, rows)}\n`)
server.closeAllConnections()
server.close()
