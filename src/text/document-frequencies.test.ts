import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DocumentFrequencies } from './document-frequencies.ts'
import { TermTable } from './term-table.ts'

function document(...ids: readonly number[]): TermTable {
  const table = new TermTable()
  for (const id of ids) table.add(id, 3)
  return table
}

test('a rare term tells more than a common one, and one that all have tells 1', () => {
  const frequencies = new DocumentFrequencies()
  frequencies.learn(document(1, 2))
  frequencies.learn(document(1, 3))
  assert.equal(frequencies.documents, 2)
  assert.equal(frequencies.count(1), 2)
  assert.equal(frequencies.idf(1), 1)
  assert.ok(frequencies.idf(2) > frequencies.idf(1))
  assert.ok(frequencies.idf(99) > frequencies.idf(2))
})

test('before anything is learned every term is worth the same', () => {
  assert.equal(new DocumentFrequencies().idf(5), 1)
})

test('memory is bounded, and what is common survives', () => {
  const frequencies = new DocumentFrequencies(1000)
  for (let round = 0; round < 2000; round++) {
    frequencies.learn(document(7, ...Array.from({ length: 20 }, (_, at) => 100 + round * 20 + at)))
    assert.ok(frequencies.terms <= 1000)
  }
  assert.equal(frequencies.count(7), 2000)
  assert.ok(frequencies.idf(7) < frequencies.idf(100))
  assert.ok(Number.isFinite(frequencies.idf(100)))
})

test('one document with more terms than the limit is no trouble', () => {
  const frequencies = new DocumentFrequencies(10)
  frequencies.learn(document(...Array.from({ length: 50 }, (_, at) => at + 1)))
  assert.ok(frequencies.terms <= 10)
})

test('what two learned apart is what one learns from both', () => {
  const [left, right, both] = [0, 1, 2].map(() => new DocumentFrequencies())
  left!.learn(document(1, 2))
  right!.learn(document(2, -3))
  both!.learn(document(1, 2))
  both!.learn(document(2, -3))
  left!.merge(right!)
  assert.deepEqual(left!.toRecord(), both!.toRecord())
})

test('a record through JSON gives the same frequencies', () => {
  const frequencies = new DocumentFrequencies()
  for (let round = 1; round < 50; round++) frequencies.learn(document(1, -round, round << 20))
  const record: unknown = JSON.parse(JSON.stringify(frequencies.toRecord()))
  const back = DocumentFrequencies.fromRecord(record)
  assert.deepEqual(back.toRecord(), frequencies.toRecord())
  assert.equal(back.idf(-3), frequencies.idf(-3))
})

test('a damaged record is refused with its place', () => {
  const frequencies = new DocumentFrequencies()
  frequencies.learn(document(1, 2))
  const good = frequencies.toRecord()
  const cases: readonly unknown[] = [
    null,
    'text',
    {},
    { ...good, documents: -1 },
    { ...good, documents: 1.5 },
    { ...good, documents: 0 },
    { ...good, floor: '1' },
    { ...good, ids: 7 },
    { ...good, ids: good.ids.slice(0, 6) },
    { ...good, counts: '' },
    { ...good, ids: Buffer.alloc(8).toString('base64') },
  ]
  for (const damaged of cases) {
    const decode = () => DocumentFrequencies.fromRecord(damaged, 'topic.json')
    assert.throws(decode, { name: 'InvalidInput', at: 'topic.json' })
  }
})
