// Where one Redis, a Cluster of three and one PostgreSQL end: more and more programs with virtual workers, which
// fetch and parse nothing, against each alone: as the storage of a frontier, and PostgreSQL as the store of pages.
// The servers share this machine with their clients, so what counts is how busy the server was and what a page
// cost it: at 100 % of a core one Redis is at its end, and a Cluster when its busiest master is. Asserts nothing.
//
//   sh scripts/node bench/scale/saturation.ts [--seconds N] [--processes 1,2,4] [--only frontier|store]
//     [--on redis|cluster|postgres] [--latency MS]
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { startRedisCluster } from '../../test/servers/redis-cluster.ts'
import { machine } from '../machine.ts'
import { markdownTable } from '../table.ts'
import { startServers } from './servers.ts'

const WORKERS_EACH = 24
/** Until every partition has its owner. */
const WARM_MS = 4000
const CLIENT = join(import.meta.dirname, 'virtual-worker.ts')
type Kind = 'frontier' | 'store'
type Server = 'redis' | 'cluster' | 'postgres'
type Load = { readonly kind: Kind; readonly on: Server; readonly processes: number }

async function load({ kind, on, processes }: Load): Promise<string[]> {
  await using servers = await serversFor(on)
  const { url } = servers
  const clients: Client[] = []
  for (let number = 0; number < processes; number += 1) {
    // One after the other: the first makes what the others join.
    clients.push(await startClient(kind, url, number))
  }
  await wait(WARM_MS)
  const before = await look(servers, clients)
  await wait(Number(values.seconds) * 1000)
  const after = await look(servers, clients)
  await Promise.all(clients.map((client) => client.end()))
  const seconds = (after.at - before.at) / 1000
  const pages = after.pages - before.pages
  const each = after.servers.map((cpu, at) => cpu - (before.servers[at] ?? 0))
  const [cpu, busiest] = [each.reduce((sum, one) => sum + one, 0), Math.max(...each)]
  return [
    ...[`${kind}, ${NAMES[on]}`, String(processes)],
    ...[(pages / seconds).toFixed(0), `${((100 * busiest) / seconds).toFixed(0)} %`],
    ...[((cpu * 1e6) / pages).toFixed(0), (pages / busiest).toFixed(0)],
    ((1e6 * (after.clients - before.clients)) / pages).toFixed(0),
  ]
}

/** So far: pages, and seconds of processor time. */
async function look(servers: Measured, clients: readonly Client[]) {
  const counts = await Promise.all(clients.map((client) => client.counts()))
  return {
    at: performance.now(),
    pages: counts.reduce((sum, { pages }) => sum + pages, 0),
    clients: counts.reduce((sum, { cpu }) => sum + cpu, 0),
    servers: await servers.cpu(),
  }
}

/** The servers of one run, and seconds of processor time that each has used so far. */
type Measured = AsyncDisposable & { readonly url: string; cpu(): Promise<readonly number[]> }

async function serversFor(on: Server): Promise<Measured> {
  if (on === 'cluster') return startCluster()
  const servers = await startServers()
  return {
    url: on === 'redis' ? servers.redis.url : servers.database,
    async cpu() {
      const { redisCpu, postgresCpu } = await servers.account()
      return [on === 'redis' ? redisCpu : postgresCpu]
    },
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  }
}

/** Of its masters; a replica repeats what its master did. */
async function startCluster(): Promise<Measured> {
  const stack = new AsyncDisposableStack()
  const { url } = stack.use(await startRedisCluster())
  const masters = (url.match(/[\w.]+:\d+/g) ?? []).map((place) =>
    stack.adopt(new Redis(`redis://${place}`), (each) => each.disconnect()),
  )
  return {
    url,
    cpu: () => Promise.all(masters.map(async (each) => cpuOf(await each.info('cpu')))),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function cpuOf(info: string): number {
  const used = info.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)
  return [...used].reduce((sum, [, seconds]) => sum + Number(seconds), 0)
}

type Counts = { readonly pages: number; readonly cpu: number }
type Client = { counts(): Promise<Counts>; end(): Promise<void> }

async function startClient(kind: Kind, url: string, number: number): Promise<Client> {
  const args = [CLIENT, kind, url, String(number), String(WORKERS_EACH), values.latency]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = linesOf(child)
  await said()
  return {
    async counts() {
      child.kill('SIGUSR2')
      return JSON.parse(await said())
    },
    async end() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The next line that it says, each time. */
function linesOf({ stdout }: ChildProcess): () => Promise<string> {
  let text = ''
  return async () => {
    while (!text.includes('\n')) {
      const [chunk] = await once(stdout ?? process.stdin, 'data')
      text += chunk
    }
    const end = text.indexOf('\n')
    const line = text.slice(0, end)
    text = text.slice(end + 1)
    return line
  }
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    processes: { type: 'string', default: '1,2,4' },
    only: { type: 'string' },
    on: { type: 'string' },
    latency: { type: 'string', default: '50' },
  },
})
const HEAD = ['', 'programs', 'pages/s here', 'server busy', 'server µs/page']
const MORE = ['pages per CPU-second of the (busiest) server', 'client µs/page']
const NAMES = { redis: 'Redis', cluster: 'Cluster of three', postgres: 'PostgreSQL' } as const
const LOADS = [
  { kind: 'frontier', on: 'redis' },
  { kind: 'frontier', on: 'cluster' },
  { kind: 'frontier', on: 'postgres' },
  { kind: 'store', on: 'postgres' },
] as const
const rows: string[][] = []
for (const { kind, on } of LOADS) {
  if ((values.only ?? kind) !== kind || (values.on ?? on) !== on) continue
  for (const processes of values.processes.split(',').map(Number)) {
    rows.push(await load({ kind, on, processes }))
    process.stderr.write(`${rows.at(-1)?.join(' · ')}\n`)
  }
}
process.stdout.write(`${machine()}\n\n${markdownTable([...HEAD, ...MORE], rows)}\n`)
