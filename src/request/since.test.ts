import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchColumns } from './search-columns.ts'
import { sinceMoment } from './since.ts'

const NOW = Date.UTC(2026, 10, 15, 12)

test('a moment is a day, a time, or how long ago', () => {
  const cases: readonly (readonly [string, number])[] = [
    ['2026-11-01', Date.UTC(2026, 10, 1)],
    ['2026-11-01T08:30', Date.UTC(2026, 10, 1, 8, 30)],
    ['2026-11-01T08:30:15Z', Date.UTC(2026, 10, 1, 8, 30, 15)],
    ['2026-11-01T08:30+07:00', Date.UTC(2026, 10, 1, 1, 30)],
    ['7d', Date.UTC(2026, 10, 8, 12)],
    ['12h', Date.UTC(2026, 10, 15)],
    ['30m', Date.UTC(2026, 10, 15, 11, 30)],
    ['1w', Date.UTC(2026, 10, 8, 12)],
  ]
  for (const [text, moment] of cases) assert.equal(sinceMoment(text, 'since', NOW), moment, text)
})

test('what is no moment is refused with an example', () => {
  const wrong = ['', 'yesterday', '2026-13-01', '2026-02-30T25:00', '7', '7y', '-7d', '1e3d', '٣d']
  for (const text of [...wrong, '2026', '2026-11-01 08:00', '9'.repeat(1e5), 'd']) {
    assert.throws(
      () => sinceMoment(text, '--since', NOW),
      { at: '--since', message: /such as/ },
      text,
    )
  }
})

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
