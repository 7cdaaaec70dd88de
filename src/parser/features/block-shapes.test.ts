import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WordTable } from '../content/hints.ts'
import { BlockRows } from '../content/outline-rows.ts'
import { PageMemory } from '../html/page-memory.ts'
import { BlockShapes, wordHash } from './block-shapes.ts'

/** One word with a negative score. */
const LEXICON = new WordTable([[wordHash('subscribe'), -8]])

/** Reads these blocks; also returns the number of words of the title. */
function read(texts: readonly string[], title = '', shapes = new BlockShapes(LEXICON)) {
  const blocks = new BlockRows(new PageMemory({ hasModule: false }))
  let at = 0
  for (const text of texts) {
    blocks.add(0, at, at + Buffer.byteLength(text))
    at += Buffer.byteLength(text)
  }
  return { shapes, titleWords: shapes.read(blocks, Buffer.from(texts.join('')), title) }
}

/** All counts of one block. */
function shapeOf(shapes: BlockShapes, row: number): Readonly<Record<string, number>> {
  const columns = Object.entries(shapes).filter(([, column]) => ArrayBuffer.isView(column))
  return Object.fromEntries(columns.map(([name, column]) => [name, column[row]]))
}

function only(text: string, title = ''): Readonly<Record<string, number>> {
  return shapeOf(read([text], title).shapes, 0)
}

test('words, sentences, digits and capitals are counted', () => {
  const { words, capitals, ends, digits, lines } = only('The boat, at 9.30, left. It sank!\nAh')
  assert.deepEqual(
    { words, capitals, ends, digits, lines },
    { words: 7, capitals: 3, ends: 2, digits: 3, lines: 1 },
  )
})

test('words of the lexicon are known in any case', () => {
  const { lexicon, known } = only('The SUBSCRIBE the them')
  assert.deepEqual({ lexicon, known }, { lexicon: -8, known: 1 })
})

test('words of the title are counted, and the title has each of its words once', () => {
  const title = 'Ice, ice – old harbour'
  assert.equal(read([''], title).titleWords, 3)
  assert.equal(only('the harbour of ICE', title).titled, 2)
  assert.equal(only('the harbour of ICE').titled, 0)
})

test('a title of any length leaves free slots in the table', () => {
  const title = Array.from({ length: 500 }, (_, at) => `w${'x'.repeat(at)}`).join(' ')
  assert.ok(read(['word'], title).titleWords <= 40)
  assert.equal(only('nothing of it', title).titled, 0)
})

test('equal texts have equal hashes, ignoring digits, and others have not', () => {
  const { shapes } = read(['Posts: 218', 'Posts: 7', 'Post: 218'])
  assert.equal(shapes.hash[0], shapes.hash[1])
  assert.notEqual(shapes.hash[0], shapes.hash[2])
})

test('the start of a long block is counted for all of it', () => {
  const { words = 0, ends = 0 } = only('Four words in here. '.repeat(100))
  assert.ok(Math.abs(words - 400) < 10, String(words))
  assert.ok(Math.abs(ends - 100) < 3, String(ends))
})

test('in scripts without spaces half of the characters count as words', () => {
  const { words = 0 } = only('港の古い製氷工場は三世代にわたって')
  assert.ok(words >= 5 && words <= 12, String(words))
})

test('longer and shorter pages before it change nothing', () => {
  const shapes = new BlockShapes(LEXICON)
  const page = ['The boat left. ', 'Subscribe']
  const alone = read(page, 'boat').shapes
  for (const before of [Array.from({ length: 3000 }, () => 'The Subscribe boat. 7'), []]) {
    read(before, 'subscribe', shapes)
    read(page, 'boat', shapes)
    for (const row of page.keys()) assert.deepEqual(shapeOf(shapes, row), shapeOf(alone, row))
  }
})
