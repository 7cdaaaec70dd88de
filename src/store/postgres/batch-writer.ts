// Writes the result of a batch. Its statements go to the server together, in an order that all writers keep.
import { STORED_PARTS } from '../../core/page.ts'
import type { Transaction } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import type { BatchWrites, Told } from '../batch/batch-writes.ts'
import type { PageBatchCache } from '../batch/page-batch-cache.ts'
import {
  PAGE_COLUMNS,
  type PageColumn,
  pageToRow,
  partTexts,
  UNSEEN_COLUMNS,
} from '../page-columns.ts'
import { type SavedPage, withoutContent } from '../page-diff.ts'
import { ManyRows, type SentType, type SentValue, send } from './many-rows.ts'

const NUMBERS: readonly PageColumn[] = [
  ...([
    'duplicate_of',
    'status_code',
    'published_at',
    'html5',
    'hot',
    'depth',
    'size_bytes',
  ] as const),
  ...(['truncated', 'noindex', 'fetched_at', 'fetch_ms'] as const),
]
const LONG: readonly PageColumn[] = ['about', 'content_text', 'markdown']
const FRACTIONS: readonly PageColumn[] = ['relevance', 'parse_ms']
const PART_COLUMNS: Readonly<Record<string, SentType>> = {
  page_id: 'bigint',
  ...Object.fromEntries(STORED_PARTS.map((part) => [part, 'long text'])),
}
const RECEIPT_COLUMNS = {
  page_id: 'bigint',
  url_id: 'bigint',
  url: 'text',
  crawl_id: 'bigint',
  receipt: 'long bytea',
  round: 'bigint',
  outcome: 'text',
  reason: 'text',
  moved: 'text',
  holder: 'text',
} as const
const OF_A_PAGE = ['page_parts', 'page_html', 'page_importance', 'page_checks'] as const

type BatchWriterOptions = {
  readonly crawlId: number
  readonly round: number
  /** The writer's id. */
  readonly holder: string
}

export class BatchWriter {
  readonly #options: BatchWriterOptions
  readonly #sql: ReturnType<typeof statements>

  constructor(options: BatchWriterOptions) {
    this.#options = options
    this.#sql = statements(options.crawlId)
  }

  /** Everything, and the log last. */
  async write(sql: Transaction, writes: BatchWrites, cache: PageBatchCache): Promise<void> {
    await Promise.all([
      ...this.#heirs(sql, writes),
      ...this.#inserts(sql, writes, cache),
      ...this.#changes(sql, writes, cache),
      ...this.#removals(sql, writes),
      ...this.#looks(sql, writes),
      ...this.#receipts(sql, writes),
      ...this.#totals(sql, writes),
      tell(sql, this.#options.crawlId, writes.told),
    ])
  }

  /** First of all: what they inherit is about to be written over. */
  #heirs(sql: Transaction, { heirs }: BatchWrites): Promise<unknown>[] {
    if (heirs.size === 0) return []
    const pairs = [numberArray([...heirs.keys()]), numberArray([...heirs.values()])]
    return this.#sql.inherit.map((text) => send(sql, text, pairs))
  }

  #inserts(sql: Transaction, { inserts }: BatchWrites, cache: PageBatchCache): Promise<unknown>[] {
    const all = [...inserts].map(([id, whole]) => [id, keptOf(id, whole, cache)] as const)
    const own = all.filter(([id]) => !isRepeat(id, cache))
    const bodies = all.flatMap(([id, { html }]) => (html === null ? [] : [[id, html]]))
    return [
      ...this.#sql.insertPages.send(
        sql,
        // The crawl is said in the statement.
        all.map(([id, whole]) => [id, ...this.#row(id, whole, cache).slice(2)]),
      ),
      ...this.#sql.insertParts.send(
        sql,
        own.map(([id, { page }]) => [id, ...partTexts(page.parts)]),
      ),
      ...this.#sql.keepHtml.send(sql, bodies),
    ]
  }

  #changes(sql: Transaction, writes: BatchWrites, cache: PageBatchCache): Promise<unknown>[] {
    const { replaced, touched, revalidated, followers } = writes
    const sent: Promise<unknown>[] = []
    for (const [id, given] of replaced) {
      const whole = keptOf(id, given, cache)
      sent.push(
        send(sql, this.#sql.replace, this.#row(id, whole, cache)),
        ...this.#parts(sql, id, whole),
      )
    }
    for (const [id, given] of touched) {
      const whole = keptOf(id, given, cache)
      const row = this.#row(id, whole, cache).slice(1)
      const unseen = UNSEEN_COLUMNS.map((column) => row[PAGE_COLUMNS.indexOf(column)] ?? null)
      sent.push(send(sql, this.#sql.touch, [id, ...unseen]), ...this.#parts(sql, id, whole))
    }
    for (const [id, { etag, lastModified }] of revalidated) {
      sent.push(send(sql, this.#sql.revalidate, [id, etag, lastModified]))
    }
    const byFirst = Map.groupBy(followers, ({ duplicateOf }) => duplicateOf)
    for (const [first, pages] of byFirst) {
      sent.push(send(sql, this.#sql.follow, [first, numberArray(pages.map(({ id }) => id))]))
    }
    return sent
  }

  #removals(sql: Transaction, { removed }: BatchWrites): Promise<unknown>[] {
    if (removed.size === 0) return []
    return this.#sql.remove.map((text) => send(sql, text, [numberArray([...removed])]))
  }

  #looks(sql: Transaction, { looks }: BatchWrites): Promise<unknown>[] {
    if (looks.size === 0) return []
    const all = [...looks.values()].sort((a, b) => a.page.id - b.page.id)
    const columns = [
      all.map(({ page }) => page.id),
      all.map(({ checkedAt }) => checkedAt),
      all.map(({ checks }) => checks),
      all.map(({ changes }) => changes),
      all.map(({ intervalMs }) => intervalMs),
      all.map(({ seen }) => seen),
      all.map(({ seenChanged }) => seenChanged),
      all.map(({ seenMs }) => seenMs),
    ]
    return [send(sql, this.#sql.look, [this.#options.round, ...columns.map(numberArray)])]
  }

  #receipts(sql: Transaction, { receipts }: BatchWrites): Promise<unknown>[] {
    const { crawlId, round, holder } = this.#options
    const all = [...receipts.values()].map((kept): SentValue[] => [
      ...[kept.pageId, kept.urlId, kept.url, crawlId, kept.receipt, round],
      ...[kept.outcome, kept.reason, kept.moved, holder],
    ])
    return this.#sql.receipts.send(sql, all)
  }

  #totals(sql: Transaction, { sums, counts }: BatchWrites): Promise<unknown>[] {
    const { crawlId, round } = this.#options
    const hosts = sums.sums()
    if (hosts.length === 0 && counts.unchanged === 0) return []
    const { stored, hot } = sums.added
    const { added, changed, gone, unchanged } = counts
    const columns = [
      textArray(hosts.map(([host]) => host)),
      numberArray(hosts.map(([, sum]) => sum.stored)),
      numberArray(hosts.map(([, sum]) => sum.duplicates)),
      numberArray(hosts.map(([, sum]) => sum.bytes)),
      numberArray(hosts.map(([, sum]) => sum.judged)),
      numberArray(hosts.map(([, sum]) => sum.hot)),
    ]
    const sent = [send(sql, this.#sql.totals, [crawlId, ...columns, stored, hot])]
    if (round === 0) return sent
    return [...sent, send(sql, this.#sql.round, [crawlId, round, added, changed, gone, unchanged])]
  }

  #row(id: number, { page }: SavedPage, cache: PageBatchCache): SentValue[] {
    const first = cache.get(id)?.duplicateOf ?? null
    return [id, ...pageToRow(this.#options.crawlId, first, page.fields)]
  }

  #parts(sql: Transaction, id: number, { page, html }: SavedPage): Promise<unknown>[] {
    return [
      ...this.#sql.keepParts.send(sql, [[id, ...partTexts(page.parts)]]),
      ...(html === null
        ? [send(sql, this.#sql.dropHtml, [id])]
        : this.#sql.keepHtml.send(sql, [[id, html]])),
    ]
  }
}

/** Statements on the crawl's own partitions, by name: see batch-facts.ts. */
function statements(crawlId: number) {
  const of = (table: string) => `${table}_${crawlId}`
  const [pages, parts, html] = [of('pages'), of('page_parts'), of('page_html')]
  const fixed = { crawl_id: crawlId }
  const set = (columns: readonly string[], from: number) =>
    columns.map((column, at) => `${column} = $${at + from}`).join(', ')
  const excluded = (columns: readonly string[]) =>
    columns.map((column) => `${column} = excluded.${column}`).join(', ')
  return {
    insertPages: new ManyRows({ table: pages, columns: pageColumns(), fixed }),
    insertParts: new ManyRows({ table: parts, columns: PART_COLUMNS, fixed }),
    keepParts: new ManyRows({
      ...{ table: parts, columns: PART_COLUMNS, fixed },
      end: `ON CONFLICT (crawl_id, page_id) DO UPDATE SET ${excluded(STORED_PARTS)}`,
    }),
    keepHtml: new ManyRows({
      ...{ table: html, columns: { page_id: 'bigint', html: 'long bytea' }, fixed },
      end: 'ON CONFLICT (crawl_id, page_id) DO UPDATE SET html = excluded.html',
    }),
    dropHtml: `DELETE FROM ${html} WHERE page_id = $1`,
    replace: `UPDATE ${pages} SET ${set(PAGE_COLUMNS, 2)} WHERE id = $1`,
    touch: `UPDATE ${pages} SET ${set(UNSEEN_COLUMNS, 2)} WHERE id = $1`,
    revalidate: `
      UPDATE ${pages} SET etag = coalesce(nullif($2, ''), etag),
        last_modified = coalesce(nullif($3, ''), last_modified)
      WHERE id = $1`,
    inherit: [
      `UPDATE ${pages} AS heir SET content_text = first.content_text, markdown = first.markdown
        FROM unnest($1::bigint[], $2::bigint[]) AS pair (heir, first), ${pages} AS first
        WHERE heir.id = pair.heir AND first.id = pair.first AND heir.content_text = ''`,
      inheritance(parts, crawlId, STORED_PARTS),
      inheritance(html, crawlId, ['html']),
    ],
    follow: `UPDATE ${pages} SET duplicate_of = $1 WHERE id = ANY ($2::bigint[])`,
    remove: [...OF_A_PAGE.map((table) => deletion(of(table), 'page_id')), deletion(pages, 'id')],
    look: `
      INSERT INTO ${of('page_checks')} (crawl_id, round, page_id, checked_at, checks, changes,
        interval_ms, seen, seen_changed, seen_ms)
      SELECT ${crawlId}, $1::integer, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[],
        $5::bigint[], $6::float8[], $7::float8[], $8::float8[], $9::float8[])
      ON CONFLICT (crawl_id, page_id) DO UPDATE SET round = excluded.round,
        checked_at = excluded.checked_at, checks = excluded.checks, changes = excluded.changes,
        interval_ms = excluded.interval_ms, seen = excluded.seen,
        seen_changed = excluded.seen_changed, seen_ms = excluded.seen_ms`,
    receipts: new ManyRows({
      ...{ table: 'undelivered', columns: RECEIPT_COLUMNS },
      end: `ON CONFLICT (page_id) DO UPDATE SET ${excluded(Object.keys(RECEIPT_COLUMNS).slice(1))}`,
    }),
    totals: `
      WITH counted AS (
        UPDATE crawl_counts SET stored = stored + $8::bigint, hot = hot + $9::bigint
        WHERE crawl_id = $1
      )
      INSERT INTO host_totals (crawl_id, host, stored, duplicates, bytes, judged, hot)
      SELECT $1::bigint, * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[],
        $6::bigint[], $7::bigint[])
      ON CONFLICT (crawl_id, host) DO UPDATE SET stored = host_totals.stored + excluded.stored,
        duplicates = host_totals.duplicates + excluded.duplicates,
        bytes = host_totals.bytes + excluded.bytes, judged = host_totals.judged + excluded.judged,
        hot = host_totals.hot + excluded.hot`,
    round: `
      UPDATE crawl_rounds SET added = added + $3::bigint, changed = changed + $4::bigint,
        gone = gone + $5::bigint, unchanged = unchanged + $6::bigint
      WHERE crawl_id = $1 AND round = $2`,
  } as const
}

/** Rows of one page copied to another. */
function inheritance(table: string, crawlId: number, columns: readonly string[]): string {
  const list = columns.join(', ')
  const excluded = columns.map((column) => `${column} = excluded.${column}`).join(', ')
  return `
    INSERT INTO ${table} (crawl_id, page_id, ${list})
    SELECT ${crawlId}, pair.heir, ${columns.map((column) => `kept.${column}`).join(', ')}
    FROM unnest($1::bigint[], $2::bigint[]) AS pair (heir, first)
    JOIN ${table} AS kept ON kept.page_id = pair.first
    ON CONFLICT (crawl_id, page_id) DO UPDATE SET ${excluded}`
}

function isRepeat(id: number, cache: PageBatchCache): boolean {
  return (cache.get(id)?.duplicateOf ?? null) !== null
}

/** What is kept of a page, by what it is when all of the batch is known. */
function keptOf(id: number, whole: SavedPage, cache: PageBatchCache): SavedPage {
  const firstId = cache.get(id)?.duplicateOf ?? null
  if (firstId === null) return whole
  return withoutContent(whole, cache.get(firstId)?.contentHash === whole.page.fields.contentHash)
}

function pageColumns(): Readonly<Record<string, SentType>> {
  const others = PAGE_COLUMNS.filter((column) => column !== 'crawl_id')
  return { id: 'bigint', ...Object.fromEntries(others.map((column) => [column, typeOf(column)])) }
}

function typeOf(column: PageColumn): SentType {
  if (FRACTIONS.includes(column)) return 'float8'
  if (LONG.includes(column)) return 'long text'
  return NUMBERS.includes(column) ? 'bigint' : 'text'
}

function deletion(table: string, id: string): string {
  return `DELETE FROM ${table} WHERE ${id} = ANY ($1::bigint[])`
}

const TELL = `
  WITH log AS (
    UPDATE page_log SET last_cursor = last_cursor + cardinality($2::bigint[]) RETURNING last_cursor
  )
  INSERT INTO page_changes (cursor, crawl_id, page_id, change, at, url, reason)
  SELECT last_cursor - cardinality($2::bigint[]) + nth, $1::bigint, page_id, change, at,
    CASE change WHEN 'delete' THEN url END, CASE change WHEN 'delete' THEN reason END
  FROM log, unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[])
    WITH ORDINALITY AS told (page_id, change, at, url, reason, nth)`

/**
 * Reports changes of pages, in their order, as rows of `page_changes`: the last but the commit of a
 * transaction. A cursor is given while the row of `page_log` is held, which is taken last and kept to the
 * commit: whoever reads a cursor can read all before it.
 */
export async function tell(
  sql: Transaction,
  crawlId: number,
  told: readonly Told[],
): Promise<void> {
  if (told.length === 0) return
  await send(sql, TELL, [
    crawlId,
    numberArray(told.map(({ pageId }) => pageId)),
    textArray(told.map(({ change }) => change)),
    numberArray(told.map(({ at }) => Math.round(at))),
    textArray(told.map(({ url }) => url)),
    textArray(told.map(({ reason }) => reason)),
  ])
}
