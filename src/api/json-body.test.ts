import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInput } from '../core/errors.ts'
import { MAX_JSON_DEPTH, readJson } from './json-body.ts'

const read = (text: string): unknown => readJson(new TextEncoder().encode(text))

test('what is valid JSON of any kind is read as it is', () => {
  for (const text of ['{"a":[1,{"b":"}{,\\"x\\":"}],"c":{"a":null}}', '[]', '"{"', '1', 'true']) {
    assert.deepEqual(read(text), JSON.parse(text), text)
  }
})

test('an empty body is nothing', () => {
  assert.equal(read(''), undefined)
  assert.equal(read(' \n'), undefined)
})

test('nesting is followed so far and no further', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.ok(Array.isArray(read(nested(MAX_JSON_DEPTH))))
  for (const depth of [MAX_JSON_DEPTH + 1, 100_000, 500_000]) {
    assert.throws(() => read(nested(depth)), InvalidInput)
  }
  assert.throws(() => read('{"a":'.repeat(100_000)), InvalidInput)
})

const REFUSED: readonly (readonly [text: string, at: string])[] = [
  ['{"url":"a","url":"b"}', 'url'],
  ['{"a":{"b":1,"b":1}}', 'b'],
  // The same name in another spelling.
  ['{"url":1,"\\u0075rl":2}', 'url'],
  ['{"a":{"__proto__":{"x":1}}}', '__proto__'],
  ['{"a":[{"\\u005f_proto__":1}]}', '__proto__'],
  ['{"a":1', 'body'],
  ['nothing', 'body'],
  ["{'a':1}", 'body'],
]
for (const [text, at] of REFUSED) {
  test(`${text} is refused at ${at}`, () => {
    assert.throws(
      () => read(text),
      (error) => error instanceof InvalidInput && error.at === at,
    )
    assert.equal(({} as Record<string, unknown>).x, undefined)
  })
}

test('names that other objects have may be used again in each', () => {
  assert.deepEqual(read('[{"a":1},{"a":2},{"b":{"a":3},"a":4}]'), [
    { a: 1 },
    { a: 2 },
    { b: { a: 3 }, a: 4 },
  ])
})

test('bytes that are no UTF-8 are refused', () => {
  assert.throws(() => readJson(new Uint8Array([0x22, 0xff, 0x22])), /not valid UTF-8/)
})

test('a byte order mark before it is no matter', () => {
  assert.deepEqual(readJson(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])), {})
})
