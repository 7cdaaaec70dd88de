import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  EVERY_PAGE,
  filterCount,
  filterTexts,
  pageQueryTexts,
  readPageQuery,
  sortedBy,
  withoutFilters,
} from './page-query.ts'

test('what the address says is read back the same', () => {
  const query = {
    text: 'kopi & <b>',
    host: 'a.test:8080',
    kind: 'article',
    language: 'id',
    hot: true,
    minRelevance: 0,
    duplicates: true,
    sort: 'size_bytes',
    descending: true,
  } as const
  assert.deepEqual(readPageQuery(pageQueryTexts(query)), query)
  assert.deepEqual(pageQueryTexts(EVERY_PAGE), {})
  assert.deepEqual(readPageQuery({}), EVERY_PAGE)
})

test('what makes no sense in the address is left out', () => {
  const wrong = { sort: 'id; DROP TABLE', min_relevance: '1e9', hot: 'perhaps', descending: '1' }
  assert.deepEqual(readPageQuery(wrong), EVERY_PAGE)
  assert.equal(readPageQuery({ text: 'x'.repeat(100_000) }).text.length, 200)
  assert.equal(readPageQuery({ sort: 'constructor' }).sort, 'id')
})

test('showing duplicates is no filter that hides pages', () => {
  const query = { ...EVERY_PAGE, duplicates: true, hot: true, host: 'a.test' }
  assert.equal(filterCount(query), 2)
  assert.deepEqual(filterTexts(query), { host: 'a.test', hot: 'true', duplicates: 'true' })
  assert.equal(filterCount(withoutFilters(query)), 0)
})

test('a header sorts figures from the largest and texts from A, and turns round when used again', () => {
  const bySize = sortedBy(EVERY_PAGE, 'size_bytes')
  assert.equal(bySize.descending, true)
  assert.equal(sortedBy(bySize, 'size_bytes').descending, false)
  assert.equal(sortedBy(bySize, 'title').descending, false)
})
