// The table of a comparison, in Markdown.
import { markdownTable } from '../table.ts'
import type { Stored } from './crawlers.ts'
import type { Metered } from './meter.ts'
import type { Served } from './nginx.ts'

export type Run = {
  readonly crawler: string
  readonly metered: Metered
  readonly served: Served
  readonly stored: Stored
  /** Of what the crawl has left behind. */
  readonly bytesOnDisk: number
}

/** Of each crawler the run in the middle by pages per CPU-second. */
export function median(runs: readonly Run[]): Run[] {
  const byCrawler = Map.groupBy(runs, ({ crawler }) => crawler)
  return [...byCrawler.values()].flatMap((group) => {
    const sorted = group.toSorted((a, b) => perCpuSecond(a) - perCpuSecond(b))
    return sorted.slice(sorted.length >> 1, (sorted.length >> 1) + 1)
  })
}

const MB = 1e6

const MEASURES: readonly {
  readonly name: string
  of(run: Run): number
  readonly digits: number
  /** The ratio shows how much better the first is than another; null: no ratio. */
  readonly better: 'more' | 'less' | null
}[] = [
  { name: 'pages stored', of: (run) => run.stored.pages.size, digits: 0, better: null },
  { name: 'wall time, s', of: (run) => run.metered.wallSeconds, digits: 1, better: 'less' },
  { name: 'pages/s', of: perSecond, digits: 1, better: 'more' },
  { name: 'CPU time, s', of: (run) => run.metered.cpuSeconds, digits: 1, better: 'less' },
  { name: '**pages per CPU-second**', of: perCpuSecond, digits: 1, better: 'more' },
  { name: 'MB/s', of: megabytesPerSecond, digits: 1, better: 'more' },
  {
    name: 'peak memory, MB (PSS over all processes)',
    of: (run) => run.metered.peakPssBytes / MB,
    digits: 0,
    better: 'less',
  },
  {
    name: 'peak memory, MB (RSS, shared pages counted twice)',
    of: (run) => run.metered.peakRssBytes / MB,
    digits: 0,
    better: 'less',
  },
  { name: 'written, MB', of: (run) => run.metered.writtenBytes / MB, digits: 0, better: 'less' },
  { name: 'on disk, MB', of: (run) => run.bytesOnDisk / MB, digits: 0, better: null },
  { name: 'text stored, MB', of: (run) => run.stored.characters / MB, digits: 1, better: null },
  { name: 'links stored', of: (run) => run.stored.links, digits: 0, better: null },
  { name: 'processes', of: (run) => run.metered.processes, digits: 0, better: null },
  { name: 'requests', of: (run) => run.served.requests, digits: 0, better: null },
  { name: 'connections', of: (run) => run.served.connections, digits: 0, better: null },
]

export function tableOf(runs: readonly Run[]): string {
  const [base] = runs
  // More columns than this nobody reads.
  const others = runs.length === 2 ? runs.slice(1) : []
  const head = ['', ...runs.map(({ crawler }) => crawler)]
  head.push(...others.map(({ crawler }) => `than ${crawler}`))
  const rows = MEASURES.map(({ name, of, digits, better }) => {
    const cells = [name, ...runs.map((run) => of(run).toFixed(digits))]
    if (base === undefined) return cells
    const ratios = others.map((run) => {
      const ratio = better === 'less' ? of(run) / of(base) : of(base) / of(run)
      return better === null ? '' : `${ratio.toFixed(1)}×`
    })
    return [...cells, ...ratios]
  })
  return markdownTable(head, rows)
}

function perSecond(run: Run): number {
  return run.stored.pages.size / run.metered.wallSeconds
}

function perCpuSecond(run: Run): number {
  return run.stored.pages.size / run.metered.cpuSeconds
}

function megabytesPerSecond(run: Run): number {
  return run.served.bytes / MB / run.metered.wallSeconds
}
