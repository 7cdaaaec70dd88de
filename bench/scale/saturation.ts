// Where one Redis and one PostgreSQL end: more and more virtual workers, which fetch and parse nothing,
// against each alone. The servers share this machine with their clients, so what counts is how busy the
// server's process was and what a page cost it; at 100 % of a core one Redis is at its end. Asserts nothing.
//
//   sh scripts/node bench/scale/saturation.ts [--seconds N] [--processes 1,2,4] [--only frontier|store]
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { machine } from '../machine.ts'
import { markdownTable } from '../table.ts'
import { type Servers, startServers } from './servers.ts'

const WORKERS_EACH = 8
const CLIENT = join(import.meta.dirname, 'virtual-worker.ts')
type Kind = 'frontier' | 'store'

async function load(kind: Kind, processes: number, seconds: number): Promise<string[]> {
  await using servers = await startServers()
  const clients: Client[] = []
  for (let number = 0; number < processes; number += 1) {
    // One after the other: the first makes what the others join.
    clients.push(await startClient(kind, servers, number))
  }
  const before = await servers.account()
  const begun = performance.now()
  await wait(seconds * 1000)
  const pages = (await Promise.all(clients.map((client) => client.end()))).reduce((a, b) => a + b)
  const took = (performance.now() - begun) / 1000
  const after = await servers.account()
  const cpu =
    kind === 'frontier' ? after.redisCpu - before.redisCpu : after.postgresCpu - before.postgresCpu
  return [
    ...[kind === 'frontier' ? 'Redis' : 'PostgreSQL', String(processes * WORKERS_EACH)],
    ...[(pages / took).toFixed(0), `${((100 * cpu) / took).toFixed(0)} %`],
    ...[((cpu * 1e6) / pages).toFixed(0), (pages / cpu).toFixed(0)],
  ]
}

type Client = { end(): Promise<number> }

async function startClient(kind: Kind, servers: Servers, number: number): Promise<Client> {
  const url = kind === 'frontier' ? servers.redis.url : servers.database
  const args = [CLIENT, kind, url, String(number), String(WORKERS_EACH)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = linesOf(child)
  await said()
  return {
    async end() {
      child.kill('SIGTERM')
      return JSON.parse(await said()).pages
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
  },
})
const HEAD = ['', 'virtual workers', 'pages/s here', 'busy', 'µs CPU/page', 'pages per CPU-second']
const rows: string[][] = []
for (const kind of ['frontier', 'store'] as const) {
  if (values.only !== undefined && values.only !== kind) continue
  for (const processes of values.processes.split(',').map(Number)) {
    rows.push(await load(kind, processes, Number(values.seconds)))
    process.stderr.write(`${rows.at(-1)?.join(' · ')}\n`)
  }
}
process.stdout.write(`${machine()}\n\n${markdownTable(HEAD, rows)}\n`)
