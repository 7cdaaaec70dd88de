// Rows in memory and rows in SQLite give the same answers, whatever was written before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlOf } from '../../../test/contract/frontier/rig.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import type { RevisitRow, Rows, UrlRow } from '../engine/rows.ts'
import { DELAYED, LEASED, QUEUED, REFUSED, STORED, UNREACHABLE } from '../engine/states.ts'
import { SqliteRows } from '../sqlite/sqlite-rows.ts'
import { MemoryRows } from './memory-rows.ts'

const STATES = [QUEUED, QUEUED, QUEUED, LEASED, STORED, REFUSED, DELAYED, UNREACHABLE]

test('queues, scans and pending rows are the same in memory and in SQLite', () => {
  const random = seededRandom(7)
  const pick = (count: number): number => Math.floor(random() * count)
  const both = pair()
  const randomUrl = (id: number): UrlRow => ({
    ...{ id, originId: 2 + pick(2), url: urlOf(`a.test/${id}`), state: STATES[pick(8)] ?? 0 },
    ...{ reason: '', depth: pick(5), hops: 0, foundOn: null, via: 1, foundAt: id, inLinks: 1 },
    ...{ signals: pick(2) === 0 ? null : [pick(9) / 7, -1], priority: pick(40) / 3 },
    ...{ tries: 0, nextAt: null },
  })
  for (let id = 1; id <= 2500; id += 1) {
    const row = randomUrl(id)
    const { id: _, url, ...fields } = randomUrl(1 + pick(id))
    const changed = 1 + pick(id)
    for (const rows of both) {
      rows.transaction(() => {
        rows.url.add(row)
        rows.url.update(changed, fields)
      })
    }
    if (id % 250 === 0) same(both, answersOf)
  }
  for (const rows of both) rows.transaction(() => rows.url.forgetSignals(100, 2000))
  same(both, answersOf)
})

test('rows of every table come back as they were written', () => {
  const both = pair()
  const revisit: RevisitRow = {
    ...{ urlId: 3, originId: 2, priority: 0.5, tries: 0, nextAt: null },
    ...{ etag: '"e"', lastModified: '', contentHash: 'h' },
  }
  for (const rows of both) {
    rows.transaction(() => {
      rows.edge.put({ fromId: 4, step: 1, toIds: Uint32Array.of(1, 4_000_000_000) })
      rows.edge.put({ fromId: 2, step: 0, toIds: Uint32Array.of(7) })
      rows.template.put({ hostId: 1, key: '/a', debt: 3, streak: 0, likes: [1, 2], pairs: [] })
      rows.template.put({ hostId: 1, key: '/b', debt: 0, streak: 0, likes: [], pairs: [9] })
      rows.ordering.put({ name: 'opic', state: Uint8Array.of(1, 2), savedAt: 5 })
      rows.taken.put({ fromPartition: 2, number: 9 })
      rows.sent.put({ toPartition: 1, number: 4 })
      rows.sent.update(1, { number: 5 })
      rows.parked.put({ name: 'a.test', id: 1, facts: '{}' })
      rows.revisit.put(revisit)
      rows.revisit.put({ ...revisit, urlId: 1, nextAt: 12 })
      rows.revisit.put({ ...revisit, urlId: 2, priority: 0.7 })
    })
  }
  same(both, (rows) => ({
    tables: [rows.edge, rows.template, rows.ordering, rows.taken, rows.sent, rows.parked].map(
      (table) => [...table.all()],
    ),
    template: rows.template.get([1, '/b']),
    suspects: [...rows.template.atLeast(2, 5)],
    after: rows.edge.after(2, 9),
    revisits: [rows.revisit.head(2, 9), rows.revisit.sizes(), rows.revisit.delayed()],
  }))
})

function pair(): readonly [Rows, Rows] {
  const db = openSqlite(':memory:', { schema: 'frontier', durability: 'none' })
  return [new MemoryRows(), new SqliteRows(db)]
}

function answersOf({ url }: Rows): unknown {
  const scan = { after: 20, upTo: 2200, states: [QUEUED, REFUSED], limit: 700 }
  return {
    heads: [2, 3, 4].map((originId) => [url.head(originId, 5), url.head(originId, 9999)]),
    worst: url.worst(40).map(({ id, originId }) => [id, originId]),
    pending: [LEASED, DELAYED, UNREACHABLE].map((state) => url.pending(state).map(({ id }) => id)),
    scan: url.scan(scan),
    last: [url.lastId(), url.get(17), url.get(99_999)],
  }
}

function same(both: readonly [Rows, Rows], ask: (rows: Rows) => unknown): void {
  const [memory, sqlite] = both.map(ask)
  // Rows of SQLite have no prototype.
  assert.deepEqual(JSON.parse(JSON.stringify(memory)), JSON.parse(JSON.stringify(sqlite)))
}
