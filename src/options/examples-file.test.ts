import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadOptions, Problems } from './bad-options.ts'
import { type Example, readExamples } from './examples-file.ts'

function read(file: string): { positive: string[]; negative: string[] } {
  const problems = new Problems()
  const { positive, negative } = readExamples(file, 'e.txt', problems)
  problems.throwIfAny()
  return { positive: positive.map(show), negative: negative.map(show) }
}

function show(example: Example): string {
  return example.kind === 'url' ? example.url : `${example.title}|${example.text}`
}

function problemsOf(file: string): readonly string[] {
  try {
    read(file)
  } catch (error) {
    if (error instanceof BadOptions) {
      return error.problems.map(({ at, message }) => `${at}: ${message}`)
    }
    throw error
  }
  return assert.fail('it was accepted')
}

test('plain lines are URLs or texts, on topic unless a minus stands before them', () => {
  const file = `\ufeff# mine\r
http://a.test/x\r
+ b.test/y

- http://c.test/
a text about something
- another one, about nothing.
-5 degrees are a text`
  assert.deepEqual(read(file), {
    positive: [
      'http://a.test/x',
      'https://b.test/y',
      '|a text about something',
      '|-5 degrees are a text',
    ],
    negative: ['http://c.test/', '|another one, about nothing.'],
  })
})

test('JSON lines carry a label in any of its spellings; without one they are on topic', () => {
  const labels = ['"positive"', '"NEG"', 'true', 'false', '1', '0', '"1"', '"false"']
  const lines = labels.map((label, at) => `{"url": "http://a.test/${at}", "label": ${label}}`)
  const { positive, negative } = read([...lines, '{"text": "t", "title": "T"}'].join('\n'))
  assert.deepEqual(positive, ['0', '2', '4', '6'].map((n) => `http://a.test/${n}`).concat('T|t'))
  assert.deepEqual(
    negative,
    ['1', '3', '5', '7'].map((n) => `http://a.test/${n}`),
  )
})

test('one JSON object has both sides, under either name', () => {
  const both = { positive: ['http://a.test/', { text: 'words' }], negative: [{ title: 'T' }] }
  const expected = { positive: ['http://a.test/', '|words'], negative: ['T|'] }
  assert.deepEqual(read(JSON.stringify(both, null, 2)), expected)
  const { positive: examples_pos, negative: examples_neg } = both
  assert.deepEqual(read(JSON.stringify({ id: 'x', examples_pos, examples_neg })), expected)
})

test('an array of labelled entries is read like their lines', () => {
  const entries = [{ url: 'http://a.test/' }, { text: 'no', label: 'negative' }, 'http://b.test/']
  assert.deepEqual(read(JSON.stringify(entries)), {
    positive: ['http://a.test/', 'http://b.test/'],
    negative: ['|no'],
  })
})

test('a single JSON line is one example', () => {
  assert.deepEqual(read('{"url": "http://a.test/"}').positive, ['http://a.test/'])
})

test('a text that comes with its address is not fetched', () => {
  assert.deepEqual(read('{"url": "http://a.test/", "text": "words"}').positive, ['|words'])
})

test('what is there twice counts once', () => {
  assert.deepEqual(read('http://a.test\nhttp://a.test/\nx y\nx y').positive, [
    'http://a.test/',
    '|x y',
  ])
})

test('a word without a dot, and a sentence without spaces, are texts', () => {
  assert.deepEqual(read('tenis\n今日は天気がいいです。散歩に行きます。\nstop.').positive, [
    '|tenis',
    '|今日は天気がいいです。散歩に行きます。',
    '|stop.',
  ])
})

const WRONG: readonly (readonly [file: string, says: RegExp])[] = [
  ['', /^--examples: e.txt has no example of what the crawl is about/],
  ['- http://a.test/', /has no example of what/],
  ['a b\nhttp://[', /^--examples: e.txt line 2: "http:\/\/\[" is not an http/],
  ['{"text": "x"}\n{"text": ', /e.txt line 2: is not valid JSON/],
  ['{\n"positive": ["x y",\n}', /^--examples: e.txt: is not valid JSON: /],
  ['{"text": "x", "label": "maybe"}', /line 1: needs a label/],
  ['{"label": true}', /line 1: needs a url or a text/],
  ['{"url": 5}', /line 1: needs url, text and title to be texts/],
  ['{"url": "mailto:x"}', /line 1: "mailto:x" is not an http/],
  ['{"positive": "http://a.test/"}', /"positive": needs an array/],
  ['{"positive": ["x y", 7]}', /positive\[1\]: needs a URL or a text, not 7/],
  ['{"positive": ["x y"], "negative": ["x y"]}', /negative\[0\]: .*on topic and off topic/],
]

test('what is wrong is named with its place', () => {
  for (const [file, says] of WRONG) assert.match(problemsOf(file).join('\n'), says, file)
})

test('of many wrong lines the first few are shown, and how many more there are', () => {
  const file = `{"text": "x"}\n${Array.from({ length: 9 }, () => '{"x"').join('\n')}`
  const problems = problemsOf(file)
  assert.equal(problems.length, 6)
  assert.equal(problems.at(-1), '--examples: e.txt: 4 more entries are wrong')
})

test('hostile bytes give problems, not an exception', () => {
  const odd = ['[', '{', '[[[', 'null', '[null]', '{"positive": null}', '\u0000', '"x"', '{}']
  for (const file of odd) {
    assert.doesNotThrow(() => readExamples(file, 'e.txt', new Problems()), file)
  }
})
