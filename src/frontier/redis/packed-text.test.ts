import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packText, unpackText } from './packed-text.ts'

test('a text is what it was once it is unpacked, and takes less room meanwhile', () => {
  const text = JSON.stringify({ body: 'User-agent: *\nDisallow: /é/\n'.repeat(5000) })
  assert.ok(packText(text).length < text.length / 50)
  assert.equal(unpackText(packText(text)), text)
})

test('a short text is kept as it is', () => {
  assert.equal(packText('{"body":""}'), '{"body":""}')
  assert.equal(unpackText('{"body":""}'), '{"body":""}')
})
