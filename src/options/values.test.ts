import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused } from '../core/errors.ts'
import { searchColumns } from '../core/search-field.ts'
import { readyTopicsOf, sinceTime } from './values.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')

test('days, times with and without a zone, and ages are moments', () => {
  const moments: readonly (readonly [string, string])[] = [
    ['2026-11-01', '2026-11-01T00:00:00Z'],
    ['2026-11-01T10:30', '2026-11-01T10:30:00Z'],
    ['2026-11-01 10:30:05', '2026-11-01T10:30:05Z'],
    ['2026-11-01T10:30:05.250Z', '2026-11-01T10:30:05.250Z'],
    ['2026-11-01T10:30+07:00', '2026-11-01T03:30:00Z'],
    ['7d', '2026-11-08T12:00:00Z'],
    ['2w', '2026-11-01T12:00:00Z'],
    ['12h', '2026-11-15T00:00:00Z'],
    ['30m', '2026-11-15T11:30:00Z'],
    ['999999w', '1970-01-01T00:00:00Z'],
  ]
  for (const [written, moment] of moments) {
    assert.equal(sinceTime(written, NOW), Date.parse(moment), written)
  }
})

test('what is no moment is refused', () => {
  for (const written of ['', 'now', '7', '7y', '2026-13-01', '2026-06-31', '2026-11-01T25:00']) {
    assert.throws(() => sinceTime(written, NOW), Refused, written)
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
      message: /title, description, keywords, content, url, host, anchor/,
    }
    assert.throws(() => searchColumns(text, '--columns'), expected, text)
  }
})

test('ready topics are named in English or Indonesian, and a wrong name is told what there is', () => {
  assert.deepEqual(readyTopicsOf(['Kesehatan, sport', 'health']), ['health', 'sport'])
  assert.throws(() => readyTopicsOf(['healht']), /did you mean health\?/)
  assert.throws(() => readyTopicsOf([',']), /needs at least one of health/)
})
