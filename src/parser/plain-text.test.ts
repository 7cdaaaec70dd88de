import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText } from './parse-page.ts'

const TEXTS: readonly (readonly [name: string, written: string, text: string])[] = [
  ['line ends of any kind', 'a\r\nb\rc\n\nd\u2028e\u0085f\fg', 'a\nb\nc\n\nd\ne\nf\ng'],
  ['blanks and tabs', '  a\tb ', '  a\tb '],
  ['control characters', 'a\0b\x1b[31mc\x7fd\x9be', 'ab[31mcde'],
  ['other scripts', 'é 日本 😀', 'é 日本 😀'],
]

for (const [name, written, text] of TEXTS) {
  test(`plain text is stored clean: ${name}`, () => {
    assert.equal(plainText(Buffer.from(written)), text)
  })
}

test('bytes that are no text become replacement characters', () => {
  assert.equal(plainText(Buffer.from([0x61, 0xed, 0xa0, 0x80, 0xff])), 'a\uFFFD\uFFFD\uFFFD\uFFFD')
})
