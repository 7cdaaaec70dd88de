import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FoldPage, foldsOf } from './folds.ts'
import { seededRandom } from './random.ts'

test('a site is in one fold with all its hosts', () => {
  const pages = ['https://a.shop.test/1', 'https://b.shop.test/2', 'http://shop.test:81/'].flatMap(
    (url, i) => [page(`x${i}`, { url }), ...others(i * 10, 10)],
  )
  const folds = foldsOf(pages, 4, 1)
  const ours = [...folds].filter((_, i) => pages[i]?.id.startsWith('x'))
  assert.equal(new Set(ours).size, 1)
})

test('sites below a public suffix are different ones', () => {
  const pages = Array.from({ length: 8 }, (_, i) => page(`${i}`, { url: `https://s${i}.co.uk/` }))
  assert.equal(new Set(foldsOf(pages, 4, 1)).size, 4)
})

test('almost equal texts stay together, different ones do not', () => {
  const text = textOf(300, 1)
  const changed = text.replace(/^\w+/, 'changed').replace(/\w+$/, 'changed')
  const pages = [page('a', { text }), ...others(0, 5), page('b', { text: changed })]
  const together = [1, 2, 3, 4, 5].map((seed) => {
    const folds = foldsOf(pages, 3, seed)
    return folds[0] === folds.at(-1)
  })
  assert.deepEqual(together, [true, true, true, true, true])
  const apart = Array.from({ length: 9 }, (_, i) => page(`${i}`, { text: textOf(300, i + 1) }))
  assert.deepEqual(sizesOf(foldsOf(apart, 3, 1), 3), [3, 3, 3])
})

test('every fold gets its part of the pages and of each kind', () => {
  const pages = others(0, 90).map((one, i) => ({ ...one, kind: i % 3 === 0 ? 'forum' : 'news' }))
  const folds = foldsOf(pages, 5, 3)
  assert.deepEqual(sizesOf(folds, 5), [18, 18, 18, 18, 18])
  assert.deepEqual(
    sizesOf(
      folds.filter((_, i) => i % 3 === 0),
      5,
    ),
    [6, 6, 6, 6, 6],
  )
})

test('the same seed gives the same folds, another seed others', () => {
  const pages = others(0, 40)
  assert.deepEqual(foldsOf(pages, 5, 3), foldsOf(pages, 5, 3))
  assert.notDeepEqual(foldsOf(pages, 5, 3), foldsOf(pages, 5, 4))
})

test('a page without a usable URL stands for itself', () => {
  const pages = [null, null, '', 'nonsense', 'http://127.0.0.1/'].map((url, i) =>
    page(`${i}`, { url }),
  )
  assert.deepEqual(sizesOf(foldsOf(pages, 5, 1), 5), [1, 1, 1, 1, 1])
})

function page(id: string, some: Partial<FoldPage>): FoldPage {
  return { id, url: null, kind: 'news', text: null, ...some }
}

function others(from: number, count: number): FoldPage[] {
  return Array.from({ length: count }, (_, i) =>
    page(`o${from + i}`, { url: `https://site${from + i}.test/` }),
  )
}

function textOf(words: number, seed: number): string {
  const random = seededRandom(seed)
  return Array.from({ length: words }, () => `w${Math.floor(random() * 500)}`).join(' ')
}

function sizesOf(folds: Uint8Array, count: number): number[] {
  return Array.from({ length: count }, (_, fold) => folds.filter((own) => own === fold).length)
}
