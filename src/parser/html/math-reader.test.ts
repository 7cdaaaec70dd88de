import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from './html-reader.ts'

const reader = new HtmlReader()

function textOf(html: string): string {
  return reader.read(Buffer.from(html), { isXml: false }).text.text()
}

const MATHML = '<mrow><msup><mi>x</mi><mn>2</mn></msup></mrow>'
const ANNOTATED = `<math><semantics>${MATHML}<annotation encoding="application/x-tex">x^2 &lt; y</annotation></semantics></math>`
const DRAWN = '<span class="mord mathnormal">x</span><span>2</span>'

const FORMS: readonly (readonly [name: string, html: string, text: string])[] = [
  ['MathML with its TeX', `a ${ANNOTATED} b`, 'a x^2 < y b'],
  ['MathML with an alternative', `a <math alttext="x^{2}">${MATHML}</math>, b`, 'a x^{2}, b'],
  [
    'KaTeX',
    `a <span class="katex"><span class="katex-mathml">${ANNOTATED}</span><span class="katex-html" aria-hidden="true">${DRAWN}</span></span> b`,
    'a x^2 < y b',
  ],
  ['KaTeX that is only drawn', `a <span class="katex-html">${DRAWN}</span> b`, 'a x2 b'],
  [
    'MathJax 2, as it is written',
    'a <span class="MathJax_Preview">[x2]</span><script type="math/tex">x^2</script> b',
    'a x^2 b',
  ],
  [
    'MathJax 2, drawn',
    `a <span class="MathJax_Preview"></span><div class="MathJax_Display"><span class="MathJax" data-mathml="x"><nobr aria-hidden="true">${DRAWN}</nobr><span class="MJX_Assistive_MathML"><math>${MATHML}</math></span></span></div><script type="math/tex; mode=display">% <![CDATA[\nx^2 %]]></script> b`,
    'a\nx^2 b',
  ],
  [
    'MathJax 2 in SVG',
    'a <span class="MathJax_SVG"><svg><text>x2</text></svg></span><script type="math/tex">x^2</script> b',
    'a x^2 b',
  ],
  [
    'MathJax 2 of MathML',
    `a <span class="mjx-chtml">x2</span><script type="math/mml"><math>${MATHML}</math></script> b`,
    'a x^2 b',
  ],
  [
    'MathJax 2 whose scripts are gone',
    `a <span class="MathJax"><nobr class="MathJax_n" aria-hidden="true">${DRAWN}</nobr><span class="MJX_Assistive_MathML"><math>${MATHML}</math></span></span> b`,
    'a x^2 b',
  ],
  [
    'MathJax 3',
    `a <mjx-container class="MathJax" jax="CHTML"><mjx-math class="mjx-tex" aria-hidden="true">x2</mjx-math><mjx-assistive-mml><math>${MATHML}</math></mjx-assistive-mml></mjx-container> b`,
    'a x^2 b',
  ],
  [
    'Wikipedia',
    `a <span class="mwe-math-element"><span style="display: none;"><math alttext="{\\displaystyle x^{2}}"><semantics>${MATHML}<annotation encoding="application/x-tex">{\\displaystyle x^{2}}</annotation></semantics></math></span><img src="/media/math/render/svg/1" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle x^{2}}"></span> b`,
    'a x^{2} b',
  ],
  [
    'a picture of a formula',
    'a <img class="latex" src=x alt="\\frac{1}{2}"> b',
    'a \\frac{1}{2} b',
  ],
  ['a picture from a service', 'a <img src="//latex.codecogs.com/gif?x" alt="x^2"> b', 'a x^2 b'],
  ['any other picture', 'a <img class="photo" src=x alt="x^2"> b', 'a b'],
]

for (const [name, html, text] of FORMS) {
  test(`a formula is in the text once: ${name}`, () => assert.equal(textOf(html), text))
}

const WRITTEN: readonly (readonly [mathml: string, text: string])[] = [
  ['<mi>a</mi><mo>+</mo><mi>b</mi><mo>=</mo><mn>12</mn>', 'a+b=12'],
  ['<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>', '(a+b)/c'],
  ['<msub><mi>x</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>', 'x_{ij}'],
  ['<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>i</mi>', '∑_i^ni'],
  ['<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>', '√(x+1)'],
  ['<mroot><mi>x</mi><mn>3</mn></mroot>', '\\sqrt[3]{x}'],
  ['<mover><mi>v</mi><mo>→</mo></mover>', '\\vec{v}'],
  ['<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>', 'sin x'],
  [
    '<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd>3</mtd></mtr></mtable>',
    '1, 2; 3',
  ],
  ['<mi>sin</mi><mi>x</mi><mi>y</mi><mi>z</mi><mi>cos</mi><mi>z</mi>', 'sin xyz cos z'],
  ['<msup><mrow/><mn>14</mn></msup><mi>C</mi>', '^{14}C'],
  ['<msubsup><mi>x</mi><none/><mn>2</mn></msubsup>', 'x_{}^2'],
  ['<mn>1</mn><mphantom><mn>2</mn></mphantom><mn>3', '13'],
]

for (const [mathml, text] of WRITTEN) {
  test(`MathML reads from left to right: ${text}`, () => {
    assert.equal(textOf(`<math>${mathml}</math>`), text)
  })
}

test('text swallowed by an unclosed formula is still text', () => {
  assert.equal(textOf('a<math><mi>x<p>b'), 'ax\nb')
  assert.equal(textOf('a<math><mtext><div>b</div>c'), 'a\nb\nc')
  assert.equal(textOf('a<math><mi>x'), 'ax')
})

test('a script longer than any formula is not a formula', () => {
  const script = (mathml: string): string => `a <script type="math/mml">${mathml}</script>b`
  assert.equal(textOf(script('<mi>x</mi>'.repeat(2000))), `a ${'x'.repeat(2000)}b`)
  assert.equal(textOf(script('<mi>x</mi>'.repeat(30_000))), 'a b')
})

test('a hidden formula is not shown', () => {
  assert.equal(textOf(`a<div class=menu hidden>${ANNOTATED}</div>b`), 'a\nb')
  assert.equal(textOf('a<div class=menu hidden><script type="math/tex">x</script></div>b'), 'a\nb')
})

test('a script of a formula is not a script of the page', () => {
  const html = '<script type="math/tex">{"@type": "x"}</script>'
  assert.equal(textOf(html), '{"@type": "x"}')
})
