// Reads exports back with other programs and compares them with the store.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { sample } from '../../test/contract/sample-page.ts'
import { ExportFixture, filesIn } from '../../test/support/export-fixture.ts'
import { openSqlitePageReader } from '../../test/support/stores.ts'
import { pageJson } from '../cli/pages.ts'
import { PARTS, STORED_PARTS } from '../core/page.ts'
import type { WholePage } from '../store/page-reader.ts'
import { csv } from './csv.ts'
import { edges } from './edges.ts'
import { jsonLine, ndjson } from './ndjson.ts'
import { textCorpus } from './text-corpus.ts'

/** Texts that break some reader, or have an effect when they are read. */
const HOSTILE = [
  "=cmd|' /C calc'!A0",
  '+1',
  '-1',
  '@x',
  '\t=1',
  ' =1',
  '\uff1d1',
  'a "quoted", text\r\nof three\rlines\n',
  '"',
  '""',
  ',',
  "'",
  ';',
  '\\',
  '\\N',
  'NULL',
  '\\ud800 as text',
  'right \u202eto left',
  '\u2028\u2029',
  '\ufeffBOM',
  '\ud800 half',
  '\x1b[31m',
  'a\fb\vc',
  '</script><img onerror=x>',
  '{{7*7}}',
  '\u{1f600}',
  'e\u0301',
  '',
  ' ',
]

/** Cheaper than a checkpoint after every page. */
const noteEvery = { pages: 1000, bytes: 1e6 }

const fixture = new ExportFixture()
let stored: readonly WholePage[] = []
after(() => fixture[Symbol.asyncDispose]())

before(async () => {
  const rows = JSON.stringify(HOSTILE.map((text, nth) => [`http://a.test/${nth}`, text, '', text]))
  const parts = {
    links: rows,
    images: `[["http://a.test/i.png","=alt",-3,7]]`,
    tables: JSON.stringify([{ caption: '=x', headers: HOSTILE, rows: [HOSTILE] }]),
    lists: `[["ul",0,true,["-1","\\u0000 and \\ud83d"]]]`,
    scripts: `[[null,"application/ld+json",null,12,"{\\"a\\":1}"]]`,
  }
  await fixture.save([
    ...HOSTILE.map((text, nth) =>
      sample(
        `a.test/${nth}`,
        {
          ...{ title: text, description: text, contentText: text, author: text, keywords: text },
          ...{ language: ['en', 'id-ID', 'x-none'][nth % 3] ?? '', relevance: nth / 64 },
          about: JSON.stringify({ said: text }),
        },
        { parts },
      ),
    ),
    sample('a.test/again', { contentHash: 'hash of a.test/0' }, { parts }),
    sample('a.test/hidden', { noindex: true, contentText: '' }, { parts }),
  ])
  await using whole = await openSqlitePageReader(fixture.path)
  const range = { filter: {}, after: 0, upTo: Number.MAX_SAFE_INTEGER }
  stored = await whole.wholePages(range, { parts: PARTS }, 1000)
  assert.equal(stored.length, HOSTILE.length)
})

const PYTHON_JSON = `
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1], encoding='utf-8').read().splitlines()]
json.dump(rows, sys.stdout)
`

function python(script: string, ...args: string[]): string {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', script, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  assert.equal(status, 0, stderr)
  return stdout
}

test('JSON lines are read by Python: every page whole, with the names and values of pages --json', async () => {
  const [out, { pages }] = await fixture.run(ndjson, { noteEvery, name: 'whole.ndjson' })
  const read: readonly Record<string, unknown>[] = JSON.parse(python(PYTHON_JSON, out))
  assert.equal(pages, stored.length)
  assert.equal(read.length, stored.length)
  for (const [nth, page] of stored.entries()) {
    const { parts, html: _, ...fields } = page
    const {
      _id,
      links,
      images,
      tables,
      lists,
      scripts,
      raw_title: raw,
      ...columns
    } = read[nth] ?? {}
    assert.equal(_id, page.id)
    const about = { said: HOSTILE[nth]?.toWellFormed() }
    assert.equal(raw, '')
    assert.deepEqual(columns, { ...JSON.parse(pageJson(fields)), about })
    const rows = links as readonly Record<string, unknown>[]
    assert.deepEqual(
      rows.map(({ anchor }) => anchor),
      HOSTILE.map((text) => text.toWellFormed()),
    )
    assert.deepEqual(images, [
      { src: 'http://a.test/i.png', alt: '=alt', width: -3, height: 7, best: null },
    ])
    assert.deepEqual(
      [tables, scripts].map((some) => (some as unknown[]).length),
      [1, 1],
    )
    assert.deepEqual((lists as { entries: string[] }[])[0]?.entries, ['-1', ' and \ufffd'])
    assert.ok(parts.links)
  }
})

test('a half of a character becomes one that says so, and text that looks like one stays', () => {
  assert.equal(
    jsonLine({ a: '\ud800', b: '\\ud800', c: '\u{1f600}\udc00' }),
    '{"a":"\ufffd","b":"\\\\ud800","c":"\u{1f600}\ufffd"}\n',
  )
})

test('a file of each part says to which page its rows belong', async () => {
  const [out, { counts }] = await fixture.run(ndjson, {
    noteEvery,
    name: 'parts',
    choices: { what: 'all' },
  })
  const files = await filesIn(out)
  const names = ['pages', ...STORED_PARTS].map((name) => `${name}.ndjson`)
  assert.deepEqual([...files.keys()].sort(), [...names, 'export.json'].sort())
  const linesOf = (name: string) => {
    const text = files.get(`${name}.ndjson`)?.toString() ?? ''
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }
  assert.equal(counts.links, HOSTILE.length ** 2)
  assert.equal(linesOf('links').length, HOSTILE.length ** 2)
  const [, second] = linesOf('links')
  const page = { page_id: stored[0]?.id, page_url: 'http://a.test/0', position: 1 }
  const row = { url: 'http://a.test/1', anchor: '+1', rel: '', context: '+1' }
  assert.deepEqual(second, { ...page, ...row })
  assert.equal(linesOf('pages')[0].links, undefined)
  assert.equal(linesOf('forms').length, 0)
})

/** The Node driver drops byte order marks at the beginning of texts, so bytes are compared. */
function hex(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase()
}

test('CSV is read by DuckDB: rows, types and texts are those of the store, but for the guard', async () => {
  const [out] = await fixture.run(csv, {
    noteEvery,
    name: 'pages.csv',
    choices: { formulaGuard: false },
  })
  const [guarded] = await fixture.run(csv, { noteEvery, name: 'guarded.csv' })
  const [links] = await fixture.run(csv, {
    noteEvery,
    name: 'links.csv',
    choices: { what: 'links' },
  })
  const instance = await DuckDBInstance.create(':memory:')
  const duck = await instance.connect()
  const read = async (sql: string) => (await duck.runAndReadAll(sql)).getRowObjectsJson()
  try {
    // All columns as text where a sample of rows could mislead; no other hint about the file is given.
    const rows = await read(`
      SELECT id, hex(title) AS title, hex(content_text) AS text
      FROM read_csv('${out}', all_varchar = true, allow_quoted_nulls = false)`)
    const expectedRows = stored.map(({ id, title, contentText }) => {
      return { id: String(id), title: hex(title), text: hex(contentText) }
    })
    assert.deepEqual(rows, expectedRows)
    const [types] = await read(`
      SELECT typeof(id) AS id, typeof(fetched_at) AS time, typeof(html5) AS html5,
        typeof(relevance) AS relevance FROM read_csv('${out}') LIMIT 1`)
    const expected = {
      id: 'BIGINT',
      time: 'TIMESTAMP WITH TIME ZONE',
      html5: 'BOOLEAN',
      relevance: 'DOUBLE',
    }
    assert.deepEqual(types, expected)
    const [first] = await read(`SELECT title, description FROM read_csv('${guarded}') LIMIT 1`)
    assert.deepEqual(first, { title: `'${HOSTILE[0]}`, description: `'${HOSTILE[0]}` })
    const computed = await read(`
      SELECT title FROM read_csv('${guarded}', all_varchar = true)
      WHERE regexp_matches(title, '^[\\s"]*[=+@\\-＝]')`)
    assert.deepEqual(computed, [])
    const [{ n, anchors } = {}] = await read(`
      SELECT count(*) AS n, count(DISTINCT page_id) AS anchors FROM read_csv('${links}')`)
    assert.deepEqual([Number(n), Number(anchors)], [HOSTILE.length ** 2, HOSTILE.length])
  } finally {
    duck.closeSync()
    instance.closeSync()
  }
})

test('texts of each page are in files that the index names', async () => {
  const [out] = await fixture.run(textCorpus, { noteEvery, name: 'texts' })
  const files = await filesIn(out)
  const [head, ...lines] = files.get('index.tsv')?.toString().trimEnd().split('\n') ?? []
  assert.equal(head, 'id\tfile\toffset\tbytes\twords\tlanguage\turl\ttitle')
  assert.equal(lines.length, stored.length)
  for (const [nth, line] of lines.entries()) {
    const [id, file = '', offset, bytes, , , url, title = ''] = line.split('\t')
    const page = stored[nth]
    assert.deepEqual([Number(id), url, Number(offset)], [page?.id, page?.url, 0])
    const text = files.get(file)
    assert.equal(text?.length, Number(bytes))
    const shown = page?.contentText.replace(/\r\n?/g, '\n').replace(/[\x1b\f\v]/g, '\ufffd')
    assert.equal(text?.toString().replace(/\n$/, ''), shown?.replace(/\n$/, ''))
    assert.doesNotMatch(title, /^[\s"']*[=+@-]/.test(title) ? /^[^']/ : /[\x00-\x1f]/)
  }
})

test('texts of a language are one file, each to be found by its place', async () => {
  const choices = { per: 'language', gzip: true } as const
  const [out] = await fixture.run(textCorpus, { noteEvery, name: 'languages', choices })
  const files = await filesIn(out)
  const names = ['en.txt.gz', 'export.json', 'id.txt.gz', 'index.tsv.gz', 'und.txt.gz']
  assert.deepEqual([...files.keys()], names)
  const textOf = (name: string) => gunzipSync(files.get(name) ?? '')
  const [, ...lines] = textOf('index.tsv.gz').toString().trimEnd().split('\n')
  for (const [nth, line] of lines.entries()) {
    const [, file = '', offset, bytes] = line.split('\t')
    const begin = Number(offset)
    const whole = textOf(file)
    const text = whole.subarray(begin, begin + Number(bytes)).toString()
    assert.equal(text.includes('\f'), false)
    assert.equal(
      whole
        .subarray(begin + Number(bytes))
        .toString()
        .startsWith('\f\n'),
      true,
    )
    assert.equal(text.length > 0, stored[nth]?.contentText !== '')
  }
  const texts = ['en', 'id', 'und'].map((name) => textOf(`${name}.txt.gz`).toString())
  assert.equal(texts.join('').split('\f\n').length - 1, stored.length)
})

const PYTHON_EDGES = `
import json, sys
edges = [tuple(line.rstrip('\\n').split('\\t')) for line in open(sys.argv[1], encoding='utf-8', newline='\\n')]
assert all(len(edge) == 2 for edge in edges), 'two columns'
assert len(set(edges)) == len(edges), 'each once'
out = {}
for source, target in edges: out.setdefault(source, []).append(target)
json.dump(out, sys.stdout)
`

test('an edge list is read by Python: the links between pages, each once, folded', async () => {
  await using web = new ExportFixture()
  const links = (...urls: readonly (string | readonly string[])[]) => ({
    parts: { links: JSON.stringify(urls.map((url) => (typeof url === 'string' ? [url] : url))) },
  })
  await web.save([
    sample('a.test/1', {}, links('http://a.test/2', 'http://a.test/2', 'http://a.test/1')),
    sample('a.test/2', {}, links('http://a.test/copy', 'http://b.test/out', 'http://a.test/no')),
    sample('a.test/3', {}, links(['http://a.test/1', 'x', 'nofollow'], 'http://a.test/2')),
    sample(
      'a.test/copy',
      { contentHash: 'hash of a.test/3' },
      links('http://a.test/1', 'http://a.test/2'),
    ),
    sample('a.test/no', { noindex: true }, links('http://a.test/1')),
  ])
  const a = (path: string) => `http://a.test/${path}`
  const [out, { counts }] = await web.run(edges, { noteEvery })
  const inside = { [a('1')]: [a('2')], [a('2')]: [a('3')], [a('3')]: [a('2')] }
  assert.deepEqual(JSON.parse(python(PYTHON_EDGES, out)), inside)
  assert.equal(counts.edges, 3)
  const [wide] = await web.run(edges, { noteEvery, name: 'wide', choices: { outside: true } })
  const outside = { ...inside, [a('2')]: [a('3'), 'http://b.test/out', a('no')] }
  assert.deepEqual(JSON.parse(python(PYTHON_EDGES, wide)), outside)
  const [folder] = await web.run(edges, { noteEvery, name: 'ids', choices: { ids: true } })
  const nodes = (await readFile(join(folder, 'nodes.tsv'), 'utf8')).trimEnd().split('\n')
  const urlOf = new Map(nodes.map((line) => line.split('\t') as [string, string]))
  assert.deepEqual([...urlOf.values()], [a('1'), a('2'), a('3')])
  const numbers: Record<string, string[]> = JSON.parse(
    python(PYTHON_EDGES, join(folder, 'edges.tsv')),
  )
  const named = Object.entries(numbers).map(([from, to]) => [
    urlOf.get(from),
    to.map((id) => urlOf.get(id)),
  ])
  assert.deepEqual(Object.fromEntries(named), inside)
})
