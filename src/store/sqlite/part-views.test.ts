import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PART_COLUMNS } from '../../core/page.ts'
import { openSqlite } from '../../db/sqlite.ts'

test('a view of a part has the columns that its rows are said to have', () => {
  const db = openSqlite(':memory:', { schema: 'store', durability: 'full' })
  try {
    for (const [part, columns] of Object.entries(PART_COLUMNS)) {
      const rows = db.prepare(`PRAGMA table_info(page_${part})`).all()
      const names = rows.map(({ name }) => name)
      const own = names.filter((name) => name !== 'page_id' && name !== 'position')
      assert.deepEqual(own, columns, part)
    }
  } finally {
    db.close()
  }
})
