import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowAfterKey, rowsPerView, rowWindow, scrollTopFor, type TableView } from './row-window.ts'

const view: TableView = { scrollTop: 0, viewHeight: 400, rowHeight: 40, rows: 100_000 }

test('a window holds what is seen and a few rows more', () => {
  assert.deepEqual(rowWindow(view), { first: 0, end: 18 })
  assert.deepEqual(rowWindow({ ...view, scrollTop: 4_000 }), { first: 92, end: 118 })
})

test('a window ends with the rows', () => {
  const { first, end } = rowWindow({ ...view, scrollTop: 100_000 * 40 - 400 })
  assert.equal(end, 100_000)
  assert.ok(end - first < 30)
})

test('a table that became shorter than its scroll position shows its last row', () => {
  assert.deepEqual(rowWindow({ ...view, scrollTop: 9_000, rows: 3 }), { first: 2, end: 3 })
  assert.deepEqual(rowWindow({ ...view, scrollTop: 9_000, rows: 0 }), { first: 0, end: 0 })
})

test('a row is scrolled to no further than needed', () => {
  assert.equal(scrollTopFor(3, view), 0)
  assert.equal(scrollTopFor(10, view), 40)
  assert.equal(scrollTopFor(5, { ...view, scrollTop: 1_000 }), 200)
})

test('keys move by rows and by views, and stay within the table', () => {
  assert.equal(rowsPerView(view), 10)
  const moves: [string, number, number | null][] = [
    ['ArrowDown', 0, 1],
    ['ArrowUp', 0, 0],
    ['PageDown', 5, 15],
    ['PageUp', 5, 0],
    ['End', 5, 99_999],
    ['Home', 5, 0],
    ['PageDown', 99_998, 99_999],
    ['a', 5, null],
    ['constructor', 5, null],
  ]
  for (const [key, from, to] of moves) assert.equal(rowAfterKey(key, from, view), to, key)
  assert.equal(rowAfterKey('End', 0, { ...view, rows: 0 }), null)
})
