import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsIn, rowsOf } from '../../../test/html/part-rows.ts'

const LISTS: readonly (readonly [name: string, html: string, rows: unknown])[] = [
  ['bulleted', '<ul><li>a<li>b <b>bold</b></ul>', [['ul', 0, false, ['a', 'b bold']]]],
  ['numbered', '<ol><li><p>a</p><p>b</p></li></ol>', [['ol', 0, false, ['a b']]]],
  [
    'of terms',
    '<dl><dt>tea<dd>hot<dd>green<dt>milk<dd>cold</dl>',
    [
      [
        'dl',
        0,
        false,
        [
          ['tea', 'hot', 'green'],
          ['milk', 'cold'],
        ],
      ],
    ],
  ],
  [
    'of terms in groups',
    '<dl><div><dt>tea</dt><dd>hot</dd></div></dl>',
    [['dl', 0, false, [['tea', 'hot']]]],
  ],
  ['without a term', '<dl><dd>hot</dl>', [['dl', 0, false, [['', 'hot']]]]],
  [
    'within another',
    '<ul><li>a<ol><li>b<li>c</ol><li>d</ul>',
    [
      ['ul', 0, false, ['a', 'd']],
      ['ol', 1, false, ['b', 'c']],
    ],
  ],
  [
    'of links',
    '<nav><ul><li><a href=/>Home</a><li><a href=x>More</a></ul></nav>',
    [['ul', 0, true, ['Home', 'More']]],
  ],
  ['of menu entries', '<menu><li>Cut<li>Paste</menu>', [['ul', 0, false, ['Cut', 'Paste']]]],
  ['without entries', '<ul></ul><ul><li></ul>', []],
  ['that is not shown', '<ul hidden><li>a</ul><ul><li>b</ul>', [['ul', 0, false, ['b']]]],
  ['of entries outside of a list', '<li>a<li>b', []],
]

for (const [name, html, rows] of LISTS) {
  test(`a list ${name}`, () => assert.deepEqual(rowsOf('lists', html), rows))
}

test('a long entry is truncated', () => {
  const [[, , , [entry]]] = rowsOf('lists', `<ul><li>${'é'.repeat(1000)}</ul>`) as [
    [string, number, boolean, string[]],
  ]
  assert.equal(entry, 'é'.repeat(300))
})

const HOSTILE: readonly (readonly [name: string, html: string])[] = [
  ['a million entries', `<ul>${'<li>a'.repeat(1e6)}`],
  ['100,000 lists in lists', '<ul><li>a'.repeat(100_000)],
  ['100,000 lists', '<ul><li>a</ul>'.repeat(100_000)],
  ['entries without an end', `<ul>${`<li>${'word '.repeat(100)}`.repeat(4000)}`],
]

for (const [name, html] of HOSTILE) {
  test(`lists are cut and flagged: ${name}`, () => {
    const { parts, cut } = partsIn(html, ['lists'])
    assert.deepEqual(cut, ['lists'])
    assert.ok((parts.lists?.length ?? 0) < 500_000)
  })
}
