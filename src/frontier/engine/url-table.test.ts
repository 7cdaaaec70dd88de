import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlOf } from '../../../test/contract/frontier/rig.ts'
import type { Facts, UrlRow } from './rows.ts'
import { QUEUED } from './states.ts'
import { RowsInMemory } from './url-table.ts'

const facts: Facts = { depth: 1, inLinks: 2, signals: null, priority: 3 }
const row = (id: number): UrlRow => ({
  ...{ id, originId: 4, url: urlOf(`a.test/${id}`), state: QUEUED, reason: '', depth: 2, hops: 0 },
  ...{
    foundOn: null,
    via: 0,
    foundAt: 1,
    inLinks: 1,
    signals: null,
    priority: 0,
    tries: 0,
    nextAt: null,
  },
})

test('a row that changes, is written and changes again is listed once', () => {
  const rows = new RowsInMemory()
  const [one, other] = [row(1), row(2)]
  for (const kept of [one, other]) rows.keep(kept)
  rows.change(one, facts)
  rows.change(other, facts)
  rows.written(one)
  assert.deepEqual([...rows.changedOf(4)], [other])
  rows.change(one, facts)
  assert.deepEqual([...rows.changedOf(4)], [other, one])
  assert.deepEqual(rows.takeChanged(), [one, other])
  assert.deepEqual([...rows.changedOf(4)], [])
})
