import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './nearest.ts'

test('the nearest known word is found, and none when all are far', () => {
  const known = ['crawl', 'crawls', 'pages', 'doctor']
  assert.equal(nearest('crwal', known), 'crawl')
  assert.equal(nearest('page', known), 'pages')
  assert.equal(nearest('doc', known), 'doctor')
  assert.equal(nearest('xyz', known), null)
  assert.equal(nearest('', known), null)
})
