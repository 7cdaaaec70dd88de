import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimOf, type PageClaim } from './page-kinds.ts'

function claim(url: string, openGraphType = '', jsonLdTypes: readonly string[] = []): PageClaim {
  return claimOf({ url, openGraphType, jsonLdTypes, generator: '' })
}

test('an address of a forum claims a thread, whatever its head says', () => {
  for (const url of [
    'https://forum.a.test/x',
    'https://www.sailforum.test/8-a.html',
    'https://a.test/threads/which-saw.12/',
    'https://a.test/viewtopic.php?t=3',
    'https://a.test/d/77-solar',
  ]) {
    assert.equal(claim(url, 'article'), 'thread', url)
  }
  assert.equal(claim('https://a.test/x', '', ['QAPage']), 'thread')
})

test('an article claims to be one by its head, also when it is about forums', () => {
  assert.equal(claim('https://a.test/our-new-forum/', 'article'), 'article')
  assert.equal(claim('https://a.test/2020/05/x', '', ['BlogPosting']), 'article')
  assert.equal(claim('https://a.test/x', 'website'), '')
  assert.equal(claim(''), '')
})
