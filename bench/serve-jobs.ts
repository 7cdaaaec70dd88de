// Many jobs posted to one server at once: does each come to its exact limit, how long do all of them
// take, and how much memory does the server with all its processes need meanwhile.
//
//   sh scripts/node bench/serve-jobs.ts [JOBS] [--jobs-at-once N]
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSite } from '../src/sample-web/server.ts'
import { createSite } from '../src/sample-web/site.ts'
import { type Served, startServer } from '../test/e2e/serving.ts'
import { machine } from './machine.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'jobs-at-once': { type: 'string' } },
})
const count = Number(positionals[0] ?? 200)
const atOnce = values['jobs-at-once']
const LOOK_MS = 500
const PAGE_BYTES = 4096

await using site = await startSite(createSite({ seed: 7, pages: 400, hosts: 8 }))
const folder = mkdtempSync(join(tmpdir(), 'jelajah-bench-serve-'))
try {
  const flags = ['--allow-private', '--delay', '0', '--quiet']
  await using server = await startServer(join(folder, 'crawls'), [
    ...flags,
    ...(atOnce === undefined ? [] : ['--jobs', atOnce]),
  ])
  await measure(server, site.seeds)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(server: Served, seeds: readonly string[]): Promise<void> {
  const idle = treeBytes(server.pid)
  const startedAt = performance.now()
  const wanted = Array.from({ length: count }, (_, at) => ({
    url: seeds[at % seeds.length] ?? '',
    max_pages: 3 + (at % 10),
  }))
  const ids = await Promise.all(wanted.map((body) => server.crawl(body)))
  const postedMs = performance.now() - startedAt
  let peak = idle
  let own = 0
  while (!(await allEnded(server))) {
    const now = treeBytes(server.pid)
    if (now.all > peak.all) peak = now
    own = Math.max(own, now.own)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  const seconds = (performance.now() - startedAt) / 1000
  const wrong = await wrongJobs(server, ids, wanted)
  const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
  console.log(`${machine()}\n`)
  console.log(
    `${count} jobs posted in ${Math.round(postedMs)} ms, all at rest after ${seconds.toFixed(1)} s`,
  )
  console.log(`jobs that did not complete with exactly their limit: ${wrong.length}`)
  for (const line of wrong.slice(0, 10)) console.log(`  ${line}`)
  console.log(`memory: server alone ${mb(idle.own)} idle, ${mb(own)} at most;`)
  console.log(
    `        with all processes of its jobs ${mb(peak.all)} at most (${peak.processes} processes)`,
  )
}

async function allEnded(server: Served): Promise<boolean> {
  const { text } = await server.ask('/metrics')
  const waiting = /^jelajah_jobs\{status="(?:started|running)"\} (\d+)$/gm
  return [...text.matchAll(waiting)].every(([, jobs]) => jobs === '0')
}

async function wrongJobs(
  server: Served,
  ids: readonly string[],
  wanted: readonly { readonly max_pages: number }[],
): Promise<string[]> {
  const wrong: string[] = []
  for (const [at, id] of ids.entries()) {
    const { job } = (await server.ask(`/crawl/${id}`)).json
    const limit = wanted[at]?.max_pages
    if (job.status === 'completed' && job.pages.length === limit) continue
    wrong.push(`${id}: ${job.status} with ${job.pages.length} of ${limit} pages`)
  }
  return wrong
}

type Tree = { readonly own: number; readonly all: number; readonly processes: number }

/** Memory of a process and of all below it, by the kernel's count of pages in memory. */
function treeBytes(pid: number): Tree {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : null
    if (parent !== null) parents.set(Number(name), parent)
  }
  const below = (child: number): boolean => {
    const parent = parents.get(child)
    return parent !== undefined && (parent === pid || below(parent))
  }
  const children = [...parents.keys()].filter(below)
  const own = rssOf(pid)
  const all = children.reduce((sum, child) => sum + rssOf(child), own)
  return { own, all, processes: children.length + 1 }
}

function parentOf(pid: number): number | null {
  const stat = read(`/proc/${pid}/stat`)
  return stat === '' ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function rssOf(pid: number): number {
  return Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * PAGE_BYTES
}

/** '' for a process that has just gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
