import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  lastPage,
  readSearchQuery,
  searchQueryTexts,
  searchRequest,
  toggled,
} from './search-query.ts'

const NOTHING = readSearchQuery({})

test('what the address says is read back the same', () => {
  const query = { ...NOTHING, q: '"kopi tubruk" -teh', crawl: 'crawl_3', hot: true, page: 4 }
  assert.deepEqual(readSearchQuery(searchQueryTexts(query)), query)
  const more = { ...NOTHING, q: 'kopi', topic: 'minuman', since: '7d', all: true } as const
  assert.deepEqual(readSearchQuery(searchQueryTexts(more)), more)
  assert.deepEqual(searchQueryTexts(NOTHING), {})
})

test('a page of results becomes an offset', () => {
  const request = searchRequest({ ...NOTHING, q: 'kopi', page: 3 })
  assert.deepEqual(request, { q: 'kopi', limit: '20', offset: '40' })
})

test('what makes no sense in the address is left out', () => {
  const wrong = { crawl: '../etc', page: '-3', hot: 'x', all: '1', since: 'soon' }
  assert.deepEqual(readSearchQuery(wrong), NOTHING)
  assert.equal(readSearchQuery({ page: '1e12' }).page, 1)
  assert.equal(readSearchQuery({ q: 'x'.repeat(50_000) }).q.length, 10_000)
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
