// What is known about each page beside its words: by which it is filtered, counted, folded and ranked. Pages are
// numbered in the order in which they came, and each column is an array by that number, in pieces of 4,096.
// A piece that is missing has nothing but the usual value.

const PIECE_BITS = 12
export const COLUMN_PIECE = 1 << PIECE_BITS

type Numbers = Float64Array | Uint32Array | Uint8Array

const wide = (length: number): Float64Array => new Float64Array(length)
const middle = (length: number): Uint32Array => new Uint32Array(length)
const narrow = (length: number): Uint8Array => new Uint8Array(length)

/** The order is part of the format. */
const COLUMNS = {
  id: { number: 0, make: wide, usual: 0 },
  /** Words and stems. */
  length: { number: 1, make: middle, usual: 0 },
  standing: { number: 2, make: wide, usual: 1 },
  crawl: { number: 3, make: middle, usual: 0 },
  /** Numbers of shared values. */
  host: { number: 4, make: middle, usual: 0 },
  language: { number: 5, make: middle, usual: 0 },
  kind: { number: 6, make: middle, usual: 0 },
  hot: { number: 7, make: narrow, usual: 0 },
  fetched: { number: 8, make: wide, usual: 0 },
  urlKey: { number: 9, make: wide, usual: 0 },
  /** 0: none. */
  cluster: { number: 10, make: middle, usual: 0 },
  /** 1: the page went, or came again under another number. */
  gone: { number: 11, make: narrow, usual: 0 },
  /** As the page says; NaN: it does not. */
  published: { number: 12, make: wide, usual: Number.NaN },
  /** The number under which texts of links about the page were written last; 0: there are none. */
  linked: { number: 13, make: middle, usual: 0 },
  /** How much these texts weigh together. */
  linkWeight: { number: 14, make: middle, usual: 0 },
  /** The cursor of the change by which it came. */
  changed: { number: 15, make: wide, usual: 0 },
} as const
const KEYS_EACH = 16

/** So many pages can have values, if this is the last key of a piece; null: there is none. */
export function pagesUpTo(lastKey: number | null): number {
  return lastKey === null ? 0 : (Math.floor(lastKey / KEYS_EACH) + 1) * COLUMN_PIECE
}

export type ColumnName = keyof typeof COLUMNS
type ColumnPiece<N extends ColumnName> = ReturnType<(typeof COLUMNS)[N]['make']>

export const COLUMN_NAMES = Object.keys(COLUMNS).filter((name) => isColumn(name))

function isColumn(name: string): name is ColumnName {
  return Object.hasOwn(COLUMNS, name)
}

/** Where columns are kept. */
export interface ColumnSource {
  /** Null if there is none. */
  column(key: number): Uint8Array | null
}

export class DocColumns {
  readonly #source: ColumnSource
  /** By column and number of the piece. */
  readonly #columns: (Numbers | undefined)[][] = Array.from({ length: KEYS_EACH }, () => [])

  constructor(source: ColumnSource) {
    this.#source = source
  }

  /** The values of the pages from 4,096 times `nth` on. */
  piece<N extends ColumnName>(name: N, nth: number): ColumnPiece<N>
  piece(name: ColumnName, nth: number): Numbers {
    return this.#columns[COLUMNS[name].number]?.[nth] ?? this.#load(name, nth)
  }

  #load(name: ColumnName, nth: number): Numbers {
    const { number, make, usual } = COLUMNS[name]
    const piece = make(COLUMN_PIECE)
    if (usual !== 0) piece.fill(usual)
    const bytes = this.#source.column(nth * KEYS_EACH + number)
    if (bytes !== null) {
      new Uint8Array(piece.buffer).set(bytes.subarray(0, piece.byteLength))
    }
    const column = this.#columns[number]
    if (column !== undefined) column[nth] = piece
    return piece
  }

  /** Takes over what others have read. Their pieces are not to be changed afterwards. */
  protected share(others: DocColumns): void {
    for (const [number, column] of others.#columns.entries()) {
      this.#columns[number] = column.slice()
    }
  }

  /** What was read of a piece before. */
  protected known(key: number): Numbers | undefined {
    return this.#columns[key % KEYS_EACH]?.[Math.floor(key / KEYS_EACH)]
  }

  value(name: ColumnName, doc: number): number {
    return this.piece(name, doc >>> PIECE_BITS)[doc & (COLUMN_PIECE - 1)] ?? 0
  }

  /** The same for many pages: which column it is, is looked up once. */
  valuesOf(name: ColumnName): (doc: number) => number {
    const column = this.#columns[COLUMNS[name].number] ?? []
    return (doc) => {
      const nth = doc >>> PIECE_BITS
      const piece = column[nth] ?? this.#load(name, nth)
      return piece[doc & (COLUMN_PIECE - 1)] ?? 0
    }
  }

  /** Forgets pieces that were written by somebody else. */
  forget(keys: Iterable<number>): void {
    for (const key of keys) {
      const column = this.#columns[key % KEYS_EACH]
      if (column !== undefined) column[Math.floor(key / KEYS_EACH)] = undefined
    }
  }

  forgetAll(): void {
    for (const column of this.#columns) column.length = 0
  }
}

/** Columns that are changed. Nothing is kept before `write`. */
export class ChangedColumns extends DocColumns {
  /** The number of values to keep, by key. */
  readonly #changed = new Map<number, number>()

  set(name: ColumnName, doc: number, value: number): void {
    const nth = Math.floor(doc / COLUMN_PIECE)
    const place = doc % COLUMN_PIECE
    const piece: Numbers = this.piece(name, nth)
    if (Object.is(piece[place], value)) return
    piece[place] = value
    const key = nth * KEYS_EACH + COLUMNS[name].number
    this.#changed.set(key, Math.max(this.#changed.get(key) ?? 0, place + 1))
  }

  /** `keep` is called for each piece that changed. A piece ends after the last value that is not usual. */
  write(keep: (key: number, bytes: Uint8Array) => void): void {
    for (const [key, least] of this.#changed) {
      const piece = this.known(key)
      if (piece === undefined) continue
      const usual = Object.values(COLUMNS).find(({ number }) => number === key % KEYS_EACH)?.usual
      let size = piece.length
      while (size > least && Object.is(piece[size - 1], usual)) size--
      const bytes = size * piece.BYTES_PER_ELEMENT
      keep(key, new Uint8Array(piece.buffer, 0, bytes))
    }
    this.#changed.clear()
  }

  /** What was set or written did not hold: everything is read again. */
  undo(): void {
    this.forgetAll()
    this.#changed.clear()
  }
}
