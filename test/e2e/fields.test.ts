// Fields from the rules to wherever they are read: SQL, pages, exports, a refresh; and rules that are wrong.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { crawl } from '../../src/main/library.ts'
import { serve, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'

const RULES = {
  rules: [
    {
      match: '/shop/**',
      fields: [
        { name: 'price', selector: '.price', type: 'number' },
        { name: 'kinds', selector: 'li', many: true },
        { name: 'sold', selector: '.sold', type: 'boolean' },
      ],
    },
  ],
}

let price = 12.5
const TEXT = '<p>The tide comes in twice a day, and the boats float again.</p>'.repeat(4)
const tea = () => `<h1>Tea</h1>${TEXT}<p class=price data-now=${price}>$ ${price}</p>
  <ul><li>green<li>black</ul>`
const PAGES: Readonly<Record<string, () => string>> = {
  '/': () => `<title>Home</title><p class=price>7</p>${TEXT}<a href=/shop/tea>a</a>
    <a href=/shop/copy>b</a><a href=/shop/shy>c</a>`,
  '/shop/tea': tea,
  '/shop/copy': tea,
  '/shop/shy': () => `<meta name=robots content=noindex><p class=price>3</p>`,
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const page = PAGES[url]
  response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page?.() ?? '')
}

async function run(...args: string[]) {
  const { code, stdout, stderr } = await runHere(args)
  assert.equal(code, 0, stderr)
  return stdout
}

test('fields of a crawl are in SQL, pages and exports, and a refresh takes them again', async () => {
  await using web = await serve(answer)
  await using folder = await temporaryFolder()
  const rules = join(folder.path, 'rules.json')
  writeFileSync(rules, JSON.stringify(RULES))
  const data = join(folder.path, 'data')
  const begin = [
    'crawl',
    `http://127.0.0.1:${web.port}/`,
    '--data',
    data,
    '--delay',
    '0',
    '--quiet',
  ]
  await run(...begin, '--fields', rules, '--keep', 'markdown')
  const values = () => {
    using db = new DatabaseSync(join(data, 'jelajah.db'), { readOnly: true })
    const rows = db.prepare('SELECT name, position, value, number FROM page_fields').all()
    return rows.map((row) => Object.values(row).join(' '))
  }
  const known = ['kinds 0 green ', 'kinds 1 black ', 'sold 0 false ']
  assert.deepEqual(values(), ['price 0 12.5 12.5', ...known])
  const shown = { price: 12.5, kinds: ['green', 'black'], sold: false }
  const lines = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const pages = lines(await run('pages', '--json', '--data', data))
  const byPath = new Map(pages.map((page) => [new URL(page.url).pathname, page.fields]))
  // The copy shows those of the page that it repeats.
  const of = ['/', '/shop/tea', '/shop/copy', '/shop/shy'].map((path) => byPath.get(path))
  assert.deepEqual(of, [{}, shown, shown, {}])
  const exported = async (format: string, ...more: string[]) => {
    const out = join(folder.path, `out.${format}`)
    await run('export', '--format', format, '--out', out, '--data', data, ...more)
    return readFileSync(out, 'utf8')
  }
  const whole = lines(await exported('ndjson'))
  assert.deepEqual(
    whole.map(({ fields }) => fields),
    [undefined, shown],
  )
  assert.match(
    await exported('csv', '--what', 'fields'),
    /^page_id,page_url,position,name,value,number\r\n\d+,"[^"]+",0,"price","12.5",12.5\r\n/,
  )
  const out = join(folder.path, 'md')
  await run('export', '--format', 'markdown', '--out', out, '--data', data)
  assert.match(readFileSync(join(out, 'pages.ndjson'), 'utf8'), /"fields":\{"price":12.5,"kinds"/)
  price = 9
  await run(
    'crawl',
    `http://127.0.0.1:${web.port}/`,
    '--refresh',
    '--data',
    data,
    '--delay',
    '0',
    '--quiet',
  )
  assert.deepEqual(values(), ['price 0 9 9', ...known])
  const { code, stderr } = await runHere(begin)
  assert.equal(code, 2)
  assert.match(stderr, /--fields {2}1 rule, 3 fields \([0-9a-f]{8}\) → \(none\)/)
})

test('all that is wrong with rules is said before anything is fetched', async () => {
  await using folder = await temporaryFolder()
  const rules = join(folder.path, 'rules.json')
  const problemsOf = async (text: string) => {
    writeFileSync(rules, text)
    const args = ['crawl', 'http://127.0.0.1:1/', '--data', join(folder.path, 'none')]
    const { code, stderr } = await runHere([...args, '--fields', rules])
    assert.equal(code, 2)
    return stderr.replaceAll(rules, 'FILE')
  }
  const wrong = '{"rules": [\n{"match": "{a",\n"fields": [{"name": "a", "selector": "a >"}]}]}'
  const told = await problemsOf(wrong)
  assert.match(told, /--fields: FILE:2: rules\[0\]\.match: the glob/)
  assert.match(told, /--fields: FILE:3: rules\[0\]\.fields\[0\]\.selector: the end at character 4/)
  assert.match(await problemsOf('{'), /--fields: FILE is not JSON: /)
  assert.match(await problemsOf(' '.repeat(300_000)), /FILE is larger than 262.1 kB/)
})

test('a program gets the fields with each page', async () => {
  await using web = await serve(answer)
  await using folder = await temporaryFolder()
  const options = {
    seeds: `http://127.0.0.1:${web.port}/shop/tea`,
    data: folder.path,
    delay: 0,
    maxPages: 1,
  }
  const found: unknown[] = []
  await using run = crawl({
    ...options,
    contact: 'test',
    fields: { fields: [{ name: 'title', selector: 'h1' }] },
  })
  for await (const page of run) found.push(page.fields)
  assert.deepEqual(found, [{ title: 'Tea' }])
})
