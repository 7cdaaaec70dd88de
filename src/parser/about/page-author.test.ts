import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuthorSources, authorOf, type Byline } from './page-author.ts'

const NOTHING: AuthorSources = {
  metaAuthors: [],
  ldAuthors: [],
  itemAuthors: [],
  places: { near: { bylines: [] } },
  siteName: 'Daily Farm',
  host: 'www.dailyfarm.example',
  headingAt: 0,
}

function author(sources: Partial<AuthorSources>): string {
  return authorOf({ ...NOTHING, ...sources })
}

function near(...bylines: readonly (readonly [text: string, isDeclared: boolean])[]) {
  const list: readonly Byline[] = bylines.map(([text, isDeclared]) => ({ text, isDeclared, at: 9 }))
  return { places: { near: { bylines: list } } }
}

test('JSON-LD is asked before meta, and both before what is shown', () => {
  const shown = near(['By Ann Poe', true])
  assert.equal(author({ ldAuthors: ['Jane Doe'], metaAuthors: ['John Roe'], ...shown }), 'Jane Doe')
  assert.equal(author({ metaAuthors: ['', 'John Roe'], ...shown }), 'John Roe')
  assert.equal(author(shown), 'Ann Poe')
})

test('several authors are joined, each named once', () => {
  assert.equal(author({ ldAuthors: ['Jane Doe', 'John Roe', 'jane doe'] }), 'Jane Doe, John Roe')
})

test('a person who is shown comes before a site that declares itself the author', () => {
  const site = { metaAuthors: ['Daily Farm'] }
  assert.equal(author({ ...site, ...near(['By Jane Doe', false]) }), 'Jane Doe')
  assert.equal(author(site), 'Daily Farm')
})

test('addresses and handles are no names', () => {
  assert.equal(author({ metaAuthors: ['https://social.example/jane', '@jane'] }), '')
})

test('what only a class calls an author must look like a name', () => {
  assert.equal(author(near(['she has written about rice for years', false])), '')
  assert.equal(author(near(['Jane van der Doe', false])), 'Jane van der Doe')
})

test('a heading that begins like a byline is none', () => {
  const bylines = [{ text: 'Von Bergen und Tälern', isDeclared: false, at: 0 }]
  assert.equal(author({ places: { near: { bylines } } }), '')
})
