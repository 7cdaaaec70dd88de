// The states of all URLs of a frontier that is divided into files. The files are opened read-only.
import type { DatabaseSync } from 'node:sqlite'
import { CrawlerError } from '../../core/errors.ts'
import { openSqliteReader } from '../../db/sqlite.ts'
import type { RowReader } from '../partitions/row-reader.ts'
import { RowsUrlStates } from '../partitions/rows-url-states.ts'
import {
  MAX_CHUNK_ROWS,
  type Row,
  type StoredUrlStates,
  TABLES,
  type TableName,
} from '../storage.ts'

export function openPartitionStates(crawlId: number, paths: readonly string[]): PartitionStates {
  const files: DatabaseSync[] = []
  try {
    for (const path of paths) files.push(openFile(path))
    return new PartitionStates(crawlId, files)
  } catch (error) {
    for (const file of files) file.close()
    throw error
  }
}

function openFile(path: string): DatabaseSync {
  const db = openSqliteReader(path, 'frontier')
  if (db === null) throw new CrawlerError('store-damaged', `${path} is missing`)
  return db
}

/** Closes the files once the last answer is complete: many callers return a promise and dispose of this. */
class PartitionStates implements StoredUrlStates {
  readonly #files: readonly DatabaseSync[]
  readonly #states: RowsUrlStates
  readonly #running = new Set<Promise<unknown>>()

  constructor(crawlId: number, files: readonly DatabaseSync[]) {
    this.#files = files
    this.#states = new RowsUrlStates({ crawlId, partitions: files.length }, readerOf(files))
  }

  find: StoredUrlStates['find'] = (url) => this.#run(this.#states.find(url))
  list: StoredUrlStates['list'] = (options) => this.#run(this.#states.list(options))
  at: StoredUrlStates['at'] = (positions) => this.#run(this.#states.at(positions))
  counts: StoredUrlStates['counts'] = () => this.#run(this.#states.counts())
  outcomes: StoredUrlStates['outcomes'] = () => this.#run(this.#states.outcomes())
  unreached: StoredUrlStates['unreached'] = (hosts) => this.#run(this.#states.unreached(hosts))
  pagesToRevisit: StoredUrlStates['pagesToRevisit'] = (round) =>
    this.#run(this.#states.pagesToRevisit(round))
  hosts: StoredUrlStates['hosts'] = (limit) => this.#run(this.#states.hosts(limit))
  host: StoredUrlStates['host'] = (name) => this.#run(this.#states.host(name))
  robots: StoredUrlStates['robots'] = (origin) => this.#run(this.#states.robots(origin))
  ahead: StoredUrlStates['ahead'] = (url) => this.#run(this.#states.ahead(url))
  candidate: StoredUrlStates['candidate'] = (url) => this.#run(this.#states.candidate(url))
  learned: StoredUrlStates['learned'] = () => this.#run(this.#states.learned())

  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
    for (const file of this.#files) if (file.isOpen) file.close()
  }

  #run<T>(answer: Promise<T>): Promise<T> {
    this.#running.add(answer)
    const over = (): void => void this.#running.delete(answer)
    answer.then(over, over)
    return answer
  }
}

/** The first condition is that of an index. */
const UNSETTLED = 'state IN (1, 7, 8) AND state <> 7'

function readerOf(files: readonly DatabaseSync[]): RowReader {
  const fileOf = (partition: number): DatabaseSync => {
    const file = files[partition]
    if (file === undefined) throw new RangeError(`there is no partition ${partition}`)
    return file
  }
  return {
    rows: (partition, table, after) => portions(fileOf(partition), { table, after }),
    unsettled: (partition) => portions(fileOf(partition), { table: 'url', where: UNSETTLED }),
    async row(partition, table, key) {
      const [column] = TABLES[table].columns
      const row = select(fileOf(partition), table, `WHERE ${column} = ?`).get(key)
      return (row as Row | undefined) ?? null
    },
    async idOf(partition, url) {
      const row = fileOf(partition).prepare('SELECT id FROM url WHERE url = ?').get(url)
      return row === undefined ? null : Number(row.id)
    },
  }
}

type Portions = {
  readonly table: TableName
  readonly after?: number | undefined
  readonly where?: string
}

/** In order of keys. Between two portions others may write. */
async function* portions(
  db: DatabaseSync,
  { table, after, where = 'true' }: Portions,
): AsyncGenerator<readonly Row[]> {
  const { columns, key } = TABLES[table]
  const keys = columns.slice(0, key).join(', ')
  const holes = Array(key).fill('?').join(', ')
  const order = `ORDER BY ${keys} LIMIT ${MAX_CHUNK_ROWS}`
  const next = select(db, table, `WHERE ${where} AND (${keys}) > (${holes}) ${order}`)
  const first = after === undefined ? select(db, table, `WHERE ${where} ${order}`).all() : null
  let rows = (first ?? next.all(after ?? 0)) as unknown as Row[]
  while (rows.length > 0) {
    yield rows
    const last = rows.at(-1)?.slice(0, key) ?? []
    rows = next.all(...last) as unknown as Row[]
  }
}

function select(db: DatabaseSync, table: TableName, where: string) {
  const statement = db.prepare(`SELECT ${TABLES[table].columns.join(', ')} FROM ${table} ${where}`)
  statement.setReturnArrays(true)
  return statement
}
