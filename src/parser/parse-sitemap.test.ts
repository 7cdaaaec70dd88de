import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { parseSitemap } from './parse-sitemap.ts'

const at = { url: 'http://a.test/sitemap.xml', contentType: 'application/xml' }
const parse = (text: string) => parseSitemap(Buffer.from(text), at)
const locations = (text: string) => parse(text).urls.map(({ url }) => url)
const urlset = (inside: string) => `<?xml version="1.0"?><urlset>${inside}</urlset>`

test('a urlset gives its pages with the time of their last change', () => {
  const text = urlset('<url><loc> http://a.test/1 </loc><lastmod>2026-01-02</lastmod></url>')
  assert.deepEqual(parse(text), {
    kind: 'urlset',
    urls: [{ url: 'http://a.test/1', lastModified: '2026-01-02' }],
    sitemaps: [],
    truncated: false,
  })
})

test('an index gives further sitemaps and no pages', () => {
  const text = '<sitemapindex><sitemap><loc>http://a.test/s1.xml</loc></sitemap></sitemapindex>'
  const { kind, urls, sitemaps } = parse(text)
  assert.deepEqual(
    { kind, urls, sitemaps },
    { kind: 'index', urls: [], sitemaps: ['http://a.test/s1.xml'] },
  )
})

test('gzip is recognised by its bytes, whatever the header says', () => {
  const bytes = gzipSync(urlset('<url><loc>http://a.test/1</loc></url>'))
  assert.equal(parseSitemap(bytes, { ...at, contentType: 'text/plain' }).urls.length, 1)
})

test('a plain list is read line by line, and only what is a URL', () => {
  assert.deepEqual(locations('\uFEFFhttp://a.test/1\r\n\r\nnot a url\nhttps://a.test/2'), [
    'http://a.test/1',
    'https://a.test/2',
  ])
})

const TOLERATED: readonly (readonly [name: string, text: string, urls: readonly string[]])[] = [
  ['prefixes', '<s:urlset><s:url><s:loc>http://a/1</s:loc></s:url></s:urlset>', ['http://a/1']],
  ['CDATA', urlset('<url><loc><![CDATA[http://a/1?x=1&y=2]]></loc></url>'), ['http://a/1?x=1&y=2']],
  [
    'references',
    urlset('<url><loc>http://a/?x=1&amp;y=&#50;&#x33;</loc></url>'),
    ['http://a/?x=1&y=23'],
  ],
  [
    'comments',
    urlset('<!-- <url><loc>http://a/0</loc></url> --><url><loc>http://a/1</loc></url>'),
    ['http://a/1'],
  ],
  [
    'locations of images',
    urlset(
      '<url><loc>http://a/1</loc><image:image><image:loc>http://a/x.jpg</image:loc></image:image></url>',
    ),
    ['http://a/1'],
  ],
  [
    'entries never closed',
    urlset('<url><loc>http://a/1</loc><url><loc>http://a/2</loc>'),
    ['http://a/1', 'http://a/2'],
  ],
  [
    'a file cut off in a location',
    '<urlset><url><loc>http://a/1</loc></url><url><loc>http://a/2',
    ['http://a/1', 'http://a/2'],
  ],
  ['upper case', '<URLSET><URL><LOC>http://a/1</LOC></URL></URLSET>', ['http://a/1']],
  [
    'RSS',
    '<rss><channel><link>http://a/</link><item><link>http://a/1</link></item></channel></rss>',
    ['http://a/1'],
  ],
  [
    'Atom',
    '<feed><link href="http://a/"/><entry><link rel="self" href="http://a/s"/><link href="http://a/1"/></entry></feed>',
    ['http://a/1'],
  ],
]

for (const [name, text, urls] of TOLERATED) {
  test(`it copes with ${name}`, () => assert.deepEqual(locations(text), urls))
}

test('entities of a DTD are neither expanded nor fetched', () => {
  const text = `<!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "&x;&x;">]>
    <urlset><url><loc>http://a/&y;</loc></url></urlset>`
  assert.deepEqual(locations(text), ['http://a/&y;'])
})

test('beyond the limit nothing is kept, and it is said', () => {
  const many = urlset('<url><loc>http://a/1</loc></url>'.repeat(10))
  const { urls, truncated } = parseSitemap(Buffer.from(many), { ...at, maxUrls: 3 })
  assert.deepEqual([urls.length, truncated], [3, true])
})

test('garbage of any kind gives nothing and never throws', () => {
  const garbage = [
    '',
    '<',
    '<<<<',
    '<urlset',
    '<url><loc>',
    '<![CDATA[',
    '<!--',
    '<!DOCTYPE [',
    '\0\0',
  ]
  for (const text of [...garbage, '<a '.repeat(100_000), '<a>'.repeat(100_000)]) {
    assert.deepEqual(locations(text), [], JSON.stringify(text.slice(0, 20)))
  }
  assert.deepEqual(parseSitemap(Buffer.from([0x1f, 0x8b, 1, 2]), at).urls, [])
})
