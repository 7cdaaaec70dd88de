import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ELEMENT } from '../html/html-names.ts'
import { HtmlReader } from '../html/html-reader.ts'

const NAMES = Object.fromEntries(Object.entries(ELEMENT).map(([name, number]) => [number, name]))

/** Each block as `path: text`, followed by its link bytes if any. */
function blocksOf(html: string): string[] {
  const { outline, text } = new HtmlReader().read(Buffer.from(html), {
    isXml: false,
  })
  const { blocks, containers } = outline
  return Array.from({ length: blocks.count }, (_, row) => {
    const path: string[] = []
    for (let at = blocks.container[row]!; at > 0; at = containers.parent[at]!) {
      path.unshift(NAMES[containers.element[at]!] ?? '?')
    }
    const links = blocks.linkBytes[row]! > 0 ? ` [${blocks.linkBytes[row]}]` : ''
    const words = text.slice(blocks.textFrom[row]!, blocks.textTo[row]!)
    return `${path.join(' ')}: ${words}${links}`
  })
}

const CASES: readonly (readonly [title: string, html: string, blocks: readonly string[]])[] = [
  ['an edge ends a block', 'a<div>b</div>c', [': a', 'div: b', ': c']],
  ['inline elements do not', '<p>a <b>b</b> <a href=x>c</a></p>', ['p: a b c [1]']],
  ['one line break does not, two do', '<p>a<br>b<br><br>c', ['p: a\nb', 'p: c']],
  ['paragraphs end by themselves', '<p>a<p>b<div>c</div>', ['p: a', 'p: b', 'div: c']],
  [
    'so do entries of lists',
    '<ul><li>a<li>b<ul><li>c</ul><li>d</ul>e',
    ['ul li: a', 'ul li: b', 'ul li ul li: c', 'ul li: d', ': e'],
  ],
  ['and terms', '<dl><dt>a<dd>b<dt>c</dl>', ['dl dt: a', 'dl dd: b', 'dl dt: c']],
  [
    'and parts of tables',
    '<table><tr><td>a<td>b<tr><td>c<tbody><tr><td>d</table>',
    ['table tr td: a\x1fb', 'table tr td: c', 'table tbody tr td: d'],
  ],
  [
    'long cells stand for themselves',
    `<table><tr><td>${'a'.repeat(150)}<td>b</table>`,
    [`table tr td: ${'a'.repeat(150)}`, 'table tr td: b'],
  ],
  [
    'a table within a cell is no part of the row',
    '<table><tr><td>a<table><tr><td>b</table>c</table>',
    ['table tr td: a', 'table tr td table tr td: b', 'table tr td: c'],
  ],
  ['a block that ends in what is not shown ends before it', '<p>a <i hidden>b</p>', ['p: a']],
  ['an end tag in a template ends nothing shown', '<p>a <template>b</p><p>c', ['p: a']],
  ['an end tag nothing opened is passed over', '<div>a</section>b</div>', ['div: a', 'div: b']],
  ['an end tag closes what is in it', '<div><section>a</div>b', ['div section: a', ': b']],
  [
    'a cell is a wall for end tags',
    '<div><table><td>a</div>b</table>c</div>d',
    ['div table td: a', 'div table td: b', 'div: c', ': d'],
  ],
  [
    'code stays whole',
    '<pre>\na {\n  b\n\n}\n<div>c</div></pre>d',
    ['pre: a {\n  b\n\n}\nc', ': d'],
  ],
  [
    'an unclosed pre ends with what it is in',
    '<div><pre>a\n b</div>c  d',
    ['div pre: a\n b', ': c d'],
  ],
  [
    'a link over blocks counts in each',
    '<a href=x><p>ab</p><p>cd</p></a>e',
    ['p: ab [2]', 'p: cd [2]', ': e'],
  ],
  ['what is hidden is no block', '<div>a<p hidden>b<p>c</div>d', ['div: a', 'div p: c', ': d']],
  ['unknown elements hold blocks', '<x-post><p>a</p><p>b</x-post>c', ['? p: a', '? p: b', ': c']],
]

for (const [title, html, blocks] of CASES) {
  test(`blocks: ${title}`, () => assert.deepEqual(blocksOf(html), blocks))
}

test('a container spans the blocks between its tags, even with hidden parts in between', () => {
  const { outline } = new HtmlReader().read(
    Buffer.from('<p>a</p><main><p>b</p><div hidden><p>x</p></div><p>c</p></main><p>d</p>'),
    { isXml: false },
  )
  const { containers } = outline
  const main = containers.element.indexOf(ELEMENT.main)
  assert.deepEqual([containers.blockFrom[main], containers.blockTo[main]], [1, 3])
  for (let row = 0; row < containers.count; row++) {
    assert.ok(containers.blockFrom[row]! <= containers.blockTo[row]!)
    assert.ok(containers.blockTo[row]! <= outline.blocks.count)
  }
})

test('a page of endless depth and breadth is cut and flagged', () => {
  const deep = new HtmlReader().read(Buffer.from('<div>a'.repeat(100_000)), {
    isXml: false,
  })
  assert.equal(deep.outline.blocks.count, 30_000)
  assert.equal(deep.outline.cut, true)
})
