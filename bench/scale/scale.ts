// What many machines cost: the same web is crawled into a folder, then with PostgreSQL, and with Redis beside
// it, by one program alone, and with 1 and 3 workers beside it. All on this machine, so it says what a page
// costs in processor time wherever it is spent, not how fast many machines are. Asserts nothing.
//
// Several programs cost each other processor time on the same cores (caches, changes between processes), and each
// compiles its code for itself. How much of their cost that is, is what as many crawls cost that run at the same time,
// each of its share of the sites into a folder of its own, and have nothing else in common.
//
//   sh scripts/node bench/scale/scale.ts [--quick] [--rounds N] [--on postgres,redis] [--programs 1,2,4]
//     [--pages N] [--real [--times N]]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { jelajah, type Run } from '../../test/e2e/crawling.ts'
import { meter } from '../crawl/meter.ts'
import { freePort, serve } from '../crawl/nginx.ts'
import { provide } from '../crawl/packages.ts'
import { NGINX, realPages, sampleWeb } from '../crawl/webs.ts'
import { machine } from '../machine.ts'
import { markdownTable } from '../table.ts'
import { cpuSecondsBelow } from './cpu.ts'
import { type Account, startServers } from './servers.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const LIMIT_MS = 600_000
const PROGRAMS = [1, 2, 4]
/** So many that starting four programs on two cores does not count for much. */
const PAGES = 8_000
const OPTIONS = { scope: 'host', delay: '0', concurrency: '64', 'per-host': '16', parts: 'links' }
const FLAGS = Object.entries({ ...OPTIONS, 'max-pages': '1000000' }).flatMap(([name, value]) => [
  `--${name}`,
  value,
])

type Measured = {
  readonly way: string
  readonly pages: number
  readonly seconds: number
  /** Of Jelajah's own processes. */
  readonly cpu: number
  readonly servers: Account | null
  readonly databaseBytes: number
}

/** So many crawls at the same time, each of its share of the sites, into a folder of its own. */
async function inFolders(
  seeds: readonly string[],
  work: string,
  crawls: number,
): Promise<Measured> {
  const data = join(work, 'folders')
  const shares = Array.from({ length: crawls }, (_, nth) =>
    seeds.filter((_, at) => at % crawls === nth),
  )
  const lines = shares.map((share, nth) =>
    command(share, ['--data', join(data, String(nth))])
      .map((word) => `'${word}'`)
      .join(' '),
  )
  const together = ['sh', '-c', `${lines.join(' & ')} & wait`] as const
  const metered = await meter({ command: together, limitMs: LIMIT_MS })
  rmSync(data, { recursive: true, force: true })
  const stored = metered.stdout.trim().split('\n')
  if (stored.length < crawls) throw new Error(`a crawl failed:\n${metered.stderr.slice(-4000)}`)
  return {
    way: crawls === 1 ? 'one crawl, a folder' : `${crawls} crawls at once, a folder each`,
    pages: stored.reduce((sum, line) => sum + storedBy(line, metered.stderr), 0),
    ...{ seconds: metered.wallSeconds, cpu: metered.cpuSeconds, servers: null, databaseBytes: 0 },
  }
}

/** The crawl's own program is one of them. */
async function withServers(
  seeds: readonly string[],
  on: string,
  programs: number,
): Promise<Measured> {
  await using servers = await startServers()
  const { database, redis } = servers
  const where = ['--data', database, ...(on === 'redis' ? ['--frontier', redis.url] : [])]
  const workers = Array.from({ length: programs - 1 }, () =>
    jelajah(['worker', '--pairs', '1', '--quiet', '--allow-private', ...where]),
  )
  try {
    await Promise.all(workers.map(isThere))
    const before = await servers.account()
    const emptyBytes = await servers.databaseBytes()
    const cpuSoFar = (): number =>
      workers.reduce((sum, each) => sum + cpuSecondsBelow(each.process.pid ?? 0), 0)
    const cpuBefore = cpuSoFar()
    const metered = await meter({
      command: command(seeds, [...where, '--allow-private']),
      limitMs: LIMIT_MS,
    })
    return {
      way: `${programs === 1 ? 'one program' : `${programs} programs`}, ${on}`,
      pages: storedBy(metered.stdout, metered.stderr),
      seconds: metered.wallSeconds,
      cpu: metered.cpuSeconds + cpuSoFar() - cpuBefore,
      servers: difference(before, await servers.account()),
      databaseBytes: (await servers.databaseBytes()) - emptyBytes,
    }
  } finally {
    for (const each of workers) each.process.kill('SIGTERM')
    await Promise.all(workers.map((each) => each.ended))
  }
}

/** Starting is not what is measured: once it rests, it waits for crawls. */
async function isThere({ process: { pid = 0 } }: Run): Promise<void> {
  for (let before = -1; ; ) {
    const used = cpuSecondsBelow(pid)
    if (used > 0 && used === before) return
    before = used
    await wait(500)
  }
}

function command(seeds: readonly string[], where: readonly string[]): [string, ...string[]] {
  const program = ['sh', join(ROOT, 'bin', 'jelajah'), 'crawl'] as const
  return [...program, ...seeds, ...where, ...FLAGS, '--json', '--quiet']
}

function storedBy(stdout: string, stderr: string): number {
  if (stdout === '') throw new Error(`the crawl failed:\n${stderr.slice(-4000)}`)
  return JSON.parse(stdout).stored
}

function difference(before: Account, after: Account): Account {
  const names = Object.keys(after) as (keyof Account)[]
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as Account
}

function rowOf(measured: Measured, folder: Measured): string[] {
  const { way, pages, seconds, cpu, servers, databaseBytes } = measured
  const all = cpu + (servers?.redisCpu ?? 0) + (servers?.postgresCpu ?? 0)
  const perPage = (amount: number | null | undefined, digits = 0): string =>
    typeof amount !== 'number' ? '' : (amount / pages).toFixed(digits)
  const overhead = all / pages / (folder.cpu / folder.pages) - 1
  return [
    ...[way, String(pages), (pages / seconds).toFixed(0), (pages / all).toFixed(0)],
    measured === folder ? '' : `${(100 * overhead).toFixed(0)} %`,
    ...[perPage(cpu * 1e6), perPage(servers && servers.redisCpu * 1e6)],
    perPage(servers && servers.postgresCpu * 1e6),
    ...[perPage(servers?.redisScripts, 1), perPage(servers?.redisBytes)],
    ...[perPage(servers?.redisMemory), perPage(servers ? databaseBytes : undefined)],
    perPage(servers?.walBytes),
  ]
}

const HEAD = [
  ...['', 'pages', 'pages/s', 'pages per CPU-s, all', 'more CPU than a folder', 'µs Jelajah/page'],
  ...['µs Redis/page', 'µs PostgreSQL/page', 'scripts/page', 'Redis bytes/page'],
  ...['Redis memory/page', 'database bytes/page', 'WAL bytes/page'],
]

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '1' },
    on: { type: 'string', default: 'postgres,redis' },
    programs: { type: 'string', default: PROGRAMS.join(',') },
    pages: { type: 'string', default: String(PAGES) },
    real: { type: 'boolean', default: false },
    times: { type: 'string', default: '1' },
  },
})
const work = mkdtempSync(join(tmpdir(), 'jelajah-scale-'))
try {
  const port = await freePort()
  const size = values.quick ? {} : { pages: Number(values.pages) }
  const preparing = { work, port, quick: values.quick, times: Number(values.times), ...size }
  const sites = await (values.real ? realPages : sampleWeb).prepare(preparing)
  await using web = await serve({ binary: provide(NGINX), sites, port, work })
  const { seeds } = web
  const rows: string[][] = []
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const folder = await inFolders(seeds, work, 1)
    const all = [folder]
    for (const programs of values.programs.split(',').map(Number)) {
      if (programs > 1) all.push(await inFolders(seeds, work, programs))
      for (const on of values.on.split(',')) all.push(await withServers(seeds, on, programs))
    }
    const found = all.map((measured) => rowOf(measured, folder))
    rows.push(...found)
    process.stderr.write(`round ${round} of ${values.rounds}\n${markdownTable(HEAD, found)}\n`)
  }
  process.stdout.write(`${machine()}\n\n${markdownTable(HEAD, rows)}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
