import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused } from '../core/errors.ts'
import { readSelectors } from './selector.ts'

test('a list of selectors is read with its combinators', () => {
  const [first, second] = readSelectors(' div.a > p#x , li:nth-child( 2n + 1 ) ~ a[href^="/x" i] ')
  assert.deepEqual(
    first?.map(({ combinator, compound }) => [combinator, compound.name]),
    [
      [null, 'div'],
      ['>', 'p'],
    ],
  )
  assert.deepEqual(second?.[0]?.compound.places, [{ a: 2, b: 1, fromEnd: false, ofType: false }])
  assert.deepEqual(second?.[1]?.compound.attributes, [
    { name: 'href', operator: '^=', value: '/x', ignoresCase: true },
  ])
})

test('escapes stand for characters', () => {
  const classOf = (text: string) => readSelectors(text)[0]?.[0]?.compound.classes
  assert.deepEqual(classOf('.md\\:w-1\\/2'), ['md:w-1/2'])
  assert.deepEqual(classOf('.\\31 23'), ['123'])
  const value = readSelectors(`[title='it\\'s "one"']`)[0]?.[0]?.compound.attributes[0]?.value
  assert.equal(value, `it's "one"`)
})

test('a text that is no selector is refused, with the place of the mistake', () => {
  const cases: Readonly<Record<string, RegExp>> = {
    '': /the end at character 1 is where a selector should begin/,
    'a >': /the end at character 4/,
    'a,, b': /", b" at character 3/,
    'a:hover': /":hover" at character 2 is not known; known are :first-child/,
    'p::before': /pseudo-element/,
    '[a=': /the end at character 4 is where a name/,
    '[a="x]': /begins a text that has no end/,
    'a[b?c]': /is not an operator/,
    'svg|a': /namespace/,
    ':not(a b)': /where a \) should be/,
    ':has(a:has(b))': /:has in a :has/,
    'div:has(p:not(:has(b)))': /:has in a :has/,
    'li:nth-child(constructor)': /is not a place/,
    ':nth-child(x)': /not a place such as/,
    ':not(:not(:not(:not(:not(a)))))': /nested too deeply/,
    a$: /"\$" at character 2 is not understood/,
    [`${'a '.repeat(51)}`]: /is beyond 50 parts/,
    ['x'.repeat(1001)]: /at most 1000/,
  }
  for (const [text, message] of Object.entries(cases)) {
    const isSo = (error: unknown) => error instanceof Refused && message.test(error.message)
    assert.throws(() => readSelectors(text), isSo, text)
  }
})
