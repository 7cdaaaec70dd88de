import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuthorSources, authorOf, type Byline, isByline, namesIn } from './page-author.ts'

const NOTHING: AuthorSources = {
  metaAuthors: [],
  ldAuthors: [],
  itemAuthors: [],
  surroundings: { near: { bylines: [] } },
  siteName: 'Daily Farm',
  host: 'www.dailyfarm.example',
  headingAt: 0,
}

function author(sources: Partial<AuthorSources>): string {
  return authorOf({ ...NOTHING, ...sources })
}

function near(...bylines: readonly (readonly [text: string, isDeclared: boolean])[]) {
  const list: readonly Byline[] = bylines.map(([text, isDeclared]) => ({ text, isDeclared, at: 9 }))
  return { surroundings: { near: { bylines: list } } }
}

test('JSON-LD counts before meta, and both before visible names', () => {
  const shown = near(['By Ann Poe', true])
  assert.equal(author({ ldAuthors: ['Jane Doe'], metaAuthors: ['John Roe'], ...shown }), 'Jane Doe')
  assert.equal(author({ metaAuthors: ['', 'John Roe'], ...shown }), 'John Roe')
  assert.equal(author(shown), 'Ann Poe')
})

test('several authors are joined, each named once', () => {
  assert.equal(author({ ldAuthors: ['Jane Doe', 'John Roe', 'jane doe'] }), 'Jane Doe, John Roe')
})

test('a visible person counts before a site that declares itself the author', () => {
  const site = { metaAuthors: ['Daily Farm'] }
  assert.equal(author({ ...site, ...near(['By Jane Doe', false]) }), 'Jane Doe')
  assert.equal(author(site), 'Daily Farm')
})

test('addresses and handles are not names', () => {
  assert.equal(author({ metaAuthors: ['https://social.example/jane', '@jane'] }), '')
})

test('an author that only a class marks must look like a name', () => {
  assert.equal(author(near(['she has written about rice for years', false])), '')
  assert.equal(author(near(['Jane van der Doe', false])), 'Jane van der Doe')
})

test('a heading that starts like a byline is not a byline', () => {
  const bylines = [{ text: 'Von Bergen und Tälern', isDeclared: false, at: 0 }]
  assert.equal(author({ surroundings: { near: { bylines } } }), '')
})

const BYLINES: readonly (readonly [byline: string, names: readonly string[]])[] = [
  ['Jane Doe', ['Jane Doe']],
  ['By Jane Doe', ['Jane Doe']],
  ['by: Jane Doe', ['Jane Doe']],
  ['Posted byJane Doe', ['Jane Doe']],
  ['By Jane Doe and John Roe', ['Jane Doe', 'John Roe']],
  ['Jane Doe, John Roe & Ann Poe', ['Jane Doe', 'John Roe', 'Ann Poe']],
  ['Oleh: Budi Santoso', ['Budi Santoso']],
  ['Penulis: Siti Aminah | Editor: Joko', ['Siti Aminah']],
  ['Von Max Muster', ['Max Muster']],
  ['Walter von Stein', ['Walter von Stein']],
  ['Par Jeanne Dupont', ['Jeanne Dupont']],
  ['Autor: Jan Kowalski', ['Jan Kowalski']],
  ['By Jane Doe | 12 January 2026', ['Jane Doe']],
  ['By Jane Doe 12 January 2026 10:00', ['Jane Doe']],
  ['Posted on January 12, 2026 by Jane Doe', ['Jane Doe']],
  ['Jane Doe, Senior Editor', ['Jane Doe']],
  ['Jane Doe (Reuters)', ['Jane Doe']],
  ['https://example.org/jane', []],
  ['@janedoe', []],
  ['jane@example.org', []],
  ['admin', []],
  ['By', []],
  ['12 January 2026', []],
  ['Subscribe to our newsletter', []],
  ['', []],
]

for (const [byline, names] of BYLINES) {
  test(`"${byline}" names ${names.length === 0 ? 'no one' : names.join(' and ')}`, () => {
    assert.deepEqual(namesIn(byline), names)
  })
}

test('lines that start like a byline are recognised', () => {
  assert.ok(isByline('By Jane Doe'))
  assert.ok(isByline('Penulis: Siti'))
  assert.ok(!isByline('Bypass surgery explained'))
})
