// Workers as a person sees them: who is there, what each does and what it takes of its machine.
import { showBytes, showNumber, showPercent, showRate, showTime } from '../lib/format.ts'
import { type Column, table } from './table.ts'

export type WorkerRow = {
  readonly name: string
  readonly machine: string
  readonly pid: number
  readonly version: string
  readonly pairs: number
  readonly since: number
  readonly cpu: number
  readonly rssBytes: number
  readonly pagesPerSecond: number
  readonly inFlight: number
  readonly shares: readonly { readonly crawl: number; readonly pairs: number }[]
  readonly isLeaving: boolean
}

const COLUMNS: readonly Column<WorkerRow>[] = [
  { title: 'worker', of: ({ name }) => name },
  { title: 'machine', of: ({ machine, pid }) => `${machine}, process ${pid}` },
  { title: 'since', of: ({ since }) => showTime(since) },
  { title: 'pairs', of: ({ pairs }) => String(pairs), align: 'right' },
  { title: 'CPU', of: ({ cpu }) => showPercent(cpu), align: 'right' },
  { title: 'memory', of: ({ rssBytes }) => showBytes(rssBytes), align: 'right' },
  { title: 'pages/s', of: ({ pagesPerSecond }) => showRate(pagesPerSecond), align: 'right' },
  { title: 'requests', of: ({ inFlight }) => String(inFlight), align: 'right' },
  { title: 'crawls', of: crawlsOf },
]

/** `shown`: how their place is called. */
export function workersText(rows: readonly WorkerRow[], shown: string): string {
  if (rows.length === 0) return `no workers in ${shown}; 'jelajah worker' on any machine is one\n`
  return table(COLUMNS, rows)
}

function crawlsOf({ shares, isLeaving }: WorkerRow): string {
  const atWork = shares.filter(({ pairs }) => pairs > 0)
  const crawls = atWork.map(({ crawl, pairs }) => `${crawl} (${showNumber(pairs, 'pair')})`)
  return [...crawls, ...(isLeaving ? ['leaving'] : [])].join(', ') || 'waiting'
}
