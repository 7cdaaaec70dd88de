import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isByline, namesIn } from './page-author.ts'

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
  test(`"${byline}" names ${names.length === 0 ? 'nobody' : names.join(' and ')}`, () => {
    assert.deepEqual(namesIn(byline), names)
  })
}

test('a line that begins as bylines do is told from others', () => {
  assert.ok(isByline('By Jane Doe'))
  assert.ok(isByline('Penulis: Siti'))
  assert.ok(!isByline('Bypass surgery explained'))
})
