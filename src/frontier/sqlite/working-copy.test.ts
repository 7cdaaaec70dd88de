// A working copy: which rows have changed, and that a copy of them is a frontier like the first.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { found, founds, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import type { Job } from '../../core/job.ts'
import { templateOf } from '../../core/template.ts'
import { ManualClock } from '../../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { orderingNamed } from '../../ordering/index.ts'
import { openEngineFrontier } from '../engine/engine-frontier.ts'
import type { ChangedKeys } from '../engine/rows.ts'
import type { Frontier } from '../frontier.ts'
import { takeChanges } from '../partitions/owned-partition.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import { type Row, TABLES, type TableName } from '../storage.ts'
import { openWorkingCopy, type SqliteRows } from './sqlite-rows.ts'

const job: Job = {
  ...{ id: 8, name: '', origin: 'cli', seeds: [urlOf('a.test/')], topic: null, salt: 77 },
  settings: { ...DEFAULT_SETTINGS, sitemaps: true, delayMs: 0 },
}

type Kept = Map<TableName, Map<string, Row>>

class Copy {
  readonly changes: ChangedKeys
  readonly rows: SqliteRows & { readonly changes: ChangedKeys }

  constructor(folder: string, name: string) {
    const rows = openWorkingCopy(join(folder, name))
    this.rows = rows
    this.changes = rows.changes
  }

  open(): Promise<Frontier> {
    const ordering = orderingNamed('breadth-first')
    return openEngineFrontier(this.rows, {
      ...{ job, ordering, scorer: ordering.createScorer({}, 1), policy: hostPolicyNamed('fair') },
      ...{ admit: () => null, templateOf },
      clock: new ManualClock(),
    })
  }

  /** What was changed since the last call, as whoever keeps the rows would take it. */
  keepIn(kept: Kept): void {
    for (const { table, rows, dropped } of takeChanges(this.rows)) {
      const known = kept.get(table) ?? new Map<string, Row>()
      kept.set(table, known)
      for (const key of dropped) known.delete(JSON.stringify(key))
      const size = TABLES[table].key
      for (const row of rows) known.set(JSON.stringify(row.slice(0, size)), row)
    }
  }
}

function folderFor(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'working-copy-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('the rows that were noted as changed make up the whole frontier', async (context) => {
  const folder = folderFor(context)
  const kept: Kept = new Map()
  const copy = new Copy(folder, 'first.db')
  const frontier = await copy.open()
  await frontier.add(founds('a.test/', 'b.test/'), 'seed')
  for (let step = 0; step < 40; step += 1) {
    for (const lease of await frontier.lease(2)) {
      frontier.requestSent(lease)
      frontier.requestEnded(lease, { ok: true })
      const until = { fetchedAt: 0, expiresAt: 1e15, attempts: 0 }
      const record = { origin: '', status: 'fetched', body: 'x', ...until, sitemaps: [] } as const
      if (lease.kind === 'robots') await frontier.saveRobots(lease, record)
      else if (lease.kind === 'sitemap')
        await frontier.settle([{ lease, outcome: 'read', found: [], sitemaps: [] }])
      else
        await frontier.settle([stored(lease, [found(`a.test/${step}`), found(`c${step}.test/`)])])
    }
    copy.keepIn(kept)
  }
  const counts = frontier.counts()
  assert.ok(counts.stored > 2 && counts.queued > 2, JSON.stringify(counts))
  const second = new Copy(folder, 'second.db')
  for (const [table, rows] of kept) second.rows.loadRows(table, [...rows.values()])
  assert.deepEqual(rowsIn(folder, 'second.db'), rowsIn(folder, 'first.db'))
  assert.equal(second.changes.take().size, 0)
  await using reopened = await second.open()
  const { queued, leased, ...settled } = reopened.counts()
  assert.deepEqual(
    { ...settled, queued: queued + leased, leased: 0 },
    { ...counts, leased: 0, queued: counts.queued + counts.leased },
  )
  const known = Array.from(kept.get('url')?.values() ?? [], (row) => String(row[2]))
  assert.equal(await reopened.add(founds(...known), 'link'), 0)
  assert.equal((await reopened.robots('http://a.test'))?.body, 'x')
  await frontier[Symbol.asyncDispose]()
})

function rowsIn(folder: string, name: string): unknown[] {
  using db = new DatabaseSync(join(folder, name), { readOnly: true })
  return Object.keys(TABLES).map((table) =>
    db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
  )
}
