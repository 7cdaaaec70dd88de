import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import { seededRandom } from '../lib/seeded-random.ts'
import { HtmlReader } from './html/html-reader.ts'
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

test('the module computes the same hash of a long text', () => {
  const random = seededRandom(5)
  const letters = [...'aZ@[`{/09:é中 ', ' ', ' ', '. ', ', ', 'rice ', '2024 ', 'v2 ', '</p><p>']
  const pick = (): string => letters[Math.floor(random() * letters.length)] ?? ''
  const reader = new HtmlReader()
  const url = canonicalise('http://a.test/')
  assert.ok(url !== null)
  for (let size = 4000; size < 6000; size += 100) {
    const html = `<title>a</title><p>${Array.from({ length: size }, pick).join('')}</p>`
    const { text, likenessOfLong } = reader.read(Buffer.from(html), { isXml: false })
    assert.ok(likenessOfLong !== null && text.bytes.length > 4096)
    assert.equal(likenessOf(text.bytes, url, likenessOfLong), likenessOf(text.bytes, url))
  }
})
