import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkContext } from './anchor-reader.ts'
import { TextPieces } from './text-pieces.ts'

/** The context of the text in brackets. */
function around(marked: string): string {
  const from = Buffer.byteLength(marked.slice(0, marked.indexOf('[')))
  const to = Buffer.byteLength(marked.slice(0, marked.indexOf(']'))) - 1
  const text = new TextPieces(Buffer.from(marked.replace('[', '').replace(']', '')))
  return linkContext(text, from, to)
}

const CONTEXTS: readonly (readonly [name: string, marked: string, context: string])[] = [
  ['words on both sides', 'See the [manual] for more.', 'See the … for more.'],
  ['words before', 'See the [manual].', 'See the …'],
  ['words behind', '[Home] sweet home', '… sweet home'],
  ['a block of its own', 'above\n[alone]\nbelow', ''],
  ['the only text', '[alone]', ''],
  ['its block only', 'above\nin the [same] block\nbelow', 'in the … block'],
  ['a blank that became a line end', 'above [alone\n]below', 'above …'],
  ['a picture before words', 'above\n[]below', ''],
  ['a picture among words', 'See [] here', 'See … here'],
  ['only signs', '» [next] |', ''],
  ['a cell beside it', 'price\x1f[tea]\x1f2', 'price … 2'],
  ['other scripts', 'lihat [日本] 語の本', 'lihat … 語の本'],
]

for (const [name, marked, context] of CONTEXTS) {
  test(`the context of a link: ${name}`, () => assert.equal(around(marked), context))
}

test('the context of a link is cut at words, at most a hundred characters on each side', () => {
  const context = around(`${'word '.repeat(50)}[link]${' more'.repeat(50)}`)
  assert.equal(context, `${'word '.repeat(20)}… ${'more '.repeat(20).trim()}`)
})

test('text without spaces is cut between two characters', () => {
  const context = around(`${'語'.repeat(500)}[link]${'\u{20000}'.repeat(500)}`)
  assert.equal(context, `${'語'.repeat(100)} … ${'\u{20000}'.repeat(100)}`)
})
