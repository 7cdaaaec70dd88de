import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found } from '../../../test/contract/frontier/rig.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import { decodeForeignLinks, encodeForeignLinks, type ForeignLinks } from './foreign-links.ts'

const PAGE: ForeignLinks = {
  ...{ foundOn: 12_345, via: 'link', depth: 3, hops: 0, pageHops: 2, again: true },
  links: [
    found('a.test/'),
    found('b.test/?q=%C3%BC', { signals: [0.1, -0, 1e300] }),
    found('c.test/', { nofollow: true, signals: [] }),
    { ...found('d.test/', { refresh: true }), isOffFocus: true },
    found('e.test/', { nofollow: true, barred: 'refused' }),
    found('f.test/', { nofollow: true, barred: 'unanswered' }),
  ],
  sitemaps: [],
}

test('links to another partition arrive as they were sent', () => {
  const { links: _, ...head } = PAGE
  const site = { url: found('e.test/sitemap.xml').url, level: 1, hops: 0 }
  const pages: ForeignLinks[] = [
    PAGE,
    { ...head, foundOn: -7, via: 'sitemap', links: [] },
    { ...head, foundOn: null, links: [found('f.test/')], sitemaps: [site] },
  ]
  // Messages are parts of larger buffers, at any offset.
  const body = encodeForeignLinks(pages)
  const packet = new Uint8Array(body.length + 6)
  packet.set(body, 3)
  const arrived = decodeForeignLinks(packet.subarray(3, 3 + body.length), createUrlHasher(77))
  assert.deepEqual(arrived, pages)
})

test('no links are no bytes', () => {
  assert.equal(encodeForeignLinks([]).length, 0)
  assert.deepEqual(decodeForeignLinks(new Uint8Array(0), createUrlHasher(77)), [])
})
