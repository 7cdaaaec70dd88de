import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import { likenessOf } from './page-fields.ts'

function likeness(text: string, path = '/'): number {
  const url = canonicalise(`http://a.test${path}`)
  assert.ok(url !== null)
  return likenessOf(new TextEncoder().encode(text), url)
}

test('texts that differ in numbers, tokens and words of their address have one hash', () => {
  const pairs = [
    ['Day 12 of 365', 'Day 13 of 365'],
    ['Your session 3f25ab9c is new', 'Your session 0e77b1 is new'],
    ['It is 12:30, 5 May', 'It is 1:02, 17 May'],
  ]
  for (const [one = '', other = ''] of pairs) assert.equal(likeness(one), likeness(other), one)
  assert.equal(
    likeness('Sorry, there is no Red-Shoes here.', '/shop/red-shoes'),
    likeness('Sorry, there is no blue hats here.', '/shop/blue/hats'),
  )
})

test('texts with other words have another hash', () => {
  const texts = ['', 'rice', 'rice rice', 'noodles', 'nood les', 'Мир', 'Рим', '中文', '文中']
  assert.equal(new Set(texts.map((text) => likeness(text))).size, texts.length)
  assert.equal(likeness('12') > 0, true)
})

test('in a long text the words of its address count', () => {
  const text = (word: string) => `${'something about '.repeat(400)}${word}`
  assert.notEqual(likeness(text('rice'), '/rice'), likeness(text('noodles'), '/noodles'))
})
