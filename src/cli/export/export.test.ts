import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { EXPORTERS } from '../../export/index.ts'
import { parseExport } from './export.ts'

const cwd = mkdtempSync(join(tmpdir(), 'jelajah-export-command-'))
after(() => rmSync(cwd, { recursive: true }))

function parse(...argv: readonly string[]) {
  return parseExport(argv, { cwd, env: {}, cores: 1 })
}

/** What is said about a command that is wrong. */
function refusal(...argv: readonly string[]): string {
  try {
    parse(...argv)
  } catch (error) {
    assert.ok(error instanceof Error)
    return error.message
  }
  return assert.fail(`accepted: ${argv.join(' ')}`)
}

test('a format and a place are enough', () => {
  const command = parse('--format', 'ndjson', '--out', 'pages.ndjson')
  assert.equal(command.exporter.name, 'ndjson')
  assert.equal(command.out, join(cwd, 'pages.ndjson'))
  assert.equal(command.dataDir, join(cwd, 'jelajah-data'))
  assert.deepEqual(command.choices, {
    ...{ what: 'pages', per: 'page', ids: false, outside: false, gzip: false },
    ...{ formulaGuard: true, duplicates: false },
  })
  assert.equal(parse('--format', 'csv', '--out', '-').out, null)
})

test('without a format the end of the name says it', () => {
  const named = (out: string) => parse('--out', out).exporter.name
  assert.deepEqual(['p.ndjson', 'p.jsonl.gz', 'P.CSV', 'p.parquet', 'l.tsv.gz'].map(named), [
    ...['ndjson', 'ndjson', 'csv', 'parquet', 'edges'],
  ])
  assert.equal(parse('--out', 'p.csv', '--format', 'ndjson').exporter.name, 'ndjson')
  for (const out of ['p.pdf', 'csv', '.csv', '-', 'p.parquet.gz']) {
    assert.match(refusal('--out', out), /^--format: say which: /)
  }
})

test('what follows a flag that does not exist is not called a word too many', () => {
  const message = refusal('--format', 'csv', '--out', 'x', '--columns', 'url,title')
  assert.equal(message, '--columns: there is no such flag')
})

test('every filter is understood', () => {
  const { filter } = parse(
    ...['--format', 'csv', '--out', 'x', '--crawl', 'all', '--host', 'A.test', '--language', 'id'],
    ...['--kind', 'article', '--hot', '--since', '7d', '--min-relevance', '0.5', '--topic', 'tea'],
    ...['--query', 'hot "green tea" -coffee', '--limit', '10'],
  )
  assert.deepEqual(filter, {
    ...{ crawl: 'all', host: 'a.test', language: 'id', kind: 'article', hot: true, since: '7d' },
    ...{ minRelevance: 0.5, topic: 'tea', query: 'hot "green tea" -coffee', limit: 10 },
  })
})

test('a name that ends with gz is one of a compressed file, where that can be', () => {
  assert.equal(parse('--format', 'csv', '--out', 'x.csv.gz').choices.gzip, true)
  assert.equal(parse('--format', 'csv', '--out', 'x.csv.gz', '--no-gzip').choices.gzip, false)
  assert.equal(parse('--format', 'csv', '--what', 'all', '--out', 'x.gz').choices.gzip, false)
})

test('what is missing or unknown is said with what there is, all at once', () => {
  const names = EXPORTERS.map(({ name }) => name).join(', ')
  const message = refusal('--what', 'everything')
  assert.ok(message.includes(`--format: say which: ${names}`), message)
  assert.match(message, /--out: say where it goes/)
  assert.match(message, /--what: needs one of pages, links, images.*, not "everything"/)
  assert.ok(refusal('--format', 'xml', '--out', 'x').includes(`needs one of ${names}, not "xml"`))
  assert.match(refusal('--format', 'csv', '--out', 'x', '--kind', 'q'), /needs one of article/)
  assert.match(refusal('--format', 'csv', '--out', 'x', '--since', 'then'), /such as 7d/)
  assert.match(refusal('--format', 'csv', '--out', 'x', 'more'), /one word too many/)
})

test('options that would change nothing are refused', () => {
  const out = ['--out', 'x']
  assert.match(
    refusal('--format', 'csv', ...out, '--ids'),
    /--ids: means nothing to --format csv; it is for edges$/,
  )
  assert.match(refusal('--format', 'edges', ...out, '--min-words', '3'), /means nothing to/)
  assert.match(refusal('--format', 'ndjson', ...out, '--no-formula-guard'), /means nothing to/)
  assert.match(refusal('--format', 'text', ...out, '--what', 'links'), /text writes pages, not/)
  assert.match(refusal('--format', 'edges', ...out, '--ids', '--outside'), /leave out --ids/)
})
