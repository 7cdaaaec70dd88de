import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editSteps, nearest } from './edit-steps.ts'

const CASES: readonly (readonly [a: string, b: string, steps: number])[] = [
  ['', '', 0],
  ['tea', 'tea', 0],
  ['tea', 'tae', 1],
  ['helth', 'health', 1],
  ['kesehtan', 'kesehatan', 1],
  ['crawler', 'crwaelr', 2],
  ['tea', '', 3],
  ['abcd', 'wxyz', 4],
]

test('letters put in, left out, exchanged or in the wrong order are steps', () => {
  for (const [a, b, steps] of CASES) {
    assert.equal(editSteps(a, b), steps, `${a} ${b}`)
    assert.equal(editSteps(b, a), steps, `${b} ${a}`)
  }
})

test('more steps than are asked for are too many', () => {
  for (const [a, b, steps] of CASES) {
    for (const most of [0, 1, 2, 3]) {
      const expected = steps > most ? Number.POSITIVE_INFINITY : steps
      assert.equal(editSteps(a, b, most), expected, `${a} ${b} ${most}`)
    }
  }
})

test('the nearest known word is found, and none when all are far', () => {
  const known = ['crawl', 'crawls', 'pages', 'doctor']
  assert.equal(nearest('crwal', known), 'crawl')
  assert.equal(nearest('page', known), 'pages')
  assert.equal(nearest('doc', known), 'doctor')
  assert.equal(nearest('xyz', known), null)
  assert.equal(nearest('', known), null)
})

test('a word that is much longer than all known ones is compared with none of them', () => {
  // Letter by letter, this would take minutes.
  assert.equal(nearest('crawl'.repeat(20_000_000), ['crawl', 'crawls', 'pages', 'doctor']), null)
})
