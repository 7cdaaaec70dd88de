// A storage of frontier rows under test: programs that share it, and a clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../../src/core/job.ts'
import {
  type Batch,
  FencedOut,
  type FrontierStorage,
  type Ownership,
  type Row,
  type RowValue,
  TABLES,
  type TableName,
} from '../../../src/frontier/storage.ts'
import { sampleJob } from '../sample-page.ts'

/** One server, or a few that belong together. */
export interface StorageFixture extends AsyncDisposable {
  /** The storage as one program opens it. To dispose it is to kill that program. */
  open(): Promise<FrontierStorage & AsyncDisposable>
  /** Lets at least so much time pass on the server's clock. */
  pass(ms: number): Promise<void>
}
export type OpenFixture = () => Promise<StorageFixture>

export type Rig = StorageFixture & { readonly storage: FrontierStorage }
export type Promise_ = (title: string, body: (rig: Rig) => Promise<void>) => void

/** Longer than a test takes. */
export const LONG_MS = 600_000
/** Shorter than what `pass` is asked for. */
export const SHORT_MS = 20

export function promisesOf(name: string, openFixture: OpenFixture): Promise_ {
  return (title, body) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      await using storage = await fixture.open()
      const rig: Rig = {
        storage,
        open: () => fixture.open(),
        pass: (ms) => fixture.pass(ms),
        [Symbol.asyncDispose]: async () => {},
      }
      await body(rig)
    })
}

export function jobOf(id: number, changes: Partial<Job> = {}): Job {
  return { ...sampleJob(), id, salt: 1000 + id, ...changes }
}

/** Divides the frontier of crawl 7. */
export async function divided(storage: FrontierStorage, partitions = 2): Promise<void> {
  assert.equal(await storage.divide(jobOf(7), partitions), partitions)
}

/** A partition of crawl 7 for a program that lives long. */
export async function claimed(
  storage: FrontierStorage,
  partition = 0,
  owner = 'a',
): Promise<Ownership> {
  await storage.report(7, owner, LONG_MS)
  const ownership = await storage.claim(7, partition, owner)
  assert.ok(ownership !== null, `partition ${partition} is not free`)
  return ownership
}

/** Crawl 7 with two partitions, of which the first is owned by `a`. */
export async function begun(storage: FrontierStorage): Promise<Ownership> {
  await divided(storage)
  return claimed(storage)
}

/** A batch of whichever partition. */
export type Changes = Omit<Batch, 'ownership'>

export function write(
  storage: FrontierStorage,
  ownership: Ownership,
  changes: Changes,
): Promise<void> {
  return storage.write([{ ownership, ...changes }])
}

export function batchOf(batch: Partial<Changes> = {}): Changes {
  return { changes: [], messages: [], taken: new Map(), summary: null, ...batch }
}

/** A batch that changes rows of one table. */
export function rowsBatch(
  table: TableName,
  rows: readonly Row[],
  dropped: readonly Row[] = [],
): Changes {
  return batchOf({ changes: [{ table, rows, dropped }] })
}

const SAMPLES: Readonly<Record<TableName, Row>> = {
  crawl: [7, 1007, 3, 4, 5, 0, 6, 7, 8, 9, 10, 11, 12, 13, 14],
  judgement: [7, '["{}"]'],
  host: [1, 'a.test', 'a.test', 1, 2, 3, 4, 5, 'http-503', 6, 7, 8, 9, 10, 11, 3, 12],
  url: [1, 3, 'https://a.test/', 0, '', 1, 0, null, 0, 1, 1, null, -1.5, 0, null],
  edge: [1, 1, Uint8Array.of(2, 0, 0, 0)],
  ordering: ['bfs', Uint8Array.of(1, 2, 3), 4],
  template: [1, '/a?b', 1, 2, Uint8Array.of(3, 0, 0, 0), null],
  robots: ['http://a.test', 'fetched', 'User-agent: *\n', 1, 2, 0, '[]'],
  sitemap: [1, 2, 'http://a.test/sitemap.xml', 1, 0, 2, '', 1, null, 5, 600, 4],
  revisit: [1, 3, 0.25, 0, null, '"tag"', 'Tue, 14 Nov 2023 22:13:20 GMT', 'abc'],
  taken: [1, 5],
  sent: [1, 6],
}
export const ALL_TABLES = Object.keys(TABLES) as TableName[]

/** A row of a table; values by name of the column. */
export function rowOf(table: TableName, values: Readonly<Record<string, RowValue>> = {}): Row {
  const columns: readonly string[] = TABLES[table].columns
  for (const name of Object.keys(values)) assert.ok(columns.includes(name), `no column ${name}`)
  return columns.map((name, at) => (name in values ? values[name]! : SAMPLES[table][at]!))
}

export function urlRow(id: number, values: Readonly<Record<string, RowValue>> = {}): Row {
  return rowOf('url', { id, url: `https://a.test/${id}`, found_at: id, ...values })
}

/** All rows that are loaded, by table. */
export async function loaded(
  storage: FrontierStorage,
  ownership: Ownership,
): Promise<Map<TableName, Row[]>> {
  const tables = new Map<TableName, Row[]>()
  for await (const { table, rows } of storage.load(ownership)) {
    const known = tables.get(table) ?? []
    tables.set(table, known)
    // A plain array: a driver may bring bytes as Buffers.
    for (const row of rows) known.push(row.map(plain))
  }
  return tables
}

export async function loadedIds(storage: FrontierStorage, ownership: Ownership): Promise<number[]> {
  const rows = (await loaded(storage, ownership)).get('url') ?? []
  return rows.map(([id]) => Number(id))
}

function plain(value: RowValue): RowValue {
  return value instanceof Uint8Array ? Uint8Array.from(value) : value
}

export async function isFencedOut(work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => error instanceof FencedOut)
}
