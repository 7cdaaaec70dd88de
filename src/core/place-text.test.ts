import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isServerUrl, shownPlace, withoutPassword } from './place-text.ts'

test('a URL of a server is told from a folder', () => {
  for (const url of ['postgres://a/b', 'redis+cluster://a,b', 'POSTGRESQL://x']) {
    assert.equal(isServerUrl(url), true, url)
  }
  for (const folder of ['./jelajah-data', '/srv/a', 'C:\\crawls', 'postgres:/a']) {
    assert.equal(isServerUrl(folder), false, folder)
  }
})

test('a password is never shown, however it is written', () => {
  const shown = {
    'postgres://ana:rahasia@db:5432/jelajah': 'postgres://ana:***@db:5432/jelajah',
    'postgres://ana:ra@hasia@db/jelajah': 'postgres://ana:***@db/jelajah',
    'redis://:rahasia@cache:6379/0?prefix=a': 'redis://:***@cache:6379/0?prefix=a',
    'postgres://ana@db/x?password=rahasia&a=b': 'postgres://ana@db/x?password=***&a=b',
    'postgres://db/x': 'postgres://db/x',
    'redis://cache/0?prefix=a@b': 'redis://cache/0?prefix=a@b',
  }
  for (const [url, expected] of Object.entries(shown)) assert.equal(withoutPassword(url), expected)
})

test('a folder is called by its path', () => {
  assert.equal(shownPlace({ data: '/srv/a:b@c' }), '/srv/a:b@c')
})
