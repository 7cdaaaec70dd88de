import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hrefTo, parseRoute, type ViewName } from './router.ts'

test('every view has an address that leads back to it', () => {
  const places: [ViewName, string, number][] = [
    ['jobs', '', 0],
    ['new', '', 0],
    ['job', 'crawl_1', 0],
    ['pages', 'crawl_1', 0],
    ['page', 'crawl_12', 7],
    ['map', 'crawl_1', 0],
    ['sites', 'crawl_1', 0],
    ['workers', '', 0],
    ['search', '', 0],
    ['api', '', 0],
  ]
  for (const [view, jobId, pageId] of places) {
    const query = { text: 'a b&c=ü/?#', empty: '' }
    const found = parseRoute(hrefTo(view, { jobId, pageId, query }))
    assert.deepEqual(found, { view, jobId, pageId, query: { text: 'a b&c=ü/?#' } }, view)
  }
})

test('an address that makes no sense is unknown, not an error', () => {
  const addresses = [
    '#/job',
    '#/job/1',
    '#/job/crawl_0',
    '#/job/crawl_1/nothing',
    '#/job/crawl_1/page',
  ]
  addresses.push(
    '#/job/crawl_1/page/x',
    '#/job/crawl_1/page/1/2',
    '#/job/../../etc',
    '#/constructor',
  )
  addresses.push('#/job/crawl_1/__proto__', '#/new/more', `#/${'a/'.repeat(10_000)}`, '#/job/%')
  for (const address of addresses) assert.equal(parseRoute(address).view, 'unknown', address)
})

test('the start is the list of jobs, however it is written', () => {
  for (const address of ['', '#', '#/', '/'])
    assert.equal(parseRoute(address).view, 'jobs', address)
})
