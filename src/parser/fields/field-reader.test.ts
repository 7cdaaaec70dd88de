import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldRule, type FieldRulesGiven, fieldsObject } from '../../core/field-rules.ts'
import { aboutObject } from '../../core/page.ts'
import { canonicalise } from '../../core/url.ts'
import { checkedFieldRules } from '../../fields/decode-rules.ts'
import { createPageParser, openFields } from '../parse-page.ts'
import { numberIn } from './field-value.ts'

type Page = { readonly url?: string; readonly contentType?: string; readonly robotsTag?: string[] }

async function parsed(html: string | Uint8Array, given: FieldRulesGiven, page: Page = {}) {
  const url = canonicalise(page.url ?? 'https://a.test/shop/tea')
  assert.ok(url)
  const fields = await openFields({ fields: checkedFieldRules(given, 'fields') })
  const options = { salt: 0, parts: [], keepHtml: false, maxBodyBytes: 1 << 20 }
  const head = {
    ...({ kind: 'page', id: 0, token: 0, url, depth: 0, status: 200 } as const),
    ...{ contentType: 'text/html; charset=utf-8', contentEncoding: '', robotsTag: [] },
    ...{ etag: '', lastModified: '', fetchedAt: 0, fetchMs: 0, truncated: false, ...page, url },
  }
  const result = createPageParser(options, undefined, fields)(head, Buffer.from(html))
  assert.ok(result.outcome === 'page')
  return result.page
}

async function fieldsOf(html: string, fields: readonly FieldRule[], page: Page = {}) {
  const { parts } = await parsed(html, { fields }, page)
  return fieldsObject(parts.fields ?? '[]')
}

const SHOP = `<!doctype html><html lang="en"><base href="/en/"><title>Tea</title>
<meta property="og:title" content="Green &amp; fresh">
<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
  {"@type": "WebSite", "name": "Shop"},
  {"@type": ["Product"], "name": "Green tea", "sku": 12, "offers": [
    {"@type": "Offer", "price": "1234.500", "availability": "https://schema.org/InStock"},
    {"@type": "Offer", "price": "9"}]}]}</script>
<script id="state" type="application/json">{"cart": [1, 2]}</script>
<main><h1>Green <b>tea</b></h1>
<p class="price sale">now $1,299.50</p><p class="price">was 2,000</p>
<p>Published <time datetime="2026-01-12T09:30:00+07:00">yesterday</time>, updated 3 March 2026</p>
<ul><li><a href="../a?x=1#top">one</a><li><a href="mailto:x@a.test">mail</a><li><a>none</a></ul>
<div class=text>first<br>second<p>third</p><script>hidden()</script></div>
<table><tr><th>Weight<td>250 g<tr><th>Origin<td>Java</table><p class=stock>No</p></main>`

test('values are taken by selectors, attributes and types', async () => {
  const fields: (FieldRule & { readonly gives: unknown })[] = [
    { name: 'title', selector: 'h1', gives: 'Green tea' },
    { name: 'shared', selector: 'meta[property="og:title"]', gives: 'Green & fresh' },
    { name: 'price', selector: '.price', type: 'number', gives: 1299.5 },
    { name: 'prices', selector: '.price', type: 'number', many: true, gives: [1299.5, 2000] },
    { name: 'one', selector: '.price.sale', many: true, gives: ['now $1,299.50'] },
    { name: 'classes', selector: '.price', attribute: 'CLASS', gives: 'price sale' },
    { name: 'when', selector: 'time', type: 'date', gives: '2026-01-12T02:30:00.000Z' },
    { name: 'day', selector: 'p:has(time)', type: 'date', gives: '2026-03-03' },
    { name: 'link', selector: 'a', type: 'url', gives: 'https://a.test/a?x=1' },
    { name: 'links', selector: 'li a', type: 'url', many: true, gives: ['https://a.test/a?x=1'] },
    { name: 'text', selector: '.text', gives: 'first second third' },
    { name: 'html', selector: 'h1', type: 'html', gives: 'Green <b>tea</b>' },
    { name: 'weight', selector: 'th:contains("Weight") + td', type: 'number', gives: 250 },
    { name: 'origin', selector: 'tr:nth-child(2) td', gives: 'Java' },
    { name: 'sold', selector: '.sold-out', type: 'boolean', gives: false },
    { name: 'onSale', selector: '.sale', type: 'boolean', gives: true },
    { name: 'stock', selector: '.stock', type: 'boolean', gives: false },
    { name: 'state', selector: '#state', type: 'json', gives: { cart: [1, 2] } },
    { name: 'broken', selector: 'h1', type: 'json', gives: undefined },
    { name: 'absent', selector: '.none', gives: undefined },
    { name: 'noNumber', selector: 'h1', type: 'number', gives: undefined },
    { name: 'sku', jsonld: 'Product.sku', gives: '12' },
    { name: 'offers', jsonld: 'Offer.price', type: 'number', many: true, gives: [1234.5, 9] },
    { name: 'second', jsonld: 'Product.offers[1].price', type: 'number', gives: 9 },
    { name: 'names', jsonld: 'name', many: true, gives: ['Shop', 'Green tea'] },
    {
      name: 'offer',
      jsonld: 'Product.offers',
      type: 'json',
      gives: { '@type': 'Offer', price: '1234.500', availability: 'https://schema.org/InStock' },
    },
    {
      name: 'available',
      jsonld: 'offers.availability',
      type: 'url',
      gives: 'https://schema.org/InStock',
    },
  ]
  const found = await fieldsOf(
    SHOP,
    fields.map(({ gives: _, ...field }) => field),
  )
  for (const { name, gives } of fields) assert.deepEqual(found[name], gives, name)
})

test('a number that is too large to be one is no value', async () => {
  const page =
    '<script type="application/ld+json">{"@type": "A", "n": 1e999, "m": [1e999, 2]}</script><b>1e999</b>'
  const found = await fieldsOf(page, [
    { name: 'n', jsonld: 'A.n', type: 'number' },
    { name: 'raw', jsonld: 'A.n', type: 'json' },
    { name: 'm', jsonld: 'A.m', type: 'number', many: true },
    { name: 'b', selector: 'b', type: 'json' },
  ])
  assert.deepEqual(found, { m: [2] })
})

test('numbers are read as the language of the page writes them', () => {
  const cases: readonly (readonly [
    text: string,
    english: number | null,
    indonesian: number | null,
  ])[] = [
    ['Rp 1.250.000', 1_250_000, 1_250_000],
    ['1.250', 1.25, 1250],
    ['1,250', 1250, 1.25],
    ['1.234,56', 1234.56, 1234.56],
    ['1,234.56', 1234.56, 1234.56],
    ['12,5 %', 12.5, 12.5],
    ['0.125', 0.125, 0.125],
    ['1234.500', 1234.5, 1234.5],
    ['−3 °C', -3, -3],
    ["1'000'000", 1_000_000, 1_000_000],
    ['about 3 of 10', 3, 3],
    ['none', null, null],
    ['9'.repeat(400), null, null],
  ]
  for (const [text, english, indonesian] of cases) {
    assert.deepEqual([numberIn(text, false), numberIn(text, true)], [english, indonesian], text)
  }
})

test('only pages whose URL matches have fields, and the first rule that finds something counts', async () => {
  const rules = {
    rules: [
      { match: '/news/**', fields: [{ name: 'title', selector: 'title' }] },
      { match: ['/shop/**'], fields: [{ name: 'title', selector: '.none' }] },
      {
        fields: [
          { name: 'title', selector: 'h1' },
          { name: 'all', selector: 'p' },
        ],
      },
    ],
  }
  const at = async (url: string) => {
    const { parts } = await parsed('<title>t</title><h1>h</h1>', rules, { url })
    return fieldsObject(parts.fields ?? '[]')
  }
  assert.deepEqual(await at('https://a.test/news/1'), { title: 't' })
  assert.deepEqual(await at('https://a.test/shop/1'), { title: 'h' })
  const only = { rules: rules.rules.slice(0, 2) }
  const { parts } = await parsed('<h1>h</h1>', only, { url: 'https://a.test/' })
  assert.equal(parts.fields, undefined)
})

test('a page that asks not to be indexed has no fields, nor has a text file', async () => {
  const fields = [{ name: 'title', selector: 'h1' }]
  const noindex = '<meta name=robots content=noindex><h1>h</h1>'
  assert.equal((await parsed(noindex, { fields })).parts.fields, undefined)
  const text = await parsed('<h1>h</h1>', { fields }, { contentType: 'text/plain' })
  assert.equal(text.parts.fields, undefined)
})

test('XHTML is read by its own rules', async () => {
  const html =
    '<html xmlns="http://www.w3.org/1999/xhtml"><body><div/><p>one</p><p>two</p></body></html>'
  const contentType = 'application/xhtml+xml'
  const fields = [{ name: 'p', selector: 'body > p', many: true }]
  assert.deepEqual(await fieldsOf(html, fields, { contentType }), { p: ['one', 'two'] })
})

test('too many values are cut, and that is said', async () => {
  const html = `<ul>${'<li>x'.repeat(1500)}</ul><p>${'y'.repeat(50_000)}</p>`
  const fields = [
    { name: 'x', selector: 'li', many: true },
    { name: 'y', selector: 'p' },
  ]
  const page = await parsed(html, { fields })
  const { x, y } = fieldsObject(page.parts.fields ?? '[]')
  assert.equal(Array.isArray(x) && x.length, 1000)
  assert.equal(typeof y === 'string' && y.length, 20_000)
  assert.deepEqual(aboutObject(page.fields.about).cut, ['fields'])
})

test('nested elements are not read again and again without end', async () => {
  const fields = Array.from({ length: 200 }, (_, at) => {
    return { name: `f${at}`, selector: 'div', type: 'json' as const, many: true }
  })
  const page = await parsed('<div>'.repeat(500) + '['.repeat(200_000), { fields })
  assert.deepEqual(aboutObject(page.fields.about).cut, ['fields'])
})

test('a text of JSON-LD is cut as others are', async () => {
  const json = JSON.stringify({ '@type': 'A', a: 'y'.repeat(50_000) })
  const html = `<script type="application/ld+json">${json}</script>`
  const { a } = await fieldsOf(html, [{ name: 'a', jsonld: 'A.a' }])
  assert.equal(typeof a === 'string' && a.length, 20_000)
})

const MANY = Array.from({ length: 8 }, (_, at) => ({
  name: `f${at}`,
  selector: 'div div div p:not(:has(b)):nth-of-type(2n), [a*=b] ~ i:contains("x") + b > u',
  many: true,
}))

/** Each is made to cost much, and much more if anything were worse than linear. */
const HOSTILE: Readonly<Record<string, string>> = {
  'nested elements': '<div>'.repeat(40_000),
  'nested links': '<a href=x><b>'.repeat(16_000),
  'unclosed entries': '<li><p>x'.repeat(24_000),
  'tables in tables': '<table><tr><td>'.repeat(12_000),
  'rows without tables': '<tr><td>'.repeat(24_000),
  'elements beside tables': `<table>${'<i>x'.repeat(40_000)}`,
  'end tags of nothing': '</div></p></x>'.repeat(14_000),
  attributes: `<p ${Array.from({ length: 20_000 }, (_, at) => `a${at}=b`).join(' ')}>`,
  'one long attribute': `<p a="${'b '.repeat(100_000)}">`,
  'pieces of text': 'x<'.repeat(100_000),
  'foreign elements': '<svg><g>'.repeat(24_000),
  templates: '<template>'.repeat(20_000),
  'an open comment': `<p><!--${'--'.repeat(100_000)}`,
  'an open quote': `<p ${'a="'.repeat(60_000)}`,
  references: '&amp;'.repeat(40_000),
  'deep JSON-LD': `<script type="application/ld+json">${'{"@type":"A","a":['.repeat(3_000)}</script>`,
}

test('no page makes it work for long, or breaks it', async () => {
  const fields = [
    ...MANY,
    { name: 'ld', jsonld: 'A.a.a', many: true },
    { name: 'text', selector: '*', many: true },
    { name: 'html', selector: '*', type: 'html' as const, many: true },
  ]
  for (const [what, html] of Object.entries(HOSTILE)) {
    const { parts } = await parsed(html, { fields })
    assert.ok((parts.fields ?? '').length < 2_000_000, what)
  }
})
