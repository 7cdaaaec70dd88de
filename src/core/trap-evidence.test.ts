import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noEvidence, type Sight, templateOf, trapReason, weigh } from './template.ts'
import { canonicalise } from './url.ts'

const BUDGET = 200

/** How many pages are read before a template is closed; `most` when it never is. */
function readBefore(
  most: number,
  pathOf: (nth: number) => string,
  sightOf: (nth: number) => Sight,
) {
  const evidence = noEvidence()
  for (let nth = 0; nth < most; nth += 1) {
    const url = canonicalise(`http://a.test${pathOf(nth)}`)
    assert.ok(url !== null)
    const template = templateOf(url)
    if (trapReason(template, evidence, BUDGET) !== null) return nth
    weigh(evidence, template, sightOf(nth))
  }
  return most
}

const newText = (nth: number): Sight => ({ of: 'page', likeness: nth + 1 })
const sameText = (): Sight => ({ of: 'page', likeness: 7 })

test('ten thousand pages of one template that differ are read, all of them', () => {
  const shapes: readonly ((nth: number) => string)[] = [
    (nth) => `/docs/${nth}`,
    (nth) => `/list?page=${nth}`,
    (nth) => `/product?id=${nth}`,
    (nth) => `/2024/05/12/some-title-of-${nth}`,
    (nth) => `/p?lang=en&currency=eur&view=full&id=${nth}`,
    (nth) => `/list?cat=${Math.floor(nth / 30)}&sort=price&dir=up&page=${nth % 30}`,
  ]
  for (const path of shapes) assert.equal(readBefore(10_000, path, newText), 10_000, path(5))
})

test('pages that are alike are read as often as the budget says', () => {
  assert.equal(
    readBefore(10_000, (nth) => `/cal?d=${nth}`, sameText),
    BUDGET + 1,
  )
  // Names of days and months come round.
  const days = (nth: number): Sight => ({ of: 'page', likeness: 1 + (nth % 7) })
  assert.ok(readBefore(10_000, (nth) => `/day/${nth}`, days) < 2 * BUDGET)
})

test('copies in a row end a series soon, and a folder later', () => {
  const copy = (): Sight => ({ of: 'copy', likeness: 0 })
  assert.equal(
    readBefore(1000, (nth) => `/p/${nth}`, copy),
    50,
  )
  assert.equal(
    readBefore(1000, (nth) => `/tag/${'abcdefghij'[nth % 10]}`, copy),
    100,
  )
})

test('a site with dead corners stays open: every second page is news', () => {
  const half = (nth: number): Sight => (nth % 2 === 0 ? newText(nth) : { of: 'copy', likeness: 0 })
  assert.equal(
    readBefore(10_000, (nth) => `/p/${nth}`, half),
    10_000,
  )
})

test('redirects to new places are neither news nor against it', () => {
  const away = (nth: number): Sight => ({ of: 'redirect', likeness: nth + 1 })
  assert.equal(
    readBefore(10_000, (nth) => `/go/${nth}`, away),
    10_000,
  )
  assert.equal(
    readBefore(
      10_000,
      (nth) => `/go/${nth}`,
      () => ({ of: 'redirect', likeness: 5 }),
    ),
    51,
  )
})

test('facets are bounded by their values, whatever their pages say', () => {
  const path = (nth: number) =>
    `/s?a=${nth % 9}&b=${(nth * 7) % 8}&c=${(nth * 5) % 6}&d=${nth % 11}`
  assert.ok(readBefore(10_000, path, newText) < 300)
})

test('values combined in all ways end neither what was never seen nor the search for it', () => {
  const combined = (nth: number): string => `/shop?a=${nth % 5}&b=${nth % 7}&c=${nth % 3}`
  const evidence = noEvidence()
  let nth = 0
  const ask = (path: string): string | null => {
    const url = canonicalise(`http://a.test${path}`)
    assert.ok(url !== null)
    const template = templateOf(url)
    const reason = trapReason(template, evidence, BUDGET)
    if (reason === null) weigh(evidence, template, newText(nth))
    return reason
  }
  while (ask(combined(nth)) === null) nth += 1
  assert.ok(nth < 2 * BUDGET)
  for (let id = 0; id < 50; id += 1) assert.equal(ask(`/shop?a=1&b=2&id=${id}`), null)
})

test('a counter among combined values is a trap all the same', () => {
  const read = readBefore(10_000, (nth) => `/x?a=1&b=2&c=${nth}`, sameText)
  assert.ok(read <= 2 * BUDGET + 1, String(read))
})
