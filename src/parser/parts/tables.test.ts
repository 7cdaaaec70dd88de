import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsIn, rowsOf } from '../../../test/html/part-rows.ts'

function tablesOf(html: string) {
  return rowsOf('tables', html)
}

test('a table has a caption, headers and rows', () => {
  const html = `<table><caption>Prices of <b>tea</b></caption>
    <thead><tr><th>Kind<th>Price</tr></thead>
    <tbody><tr><td>Green<td>2 &euro;<tr><td>Black<br>strong<td>3&nbsp;&euro;</tbody></table>`
  assert.deepEqual(tablesOf(html), [
    {
      caption: 'Prices of tea',
      headers: ['Kind', 'Price'],
      rows: [
        ['Green', '2 €'],
        ['Black strong', '3 €'],
      ],
    },
  ])
})

const SHAPES: readonly (readonly [name: string, html: string, headers: unknown, rows: unknown])[] =
  [
    [
      'no headers',
      '<tr><td>a<td>b<tr><td>c<td>d',
      [],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'headers without a head',
      '<tr><th>h<th>i<tr><td>a<td>b<tr><td>c<td>d',
      ['h', 'i'],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'headers of rows',
      '<tr><th>a<td>1<tr><th>b<td>2',
      [],
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a head of plain cells',
      '<thead><tr><td>h<td>i<tbody><tr><td>a<td>b',
      ['h', 'i'],
      [['a', 'b']],
    ],
    [
      'headers in two rows',
      '<tr><th rowspan=2>h<th colspan=2>both<tr><th>i<th>j<tr><td>a<td>b<td>c',
      ['h', 'both / i', 'both / j'],
      [['a', 'b', 'c']],
    ],
    [
      'cells over rows and columns',
      '<tr><td rowspan=2>a<td>b<td>c<tr><td colspan=2>d<tr><td>e<td>f<td>g',
      [],
      [
        ['a', 'b', 'c'],
        ['a', 'd', 'd'],
        ['e', 'f', 'g'],
      ],
    ],
    [
      'a cell to the end of the table',
      '<tr><th>h<th>i<tr><td rowspan=0>a<td>b<tr><td>c',
      ['h', 'i'],
      [
        ['a', 'b'],
        ['a', 'c'],
      ],
    ],
    [
      'empty rows',
      '<tr><td>a<td>b<tr><td><td><tr><td>c<td>',
      [],
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
    [
      'paragraphs in cells',
      '<tr><td><p>a</p><td><p>b</p><p>c</p><tr><td>d<td>e',
      [],
      [
        ['a', 'b c'],
        ['d', 'e'],
      ],
    ],
  ]

for (const [name, html, headers, rows] of SHAPES) {
  test(`a table with ${name}`, () => {
    assert.deepEqual(tablesOf(`<table>${html}</table>`), [{ caption: '', headers, rows }])
  })
}

const NO_DATA: readonly (readonly [name: string, html: string])[] = [
  ['said to lay out the page', '<table role=presentation><tr><th>a<th>b<tr><td>c<td>d</table>'],
  ['of one column', '<table><tr><th>a<tr><td>b<tr><td>c</table>'],
  ['of one row', '<table><tr><td>a<td>b</table>'],
  ['with a part of the page in a cell', '<table><tr><td><h2>a</h2><td>b<tr><td>c<td>d</table>'],
  ['with prose in a cell', `<table><tr><td>${'word '.repeat(300)}<td>b<tr><td>c<td>d</table>`],
  ['without text', '<table><tr><th><th><tr><td><td></table>'],
  ['that is not shown', '<table hidden><tr><th>a<th>b<tr><td>c<td>d</table>'],
]

for (const [name, html] of NO_DATA) {
  test(`a table ${name} holds no data`, () => assert.deepEqual(tablesOf(html), []))
}

test('a table within a table is a row of its own', () => {
  const inner = '<table><tr><td>a<td>b<tr><td>c<td>d</table>'
  const rows = [
    ['a', 'b'],
    ['c', 'd'],
  ]
  const layout = `<table><tr><td>menu<td>${inner}<tr><td>x<td>y</table>`
  assert.deepEqual(tablesOf(layout), [{ caption: '', headers: [], rows }])
  const data = `<table><tr><th>h<th>i<tr><td>1<td>${inner}</table>`
  assert.deepEqual(tablesOf(data), [
    { caption: '', headers: ['h', 'i'], rows: [['1', 'a b c d']] },
    { caption: '', headers: [], rows },
  ])
})

test('a hidden part of a page leaves its tables out and the others whole', () => {
  const table = (name: string) => `<table><tr><th>${name}<th>b<tr><td>c<td>d</table>`
  const html = `<div hidden>${table('unseen')}</div>${table('seen')}`
  assert.deepEqual(tablesOf(html), [{ caption: '', headers: ['seen', 'b'], rows: [['c', 'd']] }])
})

const HOSTILE: readonly (readonly [name: string, html: string])[] = [
  ['a cell over a billion columns', '<tr><td colspan=1000000000>a<td>b<tr><td>c<td>d'],
  [
    'spans that multiply',
    `<tr>${'<th rowspan=65534 colspan=1000>word word word'.repeat(50)}${'<tr><td>a'.repeat(9000)}`,
  ],
  ['a cell of 5 MB', `<tr><th>a<th>b<tr><td>${'word '.repeat(1e6)}<td>c`],
  ['a million cells', `<tr><td>a${'<td>b'.repeat(1000)}`.repeat(1000)],
]

for (const [name, html] of HOSTILE) {
  test(`a table is cut and flagged: ${name}`, () => {
    const { parts, cut } = partsIn(`<table>${html}</table>`, ['tables'])
    assert.deepEqual(cut, ['tables'])
    assert.ok((parts.tables?.length ?? 0) < 1_000_000)
  })
}

test('tables in tables in tables are read within bounds', () => {
  const html = `${'<table><tr><td>a<td>b<tr><td>c<td>'.repeat(100_000)}x`
  assert.ok((partsIn(html, ['tables']).parts.tables?.length ?? 0) < 100_000)
})
