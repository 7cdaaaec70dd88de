import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ordering, Scorer } from '../ordering/ordering.ts'
import { HookMark } from './hook-mark.ts'
import { guardOrdering } from './own-ordering.ts'

function guarded(createScorer: () => Scorer) {
  const mark = new HookMark(['mine'])
  const ordering: Ordering = { name: 'x', about: '', rescoreOn: [], createScorer }
  return { mark, ordering: guardOrdering(ordering, { mark, plugin: 'mine', notice: () => {} }) }
}

test('an ordering that fails to make its scorer is named, in one line', () => {
  const { ordering } = guarded(() => {
    throw new Error('no\nluck')
  })
  const message = 'createScorer of the ordering of mine failed: no luck'
  assert.throws(() => ordering.createScorer({}, 1), { code: 'process-died', message })
  // @ts-expect-error A plug-in need not keep to the types.
  const { ordering: other } = guarded(() => ({}))
  assert.throws(() => other.createScorer({}, 1), /it has no function score/)
})

test('an ordering is watched while it makes its scorer', () => {
  const { mark, ordering } = guarded(() => {
    assert.equal(mark.running, 'mine.ordering')
    return { score: () => 1 }
  })
  ordering.createScorer({}, 1)
  assert.equal(mark.running, null)
})
