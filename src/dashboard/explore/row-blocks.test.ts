import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import {
  RowBlocks,
  rowAfterKey,
  rowsPerView,
  rowWindow,
  scrollTopFor,
  type TableView,
} from './row-blocks.ts'

type Row = { readonly id: number; readonly name: string }

/** A table whose fetches are answered when the test says so. */
function table(count: number, options: { blockSize?: number; maxBlocks?: number } = {}) {
  const asked: (readonly number[])[] = []
  const answers: ((rows: readonly Row[] | null) => void)[] = []
  let changes = 0
  const blocks = new RowBlocks<Row>({
    ids: Array.from({ length: count }, (_, at) => 1000 + at),
    fetchRows: (ids) => {
      asked.push(ids)
      return new Promise((resolve) => answers.push(resolve))
    },
    changed: () => changes++,
    blockSize: 10,
    ...options,
  })
  const answer = async (at: number, rows?: readonly Row[] | null): Promise<void> => {
    const ids = asked[at]!
    answers[at]!(rows === undefined ? ids.map((id) => ({ id, name: `page ${id}` })) : rows)
    await setImmediate()
  }
  return { blocks, asked, answer, changes: () => changes }
}

test('rows come in blocks, and whoever shows them is notified', async () => {
  const { blocks, asked, answer, changes } = table(100)
  blocks.want(12, 18)
  assert.deepEqual(asked, [[1010, 1011, 1012, 1013, 1014, 1015, 1016, 1017, 1018, 1019]])
  assert.equal(blocks.row(12), undefined)
  await answer(0)
  assert.deepEqual(blocks.row(12), { id: 1012, name: 'page 1012' })
  assert.equal(changes(), 1)
  blocks.want(12, 18)
  assert.equal(asked.length, 1)
})

test('a quick scroll asks for what is seen in the end, not for what flew by', async () => {
  const { blocks, asked, answer } = table(1000)
  for (let at = 0; at < 900; at += 10) blocks.want(at, at + 10)
  assert.equal(asked.length, 2)
  await answer(0)
  assert.equal(asked.at(-1)![0], 1000 + 890)
  await answer(1)
  await answer(2)
  assert.equal(asked.length, 3)
})

test('blocks seen longest ago are dropped', async () => {
  const { blocks, asked, answer } = table(1000, { maxBlocks: 3 })
  for (let block = 0; block < 6; block++) {
    blocks.want(block * 10, block * 10 + 10)
    await answer(block)
  }
  assert.equal(blocks.kept, 3)
  assert.equal(blocks.row(0), undefined)
  assert.notEqual(blocks.row(59), undefined)
  assert.equal(asked.length, 6)
})

test('a row that the store no longer has is gone, not on its way', async () => {
  const { blocks, answer } = table(10)
  blocks.want(0, 10)
  await answer(0, [{ id: 1000, name: 'a' }])
  assert.equal(blocks.row(0)?.name, 'a')
  assert.equal(blocks.row(1), null)
})

test('what could not be had is asked for again only on request', async () => {
  const { blocks, asked, answer } = table(10)
  blocks.want(0, 10)
  await answer(0, null)
  assert.equal(blocks.failed, true)
  blocks.want(0, 10)
  assert.equal(asked.length, 1)
  blocks.retry()
  await answer(1)
  assert.equal(blocks.failed, false)
  assert.equal(blocks.row(3)?.id, 1003)
})

test('an empty table asks for nothing', () => {
  const { blocks, asked } = table(0)
  blocks.want(0, 0)
  assert.deepEqual(asked, [])
  assert.equal(blocks.id(0), null)
})

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
