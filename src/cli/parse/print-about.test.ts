import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleFields } from '../../../test/contract/sample-page.ts'
import type { PageFields } from '../../core/page.ts'
import { aboutLines, publishedText } from './print-about.ts'

function shown(about: Record<string, unknown>, fields: Partial<PageFields> = {}) {
  const lines = aboutLines(about, sampleFields('a.test/1', fields))
  return Object.fromEntries(lines.filter(([, text]) => text !== ''))
}

test('a moment is shown as a time', () => {
  assert.deepEqual(shown({ modified_at: 1_717_115_755_000 }), { modified: '2024-05-31 00:35:55Z' })
  assert.deepEqual(shown({ modified_at: 9e15 }), { modified: '9,000,000,000,000,000' })
  assert.deepEqual(shown({ modified_at: 'soon' }), { modified: 'soon' })
})

test('the day of publication is the one that the page writes, with the moment where there is one', () => {
  const fields = sampleFields('a.test/1', { publishedAt: Date.UTC(2026, 0, 12, 20) })
  const midnight = { ...fields, publishedAt: Date.UTC(2026, 0, 12) }
  assert.equal(publishedText(midnight, { published_day: '2026-01-12' }), '2026-01-12')
  assert.equal(publishedText(fields, {}), '2026-01-12 20:00:00Z')
  assert.equal(
    publishedText(fields, { published_day: '2026-01-13' }),
    '2026-01-13 (2026-01-12 20:00:00Z)',
  )
  assert.equal(publishedText({ ...fields, publishedAt: null }, {}), '')
  assert.deepEqual(shown({ published_day: '2026-01-12' }), {})
})

test('the social card says nothing that another line says', () => {
  const open_graph = { title: 'Rice', site_name: 'Farm', type: 'article', image: '/p.jpg' }
  assert.deepEqual(shown({ site_name: 'Farm', open_graph }, { title: 'Rice' }), {
    'site name': 'Farm',
    'open graph': 'type article, image /p.jpg',
  })
  assert.deepEqual(shown({ open_graph: { title: 'Rice' } }, { title: 'Rice' }), {})
})

test('feeds and products are words, not JSON', () => {
  const feeds = [
    { url: 'http://a.test/feed', title: 'All', type: 'application/rss+xml' },
    { url: 'http://a.test/atom' },
  ]
  const product = { name: 'Boots', price: '19.5', reviews: 1204 }
  assert.deepEqual(shown({ feeds, product }), {
    feeds: 'http://a.test/feed (All), http://a.test/atom',
    product: 'name Boots, price 19.5, reviews 1,204',
  })
})

test('facts of any other shape are shown, too', () => {
  assert.deepEqual(
    shown({ feeds: 'x', open_graph: 7, toString: 'y', other_links: { mailto: 2 } }),
    {
      feeds: 'x',
      'open graph': '7',
      'to string': 'y',
      'other links': 'mailto 2',
    },
  )
})
