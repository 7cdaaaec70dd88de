// Rows as they are written in batches and loaded again.
import assert from 'node:assert/strict'
import { MAX_CHUNK_ROWS, type Row, type TableName } from '../../../src/frontier/storage.ts'
import {
  ALL_TABLES,
  batchOf,
  begun,
  claimed,
  isFencedOut,
  loaded,
  loadedIds,
  type Promise_,
  rowOf,
  rowsBatch,
  urlRow,
  write,
} from './rig.ts'

const MOST = Number.MAX_SAFE_INTEGER
/** Everything but NUL that a text may have. */
const TEXT = '\u0001\t\n\r"\'\\{},$1 ünï 漢字 \u{1f980} \ufffd\uffff \x1e\x1f'
const BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte)

/** Rows with values of every kind but -0, which SQLite does not have, in order of their keys. */
const SPECIAL: Readonly<Record<TableName, readonly Row[]>> = {
  crawl: [rowOf('crawl', { salt: MOST })],
  judgement: [rowOf('judgement', { judged_by: TEXT })],
  host: [
    rowOf('host', { id: 1, name: 'xn--bcher-kva.test:8080', trouble: TEXT, bytes: MOST }),
    rowOf('host', { id: 2, site: '', trouble: '', rests_until: 1_700_000_000_123 }),
  ],
  url: [
    rowOf('url', { id: 1, origin_id: 0, reason: TEXT, signals: BYTES, priority: 0 }),
    rowOf('url', { id: 2, priority: 1e308, found_on: -5, signals: new Uint8Array(0) }),
    rowOf('url', { id: 3, priority: 5e-324, found_on: MOST, next_at: 1_700_000_000_123 }),
    rowOf('url', { id: 10, priority: -1 / 3, found_at: MOST, state: 8, tries: 3, via: 4 }),
    rowOf('url', { id: 4_294_967_297, url: `http://a.test/${'x'.repeat(8000)}` }),
  ],
  edge: [rowOf('edge', { from_id: 2, to_ids: BYTES }), rowOf('edge', { from_id: 10, step: 0 })],
  ordering: [
    rowOf('ordering', { name: 'adaptive', state: new Uint8Array(100_000).fill(0xfe) }),
    rowOf('ordering', { name: 'bfs', state: new Uint8Array(0), saved_at: MOST }),
  ],
  template: [
    rowOf('template', { host_id: 2, key: '/b', likes: null, pairs: BYTES }),
    rowOf('template', { host_id: 10, key: '' }),
    rowOf('template', { host_id: 10, key: '/A' }),
    rowOf('template', { host_id: 10, key: '/a' }),
    rowOf('template', { host_id: 10, key: '/é' }),
    rowOf('template', { host_id: 10, key: '/漢' }),
  ],
  robots: [
    rowOf('robots', { origin: 'http://b.test', body: '', status: 'unavailable' }),
    rowOf('robots', { origin: 'https://a.test', body: TEXT.repeat(5000) }),
  ],
  sitemap: [
    rowOf('sitemap', { id: 3, next_at: 5 }),
    rowOf('sitemap', { id: 20, url: 'http://a.test/news.xml', reason: TEXT }),
  ],
  revisit: [rowOf('revisit', { url_id: 7, priority: 0, etag: TEXT, next_at: MOST })],
  taken: [[0, 3], [3, MOST]], // biome-ignore format: one line
  sent: [[2, 1], [11, 1]], // biome-ignore format: one line
}

export function rowPromises(promise: Promise_): void {
  promise('rows of all tables are loaded as they were written', async ({ storage, open }) => {
    const own = await begun(storage)
    const all = ALL_TABLES.map((table) => ({ table, rows: SPECIAL[table], dropped: [] }))
    await write(storage, own, batchOf({ changes: all }))
    await storage.release(own)
    await using other = await open()
    const rows = await loaded(other, await claimed(other, 0, 'b'))
    for (const table of ALL_TABLES) assert.deepEqual(rows.get(table), SPECIAL[table], table)
  })

  promise('rows come in order of their keys, however they were written', async ({ storage }) => {
    const own = await begun(storage)
    for (const table of ALL_TABLES) {
      for (const row of SPECIAL[table].toReversed()) {
        await write(storage, own, rowsBatch(table, [row]))
      }
    }
    const rows = await loaded(storage, own)
    for (const table of ALL_TABLES) assert.deepEqual(rows.get(table), SPECIAL[table], table)
  })

  promise('a row that changed is there once, as last written', async ({ storage }) => {
    const own = await begun(storage)
    for (const table of ALL_TABLES) {
      await write(storage, own, rowsBatch(table, [rowOf(table)]))
    }
    const url = urlRow(1, { url: 'https://a.test/', state: 4, reason: 'https://b.test/', tries: 1 })
    const host = rowOf('host', { stored: 9, trouble: '' })
    const template = rowOf('template', { debt: 3, likes: null, pairs: BYTES })
    const changes = [
      { table: 'url', rows: [url], dropped: [] },
      { table: 'host', rows: [host], dropped: [] },
      { table: 'template', rows: [template], dropped: [] },
    ] as const
    await write(storage, own, batchOf({ changes }))
    const rows = await loaded(storage, own)
    const changed = new Map<TableName, Row>(changes.map((each) => [each.table, each.rows[0]]))
    for (const table of ALL_TABLES) {
      assert.deepEqual(rows.get(table), [changed.get(table) ?? rowOf(table)], table)
    }
  })

  promise('dropped rows are gone, others stay', async ({ storage }) => {
    const own = await begun(storage)
    const all = ALL_TABLES.map((table) => ({ table, rows: SPECIAL[table], dropped: [] }))
    await write(storage, own, batchOf({ changes: all }))
    const changes = [
      { table: 'url', rows: [], dropped: [[2], [999]] },
      { table: 'host', rows: [], dropped: [[1]] },
      { table: 'robots', rows: [], dropped: [['https://a.test']] },
      { table: 'template', rows: [], dropped: [[10, '/a'], [2, '/a']] }, // biome-ignore format: one line
      { table: 'revisit', rows: [], dropped: [[7]] },
    ] as const
    await write(storage, own, batchOf({ changes }))
    const rows = await loaded(storage, own)
    const left = (table: TableName, gone: (row: Row) => boolean) =>
      assert.deepEqual(
        rows.get(table) ?? [],
        SPECIAL[table].filter((row) => !gone(row)),
        table,
      )
    left('url', ([id]) => id === 2)
    left('host', ([id]) => id === 1)
    left('robots', ([origin]) => origin === 'https://a.test')
    left('template', ([id, key]) => id === 10 && key === '/a')
    left('revisit', () => true)
    for (const table of ['crawl', 'edge', 'ordering', 'sitemap', 'taken', 'sent'] as const) {
      left(table, () => false)
    }
  })

  promise('a row that is dropped and written in one batch is there', async ({ storage }) => {
    const own = await begun(storage)
    const key = rowOf('template').slice(0, 2)
    for (const tries of [1, 2]) {
      const changes = [
        { table: 'url', rows: [urlRow(1, { tries })], dropped: [[1], [2]] },
        { table: 'template', rows: [rowOf('template')], dropped: [key] },
      ] as const
      await write(storage, own, batchOf({ changes }))
    }
    const rows = await loaded(storage, own)
    assert.deepEqual(rows.get('url'), [urlRow(1, { tries: 2 })])
    assert.deepEqual(rows.get('template'), [rowOf('template')])
  })

  promise('a partition has its own rows, a crawl its own partitions', async ({ storage }) => {
    const own = await begun(storage)
    const other = await claimed(storage, 1)
    await write(storage, own, rowsBatch('url', [urlRow(1), urlRow(2)]))
    await write(storage, other, rowsBatch('url', [urlRow(2), urlRow(3)]))
    await write(storage, own, rowsBatch('url', [], [[2]]))
    assert.deepEqual(await loadedIds(storage, own), [1])
    assert.deepEqual(await loadedIds(storage, other), [2, 3])
  })

  promise('batches are written in the order they were sent', async ({ storage }) => {
    const own = await begun(storage)
    const writes = Array.from({ length: 12 }, (_, nth) => {
      const rows = [urlRow(1, { tries: nth }), urlRow(2 + nth)]
      const changes = rowsBatch('url', rows, nth === 0 ? [] : [[1 + nth]]).changes
      return write(storage, own, batchOf({ changes, summary: `batch ${nth}` }))
    })
    await Promise.all(writes)
    const rows = (await loaded(storage, own)).get('url')
    assert.deepEqual(rows, [urlRow(1, { tries: 11 }), urlRow(13)])
    const { partitions } = await storage.report(7, 'a', 1000)
    assert.equal(partitions[0]?.summary, 'batch 11')
  })

  promise('a batch that is written twice is there once', async ({ storage }) => {
    const own = await begun(storage)
    const message = { from: 0, to: 1, number: 1, body: Uint8Array.of(1) }
    const changes = [{ table: 'url', rows: [urlRow(1)], dropped: [[5]] }] as const
    const batch = batchOf({ changes, messages: [message], summary: 'same' })
    await write(storage, own, batch)
    await write(storage, own, batch)
    assert.deepEqual(await loadedIds(storage, own), [1])
    const { partitions } = await storage.report(7, 'a', 1000)
    assert.equal(partitions[1]?.messages, 1)
  })

  promise('a batch is seen completely or not at all', async ({ storage, open }) => {
    const own = await begun(storage)
    await using reader = await open()
    const writeAll = async (): Promise<void> => {
      for (let nth = 1; nth <= 8; nth++) {
        const rows = Array.from({ length: 30 }, (_, id) => urlRow(id + 1, { tries: nth }))
        await write(storage, own, rowsBatch('url', rows))
      }
    }
    let isDone = false
    const written = writeAll().finally(() => {
      isDone = true
    })
    while (!isDone) {
      const rows = (await loaded(reader, own)).get('url') ?? []
      const tries = new Set(rows.map((row) => row[13]))
      assert.ok(tries.size <= 1, `rows of ${tries.size} batches`)
      assert.ok(rows.length === 0 || rows.length === 30)
    }
    await written
  })

  promise('many rows are loaded in chunks', async ({ storage }) => {
    const own = await begun(storage)
    const count = 2 * MAX_CHUNK_ROWS + 500
    const rows = Array.from({ length: count }, (_, nth) => urlRow(count - nth))
    await write(storage, own, rowsBatch('url', rows))
    await write(
      storage,
      own,
      rowsBatch(
        'edge',
        rows.slice(0, 10).map(([id]) => rowOf('edge', { from_id: id! })),
      ),
    )
    const ids: number[] = []
    let chunks = 0
    for await (const { table, rows: some } of storage.load(own)) {
      assert.ok(some.length <= MAX_CHUNK_ROWS && some.length > 0)
      chunks++
      if (table === 'url') ids.push(...some.map(([id]) => Number(id)))
    }
    assert.ok(chunks >= 4)
    assert.deepEqual(
      ids,
      Array.from({ length: count }, (_, nth) => nth + 1),
    )
  })

  promise('a load that a new owner overtakes is refused', async ({ storage }) => {
    const own = await begun(storage)
    await write(storage, own, rowsBatch('url', [urlRow(1)]))
    const load = storage.load(own)[Symbol.asyncIterator]()
    assert.equal((await load.next()).done, false)
    const next = await claimed(storage, 0, 'a')
    await write(storage, next, rowsBatch('url', [urlRow(2)]))
    const rest = async () => {
      while (!(await load.next()).done);
    }
    await isFencedOut(rest())
    assert.deepEqual(await loadedIds(storage, next), [1, 2])
  })

  promise('a load that is given up takes nothing with it', async ({ storage }) => {
    const own = await begun(storage)
    const rows = Array.from({ length: MAX_CHUNK_ROWS + 1 }, (_, nth) => urlRow(nth + 1))
    await write(storage, own, rowsBatch('url', rows))
    for (let nth = 0; nth < 6; nth++) for await (const _ of storage.load(own)) break
    assert.equal((await loadedIds(storage, own)).length, rows.length)
  })

  promise('a partition without rows loads nothing', async ({ storage }) => {
    const own = await begun(storage)
    assert.equal((await loaded(storage, own)).size, 0)
    await write(storage, own, batchOf())
    assert.equal((await loaded(storage, own)).size, 0)
  })
}
