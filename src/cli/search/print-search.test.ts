import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COLOURED, PLAIN } from '../style.ts'
import { type PrintedHit, type PrintedResult, searchText } from './print-search.ts'

const HIT: PrintedHit = {
  url: 'http://a.test/tea',
  title: 'Green tea',
  snippet: 'There is tea here.',
  title_marks: [[6, 9]],
  snippet_marks: [[9, 12]],
  others: 0,
  language: 'en',
  kind: 'article',
  hot: false,
  crawl: 'crawl_1',
  fetched_at: Date.UTC(2026, 10, 1),
}
const NO_FACETS = { hosts: [], languages: [], kinds: [], crawls: [], topics: [] }

function printed(changes: Partial<PrintedResult>, style = PLAIN, offset = 0, width = 80): string {
  const hits = changes.hits ?? [HIT]
  const pages = changes.pages ?? hits.length
  const result = { total: hits.length, pages, whole: pages, suggestion: null, facets: NO_FACETS }
  return searchText({ ...result, hits, ...changes }, { style, width, offset })
}

test('a hit is its title, its address, why it was found and what it is', () => {
  assert.equal(
    printed({ hits: [{ ...HIT, others: 2, hot: true }], pages: 3 }),
    [
      '  1 Green tea',
      '    http://a.test/tea',
      '    There is tea here.',
      '    en · article · hot · 2026-11-01 · crawl_1 · 2 similar pages',
      '',
      '1 hit (3 pages with similar ones; --all)',
      '',
    ].join('\n'),
  )
})

test('matches stand out where there are colours', () => {
  assert.ok(printed({}, COLOURED).includes('There is \x1b[1mtea\x1b[22m here.'))
})

test('how many there are, which are shown, and how to see more', () => {
  const hits = Array.from({ length: 10 }, () => HIT)
  assert.match(printed({ hits, total: 1234 }), /1,234 hits; 1–10 shown, --offset 10 for more\n$/)
  assert.match(printed({ hits, total: 20 }, PLAIN, 10), / 11 Green[\s\S]*20 hits; 11–20 shown\n$/)
  assert.match(printed({ hits: [], total: 3 }, PLAIN, 50), /3 hits; none from here on\n$/)
  assert.equal(printed({ hits: [], total: 0 }), 'nothing found\n')
  const suggestion = 'green tea'
  assert.match(printed({ hits: [], total: 0, suggestion }), /did you mean: green tea\n$/)
})

test('it is told where pages do not have all words', () => {
  const hits = [HIT, HIT, HIT]
  assert.match(printed({ hits, whole: 1 }), /\n3 hits, 1 with all words\n$/)
  assert.match(printed({ hits, whole: 0 }), /\n3 hits, none with all words\n$/)
})

test('that no page has all words is told before the hits', () => {
  assert.match(printed({ whole: 0 }), /^no page has all these words.*\n\n {2}1 Green tea\n/)
  assert.match(printed({ hits: [HIT, HIT], whole: 1 }), /^ {2}1 Green tea\n/)
  assert.equal(printed({ hits: [], total: 0, whole: 0 }), 'nothing found\n')
})

test('facets with more than one value have a line each', () => {
  const counts = (names: readonly string[]) => names.map((value) => ({ value, count: 1200 }))
  const hosts = counts(['a.test', 'b.test', 'c.test', 'd.test', 'e.test', 'f.test'])
  const text = printed(
    { facets: { ...NO_FACETS, hosts, kinds: counts(['article']) } },
    PLAIN,
    0,
    90,
  )
  assert.match(text, /hosts: {5}a\.test 1,200, b\.test 1,200, .*e\.test 1,200, …\n/)
  assert.doesNotMatch(text, /kinds/)
})

test('nothing that the web said reaches the terminal as an order', () => {
  const evil = '\x1b[31mred\x1b]0;title\x07 \u202egnp.exe\u2066 a\rb\nc \x9b2J \0\ud800 \u0008'
  const hostile = { ...HIT, title: evil, snippet: evil, url: `http://a.test/${evil}` }
  const marks = { title_marks: [[1, 4]], snippet_marks: [[0, 2]] }
  const facts = { language: evil, kind: evil, crawl: evil }
  const values = [evil, 'x'].map((value) => ({ value, count: 1 }))
  const text = printed({
    hits: [{ ...hostile, ...marks, ...facts }],
    suggestion: evil,
    facets: { ...NO_FACETS, hosts: values, topics: values },
  })
  assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/)
  assert.ok(text.isWellFormed())
})

test('long words and wide characters stay within the lines', () => {
  const long = { ...HIT, title: '', snippet: `${'x'.repeat(500)} ${'字'.repeat(300)} end` }
  const lines = printed({ hits: [{ ...long, title_marks: [], snippet_marks: [] }] }, PLAIN, 0, 60)
  assert.match(lines, /\(no title\)/)
  for (const line of lines.split('\n')) assert.ok(line.length <= 64, line)
})
