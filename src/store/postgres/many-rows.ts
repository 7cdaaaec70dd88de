// Rows of many columns that go to the server in one statement. Its text is short and the same for any
// number of them, or nearly: the driver looks a statement up by its whole text, and the server keeps its
// plan. Short values go in arrays; long ones as they are, as each copy that the server makes of them costs.
import type { Queries, Row } from '../../db/postgres.ts'
import {
  BETWEEN_TEXTS,
  joinedTexts,
  NO_TEXT,
  numberArray,
  textArray,
} from '../../db/postgres-array.ts'

/** As they are sent; the server makes of them what the column is. Bytes that are `long` are never null. */
export type SentType = 'bigint' | 'float8' | 'text' | 'bytea' | 'long text' | 'long bytea'

type RowsInsertion = {
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
const MAX_CHARS = 8_388_608
/** Rows of a statement with long values: few sizes, the rest of one is filled up. */
const SIZES = [1, 4, 16, 64] as const
const LARGEST = 64
/** What a few rows leave empty differs from batch to batch, and each of these statements would stay prepared. */
const MANY = 16

export class ManyRows {
  readonly #insertion: RowsInsertion
  readonly #types: readonly SentType[]
  readonly #hasLong: boolean
  /** By the number of rows (0: any) and, where there are many, by what each long column has in all of them. */
  readonly #texts = new Map<string, string>()

  constructor(insertion: RowsInsertion) {
    this.#insertion = insertion
    this.#types = Object.values(insertion.columns)
    this.#hasLong = this.#types.some(isLong)
  }

  /** To the server, in order, without waiting for an answer. */
  send(sql: Queries, rows: readonly SentRow[]): Promise<unknown>[] {
    const limit = this.#hasLong ? LARGEST : Number.POSITIVE_INFINITY
    return inStatements(rows, limit).map((some) =>
      this.#hasLong ? this.#sendLong(sql, some) : this.#sendShort(sql, some),
    )
  }

  #sendShort(sql: Queries, rows: readonly SentRow[]): Promise<unknown> {
    const columns = this.#types.map((type, at) =>
      isNumber(type) ? numbersOf(rows, at) : joinedTexts(textsOf(rows, at)),
    )
    return send(sql, this.#text(0, []), [BETWEEN_TEXTS, NO_TEXT, ...columns])
  }

  #sendLong(sql: Queries, rows: readonly SentRow[]): Promise<unknown> {
    const size = SIZES.find((each) => each >= rows.length) ?? LARGEST
    const same = this.#types.map((type, at) =>
      size >= MANY && type === 'long text' ? inAll(rows, at) : undefined,
    )
    const values: SentValue[] = [rows.length]
    for (const [at, type] of this.#types.entries()) {
      if (isLong(type)) continue
      values.push(isNumber(type) ? numbersOf(rows, at) : textArray(textsOf(rows, at)))
    }
    for (let nth = 0; nth < size; nth++) {
      for (const [at, type] of this.#types.entries()) {
        if (isLong(type) && same[at] === undefined) values.push(rows[nth]?.[at] ?? FILLING[type])
      }
    }
    return send(sql, this.#text(size, same), values)
  }

  #text(size: number, same: readonly Same[]): string {
    const key = `${size} ${same.join()}`
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const text = size === 0 ? shortText(this.#insertion) : longText(this.#insertion, size, same)
    this.#texts.set(key, text)
    return text
  }
}

/** What all rows have in a column, if that is nothing: then it stands in the statement, and costs nothing. */
type Same = 'NULL' | "''" | undefined

function inAll(rows: readonly SentRow[], at: number): Same {
  if (rows.every((row) => (row[at] ?? null) === null)) return 'NULL'
  return rows.every((row) => row[at] === '') ? "''" : undefined
}

/** What the driver takes for the same type as the values that are there. */
const FILLING = { 'long text': null, 'long bytea': new Uint8Array(0) } as const

/** The texts have one more than there are rows: see `joinedTexts`. */
function shortText(insertion: RowsInsertion): string {
  const { columns } = insertion
  const names = Object.keys(columns)
  const given = Object.values(columns).map((type, at) => {
    const hole = `$${at + 3}`
    return isNumber(type) ? `${hole}::${type}[]` : `string_to_array(${hole}, $1, $2)`
  })
  const taken = names.map((name) => (columns[name] === 'bytea' ? `decode(${name}, 'hex')` : name))
  return `${headOf(insertion, taken)}
    FROM unnest(${given.join(', ')}) AS given (${names.join(', ')})
    WHERE given.${names[0]} IS NOT NULL ${insertion.end ?? ''}`
}

/** Long values are rows of their own, which take the others out of their arrays by number. */
function longText(insertion: RowsInsertion, size: number, same: readonly Same[]): string {
  const all = Object.entries(insertion.columns)
  const long = all.filter(([, type], at) => isLong(type) && same[at] === undefined)
  const short = all.filter(([, type]) => !isLong(type)).map(([name]) => name)
  const taken = all.map(([name, type], at) =>
    isLong(type) ? (same[at] ?? name) : `($${short.indexOf(name) + 2}::${type}[])[nth]`,
  )
  const rows = Array.from({ length: size }, (_, nth) => {
    const first = short.length + 2 + nth * long.length
    const holes = long.map(([, type], at) => `$${first + at}::${type.slice('long '.length)}`)
    return `(${[nth + 1, ...holes].join(', ')})`
  })
  return `${headOf(insertion, taken)}
    FROM (VALUES ${rows.join(', ')}) AS given (${['nth', ...long.map(([name]) => name)].join(', ')})
    WHERE nth <= $1::integer ${insertion.end ?? ''}`
}

function headOf({ table, columns, fixed = {} }: RowsInsertion, taken: readonly string[]): string {
  const names = [...Object.keys(fixed), ...Object.keys(columns)].join(', ')
  const values = [...Object.values(fixed), ...taken].join(', ')
  return `INSERT INTO ${table} (${names}) SELECT ${values}`
}

function isNumber(type: SentType): type is 'bigint' | 'float8' {
  return type === 'bigint' || type === 'float8'
}

function isLong(type: SentType): type is 'long text' | 'long bytea' {
  return type === 'long text' || type === 'long bytea'
}

function numbersOf(rows: readonly SentRow[], at: number): string {
  return numberArray(rows.map((row) => numberOrNull(row[at] ?? null)))
}

function textsOf(rows: readonly SentRow[], at: number): (string | null)[] {
  return rows.map((row) => textOrNull(row[at] ?? null))
}

function numberOrNull(value: SentValue): number | null {
  return typeof value === 'number' ? value : null
}

function textOrNull(value: SentValue): string | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
}

function inStatements(rows: readonly SentRow[], limit: number): SentRow[][] {
  const all: SentRow[][] = []
  let left = 0
  for (const row of rows) {
    const chars = row.reduce<number>((sum, value) => sum + lengthOf(value), 0)
    if (all.length === 0 || chars > left || all.at(-1)?.length === limit) {
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

export type SentValue = string | number | null | Uint8Array

/** Statements that are sent one after the other without waiting for answers, in the order of the calls. */
export function send(
  sql: Queries,
  text: string,
  values: readonly SentValue[] = [],
): Promise<readonly Row[]> {
  return sql.unsafe<Row[]>(text, [...values], { prepare: true }).execute()
}
