// One statement that writes the batches of several partitions of a crawl: it is one round trip, and one
// transaction. The fence is taken first; rows of a partition that it refuses are left out.
//
// The text depends only on the kinds of changes there are, so that the server can keep its plan.
import {
  BETWEEN_TEXTS,
  joinedTexts,
  NO_TEXT,
  numberArray,
  textArray,
} from '../../db/postgres-array.ts'
import { withoutNul } from '../../lib/column-text.ts'
import { type Batch, type Row, TABLES, type TableChanges, type TableName } from '../storage.ts'
import { base64Of, isTyped, keyOf, packRow, type TypedTable } from './load-rows.ts'

/** A batch with its number among those of its owner, and that of the last one known to be written. */
export type NumberedBatch = Batch & { readonly number: number; readonly after: number }

type Statement = { readonly text: string; readonly values: readonly string[] }

type ColumnType = 'bigint' | 'float8' | 'text' | 'base64'
type Column = readonly [name: string, type: ColumnType]

const TEXTS: readonly string[] = ['name', 'site', 'trouble', 'url', 'reason']
const PARTITION: Column = ['partition', 'bigint']

function columnsOf(table: TypedTable): readonly Column[] {
  const names: readonly string[] = TABLES[table].columns
  return names.map((name) => [name, typeOf(name)])
}

function typeOf(name: string): ColumnType {
  if (TEXTS.includes(name)) return 'text'
  if (name === 'signals') return 'base64'
  return name === 'priority' ? 'float8' : 'bigint'
}

const URL_COLUMNS = columnsOf('url')
const HOST_COLUMNS = columnsOf('host')
const ROW_COLUMNS: readonly Column[] = [
  ['kind', 'text'],
  ['key_number', 'bigint'],
  ['key_text', 'text'],
  ['values', 'text'],
]
const KEPT_KEY = ['kind', 'key_number', 'key_text']

/** All batches are of one crawl. */
export function writeStatement(batches: readonly NumberedBatch[]): Statement {
  const writing = new Writing(batches)
  writing.typed('url', URL_COLUMNS)
  writing.typed('host', HOST_COLUMNS)
  writing.kept()
  writing.messages()
  return writing.statement()
}

/** A row with the partition it belongs to before its own values. */
type Placed = readonly (Row[number] | undefined)[]

class Writing {
  readonly #batches: readonly NumberedBatch[]
  readonly #values: string[] = []
  readonly #parts: string[] = []
  #between: readonly [string, string] | null = null

  constructor(batches: readonly NumberedBatch[]) {
    this.#batches = batches
    this.#fence()
  }

  typed(table: TypedTable, columns: readonly Column[]): void {
    const changes = this.#changesOf((name) => name === table)
    const rows = changes.flatMap(({ partition, rows }) => rows.map((row) => [partition, ...row]))
    const into = `frontier_${table}s`
    this.#upsert({ into, columns: [PARTITION, ...columns], rows, key: ['id'] })
    const dropped = changes.flatMap(({ partition, ...each }) =>
      goneOf(each).map(([id]) => [partition, id]),
    )
    this.#delete({ from: into, columns: [PARTITION, ['id', 'bigint']], rows: dropped })
  }

  kept(): void {
    const changes = this.#changesOf((name) => !isTyped(name))
    const rows = changes.flatMap(({ partition, table, rows }) =>
      rows.map((row) => [partition, table, ...keyOf(table, row), packRow(row)]),
    )
    this.#upsert({
      into: 'frontier_rows',
      columns: [PARTITION, ...ROW_COLUMNS],
      rows,
      key: KEPT_KEY,
    })
    const dropped = changes.flatMap(({ partition, ...each }) =>
      goneOf(each).map((key) => [partition, each.table, ...keyOf(each.table, key)]),
    )
    const columns = [PARTITION, ...ROW_COLUMNS.slice(0, 3)]
    this.#delete({ from: 'frontier_rows', columns, rows: dropped })
  }

  messages(): void {
    const sent = this.#batches.flatMap(({ ownership, messages }) =>
      messages.map(({ to, number, body }) => [ownership.partition, to, number, body]),
    )
    if (sent.length > 0) {
      const columns = [
        PARTITION,
        ['to', 'bigint'],
        ['number', 'bigint'],
        ['body', 'base64'],
      ] as const
      this.#add(`
        INSERT INTO frontier_messages (crawl_id, from_partition, to_partition, number, body)
        SELECT $1, given.partition, "to", number, decode(body, 'base64')
        FROM ${this.#given(columns, sent)} ON CONFLICT DO NOTHING`)
    }
    const taken = this.#batches.flatMap((batch) =>
      Array.from(batch.taken, ([from, number]) => [batch.ownership.partition, from, number]),
    )
    if (taken.length === 0) return
    const columns = [PARTITION, ['from', 'bigint'], ['upto', 'bigint']] as const
    this.#add(`
      DELETE FROM frontier_messages m USING ${this.#given(columns, taken)}
      AND m.crawl_id = $1 AND m.to_partition = given.partition AND m.from_partition = "from"
      AND m.number <= upto`)
  }

  statement(): Statement {
    const parts = this.#parts.map((part, at) => `, part${at} AS (${part})`)
    const text = `WITH fence AS (${FENCE})${parts.join('')} SELECT partition FROM fence`
    return { text, values: this.#values }
  }

  #fence(): void {
    const owned = this.#batches.map(({ ownership }) => ownership)
    const crawlId = owned[0]?.crawlId ?? 0
    this.#values.push(
      String(crawlId),
      numberArray(owned.map(({ partition }) => partition)),
      textArray(owned.map(({ owner }) => owner)),
      numberArray(owned.map(({ epoch }) => epoch)),
      numberArray(this.#batches.map(({ number }) => number)),
      numberArray(this.#batches.map(({ after }) => after)),
      textArray(
        this.#batches.map(({ summary }) => (summary === null ? null : withoutNul(summary))),
      ),
    )
  }

  #changesOf(isWanted: (table: TableName) => boolean) {
    return this.#batches.flatMap(({ ownership, changes }) =>
      changes
        .filter(({ table }) => isWanted(table))
        .map((each) => ({ ...each, partition: ownership.partition })),
    )
  }

  #upsert({ into, columns, rows, key }: Upsert): void {
    if (rows.length === 0) return
    const names = columns.map(([name]) => `"${name}"`)
    const taken = columns.map(([name, type]) =>
      type === 'base64' ? `decode(given."${name}", 'base64')` : `given."${name}"`,
    )
    const others = columns.slice(1).filter(([name]) => !key.includes(name))
    const sets = others.map(([name]) => `"${name}" = excluded."${name}"`)
    this.#add(`
      INSERT INTO ${into} (crawl_id, ${names.join(', ')}) SELECT $1, ${taken.join(', ')}
      FROM ${this.#given(columns, rows)}
      ON CONFLICT (partition, ${key.join(', ')}, crawl_id) DO UPDATE SET ${sets.join(', ')}`)
  }

  #delete({ from, columns, rows }: Omit<Upsert, 'into' | 'key'> & { readonly from: string }): void {
    if (rows.length === 0) return
    const same = columns.map(([name]) => `kept."${name}" = given."${name}"`)
    this.#add(`
      DELETE FROM ${from} kept USING ${this.#given(columns, rows)}
      AND kept.crawl_id = $1 AND ${same.join(' AND ')}`)
  }

  #add(part: string): void {
    this.#parts.push(part)
  }

  /** Rows of partitions that passed the fence. Lists of texts have one more than there are rows. */
  #given(columns: readonly Column[], rows: readonly Placed[]): string {
    const arrays = columns.map(([, type], at) => this.#array(type, rows, at))
    const names = columns.map(([name]) => `"${name}"`)
    return `unnest(${arrays.join(', ')}) AS given (${names.join(', ')}), fence
      WHERE given.partition = fence.partition`
  }

  #array(type: ColumnType, rows: readonly Placed[], at: number): string {
    if (type === 'bigint' || type === 'float8') {
      return `${this.#hole(numbersOf(rows, at))}::${type}[]`
    }
    this.#between ??= [this.#hole(BETWEEN_TEXTS), this.#hole(NO_TEXT)]
    const texts = joinedTexts(rows.map((row) => textOf(row[at])))
    return `string_to_array(${this.#hole(withoutNul(texts))}, ${this.#between.join(', ')})`
  }

  #hole(value: string): string {
    return `$${this.#values.push(value)}`
  }
}

type Upsert = {
  readonly into: string
  readonly columns: readonly Column[]
  readonly rows: readonly Placed[]
  readonly key: readonly string[]
}

/**
 * A batch that was written already is left out too, and so is one after others that a server has forgotten,
 * as one may that takes the place of another: its rows would not fit to those that are there.
 */
const FENCE = `
  UPDATE frontier_partitions kept
  SET written = batch.number, summary = coalesce(batch.summary, kept.summary)
  FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[])
    AS batch (partition, owner, epoch, number, after, summary)
  WHERE kept.crawl_id = $1::bigint AND kept.partition = batch.partition
    AND kept.owner = batch.owner AND kept.epoch = batch.epoch
    AND kept.written < batch.number AND kept.written >= batch.after
  RETURNING kept.partition`

/** Keys of rows that are gone: one that was dropped and written is there. */
function goneOf({ table, rows, dropped }: TableChanges): readonly Row[] {
  if (dropped.length === 0 || rows.length === 0) return dropped
  const nameOf = (row: Row): string => JSON.stringify(row.slice(0, TABLES[table].key))
  const written = new Set(rows.map(nameOf))
  return dropped.filter((key) => !written.has(nameOf(key)))
}

function numbersOf(rows: readonly Placed[], at: number): string {
  let list = ''
  for (const row of rows) {
    const value = row[at]
    list += list === '' ? '{' : ','
    list += typeof value === 'number' ? (Object.is(value, -0) ? '-0' : value) : 'NULL'
  }
  return `${list}}`
}

function textOf(value: Placed[number]): string | null {
  if (value === null || value === undefined) return null
  return value instanceof Uint8Array ? base64Of(value) : String(value)
}
