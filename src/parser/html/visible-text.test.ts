import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../test/html/mutate.ts'
import { referenceWords, wordsOf } from '../../../test/html/reference.ts'
import { HtmlReader } from './html-reader.ts'

const reader = new HtmlReader()

function textOf(html: string, isXml = false): string {
  return reader.read(Buffer.from(html), { isXml }).text.text()
}

const LONG = 'All the words of a forum whose posts are only shown without JavaScript. '.repeat(5)

const CASES: readonly (readonly [name: string, html: string, text: string])[] = [
  ['blanks collapse', ' a \n\t b  <i> c</i>d ', 'a b cd'],
  ['inline elements do not part words', 'a<b>b</b>c <span>d</span>', 'abc d'],
  ['blocks stand on lines of their own', 'a<p>b</p><div>c<div>d</div></div>e', 'a\nb\nc\nd\ne'],
  ['a break ends a line', 'a<br>b<br/>c</br>d', 'a\nb\nc\nd'],
  ['cells are kept apart', '<table><tr><td>a<td>b<tr><th>c</table>', 'a | b\nc'],
  ['preformatted lines stay', '<pre>a\n  b\n\nc</pre>d\ne', 'a\n  b\n\nc\nd e'],
  ['no text begins or ends with a gap', '<p> <b> a </b> <p> ', 'a'],
  ['scripts and styles are not shown', 'a<script>b</script><style>c</style>d', 'ad'],
  ['titles and text areas are not shown', '<title>a</title>b<textarea>c</textarea>d', 'bd'],
  ['comments are not shown', 'a<!-- b -->c<!d>e<?f?>g', 'aceg'],
  ['templates are not shown', 'a<template>b<p>c</template>d', 'ad'],
  ['hidden elements are not shown', 'a<div hidden>b<div>c</div>d</div>e', 'a\ne'],
  ['hidden until found is shown', '<div hidden=until-found>a</div>', 'a'],
  ['a hidden body is shown all the same', '<body hidden>a', 'a'],
  ['a hidden paragraph ends at the next block', '<p hidden>a<p>b', 'b'],
  ['the next item may be hidden, too', '<ul><li hidden>a<li hidden>b<li>c</ul>', 'c'],
  ['a hidden item ends at the next item', '<ul><li hidden>a<li>b</ul>c', 'b\nc'],
  ['hidden content ends with what it is in', '<div><span hidden>a</div>b', 'b'],
  ['a list in a hidden item is hidden', '<li hidden>a<ul><li>b</ul>c</li>d', 'd'],
  ['a hidden link ends at the next link', '<p><a hidden href=x>a<a href=y>b</a>c', 'bc'],
  ['a hidden link ends within blocks', '<a hidden href=x>a<div>b</a>c</div>d', 'c\nd'],
  ['a link ends what is hidden in it', '<a href=x>a<span hidden>b</a>c', 'ac'],
  ['a link ends what is hidden in the last one', '<a href=x><i hidden>a<a href=y>b</a>', 'b'],
  ['a paragraph ends what is hidden in it', '<p>a<span hidden>b<div>c</div>', 'a\nc'],
  ['so does its end tag', '<p>a<span hidden>b</p>c', 'a\nc'],
  ['a line may break in a hidden paragraph', '<p hidden>a<br>b</p>c', 'c'],
  ['a block ends a hidden paragraph and all in it', '<p hidden>a<b>b<div>c</div>', 'c'],
  ['a table cell ends what is hidden in the last', '<table><td><div hidden>a<td>b</table>', 'b'],
  ['a hidden term ends at its description', '<dl><dt hidden>a<dd>b</dl>', 'b'],
  ['a hidden cell without a table is none', '<div><td hidden>a</div>b', 'a\nb'],
  ['a hidden button ends at the next one', '<button hidden>a<button>b</button>', 'b'],
  ['a hidden form ends at its end tag', '<form hidden>a<form>b</form>c', 'c'],
  ['a hidden heading ends at any heading', '<h2 hidden>a</h3>b', 'b'],
  ['end tags of nothing end nothing', '<div hidden>a</section>b</i>c</div>d', 'd'],
  ['HTML ends what a drawing hides', '<svg><style>a<p>b', 'b'],
  ['the end of a drawing, too', '<svg><title>a</svg>b', 'b'],
  ['a frame in a noscript', 'a<noscript><iframe src=x /></noscript>b<p>c', 'ab\nc'],
  ['hidden in a noscript', 'a<noscript><div hidden></noscript>b<p>c', 'ab\nc'],
  ['a noscript in what is hidden', '<div hidden>a<noscript></div></noscript>b</div>c', 'c'],
  ['cells in a noscript', 'a<noscript><table><td></noscript>b<p>c', 'ab\nc'],
  ['dialogs are shown when open', '<dialog>a</dialog><dialog open>b</dialog>', 'b'],
  ['fallbacks of media are not shown', '<video>a</video><audio>b</audio><canvas>c</canvas>d', 'd'],
  ['a noscript that only asks for scripts is left out', 'a<noscript>b</noscript> c', 'a c'],
  ['a noscript that holds the page is kept', `<noscript>${LONG}</noscript>`, LONG.trim()],
  [
    'a noscript that repeats the page is left out',
    `${LONG}<noscript><p>${LONG}</noscript>`,
    LONG.trim(),
  ],
  ['drawn text is shown, its title is not', '<svg><title>a</title><text>b</text></svg>', 'b'],
  ['styles of drawings are not shown', '<svg><style>a {}</style></svg>b', 'b'],
  ['CDATA of a drawing is literal', '<svg><text><![CDATA[<a> &amp;]]></text></svg>', '<a> &amp;'],
  ['XMP is literal', '<xmp><a> &amp;</xmp>', '<a> &amp;'],
  ['plaintext is literal', 'a<plaintext><b>c</plaintext>', 'a\n<b>c</plaintext>'],
  ['a lonely sign is text', 'a < b <3 </', 'a < b <3 </'],
  ['NUL is dropped', 'a\0b', 'ab'],
  ['other controls are blanks', 'a\x1b[31mb\x07c', 'a [31mb c'],
  ['letters of any script', 'é “q” 中文 \u{1F600}', 'é “q” 中文 \u{1F600}'],
  ['a no-break space is a space', 'a\u00A0 \u00A0b&nbsp;&#160;c', 'a b c'],
  ['its neighbours are not', '«a»\u00A1b', '«a»\u00A1b'],
  ['soft hyphens do not part words', 'a\u00ADb&shy;c&#173;d', 'abcd'],
  ['how a word is read aloud is left out', '<ruby>a<rp>(<rt>b<rp>)</ruby>c', 'ac'],
  ['so it is without end tags', '<ruby>a<rt>b<rt>c</ruby><div><ruby>d<rt>e</div>f', 'a\nd\nf'],
]

for (const [name, html, text] of CASES) {
  test(`visible text: ${name}`, () => assert.equal(textOf(html), text))
}

test('hidden content ends where a full parser ends it', () => {
  const names = 'p div span li ul h2 label button dl dt dd form x-y section'.split(' ')
  const random = createRandom(31)
  const pick = (): string => names[random(names.length)] ?? ''
  let lost = 0
  let words = 0
  for (let round = 0; round < 2000; round++) {
    const place = random(6)
    const tags = Array.from({ length: 7 }, (_, at) => {
      const isEnd = at !== place && random(5) > 2
      return isEnd ? `</${pick()}>` : `<${pick()}${at === place ? ' class=menu hidden' : ''}>`
    })
    const html = `${tags.map((tag, at) => `w${at} ${tag}`).join('')}end`
    const own = new Set(wordsOf(textOf(html)))
    const expected = referenceWords(html)
    words += expected.length
    lost += expected.filter((word) => !own.has(word)).length
  }
  assert.ok(lost <= words / 100, `${lost} of ${words}`)
})

const REFERENCES: readonly (readonly [html: string, text: string])[] = [
  ['&amp;&lt;&gt;&quot;&apos;', '&<>"\''],
  ['&eacute;&Eacute;&rarr;', 'éÉ→'],
  ['&copy &copyx &copy;', '© ©x ©'],
  ['&notit; &notin;', '¬it; ∉'],
  ['&nGt;&CounterClockwiseContourIntegral;', '≫⃒∳'],
  ['&unknown; &; & &x', '&unknown; &; & &x'],
  ['&#65;&#x41;&#X41;&#65&#x41', 'AAAAA'],
  ['&#; &#x; &#xg', '&#; &#x; &#xg'],
  ['&#0;&#xD800;&#x110000;&#99999999999999999999;', '\uFFFD\uFFFD\uFFFD\uFFFD'],
  ['&#128;&#x93;', '€“'],
  ['&#x1F600;', '\u{1F600}'],
  ['a&#10;&#32;b&#9;c', 'a b c'],
  ['&amp;lt;', '&lt;'],
  ['&am<b>p;</b>', '&amp;'],
  ['&lt', '<'],
]

for (const [html, text] of REFERENCES) {
  test(`the character references ${html} read ${JSON.stringify(text)}`, () => {
    assert.equal(textOf(html), text)
  })
}

test('in XML an element may be closed at once', () => {
  assert.equal(
    textOf('<script src="x"/>a<title/>b<div hidden=""/>c<![CDATA[<d>]]>', true),
    'ab\nc<d>',
  )
})

test('a page after a giant one is read the same', () => {
  textOf('x'.repeat(6 << 20))
  assert.equal(textOf('<p>a<p>b'), 'a\nb')
})
