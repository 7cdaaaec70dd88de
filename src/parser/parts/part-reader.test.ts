import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsIn, rowsOf } from '../../../test/html/part-rows.ts'

const SCRIPTS: readonly (readonly [name: string, html: string, rows: unknown])[] = [
  ['from elsewhere', '<script src=/a.js></script>', [['http://site.test/a.js', '']]],
  [
    'that does not hold up the page',
    '<script src=/a.js async></script><script src=/b.js defer type=" MODULE "></script>',
    [
      ['http://site.test/a.js', '', 'async'],
      ['http://site.test/b.js', 'module', 'defer'],
    ],
  ],
  ['in the page', '<script>let a = "é"</script>', [[null, '', null, 12]]],
  [
    'that is JSON-LD',
    '<script type="application/ld+json"> {"@type": "é\\u0000"} </script>',
    [[null, 'application/ld+json', null, 23, '{"@type": "é\\u0000"}']],
  ],
  [
    'that is other data',
    '<script type=application/json>{}</script>',
    [[null, 'application/json', null, 2]],
  ],
  ['with an address that is none', '<script src="data:,x"></script>', [[null, '']]],
  ['in a template', '<template><script>x</script></template>', []],
]

for (const [name, html, rows] of SCRIPTS) {
  test(`a script ${name}`, () => assert.deepEqual(rowsOf('scripts', html), rows))
}

const STYLES: readonly (readonly [name: string, html: string, rows: unknown])[] = [
  ['from elsewhere', '<link rel=StyleSheet href=/a.css>', [['http://site.test/a.css']]],
  [
    'for some media',
    '<link rel="preload stylesheet" href=/a.css media=print>',
    [['http://site.test/a.css', 'print']],
  ],
  ['in the page', '<style media=screen>a{}</style>', [[null, 'screen', 3]]],
  ['that is only loaded ahead', '<link rel=preload href=/a.css as=style>', []],
]

for (const [name, html, rows] of STYLES) {
  test(`a style sheet ${name}`, () => assert.deepEqual(rowsOf('styles', html), rows))
}

test('JSON-LD that is too long is left out as a whole and flagged', () => {
  const html = `<script type="application/ld+json">"${'x'.repeat(1e6)}"</script>`
  const { parts, cut } = partsIn(html, ['scripts'])
  assert.deepEqual(JSON.parse(parts.scripts!), [[null, 'application/ld+json', null, 1_000_002]])
  assert.deepEqual(cut, ['scripts'])
})

test('a flood of scripts and style sheets is cut and flagged', () => {
  const html = '<script>1</script><style>a</style><link rel=stylesheet href=x>'.repeat(100_000)
  const { parts, cut } = partsIn(html, ['scripts', 'styles'])
  assert.deepEqual(cut, ['scripts', 'styles'])
  assert.equal(JSON.parse(parts.scripts!).length, 500)
  assert.equal(JSON.parse(parts.styles!).length, 500)
})

test('code in the page is kept on request, each at most 64 KiB and flagged where it is cut', () => {
  const html = `<script>let a = "é"</script><script type="application/ld+json">{}</script>
    <style> a { color: red } </style><script>${'x'.repeat(65_535)}é</script>`
  const { parts, cut } = partsIn(html, ['scripts', 'scripts=text', 'styles', 'styles=text'])
  const [first, data, long] = JSON.parse(parts.scripts!)
  assert.deepEqual(first, [null, '', null, 12, 'let a = "é"'])
  assert.deepEqual(data, [null, 'application/ld+json', null, 2, '{}'])
  assert.deepEqual(long, [null, '', null, 65_537, 'x'.repeat(65_535)])
  assert.deepEqual(JSON.parse(parts.styles!), [[null, null, 18, 'a { color: red }']])
  assert.deepEqual(cut, ['scripts'])
  assert.deepEqual(rowsOf('styles', html), [[null, null, 18]])
})

test('of a flood of code half a MiB is kept', () => {
  const html = `<style>${'y'.repeat(60_000)}</style>`.repeat(12)
  const { parts, cut } = partsIn(html, ['styles', 'styles=text'])
  const texts: string[] = JSON.parse(parts.styles!).map((row: unknown[]) => row[3] ?? '')
  assert.equal(texts.join('').length, 1 << 19)
  assert.deepEqual(cut, ['styles'])
})
