import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import { addTables } from './choose-blocks.ts'

function taken(html: string, before: readonly number[], probability = 0.05): number[] {
  const { outline } = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const chosen = Uint8Array.from(before)
  assert.equal(outline.blocks.count, before.length)
  const column = (value: number) => new Float32Array(before.length).fill(value)
  const choice = {
    probabilities: column(probability),
    words: column(9),
    count: before.length,
    chosen,
  }
  addTables(choice, outline)
  return [...chosen]
}

const PAGE =
  '<nav><dl><dt>menu</dl></nav><main><p>a<p>b<table><tr><td>c</table><p>d<pre>e</pre></main>'

test('tables and code beside the chosen text are taken in, those elsewhere are not', () => {
  assert.deepEqual(taken(PAGE, [0, 1, 1, 0, 0, 0]), [0, 1, 1, 1, 0, 1])
})

test('what is as good as surely noise stays out', () => {
  assert.deepEqual(taken(PAGE, [0, 1, 1, 0, 0, 0], 0.01), [0, 1, 1, 0, 0, 0])
})
