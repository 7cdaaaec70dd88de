import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributeOf, XmlScanner, type XmlToken } from './xml-tokens.ts'

/** Joins the pieces of one text. */
function joined(tokens: Iterable<XmlToken>): string[] {
  const marks: string[] = []
  let text = ''
  for (const token of tokens) {
    if (token.kind === 'text') text += token.text
    else {
      marks.push(text, JSON.stringify(token))
      text = ''
    }
  }
  return [...marks, text].filter((mark) => mark !== '')
}

/** One line per token: `<a`, `>a`, or the text in quotes. */
function shorthand(source: string): string {
  const marks = new XmlScanner().end(source).map((token) => {
    if (token.kind === 'text') return JSON.stringify(token.text)
    return token.kind === 'close' ? `>${token.name}` : `<${token.name}${token.empty ? '/' : ''}`
  })
  return [...marks].join(' ')
}

test('markup is taken apart tag by tag, and broken markup as far as it goes', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', ''],
    ['<a>x</a>', '<a "x" >a'],
    ['<A:B c="d"/>', '<a:b/'],
    ['<a b="x>y" c=\'z">\'>t', '<a "t"'],
    ['<?xml version="1.0"?><a/>', '<a/'],
    ['<!-- <b> --><a/>', '<a/'],
    ['<!-- never closed <a/>', ''],
    ['<a><![CDATA[x & <b>]]></a>', '<a "x & <b>" >a'],
    ['<!DOCTYPE a><a/>', '<a/'],
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', '<a "&x;" >a'],
    ['1 < 2', '"1 " "<" " 2"'],
    ['<a b="open><c>x', '"<" "a b=\\"open>" <c "x"'],
    ['<a', '"<" "a"'],
    ['</a >', '>a'],
  ]
  for (const [source, tokens] of cases) assert.equal(shorthand(source), tokens, source)
})

test('only the five entities of XML and numbers are known', () => {
  const source = '&amp;&lt;&gt;&quot;&apos;&#65;&#x42;&#0;&#x110000;&nbsp;&amp;amp;&'
  assert.equal(shorthand(source), JSON.stringify('&<>"\'AB\ufffd\ufffd&nbsp;&amp;&'))
})

test('an attribute is found by its name, in any case and quotes', () => {
  const raw = ` x:href="no" HREF = 'a&amp;b' rel=""`
  assert.equal(attributeOf(raw, 'href'), 'a&b')
  assert.equal(attributeOf(raw, 'rel'), '')
  assert.equal(attributeOf(raw, 'hreflang'), null)
})

test('a text that comes in pieces is read as if it came at once', () => {
  const source =
    '<?xml a?><!DOCTYPE a [<!ENTITY x "y">]><!-- <b> --><r><a b="x>y" c=\'d\'>1 &amp; 2 < 3</a>' +
    '<![CDATA[ & <c> ]]>&#65;<d/>&unknown; text</r>'
  const whole = joined(new XmlScanner().end(source))
  for (let size = 1; size < 40; size += 1) {
    const scanner = new XmlScanner()
    const tokens: XmlToken[] = []
    for (let at = 0; at < source.length; at += size) {
      tokens.push(...scanner.push(source.slice(at, at + size)))
    }
    assert.deepEqual(joined([...tokens, ...scanner.end()]), whole, `pieces of ${size}`)
  }
})

test('a tag that never ends is not kept for ever', () => {
  const scanner = new XmlScanner()
  let texts = 0
  for (let nth = 0; nth < 100; nth += 1) {
    for (const token of scanner.push(nth === 0 ? '<a ' : 'x'.repeat(1000))) {
      if (token.kind === 'text') texts += token.text.length
    }
  }
  assert.ok(texts > 80_000)
})

test('hostile markup is read to its end', () => {
  const pieces = [
    '<',
    '<a',
    '<a "',
    '<a b=',
    '<a \'">',
    '<!--',
    '<![CDATA[',
    '<!DOCTYPE [',
    '&#',
    'a',
  ]
  for (const piece of pieces) {
    let length = 0
    for (const token of new XmlScanner().end(piece.repeat(50_000))) length += token.kind.length
    assert.ok(length >= 0, piece)
  }
})
