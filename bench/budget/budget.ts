// What a page costs: microseconds of processor time per page, by stage and process, in a crawl of the real
// pages with the defaults of a user. The figures of `budget.json` stand beside those of this run, so that a
// change that makes a stage dearer is seen.
//
//   sh scripts/node bench/budget/budget.ts [--quick] [--save]
//
// The crawl runs twice: once as it is, for the processor time of each process and thread, and once with V8's
// profiler, which makes everything dearer, for how that time is shared among stages.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { crawlOnce } from '../crawl/crawl-once.ts'
import { jelajah } from '../crawl/crawlers.ts'
import { freePort, type Server, serve } from '../crawl/nginx.ts'
import { provide } from '../crawl/packages.ts'
import { NGINX, realPages } from '../crawl/webs.ts'
import { machine } from '../machine.ts'
import { markdownTable } from '../table.ts'
import { type CpuProfile, OTHER_THREADS, stagesOf } from './stages.ts'

const SAVED = join(import.meta.dirname, 'budget.json')
const HOOK = join(import.meta.dirname, 'account.cjs')
const INTERVAL_US = 500

/** As account.cjs writes it. */
type Account = {
  readonly program: string
  readonly pid: number
  /** 0: the main thread. */
  readonly thread: number
  readonly processUs: number
  readonly threadUs: number
}

/** Microseconds per page by process, then by stage. */
type Budget = Record<string, Record<string, number>>

type Measured = { readonly accounts: readonly Account[]; readonly folder: string; pages: number }

async function measure(server: Server, work: string, profiles: boolean): Promise<Measured> {
  const folder = join(work, profiles ? 'profiles' : 'accounts')
  mkdirSync(folder)
  const profiler = `--cpu-prof --cpu-prof-interval ${INTERVAL_US} --cpu-prof-dir ${folder}`
  const options = `--require ${HOOK} ${profiles ? profiler : ''}`
  const env = { BENCH_ACCOUNTS: folder, NODE_OPTIONS: options }
  const run = await crawlOnce({ crawler: jelajah, server, work: join(folder, 'crawl'), env })
  const files = readdirSync(folder).filter((name) => name.startsWith('account.'))
  const accounts = files.map(
    (name): Account => JSON.parse(readFileSync(join(folder, name), 'utf8')),
  )
  const pages = run.stored.pages.size
  const cpu = accounts.filter(({ thread }) => thread === 0)
  const seconds = cpu.reduce((sum, { processUs }) => sum + processUs / 1e6, 0)
  const how = profiles ? 'with profiles' : 'as it is'
  const speed = (pages / seconds).toFixed(0)
  process.stderr.write(`${how}: ${pages} pages, ${seconds.toFixed(1)} CPU-s, ${speed} per CPU-s\n`)
  return { accounts, folder, pages }
}

function budgetOf(plain: Measured, profiled: Measured): Budget {
  const shares = sharesOf(profiled)
  const budget: Budget = {}
  for (const { thread, pid, processUs, program } of plain.accounts) {
    if (thread !== 0) continue
    const name = nameOf(program)
    const stages: Record<string, number> = {}
    budget[name] = stages
    let others = processUs
    for (const own of plain.accounts.filter((account) => account.pid === pid)) {
      others -= own.threadUs
      for (const [stage, share] of shares.get(nameOf(own.program)) ?? []) {
        stages[stage] = (stages[stage] ?? 0) + (share * own.threadUs) / plain.pages
      }
    }
    stages[OTHER_THREADS] = Math.max(0, others) / plain.pages
  }
  return budget
}

/** Of each program's own threads: how much of their time each stage takes. */
function sharesOf({ accounts, folder }: Measured): Map<string, Map<string, number>> {
  const sums = new Map<string, Map<string, number>>()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    // CPU.<day>.<time>.<process>.<thread>.<number>.cpuprofile
    const [, , , pid, thread] = basename(file).split('.').map(Number)
    const account = accounts.find((one) => one.pid === pid && one.thread === thread)
    if (account === undefined) continue
    const profile: CpuProfile = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const name = nameOf(account.program)
    const all = sums.get(name) ?? new Map<string, number>()
    sums.set(name, all)
    for (const [stage, us] of stagesOf(profile)) all.set(stage, (all.get(stage) ?? 0) + us)
  }
  for (const stages of sums.values()) {
    const total = [...stages.values()].reduce((sum, us) => sum + us, 0)
    for (const [stage, us] of stages) stages.set(stage, us / total)
  }
  return sums
}

function nameOf(program: string): string {
  return basename(program).replace(/\.[jt]s$/, '')
}

function tableOf(budget: Budget, saved: Budget): string {
  const rows: string[][] = []
  const all = { now: 0, saved: 0 }
  for (const name of new Set([...Object.keys(budget), ...Object.keys(saved)])) {
    const [now = {}, then = {}] = [budget[name], saved[name]]
    const stages = [...new Set([...Object.keys(now), ...Object.keys(then)])]
    stages.sort((a, b) => (now[b] ?? 0) - (now[a] ?? 0))
    const sums = [then, now].map((one) => Object.values(one).reduce((sum, us) => sum + us, 0))
    rows.push([`**${name}**`, ...sums.map((us) => `**${us.toFixed(0)}**`)])
    for (const stage of stages) {
      rows.push([stage, (then[stage] ?? 0).toFixed(0), (now[stage] ?? 0).toFixed(0)])
    }
    all.saved += sums[0] ?? 0
    all.now += sums[1] ?? 0
  }
  rows.push(['**all**', `**${all.saved.toFixed(0)}**`, `**${all.now.toFixed(0)}**`])
  return markdownTable(['µs per page', 'saved', 'now'], rows)
}

function readSaved(): Budget {
  try {
    return JSON.parse(readFileSync(SAVED, 'utf8')).budget
  } catch {
    return {}
  }
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const work = mkdtempSync(join(tmpdir(), 'jelajah-budget-'))
const remove = () => rmSync(work, { recursive: true, force: true })
process.once('exit', remove)
const port = await freePort()
const sites = await realPages.prepare({ work, port, quick: values.quick })
await using server = await serve({ binary: provide(NGINX), sites, port, work })
const plain = await measure(server, work, false)
const budget = budgetOf(plain, await measure(server, work, true))
process.stdout.write(`${tableOf(budget, readSaved())}\n`)
if (values.save) {
  const rounded = JSON.parse(
    JSON.stringify(budget, (_, us) => (typeof us === 'number' ? Math.round(us) : us)),
  )
  writeFileSync(SAVED, `${JSON.stringify({ machine: machine(), budget: rounded }, null, 2)}\n`)
}
