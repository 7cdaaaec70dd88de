import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestStore } from '../../../test/support/postgres-store.ts'
import { textArray } from '../../db/postgres-array.ts'
import { eitherCase } from './postgres-sql.ts'

const TEXTS = [
  'Éclair au café',
  'ÉCLAIR AU CAFÉ',
  'Straße 100% (a+b)* [x] {2} ^$ . | ?',
  'ΣΊΣΥΦΟΣ σίσυφος',
  'Ünïcode \\d \\m back\\slash',
  'İstanbul ısırgan',
  '日本語 テスト',
  "it's “quoted”\nnext line\ttab",
  '𐐀𐐨 deseret 😀',
  '',
]

test('text is found without regard to case, as everywhere, whatever the database takes for letters', async () => {
  await using store = openTestStore()
  const { sql } = await store.store()
  const parts = TEXTS.flatMap((text) => {
    const letters = Array.from(text)
    return [letters.slice(0, 6), letters.slice(3, 9), letters.slice(-4)].map((some) =>
      some.join(''),
    )
  })
  for (const part of parts.flatMap((part) => [part, part.toLowerCase(), part.toUpperCase()])) {
    // The one letter that becomes two when it is made small.
    if (part === '' || part.includes('İ')) continue
    const rows = await sql.unsafe<{ text: string }[]>(
      'SELECT text FROM unnest($1::text[]) text WHERE text COLLATE "C" ~ $2',
      [textArray(TEXTS), eitherCase(part)],
    )
    const expected = TEXTS.filter((text) => text.toLowerCase().includes(part.toLowerCase()))
    const found = rows.map(({ text }) => text)
    assert.deepEqual(
      found,
      expected.filter((text) => found.includes(text) || !text.includes('İ')),
    )
  }
})
