import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { InvalidInput } from '../core/errors.ts'
import { readTexts, readTrainingTexts } from './labelled-texts.ts'

const stream = (...lines: (string | Uint8Array)[]) =>
  Readable.from([Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))])

const training = (...lines: (string | Uint8Array)[]) => readTrainingTexts(stream(...lines), 'x')

test('texts are read with their labels, whatever kind of value a label is', async () => {
  const texts = await training(
    '\ufeff{"text":"one","label":"a"}',
    '',
    '  ',
    '{"label":7,"text":"two","other":[1]}',
    '{"label":" a ","content":"three"}',
    '{"label":7,"content_text":"four","title":"Four"}\r',
  )
  assert.deepEqual(texts, [
    { text: 'one', label: 'a' },
    { text: 'two', label: '7' },
    { text: 'three', label: 'a' },
    { text: 'Four\nfour', label: '7' },
  ])
})

test('bad lines are reported with their numbers, the first few at once', async () => {
  const good = '{"text":"t","label":"a"}'
  const lines = [good, '{"text":', '[1]', good, '{"label":"a"}', '{"text":" ","label":"a"}']
  const more = ['{"text":"t"}', '{"text":"t","label":{}}', Buffer.from([0xff, 0xfe, 0x22])]
  await assert.rejects(training(...lines, ...more), (error) => {
    assert.ok(error instanceof InvalidInput)
    assert.deepEqual(error.message.split('\n'), [
      'line 2 is not JSON',
      'line 3 is not a JSON object with "text" and "label"',
      'line 5 has no "text"',
      'line 6 has an empty text',
      'line 7 has no label',
      'and 2 more such lines',
    ])
    return true
  })
})

test('texts that nothing can be learned from are refused with the reason', async () => {
  const many = Array.from({ length: 1200 }, (_, n) => `{"text":"t","label":${n >> 1}}`)
  const cases: [lines: string[], says: RegExp][] = [
    [[], /holds no texts/],
    [['{"text":"t","label":"a"}', '{"text":"u","label":"a"}'], /all 2 texts are labelled "a"/],
    [
      ['{"text":"t","label":"a"}', '{"text":"t","label":"b"}', '{"text":"t","label":"b"}'],
      /at least two texts; only one has "a"/,
    ],
    [many, /has 600 labels; more than 500/],
  ]
  for (const [lines, says] of cases) {
    await assert.rejects(training(...lines), (error) => {
      return error instanceof InvalidInput && says.test(error.message)
    })
  }
})

test('texts without a label are fine where none is needed', async () => {
  const lines: unknown[] = []
  for await (const line of readTexts(stream('{"text":"t"}', 'x'), 'x')) lines.push(line)
  assert.deepEqual(lines, [
    { line: 1, text: 't', label: '' },
    { line: 2, problem: 'is not JSON' },
  ])
})

test('a text longer than any page is cut, and a line without end is refused', async () => {
  const long = JSON.stringify({ text: 'x'.repeat(1_000_000), label: 'a' })
  for await (const line of readTexts(stream(long), 'x')) {
    assert.equal(line.problem === undefined && line.text.length, 200_000)
  }
  const endless = Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(1 << 20, 'x')))
  for await (const line of readTexts(endless, 'x')) assert.match(line.problem ?? '', /longer than/)
})

test('a stream that breaks is bad input, not a crash', async () => {
  const broken = new Readable({
    read() {
      this.destroy(Object.assign(new Error('gone'), { code: 'EIO' }))
    },
  })
  await assert.rejects(readTrainingTexts(broken, 'x.jsonl'), (error) => {
    return error instanceof InvalidInput && error.at === 'x.jsonl' && /EIO/.test(error.message)
  })
})
