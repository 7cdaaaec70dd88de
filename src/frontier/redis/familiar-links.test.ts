import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found } from '../../../test/contract/frontier/rig.ts'
import { FamiliarLinks } from './familiar-links.ts'

test('a link is familiar once it was taken in, unless it leads there by a shorter path', () => {
  const familiar = new FamiliarLinks({ weighsDepth: true })
  const link = found('a.test/1')
  assert.equal(familiar.has(link, 3), false)
  familiar.learn(link, 3)
  assert.deepEqual(
    [2, 3, 4].map((depth) => familiar.has(link, depth)),
    [false, true, true],
  )
  assert.equal(familiar.has(found('a.test/2'), 3), false)
})

test('where depth counts for nothing, a shorter path is no news', () => {
  const familiar = new FamiliarLinks({ weighsDepth: false })
  familiar.learn(found('a.test/1'), 3)
  assert.equal(familiar.has(found('a.test/1'), 1), true)
})

test('a link not to be followed makes only links of its kind familiar', () => {
  for (const weighsDepth of [true, false]) {
    const familiar = new FamiliarLinks({ weighsDepth })
    const nofollow = found('a.test/1', { nofollow: true })
    familiar.learn(nofollow, 1)
    assert.equal(familiar.has(nofollow, 1), true)
    assert.equal(familiar.has(found('a.test/1'), 1), false)
    familiar.learn(found('a.test/1'), 1)
    familiar.learn(nofollow, 1)
    assert.equal(familiar.has(found('a.test/1'), 1), true)
  }
})

test('what is in the place of another is forgotten, never mistaken for it', () => {
  const familiar = new FamiliarLinks({ weighsDepth: true })
  const link = found('a.test/1')
  const twin = { ...link, hash: { hi: link.hash.hi ^ 1, lo: link.hash.lo } }
  familiar.learn(link, 1)
  assert.equal(familiar.has(twin, 1), false)
  familiar.learn(twin, 1)
  assert.equal(familiar.has(link, 1), false)
})
