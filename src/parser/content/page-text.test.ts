import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import { pageText } from './page-text.ts'

/** The text of all blocks, or of those without the words in `without`. */
function textOf(html: string, without: readonly string[] = []): string {
  const reading = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const { count, textFrom, textTo } = reading.outline.blocks
  const chosen = Uint8Array.from({ length: count }, (_, row) => {
    const words = reading.text.slice(textFrom[row]!, textTo[row]!)
    return without.some((word) => words.includes(word)) ? 0 : 1
  })
  return pageText(reading, chosen)
}

const LONG = 'word '.repeat(60).trim()

const CASES: readonly (readonly [title: string, html: string, text: string])[] = [
  ['nothing gives nothing', '<p> </p>', ''],
  ['paragraphs are apart', '<p>a</p><p>b</p><div>c</div>', 'a\n\nb\n\nc'],
  ['lines of a paragraph stay lines', '<p>a<br>b <br> c</p>', 'a\nb\nc'],
  ['headings stand alone', '<h1>a</h1>b<h2>c</h2>d', 'a\n\nb\n\nc\n\nd'],
  ['a heading does without the sign that links to it', '<h2>a<a href=#a>¶</a></h2>b ¶', 'a\n\nb ¶'],
  ['letters beyond ASCII stay whole', '<p>Jalan Ã é 漢字</p><p>😀</p>', 'Jalan Ã é 漢字\n\n😀'],
  ['entries of a list are lines', 'a<ul><li>b<li>c</ul>d', 'a\n\n- b\n- c\n\nd'],
  ['numbered ones have numbers', '<ol><li>a<li>b<li>c</ol>', '1. a\n2. b\n3. c'],
  ['from where the list says', '<ol class=x start="9"><li>a<li>b</ol>', '9. a\n10. b'],
  [
    'lists within entries are indented',
    '<ul><li>a<ol><li>b<li>c<ul><li>d</ul></ol><li>e</ul>',
    '- a\n  1. b\n  2. c\n    - d\n- e',
  ],
  [
    'an entry of several blocks stays together',
    '<ul><li><p>a</p><p>b<br>c</p><li>d</ul>',
    '- a\n  b\n  c\n- d',
  ],
  ['two lists are apart', '<ul><li>a</ul><ul><li>b</ul>', '- a\n\n- b'],
  ['an entry that is nothing but a list keeps its mark', '<ul><li><ul><li>a</ul></ul>', '- - a'],
  ['an entry outside of a list is a paragraph', '<li>a<li>b', 'a\n\nb'],
  [
    'entries that are whole posts are no list',
    '<ol><li><h3>a</h3><p>b</p><li><h3>c</h3><p>d</p></ol>',
    'a\n\nb\n\nc\n\nd',
  ],
  [
    'nor are long ones of many blocks',
    `<ul><li>${`<p>${LONG}</p>`.repeat(8)}<li>b</ul>`,
    `${`${LONG}\n\n`.repeat(8)}b`,
  ],
  [
    'code keeps its indentation and its blank lines',
    '<p>a</p><pre><code>if x:\n\n    y  \n\tz\n</code></pre><p>b</p>',
    'a\n\nif x:\n\n    y\n\tz\n\nb',
  ],
  ['of many blank lines one stays', '<pre>a\n\n \n\n\nb</pre>', 'a\n\nb'],
  [
    'code in an entry is indented as a whole',
    '<ul><li>a<pre>b {\n  c\n\n}</pre><li>d</ul>',
    '- a\n  b {\n    c\n\n  }\n- d',
  ],
  ['quotes are marked', '<blockquote><p>a<br>b</p><p>c</p></blockquote>d', '> a\n> b\n\n> c\n\nd'],
  ['quotes that hold a page are none', '<blockquote><h2>a</h2><p>b</p></blockquote>', 'a\n\nb'],
  [
    'terms are followed by what they mean',
    '<dl><dt>a<dd>b<dt>c<dd><p>d</p><p>e</p></dl>f',
    'a\n  b\nc\n  d\n  e\n\nf',
  ],
  [
    'rows of a table are lines',
    'a<table><tr><th>b<th>c<tr><td>d</td><td>e</td></tr></table>f',
    'a\n\nb | c\nd | e\n\nf',
  ],
  [
    'cells of several blocks or lines stay in the row',
    '<table><tr><td><p>a</p><p>b</p></td><td>c<br>d</td><td><ul><li>e</ul></td></tr></table>',
    'a b | c d | e',
  ],
  [
    'a cell that goes on behind a block is one cell',
    '<table><tr><td><p>a</p>b</td><td>c</td></tr></table>',
    'a b | c',
  ],
  [
    'long cells stay in the row, too',
    `<table><tr><td>${LONG}</td><td>b</td></tr><tr><td>c<td>d</table>`,
    `${LONG} | b\nc | d`,
  ],
  ['a table of one column is paragraphs', '<table><tr><td>a<tr><td>b</table>', 'a\n\nb'],
  [
    'a table that lays out the page is, too',
    '<table><tr><td><ul><li>a</ul><td><h1>b</h1><p>c</p></table>',
    '- a\n\nb\n\nc',
  ],
  [
    'a table around one of data is layout',
    '<table><tr><td>a<td><table><tr><td>b<td>c</table></table>',
    'a\n\nb | c',
  ],
  [
    'a table in an entry is indented',
    '<ul><li>a<table><tr><td>b<td>c<tr><td>d<td>e</table></ul>',
    '- a\n  b | c\n  d | e',
  ],
  ['a heading that never ends is none', '<h2>a<p>b<p>c<p>d', 'a\n\nb\n\nc\n\nd'],
]

for (const [title, html, text] of CASES) {
  test(`text: ${title}`, () => assert.equal(textOf(html), text))
}

test('text: blocks that are not chosen leave no trace', () => {
  assert.equal(textOf('<p>a</p><p>no</p><p>b</p>', ['no']), 'a\n\nb')
  assert.equal(textOf('<ol><li>a<li>no<li>b</ol>', ['no']), '1. a\n3. b')
  assert.equal(textOf('<ul><li>no<ul><li>a</ul></ul>', ['no']), '- - a')
  const cells = `<table><tr><td><p>a</p></td><td>no ${LONG}</td><td>b</td></tr></table>`
  assert.equal(textOf(cells, ['no']), 'a | b')
  assert.equal(textOf('<p>no</p>', ['no']), '')
})

test('text: endless nesting gets bounded indentation', () => {
  const text = textOf(`${'<ul><li>'.repeat(100)}a<pre>${'b\n'.repeat(2000)}`)
  assert.ok(text.includes('a\n'))
  for (const line of text.split('\n')) assert.ok(line.length < 40, line)
})

test('text: has no spaces at the end of lines and no more than one blank line in a row', () => {
  const html =
    '<p>a &nbsp;<br> <br><br>b</p><pre>c  \n \n\n\n d \n</pre><table><td> e <td> </table>'
  const text = textOf(html.repeat(3))
  assert.doesNotMatch(text, /[ \t]+$/m)
  assert.doesNotMatch(text, /\n{3}|^\n|\n$/)
})
