// What the whole parse of a page costs, all parts and the main content, beside what Readability on
// linkedom needs for the main content alone: the same real pages, from bytes, in turns.
//
//   sh scripts/node bench/parse.ts [--quick]
//
// Each side is a process of its own, so that neither pays for the other's garbage.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { PARTS } from '../src/core/page.ts'
import { canonicalise } from '../src/core/url.ts'
import { createPageParser } from '../src/parser/parse-page.ts'
import type { HandoverHead } from '../src/wire/handover.ts'
import { documentationRoot } from './crawl/webs.ts'
import { type Extractor, jelajah, readability } from './extraction/extractors.ts'
import type { ExtractorModule } from './extraction/runner.ts'
import { machine } from './machine.ts'
import { samplePages } from './page-files.ts'
import { markdownTable } from './table.ts'

type Parse = (page: Buffer) => unknown
/** Of every page, in milliseconds. */
type Costs = readonly number[]

const quick = process.argv.includes('--quick')
const PAGES = quick ? 150 : 600
const ROUNDS = quick ? 3 : 7
/** One measurement goes over all pages again and again until it has used this much. */
const MIN_ROUND_MS = quick ? 500 : 1500
/** The size that figures are given for, and what counts as a page of about that size. */
const USUAL_BYTES = 50_000
const USUAL_RANGE = [40_000, 60_000] as const

if (process.send === undefined) await compare()
else await serveSide(process.argv[2] ?? '')

async function compare(): Promise<void> {
  if (!process.env.BENCH_MACHINE_SHOWN) process.stdout.write(`Machine: ${machine()}\n\n`)
  const sides = [readability, jelajah].filter(isThere)
  const children = sides.map(({ name }) => startSide(name))
  try {
    await Promise.all(children.map((child) => once(child, 'message')))
    const rounds = sides.map((): Costs[] => [])
    // The first round is to warm up.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [side, child] of children.entries()) {
        const costs = await measured(child)
        if (round > 0) rounds[side]?.push(costs)
      }
      process.stderr.write(round === 0 ? 'warm\n' : `round ${round} of ${ROUNDS}\n`)
    }
    process.stdout.write(`${report(sides, rounds.map(middle))}\n`)
  } finally {
    for (const child of children) child.kill()
  }
}

function isThere(side: Extractor): boolean {
  const why = side.missing()
  if (why !== null) process.stdout.write(`Without ${side.name}: ${why}\n`)
  return why === null
}

function startSide(name: string): ChildProcess {
  const args = quick ? [name, '--quick'] : [name]
  const child = fork(import.meta.filename, args, { serialization: 'advanced' })
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) throw new Error(`the process of ${name} left with ${code}`)
  })
  return child
}

async function measured(child: ChildProcess): Promise<Costs> {
  child.send('measure')
  const [costs] = await once(child, 'message')
  return costs
}

/** Of some rounds the one in the middle by its sum. */
function middle(rounds: readonly Costs[]): Costs {
  const sorted = rounds.toSorted((a, b) => total(a) - total(b))
  return sorted[sorted.length >> 1] ?? []
}

function report(sides: readonly Extractor[], costs: readonly Costs[]): string {
  const sizes = pages().map(({ length }) => length)
  const usual = sizes.map((size) => size >= USUAL_RANGE[0] && size <= USUAL_RANGE[1])
  const ofUsual = (values: readonly number[]) => values.filter((_, page) => usual[page])
  const count = ofUsual(sizes).length
  const mean = (values: readonly number[]) => total(values) / values.length
  const perByte = (values: readonly number[]) => total(values) / total(sizes)
  const rows: [string, (values: Costs) => number][] = [
    ['ms CPU per page', mean],
    ['ms CPU per 50 kB', (values) => perByte(values) * USUAL_BYTES],
    [`ms CPU per page of 40 to 60 kB (${count} of them)`, (values) => mean(ofUsual(values))],
  ]
  const cells = rows.map(([name, of]) => [
    name,
    ...costs.map((values) => of(values).toFixed(2)),
    ratio(costs.map(of)),
  ])
  const head = ['', ...sides.map(({ name }) => name), 'faster by']
  const size = (mean(sizes) / 1000).toFixed(0)
  return `${sizes.length} real pages, on average ${size} kB:\n\n${markdownTable(head, cells)}`
}

function ratio([base, other]: readonly number[]): string {
  return base === undefined || other === undefined ? '' : `${(base / other).toFixed(1)}×`
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** The same in every process. */
function pages(): Buffer[] {
  return samplePages(documentationRoot(), { limit: PAGES }).map(({ bytes }) => bytes)
}

async function serveSide(name: string): Promise<void> {
  const parse = name === jelajah.name ? jelajahSide() : await readabilitySide()
  const all = pages()
  process.on('message', () => process.send?.(measure(all, parse)))
  process.on('disconnect', () => process.exit(0))
  process.send?.('ready')
}

function measure(all: readonly Buffer[], parse: Parse): Costs {
  const sums = all.map(() => 0)
  let passes = 0
  for (let ms = 0; ms < MIN_ROUND_MS; passes++) {
    for (const [at, page] of all.entries()) {
      const before = process.cpuUsage()
      parse(page)
      const { user, system } = process.cpuUsage(before)
      sums[at] = (sums[at] ?? 0) + (user + system) / 1000
      ms += (user + system) / 1000
    }
  }
  return sums.map((sum) => sum / passes)
}

function jelajahSide(): Parse {
  const url = canonicalise('http://bench.test/folder/page.html')
  if (url === null) throw new Error('this URL is in order')
  const parse = createPageParser({ salt: 1, parts: PARTS, keepHtml: false, maxBodyBytes: 64 << 20 })
  const head: HandoverHead = {
    kind: 'page',
    id: 1,
    token: 1,
    url,
    depth: 0,
    status: 200,
    contentType: 'text/html',
    contentEncoding: '',
    robotsTag: [],
    etag: '',
    lastModified: '',
    fetchedAt: 1_700_000_000_000,
    fetchMs: 0,
    truncated: false,
  }
  return (page) => parse(head, page)
}

async function readabilitySide(): Promise<Parse> {
  const { extract }: ExtractorModule = await import(readability.module)
  return (page) => {
    try {
      return extract(page.toString('utf8'), { url: null })
    } catch {
      // It fails on some pages; the time it took to find out counts.
      return null
    }
  }
}
