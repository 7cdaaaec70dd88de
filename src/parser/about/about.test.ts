import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import { type About, aboutJson, aboutPage } from './about.ts'

function about(
  html: string,
  { ld = [], url = 'https://www.dailyfarm.example/a' }: Options = {},
): About {
  const reading = new HtmlReader().read(Buffer.from(html), { isXml: false })
  if (reading.notes.ldTexts.length === 0) reading.notes.ldTexts.push(...ld)
  return aboutPage({
    ...reading,
    url,
    fetchedAt: Date.UTC(2026, 5, 1),
    resolve: (href) => URL.parse(href, url)?.href ?? null,
  })
}

type Options = { readonly ld?: readonly string[]; readonly url?: string }

test('a page that declares everything is taken at its word', () => {
  const page = about(
    `<html lang=id><title>Padi di sawah | Daily Farm</title>
     <meta name=description content="Tentang padi"><meta name=keywords content="padi, sawah">
     <meta name=author content="Budi Santoso"><meta name=generator content="WordPress 6.5">
     <meta property="article:published_time" content="2026-01-12T23:30:00+07:00">
     <meta property="article:modified_time" content="2026-01-14T10:00:00Z">
     <meta property="og:title" content="Padi di sawah"><meta property="og:site_name" content="Daily Farm">
     <meta property="og:image" content="/p.jpg"><meta name="twitter:card" content="summary">
     <link rel=alternate type="application/rss+xml" title="Semua" href="/feed">
     <h1>Padi di sawah</h1>`,
  )
  assert.equal(page.title, 'Padi di sawah')
  assert.equal(page.rawTitle, 'Padi di sawah | Daily Farm')
  assert.equal(JSON.parse(aboutJson(page)).raw_title, 'Padi di sawah | Daily Farm')
  assert.equal(page.description, 'Tentang padi')
  assert.equal(page.keywords, 'padi, sawah')
  assert.equal(page.author, 'Budi Santoso')
  assert.equal(page.publishedAt, Date.UTC(2026, 0, 12, 16, 30))
  assert.equal(page.publishedDay, '2026-01-12')
  assert.equal(page.modifiedAt, Date.UTC(2026, 0, 14, 10))
  assert.equal(page.language, 'id')
  assert.equal(page.siteName, 'Daily Farm')
  assert.equal(page.generator, 'WordPress 6.5')
  assert.deepEqual(page.openGraph, {
    title: 'Padi di sawah',
    site_name: 'Daily Farm',
    image: '/p.jpg',
    card: 'summary',
  })
  assert.deepEqual(page.feeds, [
    { url: 'https://www.dailyfarm.example/feed', title: 'Semua', type: 'application/rss+xml' },
  ])
})

test('a page that declares nothing is read around its heading', () => {
  const page = about(
    `<title>How rice grows</title><div>Menu</div><h1>How rice grows</h1>
     <div class="post-meta">By <a class="byline" href="/j">Jane Doe</a> on <span>12 January 2026</span></div>
     <p>Rice was first grown in 1912, on 3 March 2001 they say.</p>`,
  )
  assert.equal(page.author, 'Jane Doe')
  assert.equal(page.publishedDay, '2026-01-12')
})

test('a time beside the heading is the date, one of a comment is not', () => {
  const page = about(
    `<title>Rice</title><h1>Rice in the hills</h1><time datetime="2026-01-12T08:00">yesterday</time>
     <p>${'Rice. '.repeat(300)}</p><div class=comment><time datetime="2026-02-20">20 Feb</time></div>`,
  )
  assert.equal(page.publishedDay, '2026-01-12')
})

const CHANGES: readonly (readonly [what: string, html: string])[] = [
  ['before a time', '<p>Last updated <time datetime=2026-01-12>12 Jan</time></p>'],
  ['on the line above', '<p>Last updated</p><p>12 January 2026</p>'],
  [
    'on the line above a time',
    '<p>Last updated:</p><p><time datetime=2026-01-12>Monday</time></p>',
  ],
  ['in German', '<p>Diese Seite wurde zuletzt am 12. Januar 2026 geändert.</p>'],
  ['in the head', '<meta property="article:modified_time" content="2026-01-12"><p>Text</p>'],
]

for (const [what, html] of CHANGES) {
  test(`a date of change named ${what} is not a publication date`, () => {
    const page = about(`<title>Rice</title><h1>Rice in the hills</h1>${html}`)
    assert.deepEqual(
      [page.publishedAt, page.publishedDay, page.modifiedAt],
      [null, '', Date.UTC(2026, 0, 12)],
    )
  })
}

test('words after a time are not its label', () => {
  const page = about(
    `<title>Rice</title><h1>Rice in the hills</h1>
     <p><time datetime=2026-01-12>12 Jan</time> edited <time datetime=2026-01-14>14 Jan</time></p>`,
  )
  assert.equal(page.publishedDay, '2026-01-12')
  assert.equal(page.modifiedAt, Date.UTC(2026, 0, 14))
})

test('the name of a reviewer is not a label of the date below', () => {
  const page = about(
    `<title>Rice</title><h1>Rice in the hills</h1><p>Reviewed by Jane Doe</p><p>12 January 2026</p>`,
  )
  assert.equal(page.publishedDay, '2026-01-12')
})

test('microdata in the body counts after JSON-LD', () => {
  const html = '<title>Rice</title><meta itemprop=datePublished content=2026-01-03><p>Rice'
  assert.equal(about(html).publishedDay, '2026-01-03')
  const ld = ['{"@type":"Article","datePublished":"2026-01-02"}']
  assert.equal(about(html, { ld }).publishedDay, '2026-01-02')
})

test('without a heading, the page is read around its title line', () => {
  const page = about(
    `<title>Growing rice in the hills</title><table><tr><td>${'Menu '.repeat(200)}</table>
     <b>Growing rice in the hills</b><br><br>12 January 2026<p>Text</p><p>8 May 2025</p>`,
  )
  assert.equal(page.publishedDay, '2026-01-12')
})

test('markup in a description becomes text', () => {
  const ld = ['{"@type":"Article","description":"<p>Rice &amp; more</p>","author":"Jane Doe"}']
  const page = about('<title>Rice</title><p>x', { ld })
  assert.equal(page.description, 'Rice & more')
  assert.equal(page.author, 'Jane Doe')
})

test('an empty page has no metadata', () => {
  const page = about('')
  assert.deepEqual([page.title, page.author, page.publishedAt, page.feeds], ['', '', null, []])
  assert.equal(aboutJson(page), '{}')
})

test('the column contains the facts without a column of their own, and nothing empty', () => {
  const page = about('<html lang=en><title>x</title><meta name=generator content=Hugo><p>2', {
    ld: ['{"@type":"Product","name":"Boots"}'],
  })
  assert.deepEqual(JSON.parse(aboutJson(page, { kind_confidence: 0.75, cut: [] })), {
    raw_title: 'x',
    json_ld_types: ['Product'],
    product: { name: 'Boots' },
    generator: 'Hugo',
    declared_language: 'en',
    kind_confidence: 0.75,
  })
})

test('a page without a title gets its declared headline', () => {
  const ld = ['{"@type":"Article","headline":"Rice in the hills"}']
  assert.equal(about('<p>text', { ld }).title, 'Rice in the hills')
  assert.equal(about('<title>Rice</title><p>text', { ld }).title, 'Rice')
})
