import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMediaType, toUtf8 } from './decode.ts'

function decoded(bytes: Uint8Array | string, label = ''): readonly [string, string] {
  const { utf8, charset } = toUtf8(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, label)
  return [utf8.toString(), charset]
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')

const CASES: readonly (readonly [
  name: string,
  bytes: Uint8Array | string,
  label: string,
  text: string,
  charset: string,
])[] = [
  ['the header decides', latin1('caf\xe9'), 'iso-8859-1', 'café', 'windows-1252'],
  ['a mark beats the header', '\uFEFFcafé', 'shift_jis', 'café', 'utf-8'],
  ['UTF-16 by its mark', utf16('\uFEFFcafé'), '', 'café', 'utf-16le'],
  ['UTF-16 by the header', utf16('café'), 'utf-16', 'café', 'utf-16le'],
  ['big-endian UTF-16', utf16('\uFEFFhi').swap16(), '', 'hi', 'utf-16be'],
  [
    'the header beats the declaration',
    '<meta charset=windows-1251>é',
    'utf-8',
    '<meta charset=windows-1251>é',
    'utf-8',
  ],
  [
    'the declaration counts',
    latin1('<meta charset=windows-1251>\xcf'),
    '',
    '<meta charset=windows-1251>П',
    'windows-1251',
  ],
  [
    'a declaration in a comment does not',
    latin1('<!-- <meta charset=koi8-r> -->\xe9'),
    '',
    '<!-- <meta charset=koi8-r> -->é',
    'windows-1252',
  ],
  ['a label nobody knows is none', latin1('caf\xe9'), 'nonsense', 'café', 'windows-1252'],
  ['undeclared UTF-8 is recognised', 'café', '', 'café', 'utf-8'],
  ['undeclared ASCII is what the standard supposes', 'cafe', '', 'cafe', 'windows-1252'],
  ['curly quotes of Windows', latin1('\x93a\x94'), 'latin1', '“a”', 'windows-1252'],
  ['Japanese', Uint8Array.from([0x83, 0x65, 0x83, 0x58]), 'Shift_JIS', 'テス', 'shift_jis'],
  [
    'escapes of ISO-2022-JP, which are ASCII bytes',
    Uint8Array.from([0x1b, 0x24, 0x42, 0x25, 0x46, 0x1b, 0x28, 0x42]),
    'iso-2022-jp',
    'テ',
    'iso-2022-jp',
  ],
  ['an encoding that is replaced', 'abc', 'iso-2022-kr', '\uFFFD', 'replacement'],
  ['an encoding that is replaced, without text', '', 'hz-gb-2312', '', 'replacement'],
  ['malformed UTF-8', latin1('a\xffb\xc3'), 'utf-8', 'a\uFFFDb\uFFFD', 'utf-8'],
  [
    'overlong and surrogate forms',
    Uint8Array.from([0xc0, 0x80, 0xed, 0xa0, 0x80]),
    'utf-8',
    '\uFFFD'.repeat(5),
    'utf-8',
  ],
  ['only a mark', '\uFEFF', '', '', 'utf-8'],
  ['nothing', '', '', '', 'windows-1252'],
  ['x-user-defined', latin1('a\x80'), 'x-user-defined', 'a\uF780', 'x-user-defined'],
]

for (const [name, bytes, label, text, charset] of CASES) {
  test(`a body is decoded by the standard's rules: ${name}`, () => {
    assert.deepEqual(decoded(bytes, label), [text, charset])
  })
}

test('a declaration late in the head counts, one behind the head does not', () => {
  const late = `<head>${' '.repeat(2000)}<meta charset=windows-1251></head>`
  const behind = `<head></head>${' '.repeat(2000)}<meta charset=windows-1251>`
  assert.equal(toUtf8(latin1(`${late}\xcf`), '').charset, 'windows-1251')
  assert.equal(toUtf8(latin1(`${behind}\xcf`), '').charset, 'windows-1252')
})

const LATE: readonly (readonly [name: string, head: string, charset: string])[] = [
  ['behind scripts that write pages', '<script>"<body>"</script>', 'windows-1251'],
  ['behind a comment about the body', '<!-- <body> -->', 'windows-1251'],
  ['behind a noscript', '<noscript><img src=x></noscript>', 'windows-1251'],
  ['behind a template', '<template><p></template>', 'windows-1251'],
  ['behind a title that never ends', '<title>', 'windows-1252'],
  ['behind the body', '<body>', 'windows-1252'],
]

for (const [name, head, charset] of LATE) {
  test(`a declaration of the charset behind the first kilobyte: ${name}`, () => {
    const page = `<head>${head}${' '.repeat(2000)}<meta charset=windows-1251></head>\xcf`
    assert.equal(toUtf8(latin1(page), '').charset, charset)
  })
}

test('a declaration that begins in the first kilobyte counts wherever it stands', () => {
  const page = (blanks: number): Buffer =>
    latin1(`<p>${' '.repeat(blanks)}<meta charset=windows-1251>\xcf`)
  assert.equal(toUtf8(page(1020), '').charset, 'windows-1251')
  const behind = latin1(`<body>${' '.repeat(1018)}<meta charset=windows-1251>\xcf`)
  assert.equal(toUtf8(behind, '').charset, 'windows-1252')
})

test('a body that was cut within a character is UTF-8 all the same', () => {
  for (const cut of [1, 2, 3]) {
    const bytes = Buffer.from('<p>sekolah \u{1F3EB}').subarray(0, -cut)
    assert.equal(toUtf8(Buffer.concat([Buffer.from('é'), bytes]), '').charset, 'utf-8')
  }
  assert.equal(toUtf8(latin1('caf\xe9 ol\xe9!'), '').charset, 'windows-1252')
})

const TYPES: readonly (readonly [header: string, essence: string, charset: string])[] = [
  ['text/html', 'text/html', ''],
  ['TEXT/HTML; Charset="UTF-8"', 'text/html', 'UTF-8'],
  ['text/html;charset=a;charset=b', 'text/html', 'a'],
  ['', '', ''],
  ['nonsense', '', ''],
  [`text/html${';charset='.repeat(100_000)}`, 'text/html', ''],
]

for (const [header, essence, charset] of TYPES) {
  test(`the type "${header.slice(0, 40)}" is read`, () => {
    assert.deepEqual(parseMediaType(header), { essence, charset })
  })
}
