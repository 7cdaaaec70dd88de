import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Piece } from './markdown-units.ts'
import { WrittenFormulas } from './written-formulas.ts'

const piece = (text: string): Piece => ({ text, marks: 0, href: '', src: '', cell: 0 })
const formulasIn = (text: string): readonly Piece[] =>
  new WrittenFormulas(Buffer.from('')).of([piece(text)])

/** Characters that regular expressions looked at meanwhile. */
function searched(t: TestContext, run: () => void): number {
  let total = 0
  const { exec } = RegExp.prototype
  const spy = t.mock.method(RegExp.prototype, 'exec', function (this: RegExp, text: string) {
    const from = this.lastIndex
    const found = exec.call(this, text)
    total += (found === null ? text.length : found.index) - from
    return found
  })
  run()
  spy.mock.restore()
  return total
}

test('openings that share a closing are searched once, not once each', (t) => {
  for (const inner of ['text ', 'text   '.padEnd(4000), '']) {
    const text = `${'\\('.repeat(2000)}${inner}\\)`
    const work = searched(t, () => assert.equal(formulasIn(text).length, 1))
    assert.ok(work < 4 * text.length, `${work} characters for ${text.length}`)
  }
})

test('TeX counts only between the opening and its closing', () => {
  assert.equal(formulasIn('\\(not\\) but x_1').length, 1)
  assert.equal(formulasIn('x_1 \\(not\\)').length, 1)
  assert.deepEqual(
    formulasIn('\\(not\\) and \\(x_1\\)').map(({ text }) => text),
    ['\\(not\\) and ', 'x_1'],
  )
})
