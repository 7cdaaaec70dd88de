// D: what is stored and then shown, exported, searched and logged. Stored content is never trusted.
import assert from 'node:assert/strict'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { compileGlob } from '../../../src/core/glob.ts'
import { csvCell } from '../../../src/export/csv.ts'
import { pageFileName } from '../../../src/export/text-corpus.ts'
import type { HostileCase } from '../case.ts'
import { failed, http } from '../expect.ts'
import { passes } from '../other-tests.ts'
import { article, misbehave, page } from '../server/answers.ts'
import type { Stage } from '../stage.ts'
import { readCsv, readWarc } from './stored-readers.ts'
import { hostileStore, PAYLOADS, storeServer } from './stored-scenes.ts'

const QUERIES = [
  '"',
  '*',
  'NEAR(',
  'NEAR(a b, 5',
  'nope:x',
  '(((',
  'a AND',
  'OR',
  'NOT',
  '-',
  '^',
  '{a b}',
  'a"b"c',
  "'",
  '\\',
  'title:',
  '\u0000',
  '%',
  '_',
  ';DROP TABLE pages',
  '('.repeat(5000),
  Array(2000).fill('a').join(' OR '),
  'x'.repeat(10_000),
]

async function exported(stage: Stage, format: string, out: string): Promise<void> {
  const { data } = await hostileStore(stage)
  const { code, stderr } = await stage.run([
    'export',
    '--data',
    data,
    '--format',
    format,
    '--out',
    out,
    '--quiet',
    '--force',
  ])
  assert.equal(code, 0, stderr)
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

export const STORED: readonly HostileCase[] = [
  {
    id: 'D1',
    does: 'has titles, URLs and texts that are markup, scripts and templates',
    holds: 'shown as text in the dashboard; links lead to the web only',
    slow: true,
    check: async () => await passes(['test/browser/explore-hostile.test.ts']),
  },
  {
    id: 'D2',
    does: 'has HTML that is looked at as it was stored',
    holds: 'given to be saved, in a sandbox, its type not guessed',
    check: async (stage) => {
      const server = await storeServer(stage)
      const { json } = await server.ask('/crawl/crawl_1/pages?limit=50')
      const id = json.pages.find((row: { url: string }) => row.url === 'http://d.test/p1')?.id
      const { status, headers } = await server.ask(`/crawl/crawl_1/pages/${id}/html`)
      assert.equal(status, 200)
      assert.match(headers.get('content-security-policy') ?? '', /sandbox/)
      assert.match(headers.get('content-disposition') ?? '', /^attachment/)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      return `${headers.get('content-disposition')}; ${headers.get('content-security-policy')?.slice(0, 60)}`
    },
  },
  {
    id: 'D3',
    does: 'has titles that a spreadsheet would compute',
    holds: 'quoted by RFC 4180, with an apostrophe before them; JSON lines stay as they are',
    check: async (stage) => {
      for (const text of [
        '=1',
        '+1',
        '-1',
        '@a',
        '\t=1',
        '\r=1',
        '\n=1',
        '"=1',
        ' =1',
        '=cmd|"/C calc"!A0',
        '\uff1d1',
      ]) {
        assert.match(csvCell(text, 'text', true), /^"'/, JSON.stringify(text))
      }
      assert.equal(csvCell('a"b\nc', 'text', true), '"a""b\nc"')
      const file = join(stage.folder, 'd3.csv')
      await exported(stage, 'csv', file)
      const rows = readCsv(readFileSync(file, 'utf8'))
      const [head = [], ...body] = rows
      assert.ok(body.length > 10 && body.every((row) => row.length === head.length))
      const column = head.indexOf('title')
      const titles = body.map((row) => row[column] ?? '')
      assert.ok(
        titles.every((title) => !/^[\s"']*[=+\-@]/.test(title) || title.startsWith("'")),
        titles.join(' | '),
      )
      return `${body.length} rows, ${titles.filter((title) => title.startsWith("'")).length} titles guarded`
    },
  },
  {
    id: 'D4',
    does: 'has URLs that are ways out of a folder, devices, too long; a link lies where a file should go',
    holds:
      'every file is inside the folder of the export, by a name of ours; links are not followed',
    check: async (stage) => {
      const out = join(stage.folder, 'd4')
      await exported(stage, 'text', out)
      const files = filesUnder(out)
      assert.ok(files.length > 10)
      for (const file of files) assert.match(file, /^[a-z0-9.-]+(?:\/[a-z0-9.-]+)*$/i, file)
      for (const url of [
        'http://x/../../etc',
        'http://x/CON',
        `http://x/${'\u00e9'.repeat(300)}`,
        'http://x/a\0b',
        'http://x/...',
        'http://X/a',
      ]) {
        assert.match(pageFileName(7, url), /^000000\/7[a-z0-9.-]{0,90}\.txt$/)
      }
      const secret = join(stage.folder, 'd4-secret')
      writeFileSync(secret, 'untouched')
      mkdirSync(join(stage.folder, 'd4-out'), { recursive: true })
      const target = join(stage.folder, 'd4-out', 'pages.ndjson')
      symlinkSync(secret, target)
      const { data } = await hostileStore(stage)
      await stage.run(['export', '--data', data, '--out', target, '--quiet', '--force'])
      assert.equal(readFileSync(secret, 'utf8'), 'untouched')
      return `${files.length} files with names of ours; what a link pointed to was not written (${lstatSync(target).isSymbolicLink() ? 'the link is still there' : 'replaced by a file'})`
    },
  },
  {
    id: 'D5',
    does: 'has headers and titles that look like records of an archive',
    holds: 'another reader finds every record where it should be',
    check: async (stage) => {
      const out = join(stage.folder, 'd5')
      await exported(stage, 'warc', out)
      const archives = filesUnder(out).filter((file) => /\.warc(?:\.gz)?$/.test(file))
      assert.ok(archives.length > 0)
      const bytes = archives
        .map((file) => readFileSync(join(out, file)))
        .map((raw) => (raw[0] === 0x1f ? gunzipSync(raw) : raw))
      const records = bytes.flatMap(readWarc)
      const responses = records.filter((record) => record.type === 'response')
      assert.ok(responses.length >= PAYLOADS.length)
      assert.ok(records.every(({ uri }) => uri === null || !/[\r\n\0]/.test(uri)))
      return `${records.length} records, ${responses.length} responses, each of its length`
    },
  },
  {
    id: 'D6',
    does: 'has active content in what becomes a document again (a saved map, Markdown)',
    holds: 'escaped: no tag, handler or script URL of a page is one there',
    check: async (stage) => {
      const { data } = await hostileStore(stage)
      const file = join(stage.folder, 'd6.html')
      const { code, stderr } = await stage.run([
        'graph',
        'pages',
        '--data',
        data,
        '--format',
        'html',
        '--out',
        file,
      ])
      assert.equal(code, 0, stderr)
      const html = readFileSync(file, 'utf8')
      assert.doesNotMatch(html, /<img src=x|<script>alert|<[a-z][^<>]*onerror=alert/)
      assert.match(html, /\\u003cimg src=x onerror=alert/)
      const ids = await stage.run(
        ['parse', '-', '--markdown'],
        '<title>t</title><h1>h</h1><p>text [a](javascript:alert(1)) &lt;script&gt;alert(1)&lt;/script&gt; and some more of it</p><a href="javascript:alert(1)">b</a>',
      )
      if (ids.code === 0) assert.doesNotMatch(ids.stdout, /(?<!\\)<script>|(?<!\\)\]\(javascript:/)
      return 'a saved map has titles as text only'
    },
  },
  {
    id: 'D7',
    does: 'has quotes and comments of SQL in URLs, hosts and filters',
    holds: 'bound as values: nothing is found or lost by them, nothing fails inside',
    check: async (stage) => {
      const server = await storeServer(stage)
      const before = (await server.ask('/crawl/crawl_1/pages?limit=100')).json.pages.length
      const filters = [
        "host=x'%20OR%201=1--",
        "state=stored'%20OR%20'1'='1",
        'sort=title;DROP%20TABLE%20pages',
        "q=%25'%20OR%201=1--",
        "reason=a'%20UNION%20SELECT%201--",
      ]
      for (const filter of filters) {
        for (const route of ['pages', 'urls', 'page-ids', 'hosts']) {
          const { status, text } = await server.ask(`/crawl/crawl_1/${route}?${filter}`)
          assert.ok(
            [200, 400].includes(status),
            `${route}?${filter}: ${status} ${text.slice(0, 100)}`,
          )
        }
      }
      const none = await stage.run([
        'pages',
        '--data',
        (await hostileStore(stage)).data,
        '--host',
        "x' OR 1=1--",
        '--json',
      ])
      assert.equal(none.stdout.trim(), '')
      assert.equal((await server.ask('/crawl/crawl_1/pages?limit=100')).json.pages.length, before)
      return `${filters.length * 4} requests, all pages still there`
    },
  },
  {
    id: 'D8',
    does: 'asks the search for operators, brackets, columns that are none, 5,000 parentheses, 2,000 ORs',
    holds: 'an answer or a refusal, never an error inside',
    check: async (stage) => {
      const server = await storeServer(stage)
      const statuses = new Map<number, number>()
      for (const query of QUERIES) {
        const { status, text } = await server.ask(`/search?q=${encodeURIComponent(query)}`)
        assert.ok(
          [200, 400, 414, 431].includes(status),
          `${query.slice(0, 30)}: ${status} ${text.slice(0, 120)}`,
        )
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      return `${QUERIES.length} queries: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`
    },
  },
  {
    id: 'D9',
    does: 'is found by words beside markup',
    holds: 'a snippet is text; what it marks it marks apart from it',
    check: async (stage) => {
      const server = await storeServer(stage)
      const { json, headers } = await server.ask('/search?q=needle')
      assert.match(headers.get('content-type') ?? '', /^application\/json/)
      assert.ok(json.hits.length > 5)
      for (const { snippet } of json.hits)
        assert.doesNotMatch(JSON.stringify(snippet), /<\/?(?:b|mark|em|strong)>/)
      const { data } = await hostileStore(stage)
      const printed = await stage.run(['search', 'needle', '--data', data])
      assert.doesNotMatch(printed.stdout, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
      return `${json.hits.length} hits, snippets are text`
    },
  },
  {
    id: 'D10',
    does: 'has line ends, terminal escapes and JSON in what is logged',
    holds: 'nothing of it is printed as it is, and no line of it is a line of ours',
    check: async (stage) => {
      const { data, stderr, stdout } = await hostileStore(stage)
      const printed = [stderr, stdout]
      for (const command of [['urls'], ['pages'], ['explain', 'http://d.test/moved'], ['crawls']]) {
        const { stdout: out, stderr: err } = await stage.run([...command, '--data', data])
        printed.push(out, err)
      }
      for (const text of printed)
        assert.doesNotMatch(
          text,
          /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]|\u001b\]|^fake: line|^\{"level"/m,
        )
      return `${printed.length} outputs without a control character`
    },
  },
  {
    id: 'D11',
    does: 'has very many hosts and URLs',
    holds: 'metrics have a bounded number of labels',
    check: async (stage) => {
      const server = await storeServer(stage)
      const { status, text } = await server.ask('/metrics')
      assert.equal(status, 200)
      const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      assert.ok(lines.length < 500, `${lines.length} samples`)
      assert.doesNotMatch(text, /d\.test|url="/)
      return `${lines.length} samples, none of a host or URL`
    },
  },
  {
    id: 'D12',
    does: 'filters by patterns that explode, of 10 MB, with look-ahead',
    holds: 'globs only, in linear time; what is too large is refused',
    check: async (stage) => {
      const glob = compileGlob(`/${'*a'.repeat(200)}*b`, 'include')
      const begun = performance.now()
      const url = `http://a.test/${'a'.repeat(2000)}`
      assert.equal(glob.matches(url as Parameters<typeof glob.matches>[0]), false)
      const ms = performance.now() - begun
      assert.ok(ms < 2000, `${ms} ms`)
      const server = await stage.server()
      const large = await server.post('/crawl', {
        url: 'http://d12.test/',
        include: ['x'.repeat(900_000)],
      })
      assert.equal(large.status, 400)
      const huge = await server.post('/crawl', {
        url: 'http://d12.test/',
        include: ['x'.repeat(10_000_000)],
      })
      assert.equal(huge.status, 413)
      return `200 stars in ${Math.round(ms)} ms; 900 kB: ${large.status}, 10 MB: ${huge.status}`
    },
  },
  {
    id: 'D13',
    does: 'has hostile titles in a stream of events; somebody does not read it',
    holds: 'each event is whole JSON; who does not read costs nothing',
    check: async (stage) => {
      const server = await storeServer(stage)
      const control = new AbortController()
      const response = await fetch(`${server.url}/crawl/crawl_1/events`, {
        signal: control.signal,
        headers: { 'last-event-id': '0' },
      })
      let text = ''
      const reader = response.body?.getReader()
      const deadline = performance.now() + 3000
      while (performance.now() < deadline && !/\ndata: .*\n\n/.test(text)) {
        const piece = await reader?.read()
        if (piece === undefined || piece.done) break
        text += Buffer.from(piece.value).toString('utf8')
      }
      control.abort()
      const lines = text.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data: '))
      assert.ok(lines.length > 0)
      for (const line of lines) JSON.parse(line.slice('data: '.length))
      return `${lines.length} events, each whole; ${await stage.passes('test/api/events.test.ts', 'who does not read|only so many streams')}`
    },
  },
  {
    id: 'D14',
    does: 'names classes, prototypes and settings in its headers',
    holds: 'they are data',
    web: {
      crawl: 'web',
      hosts: {
        'type.d14.test': misbehave(page(article('D14'), { type: '__proto__' })),
        'coding.d14.test': misbehave(
          page(article('D14'), { headers: 'content-encoding: constructor\r\n' }),
        ),
        'tag.d14.test': misbehave(
          page(article('D14 tag'), {
            headers: 'x-robots-tag: __proto__: toString, constructor\r\n',
          }),
        ),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      assert.match(seen.url('http://type.d14.test/').reason ?? '', /^type/)
      assert.equal(seen.url('http://tag.d14.test/').state, 'stored')
      return failed(seen, http('coding.d14.test'), /^decode/)
    },
  },
]
