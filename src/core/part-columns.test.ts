import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PART_COLUMNS, partRows } from './page.ts'

test('rows get the names of their columns, also for what was left out at their end', () => {
  const [row = {}] = partRows('images', '[["http://a.test/i.png","A picture"]]')
  assert.deepEqual(Object.keys(row), PART_COLUMNS.images)
  assert.deepEqual([row.src, row.alt, row.width], ['http://a.test/i.png', 'A picture', null])
})

test('what has no name yet is shown all the same', () => {
  const width = PART_COLUMNS.links?.length ?? 0
  const json = JSON.stringify([Array.from({ length: width + 1 }, () => 'x')])
  assert.equal(partRows('links', json)[0]?.[`column_${width + 1}`], 'x')
})

test('rows that name their fields themselves stay as they are', () => {
  assert.deepEqual(partRows('tables', '[{"caption":"c"},7]'), [{ caption: 'c' }, { row: 7 }])
  assert.deepEqual(partRows('tables', '{}'), [])
})
