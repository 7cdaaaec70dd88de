// What a second scouter adds on one machine, with pages so small that nothing but the program itself costs
// time. On few cores the processes take turns, so wall time says nothing; counted is what each process does:
//
//   work     processor time per page of the busiest process: with a core for each, it sets the pace
//   waiting  time per page that the busiest scouter's main thread neither worked nor wanted to (no core was
//            missing): what waiting for commits, messages and others would cost on top of it
//
// Both are those of the second half of the pages, without what starting and warming up cost. Each scouter has as
// many hosts and pages, since every process compiles its code for itself: what one page costs falls for tens of
// thousands of pages. Asserts nothing.
//
// More busy processes than cores cost each other processor time (caches, changes between them). `1+1` shows how much:
// two crawls of one scouter each, at the same time, in folders of their own, which share nothing else.
//
//   sh scripts/node bench/scale/scouters.ts [--scouters 1,1+1,2] [--hosts 64] [--pages 600] [--rounds 3]
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { jelajah, pidsOf, query, type Run, temporaryFolder } from '../../test/e2e/crawling.ts'
import { machine } from '../machine.ts'
import { markdownTable } from '../table.ts'

const LOOK_MS = 50
const TICK_MS = 10
const NS_PER_MS = 1e6
/** The first half of the pages warms up: every process compiles the same code for itself. */
const WARM = 0.5

const { values } = parseArgs({
  options: {
    scouters: { type: 'string', default: '1,1+1,2' },
    hosts: { type: 'string', default: '64' },
    pages: { type: 'string', default: '600' },
    rounds: { type: 'string', default: '3' },
  },
})
const hostsOfOne = Number(values.hosts)
const pages = Number(values.pages)

/** Times in ms so far: of all threads, and of the main one alone. */
type Times = { readonly all: number; readonly main: number; readonly queued: number }

type Look = { readonly at: number; readonly stored: number; readonly times: Map<string, Times> }

/** A page leads to two others of its host, and one in ten to the next host. */
async function serveTiny(hosts: number): Promise<Server> {
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    const host = headers.host ?? ''
    const at = Number(/^\/p(\d+)/.exec(url)?.[1] ?? Number.NaN)
    if (Number.isNaN(at)) return void response.writeHead(404).end()
    const near = [2 * at + 1, 2 * at + 2].filter((to) => to < pages).map((to) => `/p${to}`)
    const next = (Number(/^h(\d+)/.exec(host)?.[1] ?? 0) + 1) % hosts
    const links = at % 10 === 0 ? [...near, `http://h${next}.test/p${at}`] : near
    const text = `Page ${at} of ${host} ${Math.imul(at + 7, 2_654_435_761) >>> 0}`
    const anchors = links.map((to) => `<a href="${to}">page ${to}</a>`).join(' ')
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<title>${host} ${at}</title><p>${text}</p>${anchors}`)
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function timesOf(pid: number): Times {
  const threads = readdirSync(`/proc/${pid}/task`)
  const all = threads.reduce((sum, thread) => sum + cpuOf(`/proc/${pid}/task/${thread}`), 0)
  const main = `/proc/${pid}/task/${pid}`
  const [, queued = 0] = readFileSync(`${main}/schedstat`, 'utf8').split(' ').map(Number)
  return { all, main: cpuOf(main), queued: queued / NS_PER_MS }
}

/** Fields 14 and 15 of proc(5), after the name in brackets. */
function cpuOf(folder: string): number {
  const stat = readFileSync(`${folder}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function timesBelow(root: number): Map<string, Times> {
  const times = new Map<string, Times>()
  for (const role of ['scouter', 'parser'] as const) {
    for (const pid of pidsOf(root, role)) {
      try {
        times.set(`${role} ${pid}`, timesOf(pid))
      } catch {
        // It has just ended.
      }
    }
  }
  return times
}

/** One crawl, or several at the same time, each with so many scouters and hosts of its own. */
async function crawl(crawls: readonly number[]): Promise<Figures> {
  await using stack = new AsyncDisposableStack()
  const hosts = hostsOfOne * crawls.reduce((sum, scouters) => sum + scouters, 0)
  const server = await serveTiny(hosts)
  stack.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  let hostsBefore = 0
  const begun: { readonly pid: number; readonly store: string; readonly run: Run }[] = []
  for (const scouters of crawls) {
    const folder = stack.use(await temporaryFolder())
    const run = start({ data: folder.path, scouters, hostsBefore, port })
    hostsBefore += hostsOfOne * scouters
    begun.push({ pid: run.process.pid ?? 0, store: join(folder.path, 'jelajah.db'), run })
  }
  const looks: Look[] = []
  const timer = setInterval(() => {
    try {
      const stored = begun.reduce((sum, { store }) => sum + storedIn(store), 0)
      const times = begun.flatMap(({ pid }) => [...timesBelow(pid)])
      looks.push({ at: performance.now(), stored, times: new Map(times) })
    } catch {
      // A store is not there yet.
    }
  }, LOOK_MS)
  const ends = await Promise.all(begun.map(({ run }) => run.ended))
  clearInterval(timer)
  for (const { code, stderr } of ends) if (code !== 0) throw new Error(stderr)
  return figuresOf(looks)
}

type Begin = {
  readonly data: string
  readonly scouters: number
  readonly hostsBefore: number
  readonly port: number
}

function start({ data, scouters, hostsBefore, port }: Begin): Run {
  const seeds = Array.from(
    { length: hostsOfOne * scouters },
    (_, nth) => `http://h${hostsBefore + nth}.test/p0`,
  )
  const flags = Object.entries({
    ...{ data, delay: 0, 'max-pages': 1_000_000, concurrency: 64, 'trap-budget': 0 },
    ...{ 'parser-threads': scouters, scouters, 'connect-to': `*.test=127.0.0.1:${port}` },
  }).flatMap(([name, value]) => [`--${name}`, String(value)])
  return jelajah(['crawl', ...seeds, ...flags, '--no-sitemaps', '--allow-private', '--quiet'])
}

function storedIn(store: string): number {
  return Number(query<{ n: number }>(store, 'SELECT sum(stored) AS n FROM host_totals')[0]?.n ?? 0)
}

type Figures = {
  readonly pages: number
  /** µs per page of the whole crawl. */
  readonly cpu: number
  readonly work: number
  /** The part of the busiest scouter. */
  readonly scouter: number
  readonly waiting: number
}

function figuresOf(looks: readonly Look[]): Figures {
  const total = looks.at(-1)?.stored ?? 0
  const first = looks.find(({ stored }) => stored >= WARM * total)
  const most = Math.max(...looks.map(({ times }) => times.size))
  const last = looks.findLast(({ stored, times }) => stored < total && times.size >= most)
  if (first === undefined || last === undefined) throw new Error('too few pages to measure')
  const done = last.stored - first.stored
  const wall = last.at - first.at
  const perPage = (ms: number): number => (1000 * ms) / done
  const spent = [...last.times].map(([name, { all, main, queued }]) => {
    const before = first.times.get(name) ?? { all: 0, main: 0, queued: 0 }
    const busy = main - before.main
    const idle = Math.max(0, wall - busy - (queued - before.queued))
    return { name, cpu: all - before.all, busy, idle }
  })
  const busiest = spent
    .filter(({ name }) => name.startsWith('scouter'))
    .reduce((most, one) => (one.busy > most.busy ? one : most))
  return {
    pages: total,
    cpu: perPage(spent.reduce((sum, one) => sum + one.cpu, 0)),
    work: perPage(Math.max(...spent.map((one) => one.busy))),
    scouter: perPage(busiest.busy),
    waiting: perPage(busiest.idle),
  }
}

const rows: string[][] = []
for (let round = 0; round < Number(values.rounds); round += 1) {
  let one: Figures | null = null
  for (const crawls of values.scouters.split(',')) {
    const found = await crawl(crawls.split('+').map(Number))
    one ??= found
    const { cpu, work, scouter, waiting } = found
    const times = (of: (figures: Figures) => number): string =>
      (of(one ?? found) / of(found)).toFixed(2)
    rows.push([
      ...[crawls, String(found.pages), cpu.toFixed(0), work.toFixed(0)],
      ...[
        scouter.toFixed(0),
        waiting.toFixed(0),
        times((f) => f.work),
        times((f) => f.work + f.waiting),
      ],
    ])
    process.stderr.write(`${rows.at(-1)?.join(' | ')}\n`)
  }
}
const head = [
  'scouters',
  'pages',
  'µs CPU/page',
  'µs work/page',
  'µs scouter/page',
  'µs waiting/page',
]
const ratios = ['× one, by work', '× one, by work and waiting']
process.stdout.write(`${machine()}\n\n${markdownTable([...head, ...ratios], rows)}\n`)
