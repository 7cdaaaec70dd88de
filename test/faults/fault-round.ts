// One crawl of the sample web by a master and several workers while things go wrong around them; then
// everything that is not as it must be.
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import { brokenByRows, impolite, type Rows } from '../e2e/kills.ts'
import { until } from '../e2e/serving.ts'
import { readUrlRows } from '../servers/url-rows.ts'
import { act, type Fault } from './faults.ts'
import type { Stage } from './stage.ts'

/** So long an indexer may be behind. */
const INDEX_MS = 60_000

export type FaultRound = {
  /** Null: all there are. */
  readonly maxPages: number | null
  /** In this order, at moments of the seed's choice. */
  readonly faults: readonly Fault[]
  /** Gaps between faults. */
  readonly everyMs: readonly [least: number, most: number]
}

export type RoundResult = {
  readonly broken: readonly string[]
  readonly done: readonly string[]
  readonly stored: number
  readonly requests: number
  /** From the last fault to the end. */
  readonly restMs: number
}

export async function faultRound(stage: Stage, round: FaultRound): Promise<RoundResult> {
  const { served, random } = stage
  const [least, most] = round.everyMs
  const done: string[] = []
  await stage.crawl(round.maxPages)
  for (const fault of round.faults) {
    await wait(least + random.below(most - least))
    done.push(`${served.log.length} requests: ${await act(fault, stage)}`)
  }
  await stage.isWhole()
  const begunAt = performance.now()
  await stage.untilOver(`the crawl to end (${done.join('; ')})`)
  const restMs = performance.now() - begunAt
  const rows = await readRows(stage)
  const broken = await brokenBy(stage, rows, round.maxPages)
  return { broken, done, stored: storedIn(rows), requests: served.log.length, restMs }
}

async function brokenBy(stage: Stage, rows: Rows, maxPages: number | null): Promise<string[]> {
  const { site, served, options } = stage
  const { delayMs } = options
  const evidence = { site, served, seeds: served.seeds, delayMs }
  const broken = maxPages === null ? brokenByRows(evidence, rows) : impolite(served, delayMs)
  const { status = 'not known', note = '' } = (await stage.stand()) ?? {}
  if (status !== 'completed') broken.push(`the job is ${status}: ${note}`)
  const stored = storedIn(rows)
  if (maxPages !== null && stored !== maxPages) broken.push(`${stored} pages, not ${maxPages}`)
  const isIndexed = async () => (await unindexed(stage)) === 0
  await until(isIndexed, 'the index', INDEX_MS).catch(() => broken.push('pages are not indexed'))
  return broken
}

function storedIn({ pages }: Rows): number {
  return pages.filter(({ duplicate_of }) => duplicate_of === null).length
}

async function readRows(stage: Stage): Promise<Rows> {
  const { crawlId, database: data, frontier } = stage
  return asking(stage, async (sql) => ({
    pages: await sql`SELECT url, duplicate_of FROM pages WHERE crawl_id = ${crawlId}`,
    urls: await readUrlRows({ data, frontier }, crawlId),
  }))
}

/** Pages that should be found and are not. */
async function unindexed(stage: Stage): Promise<number> {
  return asking(stage, async (sql) => {
    const [is] = await sql`SELECT to_regclass('search.searched_pages') IS NOT NULL AS made`
    if (is?.made !== true) return 1
    const [row] = await sql`
      SELECT count(*)::int AS pages FROM pages
      WHERE duplicate_of IS NULL AND noindex = 0
        AND id NOT IN (SELECT id FROM search.searched_pages)`
    return Number(row?.pages)
  })
}

async function asking<T>(
  { database }: Stage,
  ask: (sql: ReturnType<typeof postgres>) => Promise<T>,
): Promise<T> {
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  return ask(sql).finally(() => sql.end())
}
