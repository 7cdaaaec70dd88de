import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { parseQuery } from '../query.ts'
import { rareTerms } from './rare-words.ts'

test('words are left out that bring more pages than all of them may', () => {
  using db = new DatabaseSync(':memory:')
  db.exec(`
    CREATE VIRTUAL TABLE page_words USING fts5 (text, content = '');
    WITH RECURSIVE pages (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM pages WHERE id < 12000)
    INSERT INTO page_words (rowid, text)
    SELECT id, 'common' || iif(id % 2, ' odd', ' even') || iif(id < 9, ' rare', '') FROM pages`)
  const kept = (text: string) =>
    rareTerms(db, parseQuery(text).all.flat()).flatMap(({ words }) => words)
  assert.deepEqual(kept('common rare odd'), ['rare', 'odd'])
  assert.deepEqual(kept('odd rare even'), ['odd', 'rare'])
  assert.deepEqual(kept('common'), ['common'])
  assert.deepEqual(kept('nowhere common rare'), ['nowhere', 'rare'])
  assert.deepEqual(kept('nowhere common'), ['nowhere', 'common'])
})
