import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  lastPage,
  onlyExcludes,
  readSearchQuery,
  searchQueryTexts,
  searchRequest,
  toggled,
} from './search-query.ts'

const NOTHING = readSearchQuery({})

test('what the address says is read back the same', () => {
  const query = { ...NOTHING, q: '"kopi tubruk" -teh', crawl: 'crawl_3', hot: true, page: 4 }
  assert.deepEqual(readSearchQuery(searchQueryTexts(query)), query)
  assert.deepEqual(searchQueryTexts(NOTHING), {})
})

test('a page of results becomes an offset', () => {
  const request = searchRequest({ ...NOTHING, q: 'kopi', page: 3 })
  assert.deepEqual(request, { q: 'kopi', limit: '20', offset: '40' })
})

test('what makes no sense in the address is left out', () => {
  const wrong = { crawl: '../etc', page: '-3', hot: 'x' }
  assert.deepEqual(readSearchQuery(wrong), NOTHING)
  assert.equal(readSearchQuery({ page: '1e12' }).page, 1)
  assert.equal(readSearchQuery({ q: 'x'.repeat(5000) }).q.length, 256)
})

test('there are as many pages as hits, as far as the server looks', () => {
  assert.equal(lastPage(0), 1)
  assert.equal(lastPage(20), 1)
  assert.equal(lastPage(21), 2)
  assert.equal(lastPage(1e9), 501)
})

test('a facet is set and taken away by the same click', () => {
  const set = toggled({ ...NOTHING, page: 5 }, 'host', 'a.test')
  assert.equal(set.host, 'a.test')
  assert.equal(set.page, 1)
  assert.equal(toggled(set, 'host', 'a.test').host, '')
  assert.equal(toggled(set, 'host', 'b.test').host, 'b.test')
})

test('a query that only excludes is known', () => {
  for (const q of ['-tea', '-tea -coffee', '-"green tea"', ' -"open quote']) {
    assert.equal(onlyExcludes(q), true, q)
  }
  for (const q of ['', 'coffee -tea', '"-tea"', '-', 'a-b']) assert.equal(onlyExcludes(q), false, q)
})
