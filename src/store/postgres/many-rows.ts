// Rows of many columns that go to the server in one statement. Its text is short and the same for any
// number of them: the driver looks a statement up by its whole text, and the server keeps its plan.
import type { Queries } from '../../db/postgres.ts'
import { BETWEEN_TEXTS, joinedTexts, NO_TEXT, numberArray } from '../../db/postgres-array.ts'
import { type SentValue, send } from './send.ts'

/** As they are sent; the server makes of them what the column is. */
export type SentType = 'bigint' | 'float8' | 'text' | 'bytea'

export type RowsInsertion = {
  readonly table: string
  /** By name, the first a number that every row has. */
  readonly columns: Readonly<Record<string, SentType>>
  /** Columns that are the same in all rows. */
  readonly fixed?: Readonly<Record<string, number>>
  /** What stands at the end: ON CONFLICT … */
  readonly end?: string
}

/** Values in the order of the columns. */
export type SentRow = readonly SentValue[]

/** What a statement carries, unless one row has more: a message has an end, and so has a text. */
const MAX_CHARS = 4_194_304

export class ManyRows {
  readonly #types: readonly SentType[]
  readonly #text: string

  constructor(insertion: RowsInsertion) {
    this.#types = Object.values(insertion.columns)
    this.#text = textOf(insertion)
  }

  /** To the server, in order, without waiting for an answer. */
  send(sql: Queries, rows: readonly SentRow[]): Promise<unknown>[] {
    return upToSize(rows).map((some) => {
      const columns = this.#types.map((type, at) => columnOf(some, at, type))
      return send(sql, this.#text, [BETWEEN_TEXTS, NO_TEXT, ...columns])
    })
  }
}

/** The texts have one more than there are rows: see `joinedTexts`. */
function textOf({ table, columns, fixed = {}, end = '' }: RowsInsertion): string {
  const names = Object.keys(columns)
  const given = Object.values(columns).map((type, at) => {
    const hole = `$${at + 3}`
    const isText = type === 'text' || type === 'bytea'
    return isText ? `string_to_array(${hole}, $1, $2)` : `${hole}::${type}[]`
  })
  const taken = names.map((name) => (columns[name] === 'bytea' ? `decode(${name}, 'hex')` : name))
  return `
    INSERT INTO ${table} (${[...Object.keys(fixed), ...names].join(', ')})
    SELECT ${[...Object.values(fixed), ...taken].join(', ')}
    FROM unnest(${given.join(', ')}) AS given (${names.join(', ')})
    WHERE given.${names[0]} IS NOT NULL ${end}`
}

function columnOf(rows: readonly SentRow[], at: number, type: SentType): string {
  const values = rows.map((row) => row[at] ?? null)
  if (type === 'bigint' || type === 'float8') return numberArray(values.map(numberOrNull))
  return joinedTexts(values.map(textOrNull))
}

function numberOrNull(value: SentValue): number | null {
  return typeof value === 'number' ? value : null
}

function textOrNull(value: SentValue): string | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
}

function upToSize(rows: readonly SentRow[]): SentRow[][] {
  const all: SentRow[][] = []
  let left = 0
  for (const row of rows) {
    const chars = row.reduce<number>((sum, value) => sum + lengthOf(value), 0)
    if (all.length === 0 || chars > left) {
      all.push([])
      left = MAX_CHARS
    }
    all.at(-1)?.push(row)
    left -= chars
  }
  return all
}

function lengthOf(value: SentValue): number {
  if (typeof value === 'string') return value.length
  return value instanceof Uint8Array ? 2 * value.length : 0
}
