import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { Value } from 'typebox/value'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import { openSqliteJobStore } from '../../../test/support/stores.ts'
import { openLock } from '../../db/lock.ts'
import { SearchResult } from '../../reads/shapes/page.ts'
import { openSqlitePageStore } from '../../store/sqlite/sqlite-page-store.ts'
import { lockPath, searchPath, storePath } from '../../workspace/folder/paths.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import { COLOURED, PLAIN } from '../table.ts'
import { type PrintedHit, type PrintedResult, searchText } from './print-hits.ts'
import { behindText, runSearch, type SearchDeps } from './run-search.ts'
import { parseSearch } from './search.ts'

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

test('what is typed so far becomes words and titles', async () => {
  const { out } = await search(['--suggest', 'green', 'te'])
  const lines = ['green tea  2 pages', 'green teh  1 page', 'Green tea', '    http://a.test/1', '']
  assert.equal(out, lines.join('\n'))
  const { out: json } = await search(['--suggest', 'tea', '--json', '--limit', '1'])
  const { words, titles } = JSON.parse(json)
  assert.deepEqual([words.length, titles.length], [1, 1])
  const none = await search(['--suggest', 'zzz'])
  assert.equal(none.out, 'nothing begins like this\n')
})

test('a search that was kept tells what is new since it was asked last', async () => {
  const kept = await search(['coffee', '--language', 'en', '--save', 'my coffee'])
  assert.match(kept.err, /--saved "my coffee" --new/)
  assert.deepEqual(await titlesOf('--saved', 'my coffee'), ['Coffee beans'])
  assert.deepEqual(await titlesOf('--saved', 'my coffee', '--new'), [])
  const path = storePath(dataDir)
  {
    await using jobs = await openSqliteJobStore(path)
    const job = (await jobs.get(2))!
    await using pages = await openSqlitePageStore({ path, job })
    const iced = (n: number, contentText: string) =>
      sample(`d.test/${n}`, { language: 'en', title: 'Iced', contentText, contentHash: `d${n}` })
    await pages.save([iced(5, 'coffee on ice'), iced(6, 'a cold brew of coffee with cubes')])
  }
  const some = await search(['--saved', 'my coffee', '--new', '--limit', '1'])
  assert.match(some.err, /stays new/)
  assert.deepEqual(await titlesOf('--saved', 'my coffee', '--new'), ['Iced', 'Iced'])
  assert.deepEqual(await titlesOf('--saved', 'my coffee', '--new'), [])
  assert.match(
    (await search(['--list-saved'])).out,
    /^my coffee: coffee {2}language=en {2}\(last asked/,
  )
  assert.equal((await search(['--forget', 'my coffee'])).out, 'forgotten: my coffee\n')
  assert.match((await search(['--list-saved'])).out, /no search is saved/)
  await assert.rejects(search(['--saved', 'my coffee']), /no saved search/)
  assert.throws(
    () => parseSearch(['tea', '--new'], { cwd: '/', env: {}, cores: 1 }),
    /--saved NAME/,
  )
  assert.throws(
    () => parseSearch(['tea', '--list-saved'], { cwd: '/', env: {}, cores: 1 }),
    /place/,
  )
})

test('what a saved search says itself cannot be said again, so that nothing counts as seen unseen', async () => {
  const nowhere = { cwd: '/', env: {}, cores: 1 }
  const refused = (...words: string[]) =>
    assert.throws(() => parseSearch(words, nowhere), /kept with the search|give one|typed/)
  refused('--saved', 'x', '--new', '--host', 'a.test')
  refused('--saved', 'x', '--sort', 'fetched')
  refused('--saved', 'x', '--suggest')
  refused('--list-saved', '--forget', 'x')
  await search(['chai', '--save', 'chai'])
  const file = join(dataDir, 'chai.txt')
  writeFileSync(file, 'chai, coffee\n')
  const { out } = await search(['--saved', 'chai', '--synonyms', file, '--json'])
  assert.ok(JSON.parse(out).total > 0, out)
  await search(['--forget', 'chai'])
})

test('synonyms come from a file, and its bad lines are named before anything starts', async () => {
  const file = join(dataDir, 'synonyms.txt')
  writeFileSync(file, 'mocha => coffee\nchai, tea\n')
  assert.match((await search(['mocha', '--synonyms', file])).out, /Coffee beans/)
  writeFileSync(file, 'alone\na => b => c\n')
  await assert.rejects(search(['tea', '--synonyms', file]), /line 1[\s\S]*line 2/)
  await assert.rejects(search(['tea', '--synonyms', 'nowhere.txt']), /cannot be read/)
})

test('pages like a page are found by its URL', async () => {
  const { out } = await search(['--like', 'http://a.test/1', '--json'])
  const { hits } = JSON.parse(out)
  assert.ok(hits.every(({ url }: { url: string }) => url !== 'http://a.test/1'))
  await assert.rejects(search(['--like', 'http://a.test/nowhere']), /no page is stored/)
  await assert.rejects(search(['tea', '--like', 'http://a.test/1']), /leave one of them out/)
})

test('an index of another version is rebuilt, and that is said', async () => {
  const db = new DatabaseSync(searchPath(dataDir))
  db.exec('UPDATE search_version SET version = 1')
  db.close()
  const { code, out, err } = await search(['tea'])
  assert.equal(code, 0)
  assert.match(out, /2 hits\n$/)
  assert.match(err, /another version.*built again/)
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

test('a crawl, a host or a place that is not there is reported', async () => {
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
  await assert.rejects(runSearch(command, out), {
    at: '--data',
    message: /no folder \/nonexistent/,
  })
})

test('what pages say is shown, not obeyed', async () => {
  const { out } = await search(['milk'])
  assert.match(out, /1 Milk\n/)
  assert.doesNotMatch(out, /[\x1b\u202e]/)
})

const empty = mkdtempSync(join(tmpdir(), 'jelajah-behind-'))
after(() => rmSync(empty, { recursive: true }))

test('who searches beside a crawl that nobody indexes hears how to keep up with it', async () => {
  const plain = /^7 changes of the store cannot be searched yet$/
  assert.match(await behindText(workspaceOf({ dataDir: empty }), 1, 7), plain)
  await using _crawl = await openLock(lockPath(empty, 'crawl-1'))
  assert.match(
    await behindText(workspaceOf({ dataDir: empty }), 1, 7),
    /yet: a crawl runs; .*index --follow.* --index/,
  )
  await using _index = await openLock(lockPath(empty, 'search'))
  assert.match(await behindText(workspaceOf({ dataDir: empty }), 1, 7), plain)
})

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
  published_at: null,
  url_marks: [],
  link_texts: [],
}
const NO_FACETS = { hosts: [], languages: [], kinds: [], crawls: [], topics: [] }

function printed(changes: Partial<PrintedResult>, style = PLAIN, offset = 0, width = 80): string {
  const hits = changes.hits ?? [HIT]
  const pages = changes.pages ?? hits.length
  const found = { total: hits.length, pages, whole: pages, suggestion: null, typos: [] }
  const result = { ...found, index: 'ready' as const, facets: NO_FACETS }
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

test('what is not indexed yet is not called nothing found', () => {
  const cases = [
    ['ready', /^nothing found\n$/],
    ['behind', /indexed so far; not all stored pages are\n$/],
    ['none', /^nothing can be searched yet: no stored page is indexed/],
    ['empty', /^nothing can be searched yet: no page is stored/],
  ] as const
  for (const [index, text] of cases) assert.match(printed({ hits: [], total: 0, index }), text)
})

test('it is told where pages do not have all words', () => {
  const hits = [HIT, HIT, HIT]
  assert.match(printed({ hits, whole: 1 }), /\n3 hits, 1 with all words\n$/)
  assert.match(printed({ hits, whole: 0 }), /\n3 hits, none with all words\n$/)
  assert.match(
    printed({ hits, pages: 14, whole: 12 }),
    /\n3 hits \(14 pages with similar ones; --all\), 12 pages with all words\n$/,
  )
})

test('that no page has all words is reported before the hits', () => {
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
