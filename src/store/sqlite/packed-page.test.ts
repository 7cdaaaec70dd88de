import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sample } from '../../../test/contract/sample-page.ts'
import { openSqlite, TEMPORARY } from '../../db/sqlite.ts'
import { PackedPage } from './packed-page.ts'
import { PageWriter } from './page-writer.ts'

const TEXTS = {
  plain: 'Words and words.',
  'other scripts': 'Ärger “über” 漢字 🦀',
  'a lone surrogate': 'a \ud800 b',
  'a NUL': 'a\0b',
  nothing: '',
  'more than the usual room': 'é'.repeat(300_000),
}

test('a packed page is written as the page itself, and can be read like it', () => {
  using db = openSqlite(TEMPORARY, { schema: 'store', durability: 'none' })
  const writer = new PageWriter(db, 1)
  const read = db.prepare(`
    SELECT p.*, parts.*, typeof(content_text) AS type_of_text, typeof(links) AS type_of_links
    FROM pages p JOIN page_parts parts ON parts.page_id = p.id WHERE p.id = ?`)
  for (const [name, text] of Object.entries(TEXTS)) {
    const links = JSON.stringify([['http://a.test/', text]])
    const { page } = sample('a.test/', { contentText: text }, { parts: { links } })
    const packed = new PackedPage(page)
    const rows = [page, packed].map((one, at) => {
      const fields = { ...one.fields, url: sample(`a.test/${name}/${at}`).page.fields.url }
      const renamed = one === page ? { ...page, fields } : new PackedPage({ ...page, fields })
      const id = writer.insert({ page: renamed, html: null }, null)
      return { ...read.get(id), id: 0, page_id: 0, url: '' } as Record<string, unknown>
    })
    assert.deepEqual(rows[1], rows[0], name)
    assert.equal(packed.fields.contentText, rows[0]?.content_text ?? null, name)
    assert.equal(packed.fields.about, page.fields.about, name)
    assert.deepEqual(Object.keys(packed.parts), ['links'], name)
  }
})
