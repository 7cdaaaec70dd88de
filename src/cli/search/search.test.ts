import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { Value } from 'typebox/value'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import { SearchResult } from '../../reads/shapes/page.ts'
import { openSqliteJobStore } from '../../store/sqlite/sqlite-job-store.ts'
import { openSqlitePageStore } from '../../store/sqlite/sqlite-page-store.ts'
import { searchPath, storePath } from '../../workspace/folder/paths.ts'
import { runSearch, type SearchDeps } from './search.ts'
import { parseSearch } from './search-command.ts'

let dataDir = ''

before(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'jelajah-search-'))
  const path = storePath(dataDir)
  await using jobs = await openSqliteJobStore(path)
  const { settings } = sampleJob()
  const job = await jobs.create(sampleJob({ settings: { ...settings, topic: 'hot drinks' } }))
  await jobs.create(sampleJob({ name: 'empty' }))
  await using pages = await openSqlitePageStore({ path, job })
  const titled = (at: string, title: string, rest = {}) =>
    sample(at, { title, contentText: `All about it: ${title}.`, contentHash: at, ...rest })
  await pages.save([
    titled('a.test/1', 'Green tea', { hot: true, language: 'en' }),
    titled('a.test/2', 'Coffee beans', { keywords: 'tea', language: 'en' }),
    titled('b.test/3', 'Teh hijau', { language: 'id', fetchedAt: 1 }),
    titled('b.test/4', '\x1b[31m Milk\u202e', { language: 'en' }),
  ])
})

after(() => rmSync(dataDir, { recursive: true }))

async function search(line: readonly string[], deps: Partial<SearchDeps> = {}) {
  let [out, err] = ['', '']
  const command = parseSearch(['--data', dataDir, ...line], { cwd: '/', env: {}, cores: 1 })
  const output = {
    write: async (text: string) => {
      out += text
    },
    warn: (text: string) => {
      err += text
    },
  }
  const progress = { write: (text: string) => output.warn(text) }
  const code = await runSearch(command, output, { progress, colours: false, width: 80, ...deps })
  return { code, out, err }
}

const titlesOf = async (...line: string[]) => {
  const { out } = await search([...line, '--json'])
  const result: SearchResult = JSON.parse(out)
  return result.hits.map(({ title }) => title).sort()
}

test('who is stopped while the index is made hears how it goes on', async () => {
  const { code, out, err } = await search(['tea'], { stopped: Promise.resolve() })
  assert.deepEqual([code, out], [11, ''])
  assert.match(err, /goes on from there/)
})

test('what is stored is found, and shown for people', async () => {
  const { code, out, err } = await search(['tea'])
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, / {2}1 Green tea\n {4}http:\/\/a\.test\/1\n/)
  assert.match(out, /2 hits\n$/)
})

test('as JSON it is what the API answers', async () => {
  const { out } = await search(['green', 'tea', '--json'])
  const result: unknown = JSON.parse(out)
  assert.ok(Value.Check(SearchResult, result))
  const { query, total, whole, hits, facets } = result
  assert.deepEqual([query, total, whole], ['green tea', 2, 1])
  assert.equal(hits[0]?.url, 'http://a.test/1')
  assert.deepEqual(facets.topics, [{ value: 'hot drinks', count: 1 }])
})

test('an index of another version is made anew, and that is said', async () => {
  const db = new DatabaseSync(searchPath(dataDir))
  db.exec('UPDATE search_version SET version = 1')
  db.close()
  const { code, out, err } = await search(['tea'])
  assert.equal(code, 0)
  assert.match(out, /2 hits\n$/)
  assert.match(err, /another version.*made anew/)
})

test('filters and columns narrow what is found', async () => {
  const cases: readonly (readonly [line: string, titles: readonly string[]])[] = [
    ['tea --columns title', ['Green tea']],
    ['tea --columns keywords', ['Coffee beans']],
    ['tea --host a.test', ['Coffee beans', 'Green tea']],
    ['tea --host b.test', []],
    ['-tea --language id', ['Teh hijau']],
    ['tea --hot', ['Green tea']],
    ['tea --topic hot', []],
    ['tea --crawl 1', ['Coffee beans', 'Green tea']],
    ['tea --crawl crawl_2', []],
    ['teh --since 1d', []],
    ['teh --since 1970-01-01', ['Teh hijau']],
    ['bean', ['Coffee beans']],
    ['bean --exact', []],
  ]
  for (const [line, titles] of cases) {
    assert.deepEqual(await titlesOf(...line.split(' ')), titles, line)
  }
  assert.deepEqual(await titlesOf('tea', '--topic', 'hot drinks'), ['Green tea'])
})

test('any text is a query', async () => {
  const strange = ['"', '*', '😀', '()', 'OR', 'NEAR(a b)', '\0', '\ud800', '%', 'a"b', '-', '{x}:']
  for (const text of strange) {
    const { code, err } = await search(['--json', '--', text])
    assert.deepEqual([code, err], [0, ''], text)
  }
  const { code, err } = await search(['--json', '--', 'tea '.repeat(2500)])
  assert.equal(code, 0)
  assert.match(err, /too long/)
})

test('a crawl, a host or a place that is not there is told', async () => {
  await assert.rejects(search(['tea', '--crawl', '99']), {
    at: '--crawl',
    message: /no crawl "99"/,
  })
  await assert.rejects(search(['tea', '--host', 'c.test']), {
    at: '--host',
    message: /no crawl here has a page of c\.test/,
  })
  const nowhere = { cwd: '/', env: {}, cores: 1 }
  const command = parseSearch(['tea', '--data', '/nonexistent'], nowhere)
  const out = { write: async () => {}, warn: () => {} }
  await assert.rejects(runSearch(command, out), { at: '--data', message: /no crawl in/ })
})

test('what pages say is shown, not obeyed', async () => {
  const { out } = await search(['milk'])
  assert.match(out, /1 Milk\n/)
  assert.doesNotMatch(out, /[\x1b\u202e]/)
})
