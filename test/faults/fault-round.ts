// One crawl of the sample web by a master and several workers while things go wrong around them; then
// everything that is not as it must be.
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { brokenByRows, impolite, type Rows } from '../e2e/kills.ts'
import { startServer, until } from '../e2e/serving.ts'
import { startPostgres, testDatabase } from '../servers/postgres.ts'
import { startRedis } from '../servers/redis.ts'
import { Stream } from '../site/random.ts'
import { startSite } from '../site/server.ts'
import { createSite } from '../site/site.ts'
import { act, type Fault } from './faults.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

export type FaultRound = {
  readonly seed: number
  readonly pages: number
  readonly hosts: number
  readonly workers: number
  readonly delayMs: number
  /** In this order, at moments of the seed's choice. */
  readonly faults: readonly Fault[]
  /** Gaps between faults. */
  readonly everyMs: readonly [least: number, most: number]
  /** Null: all there are. */
  readonly maxPages: number | null
  /** How long a worker's lease lasts, and longer. */
  readonly pastLeaseMs: number
  readonly patienceMs: number
}

export type RoundResult = {
  readonly broken: readonly string[]
  readonly done: readonly string[]
  readonly stored: number
  readonly requests: number
}

export async function faultRound(round: FaultRound): Promise<RoundResult> {
  const { seed, pages, hosts, workers: count, delayMs, maxPages } = round
  const site = createSite({ seed, pages, hosts, meanBytes: 5_000 })
  await using stack = new AsyncDisposableStack()
  const served = stack.use(await startSite(site))
  const redis = stack.use(await startRedis({ appendOnly: true }))
  const postgresServer = stack.use(await startPostgres({ durable: true }))
  const { url: database } = stack.use(await testDatabase(postgresServer.url))
  const master = stack.use(
    await startServer(database, ['--frontier', redis.url, '--allow-private']),
  )
  const servers = { redis, postgres: postgresServer }
  const workers: WorkerProcess[] = []
  for (let nth = 1; nth <= count; nth += 1) {
    workers.push(stack.use(await startWorker(`worker-${nth}`, servers, database, [])))
  }
  const { seeds } = served
  const body = { urls: seeds, delay: delayMs, max_pages: maxPages ?? 10 * pages }
  const id = await master.crawl(body)
  const isOver = async (): Promise<boolean> => {
    const { job } = (await master.ask(`/crawl/${id}/overview`)).json
    return ['completed', 'stopped', 'failed'].includes(job.status)
  }
  await until(() => served.log.length > hosts, 'the crawl to begin', round.patienceMs)
  const random = new Stream(seed)
  const stage = { ...servers, workers, random, pastLeaseMs: round.pastLeaseMs }
  const done: string[] = []
  const [least, most] = round.everyMs
  for (const fault of round.faults) {
    await wait(least + random.below(most - least))
    done.push(`${served.log.length} requests: ${await act(fault, stage)}`)
  }
  await until(isOver, 'the crawl to end', round.patienceMs)
  const { job } = (await master.ask(`/crawl/${id}/overview`)).json
  const rows = await readRows(database)
  const stored = rows.pages.filter(({ duplicate_of }) => duplicate_of === null).length
  const evidence = { site, served, seeds, delayMs }
  const broken = maxPages === null ? brokenByRows(evidence, rows) : impolite(served, delayMs)
  if (job.status !== 'completed') broken.push(`the job is ${job.status}: ${job.note}`)
  if (maxPages !== null && stored !== maxPages) broken.push(`${stored} pages, not ${maxPages}`)
  return { broken, done, stored, requests: served.log.length }
}

async function readRows(database: string): Promise<Rows> {
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  try {
    const pages = await sql<{ url: string; duplicate_of: number | null }[]>`
      SELECT url, duplicate_of FROM pages`
    const urls = await sql<{ url: string; state: string; reason: string; host: string }[]>`
      SELECT url, state, reason, host FROM urls`
    return { pages, urls }
  } finally {
    await sql.end()
  }
}
