import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonLd, NO_JSON_LD, readJsonLd } from './json-ld.ts'
import { parseJsonLd } from './json-ld-text.ts'

const URL = 'https://example.org/a'

function read(...nodes: readonly unknown[]): JsonLd {
  return readJsonLd(
    nodes.map((node) => (typeof node === 'string' ? node : JSON.stringify(node))),
    URL,
  )
}

test('the article is the subject, not the page or the site around it', () => {
  const ld = read({
    '@graph': [
      { '@type': 'WebSite', name: 'Daily Farm' },
      { '@type': 'WebPage', name: 'Page', datePublished: '2026-01-01' },
      { '@type': ['Article', 'NewsArticle'], headline: 'Rice', datePublished: '2026-01-12' },
    ],
  })
  assert.equal(ld.headline, 'Rice')
  assert.equal(ld.published, '2026-01-12')
  assert.equal(ld.publisher, 'Daily Farm')
  assert.deepEqual(ld.types, ['WebSite', 'WebPage', 'Article', 'NewsArticle'])
})

test('facts that the article lacks come from the page', () => {
  const ld = read([
    { '@type': 'Article', headline: 'Rice' },
    { '@type': 'WebPage', dateModified: '2026-02-01' },
  ])
  assert.equal(ld.modified, '2026-02-01')
})

test('the article at this address counts among several', () => {
  const ld = read([
    { '@type': 'Article', headline: 'Other', url: 'https://example.org/b' },
    {
      '@type': 'Article',
      headline: 'This',
      mainEntityOfPage: { '@id': 'http://example.org/a/#x' },
    },
  ])
  assert.equal(ld.headline, 'This')
})

test('authors may be names, nodes, lists of them or references', () => {
  const authors = (author: unknown, ...others: readonly unknown[]): readonly string[] =>
    read([{ '@type': 'Article', author }, ...others]).authors
  assert.deepEqual(authors('Jane Doe'), ['Jane Doe'])
  assert.deepEqual(
    authors([
      { '@type': 'Person', name: 'Jane' },
      { name: 'Joe', '@type': 'Person' },
    ]),
    ['Jane', 'Joe'],
  )
  assert.deepEqual(
    authors({ '@id': '#jane' }, { '@id': '#jane', '@type': 'Person', name: 'Jane' }),
    ['Jane'],
  )
  assert.deepEqual(
    authors([
      { '@type': 'Organization', name: 'Desk' },
      { '@type': 'Person', name: 'Jane' },
    ]),
    ['Jane'],
  )
  assert.deepEqual(authors({ '@type': 'Organization', name: 'Desk' }), ['Desk'])
  assert.deepEqual(authors(7), ['7'])
  assert.deepEqual(authors(null), [])
})

test('a question within its page is the subject, its answers are not', () => {
  const ld = read({
    '@type': 'QAPage',
    mainEntity: {
      '@type': 'Question',
      name: 'How?',
      text: 'How does rice grow?',
      dateCreated: '2026-01-12',
      acceptedAnswer: { '@type': 'Answer', text: 'Slowly', dateCreated: '2026-01-20' },
    },
  })
  assert.equal(ld.published, '2026-01-12')
  assert.equal(ld.headline, 'How?')
})

test('a product has a price and a rating', () => {
  const ld = read({
    '@type': 'Product',
    name: 'Boots',
    offers: [{ '@type': 'Offer', price: 19.5, priceCurrency: 'EUR' }],
    aggregateRating: { ratingValue: '4.5' },
    review: { '@type': 'Review', datePublished: '2020-01-01' },
  })
  assert.deepEqual(ld.product, {
    ...{ name: 'Boots', brand: '', sku: '', price: '19.5', currency: 'EUR' },
    ...{ availability: '', rating: '4.5', reviews: '' },
  })
  assert.equal(ld.published, '')
})

test('a product has a maker, a number, an availability and a number of ratings', () => {
  const product = read({
    '@type': 'Product',
    name: 'Boots',
    brand: { '@type': 'Brand', name: 'Sawah' },
    offers: {
      '@type': 'AggregateOffer',
      lowPrice: 19,
      priceCurrency: 'EUR',
      offers: [{ price: 21, sku: 'B-1', availability: 'https://schema.org/InStock' }],
    },
    aggregateRating: { ratingValue: 4.5, reviewCount: 1204 },
  }).product
  assert.deepEqual(product, {
    ...{ name: 'Boots', brand: 'Sawah', sku: 'B-1', price: '19', currency: 'EUR' },
    ...{ availability: 'InStock', rating: '4.5', reviews: '1204' },
  })
})

test('the facts of a product are kept short, and values that are not text are left out', () => {
  const long = 'x'.repeat(5000)
  const { product } = read({
    '@type': 'Product',
    name: long,
    brand: [{ name: long }],
    sku: { deep: [long] },
    offers: { availability: long, price: long },
    aggregateRating: { reviewCount: [long] },
  })
  assert.ok(JSON.stringify(product).length < 1500)
  assert.equal(product?.sku, '')
})

const MENDABLE: readonly (readonly [what: string, text: string])[] = [
  ['a comment around it', '<!-- {"@type":"Article"} -->'],
  ['a CDATA section around it', '//<![CDATA[\n{"@type":"Article"}\n//]]>'],
  ['a comma too many', '{"@type":"Article",\n  }'],
  ['line ends within strings', '{"@type":"Article","a":"b\nc"}'],
  ['a bad escape', '{"@type":"Article","a":"\\x"}'],
  ['a semicolon at the end', '{"@type":"Article"};'],
  ['quotes as references', '{&quot;@type&quot;:&quot;Article&quot;}'],
]

for (const [what, text] of MENDABLE) {
  test(`JSON-LD with ${what} is still read`, () => assert.deepEqual(read(text).types, ['Article']))
}

test('text that is not JSON gives nothing and does no harm', () => {
  for (const text of ['', '{', 'null', '7', '"@type"', '[[[["@type"]]]]', '{"@type":{"a":1}}']) {
    assert.deepEqual(read(text), NO_JSON_LD)
  }
  assert.equal(parseJsonLd('{"@type":'), null)
})

test('endless nesting and endless lists are cut', () => {
  const deep = `${'{"@graph":'.repeat(5000)}{"@type":"Article"}${'}'.repeat(5000)}`
  assert.deepEqual(read(deep), NO_JSON_LD)
  const many = read(Array.from({ length: 5000 }, (_, n) => ({ '@type': `T${n}` })))
  assert.ok(many.types.length <= 16)
})

test('a node that refers to itself does not loop', () => {
  const ld = read({ '@type': 'Article', '@id': '#a', author: { '@id': '#a' } })
  assert.deepEqual(ld.authors, [])
})

test('half a character is dropped, wherever it comes from', () => {
  const half = '\ud83d'
  const ld = read({
    '@type': ['Article', `T${half}`],
    headline: `Rice ${half}`,
    description: `${'a'.repeat(2047)}\u{1f600}`,
    author: `Jane${half} Doe`,
  })
  for (const text of [ld.headline, ld.description, ...ld.authors, ...ld.types]) {
    assert.ok(text.isWellFormed(), text)
  }
  assert.equal(ld.description, 'a'.repeat(2047))
})
