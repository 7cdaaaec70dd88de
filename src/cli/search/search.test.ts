import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSearch } from './search.ts'

const around = { cwd: '/nowhere', env: {}, cores: 2 }
const parsed = (...argv: string[]) => parseSearch(argv, around)

test('all words that are no flags are the query, those with one dash too', () => {
  assert.equal(parsed('green', 'tea').query, 'green tea')
  assert.equal(
    parsed('tea', '-sugar', '--limit', '3', '-"iced tea"').query,
    'tea -sugar -"iced tea"',
  )
  assert.equal(parsed('--', '--limit', '-3').query, '--limit -3')
  assert.equal(parsed('-').query, '-')
  assert.equal(parsed('😀', '"', '*').query, '😀 " *')
  assert.equal(parsed('x'.repeat(10_000)).query.length, 10_000)
})

test('what is not asked for is absent, but for the limit and the place', () => {
  const { dataDir, ...rest } = parsed('tea')
  assert.equal(dataDir, '/nowhere/jelajah-data')
  assert.deepEqual(rest, { query: 'tea', limit: 10, offset: 0 })
})

test('every option is read', () => {
  const line =
    'tea --columns title,content --crawl crawl_3 --host A.test --language id --kind article ' +
    '--topic drinks --hot --since 7d --limit 5 --offset 10 --all --exact --rank-weight 0.5 --json'
  const { dataDir: _, ...rest } = parsed(...line.split(' '))
  assert.deepEqual(rest, {
    ...{ query: 'tea', columns: ['title', 'text'], crawl: 'crawl_3', host: 'a.test' },
    ...{ language: 'id', kind: 'article', topic: 'drinks', hot: true, since: '7d' },
    ...{ limit: 5, offset: 10, all: true, exact: true, rankWeight: 0.5, json: true },
  })
})

test('mistakes are reported together, with what would be right', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /give what to look for/],
    [' ', /give what to look for/],
    ['--json', /give what to look for/],
    ['--saved', /^--saved: needs a value: --saved NAME$/],
    ['tea --columns body', /title, description, keywords, content/],
    ['tea --kind poem', /article, thread/],
    ['tea --since soon', /2026-11-01/],
    ['tea --limit 0 --offset x', /--limit[\s\S]*--offset/],
    ['tea --limt 3', /--limit/],
    ['tea --rank-weight -1', /--rank-weight/],
  ]
  for (const [line, says] of cases) {
    assert.throws(() => parsed(...line.split(' ').filter(Boolean)), { message: says }, line)
  }
})
