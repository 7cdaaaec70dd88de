// Where the time goes for one page: processor time per stage, with the real modules and real pages,
// each stage alone and warm. What is between the stages (timers, garbage of the whole) is not in it,
// so the sum is a little less than what a crawl needs.
//
//   sh scripts/node bench/stages.ts [--quick]
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Job } from '../src/core/job.ts'
import { hostOf } from '../src/core/url.ts'
import { systemClock } from '../src/lib/clock.ts'
import { parseMediaType, toUtf8 } from '../src/lib/decode.ts'
import { decompress } from '../src/lib/decompress.ts'
import { createPageParser } from '../src/parser/parse-page.ts'
import { ParserPool } from '../src/parser/pool.ts'
import { openSqliteHostLimiter } from '../src/scouter/sqlite/sqlite-host-limiter.ts'
import { openSqlitePageStore } from '../src/store/sqlite/sqlite-page-store.ts'
import { buildTopic } from '../src/topic/build-topic.ts'
import { openTopic } from '../src/topic/open-topic.ts'
import { Connection, connectTo, FRAME_TYPES } from '../src/wire/connection.ts'
import { decodeHandover, encodeHandover } from '../src/wire/handover.ts'
import { decodeReceipt, encodeReceipt } from '../src/wire/receipt.ts'
import { openSqliteJobStore } from '../test/support/stores.ts'
import { freePort, serve } from './crawl/nginx.ts'
import { provide } from './crawl/packages.ts'
import { NGINX, realPages } from './crawl/webs.ts'
import { machine } from './machine.ts'
import { judgeStages } from './stages/judge-stages.ts'
import {
  BATCH,
  type FetchedPage,
  fetcherFor,
  fetchPage,
  frontierFor,
  gatherPages,
  jobFor,
  parserOptions,
  takeBatch,
  updateFrom,
} from './stages/pages.ts'
import { type ParseStage, parseStages } from './stages/parse-stages.ts'
import { markdownTable } from './table.ts'

const quick = process.argv.includes('--quick')
const PAGES = quick ? 500 : 3000
const ROUNDS = quick ? 2 : 5

type Page = FetchedPage & { readonly whole: Uint8Array<ArrayBuffer> }

class Stages implements AsyncDisposable {
  readonly #pages: readonly Page[]
  readonly #job: Job
  readonly #work: string
  /** One for all rounds: threads start cold, and in a crawl they do so once. */
  readonly #pool: ParserPool
  #unparsed = 0
  #onAllParsed = () => {}

  constructor(pages: readonly Page[], job: Job, work: string) {
    this.#pages = pages
    this.#job = job
    this.#work = work
    this.#pool = new ParserPool({
      threads: 2,
      limitMs: 10_000,
      parse: parserOptions(job),
      onBegin: () => {},
      onBroken: (error) => {
        throw error
      },
      onParsed: () => {
        this.#unparsed -= 1
        if (this.#unparsed === 0) this.#onAllParsed()
      },
    })
  }

  /** As no other crawl asks the same hosts. */
  async takeTurns(): Promise<void> {
    const path = join(this.#work, 'turns', 'hosts.db')
    await using limiter = await openSqliteHostLimiter({
      path,
      holder: 'stages',
      clock: systemClock,
    })
    const wanted = { delayMs: 0, perHost: BATCH, forMs: 30_000 }
    for (const { head } of this.#pages) {
      const { slot } = await limiter.ask(hostOf(head.url), wanted)
      slot?.requestSent()
      slot?.done()
    }
  }

  /** The server is a process of its own and not in the figure. */
  async fetch(): Promise<void> {
    await using fetcher = fetcherFor(this.#job)
    await inWindow(this.#pages, async ({ head }) => {
      await fetchPage(fetcher, this.#job, head)
    })
  }

  /** Both ends: pages one way, receipts the other. */
  async handOver(): Promise<void> {
    const path = join(this.#work, 'wire.sock')
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    let left = this.#pages.length
    const queue = this.#pages.values()
    const server = createServer((socket) => {
      const scouter = new Connection(socket, {
        onFrame: (_type, payload) => {
          decodeReceipt(payload)
          send()
          left -= 1
          if (left === 0) resolve()
        },
        onClose: () => {},
      })
      const send = () => {
        const { value } = queue.next()
        if (value) scouter.send(FRAME_TYPES.handover, ...encodeHandover(value.head, value.body))
      }
      for (let sent = 0; sent < BATCH; sent++) send()
    })
    await new Promise<void>((listening) => server.listen(path, listening))
    const blocks = new Map(this.#pages.map(({ head, parsed }) => [head.id, parsed.foundBlock]))
    const parser = await connectTo(path, {
      onFrame: (_type, payload) => {
        const { kind, id, token } = decodeHandover(payload).head
        const receipt = { kind, id, token, outcome: 'stored', reason: '' } as const
        const head = { ...receipt, likeness: 0, judged: null, sitemaps: [] }
        const block = blocks.get(id) ?? new Uint8Array(0)
        parser.send(FRAME_TYPES.receipt, ...encodeReceipt(head, block))
      },
      onClose: () => {},
    })
    await answered
    await parser.end()
    await new Promise((closed) => server.close(closed))
  }

  async decode(): Promise<void> {
    for (const { head, whole } of this.#pages) {
      const decoded = decompress(whole, head.contentEncoding, this.#job.settings.maxBodyBytes)
      if (decoded.ok) toUtf8(decoded.bytes, parseMediaType(head.contentType).charset)
    }
  }

  async fingerprint(): Promise<void> {
    for (const { whole } of this.#pages) hash('sha256', whole, 'hex')
  }

  async parse(): Promise<void> {
    const parse = createPageParser(parserOptions(this.#job))
    for (const { head, whole } of this.#pages) parse(head, whole)
  }

  /** Everything of `parse`, in threads; bodies are copied first, since they go to the thread. */
  async parseInThreads(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#unparsed = this.#pages.length
    this.#onAllParsed = resolve
    for (const { head, whole } of this.#pages) this.#pool.parse(head, whole.slice())
    await promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close()
  }

  async store(): Promise<void> {
    const folder = mkdtempSync(join(this.#work, 'store-'))
    const path = join(folder, 'jelajah.db')
    await using jobs = await openSqliteJobStore(path)
    const job = await jobs.create(this.#job)
    await using store = await openSqlitePageStore({ path, job })
    for (let at = 0; at < this.#pages.length; at += BATCH) {
      const batch = this.#pages.slice(at, at + BATCH)
      const urls = batch.map(({ head }) => head.url)
      await store.save(
        batch.map(({ head, parsed }) => ({
          page: parsed.page,
          urlId: head.id,
          receipt: parsed.foundBlock,
        })),
      )
      store.acknowledge(urls)
    }
  }

  /** Lease and settle, with all links of every page. */
  async frontier(): Promise<void> {
    const byUrl = new Map(this.#pages.map((page) => [page.head.url, page]))
    const folder = mkdtempSync(join(this.#work, 'frontier-'))
    await using frontier = await frontierFor(this.#job, folder)
    for (let settled = 0; settled < this.#pages.length; ) {
      const leases = await takeBatch(frontier)
      if (leases.length === 0) break
      await frontier.settle(leases.map((lease) => updateFrom(lease, byUrl.get(lease.url))))
      settled += leases.filter(({ url }) => byUrl.has(url)).length
    }
  }
}

/** As many at once as a crawl has in flight. */
async function inWindow<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const queue = list.values()
  const walk = async () => {
    for (const one of queue) await work(one)
  }
  await Promise.all(Array.from({ length: BATCH }, walk))
}

/** The median of some rounds after one to warm up, in µs of processor time per page. */
async function cpuOf(pages: number, work: () => Promise<void>): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    if (round > 0) rounds.push((user + system) / pages)
  }
  return rounds.sort((a, b) => a - b)[rounds.length >> 1] ?? 0
}

async function measure(stages: Stages, pages: readonly Page[]): Promise<string> {
  const of = (work: () => Promise<void>) => cpuOf(pages.length, work)
  const waiting = await of(() => stages.takeTurns())
  const fetching = await of(() => stages.fetch())
  const handing = await of(() => stages.handOver())
  const decoding = await of(() => stages.decode())
  const hashing = await of(() => stages.fingerprint())
  const parsing = await of(() => stages.parse())
  const threaded = await of(() => stages.parseInThreads())
  const storing = await of(() => stages.store())
  const settling = await of(() => stages.frontier())
  const ofParse = parseStages(pages, ROUNDS)
  const named = ofParse.reduce((sum, [, us]) => sum + us, decoding + hashing)
  const rows: ParseStage[] = [
    ['a turn at the host, one page after the other', waiting],
    ['fetch (loopback, keep-alive)', fetching],
    ['hand over and receipt (Unix socket, both ends)', handing],
    ['to a parser thread and back', Math.max(0, threaded - parsing)],
    ['decode', decoding],
    ['fingerprint of the content', hashing],
    ...ofParse,
    ['what is between', Math.max(0, parsing - named)],
    ['store, durable', storing],
    ['lease and settle in the frontier', settling],
  ]
  const total = rows.reduce((sum, [, us]) => sum + us, 0)
  const cells = rows.map(([name, us]) => [
    name,
    us.toFixed(0),
    `${((100 * us) / total).toFixed(0)} %`,
  ])
  return markdownTable(
    ['stage', 'µs CPU per page', 'share'],
    [...cells, ['sum', total.toFixed(0), '100 %']],
  )
}

/** What a focused crawl adds, in the parser's threads: not part of the sum above. */
function judging(pages: readonly Page[]): string {
  const asked = { words: 'installing and configuring packages', keywords: ['package', 'install'] }
  const given = { positive: [], negative: [], model: null, language: 'en' }
  const topic = openTopic(buildTopic({ ...asked, ...given }), { hotThreshold: 0.5 })
  const rows = judgeStages(pages, topic, ROUNDS).map(({ name, usPerPage, usPerLink }) => [
    ...[name, usPerPage.toFixed(1)],
    usPerLink === null ? '' : usPerLink.toFixed(2),
  ])
  return markdownTable(['with a topic', 'µs CPU per page', 'µs CPU per link'], rows)
}

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'jelajah-stages-'))
  const remove = () => rmSync(work, { recursive: true, force: true })
  process.once('exit', remove)
  const port = await freePort()
  const sites = await realPages.prepare({ work, port, quick: false })
  await using server = await serve({ binary: provide(NGINX), sites, port, work })
  const job = jobFor(server.seeds)
  const gathered = [...(await gatherPages(job, work, PAGES)).values()]
  const pages = gathered.map((page) => ({ ...page, whole: joined(page.body) }))
  const bytes = pages.reduce((sum, { whole }) => sum + whole.byteLength, 0)
  const links = pages.reduce((sum, { parsed }) => sum + linksIn(parsed.page.parts.links), 0)
  await using stages = new Stages(pages, job, work)
  const table = await measure(stages, pages)
  const mean = `${(bytes / pages.length / 1000).toFixed(0)} kB and ${Math.round(links / pages.length)} links`
  process.stdout.write(`${pages.length} real pages, on average ${mean}:\n\n${table}\n\n`)
  process.stdout.write(`${judging(pages)}\n`)
}

function joined(body: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(body))
}

function linksIn(json = '[]'): number {
  const links: unknown = JSON.parse(json)
  return Array.isArray(links) ? links.length : 0
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
if (!process.env.BENCH_MACHINE_SHOWN) process.stdout.write(`Machine: ${machine()}\n`)
await main()
