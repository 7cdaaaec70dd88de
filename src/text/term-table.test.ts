import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TermTable } from './term-table.ts'

test('a table does what a Map does, in the order of arrival', () => {
  const table = new TermTable()
  const map = new Map<number, number>()
  let seed = 1
  for (let step = 0; step < 20_000; step++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
    const id = seed >> 19 || 1
    table.add(id, step % 7)
    map.set(id, (map.get(id) ?? 0) + (step % 7))
  }
  assert.deepEqual([...table.ids], [...map.keys()])
  assert.deepEqual([...table.values], [...map.values()])
  for (const [id, value] of map) assert.equal(table.get(id), value)
  assert.equal(table.has(2 ** 30), false)
  assert.equal(table.get(2 ** 30), 0)
})

test('only what passes is kept', () => {
  const table = new TermTable()
  for (let id = 1; id <= 1000; id++) table.set(id, id)
  table.keep((value) => value % 10 === 0)
  assert.equal(table.size, 100)
  assert.equal(table.get(10), 10)
  assert.equal(table.has(11), false)
})

test('a cleared table is empty and good as new', () => {
  const table = new TermTable(4)
  table.set(5, 1)
  table.clear()
  assert.equal(table.size, 0)
  assert.equal(table.get(5), 0)
  table.add(5, 2)
  assert.equal(table.get(5), 2)
})

test('ids that agree in most of their bits do not slow it down', () => {
  const table = new TermTable()
  for (let high = 1; high <= 30_000; high++) table.add(high << 16, 1)
  for (let high = 1; high <= 30_000; high++) table.add((high << 4) | 0x7f00_0000, 1)
  assert.ok(table.size >= 30_000)
})
