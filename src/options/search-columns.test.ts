import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchColumns } from './search-columns.ts'

test('columns are named by comma, also by their other names, each once', () => {
  assert.deepEqual(searchColumns('title, content,TEXT,title', 'columns'), ['title', 'text'])
  assert.deepEqual(searchColumns('url,site', 'columns'), ['url', 'host'])
})

test('a column that is not there is refused with those that are', () => {
  for (const text of ['body', 'title,', '', 'title,body', '__proto__', 'constructor']) {
    const expected = {
      at: '--columns',
      message: /title, description, keywords, content, url, host/,
    }
    assert.throws(() => searchColumns(text, '--columns'), expected, text)
  }
})
