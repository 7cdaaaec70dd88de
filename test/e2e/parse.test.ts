// `jelajah parse`: one page from a file, from stdin and from a server, and whatever can be wrong with it.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { jelajah, serve, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'

const PARAGRAPH = 'The tide comes in twice a day, and the boats that lie on the sand float again. '
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The tide</title>
<meta name="description" content="When boats float."></head><body><main><h1>The tide</h1>
<p>${PARAGRAPH.repeat(4)}</p><p>${PARAGRAPH.repeat(3)}<a href="moon?n=1" rel="next">The moon</a></p>
<img src="/boat.png" alt="A boat"></main></body></html>`

/** Runs `parse` and expects it to do well. */
async function parsed(args: readonly string[], stdin?: string | Uint8Array) {
  const { code, stdout, stderr } = await runHere(['parse', ...args], stdin)
  assert.equal(code, 0, stderr)
  return { stdout, stderr, json: () => JSON.parse(stdout) }
}

test('a file is shown for people, and as one JSON object', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'the tide.html')
  writeFileSync(file, PAGE)
  const { stdout, stderr } = await parsed([file])
  assert.equal(stderr, '')
  assert.match(stdout, /^The tide\nhttp:\/\/localhost\/the%20tide.html\n/)
  assert.match(stdout, /The tide comes in twice/)
  assert.equal(
    (await parsed([pathToFileURL(file).href])).stdout.split('\n')[1],
    stdout.split('\n')[1],
  )
  assert.doesNotMatch(stdout, /\x1b/, 'no colours in a pipe')
  const json = (await parsed([file, '--json', '--url', 'https://sea.test/docs/tide'])).json()
  assert.equal(json.url, 'https://sea.test/docs/tide')
  assert.deepEqual([json.title, json.language, json.status_code], ['The tide', 'en', 200])
  assert.match(json.content_text, /The tide comes in twice/)
  const [link] = json.parts.links
  assert.deepEqual([link.url, link.anchor], ['https://sea.test/docs/moon?n=1', 'The moon'])
  assert.equal(json.parts.images[0].src, 'https://sea.test/boat.png')
})

test('stdin is a page too, whatever its charset', async () => {
  const latin = Buffer.from('<!doctype html><title>Caf\xe9</title><p>cr\xe8me', 'latin1')
  const type = ['--content-type', 'text/html; charset=iso-8859-1']
  const json = (await parsed(['-', '--json', ...type], latin)).json()
  assert.deepEqual([json.title, json.charset], ['Café', 'windows-1252'])
  const plain = (await parsed(['-', '--json'], 'just words\nand lines\n')).json()
  assert.deepEqual(
    [plain.content_type, plain.content_text],
    ['text/plain', 'just words\nand lines\n'],
  )
})

test('a compressed file is read as a server would send it', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'page.html.gz')
  writeFileSync(file, gzipSync(PAGE))
  assert.equal((await parsed([file, '--json'])).json().title, 'The tide')
})

test('what is too long is cut and flagged, from stdin as from a file', async () => {
  const long = `<!doctype html><title>Long</title><p>${'word '.repeat(200_000)}`
  const json = (await parsed(['-', '--json', '--max-body', '10kB'], long)).json()
  assert.equal(json.truncated, true)
  assert.ok(json.size_bytes <= 10_000, String(json.size_bytes))
})

test('the main content is Markdown when asked for, alone or in the JSON', async () => {
  const { stdout } = await parsed(['-', '--markdown', '--url', 'https://sea.test/a/b'], PAGE)
  assert.match(stdout, /^# The tide\n\nThe tide comes in twice a day/)
  assert.match(stdout, /\[The moon\]\(https:\/\/sea\.test\/a\/moon\?n=1\)\n$/)
  const json = (await parsed(['-', '--markdown', '--json'], PAGE)).json()
  assert.match(json.content_markdown, /^# The tide\n/)
  assert.doesNotMatch(json.content_text, /#/)
  const plain = await parsed(['-', '--markdown'], '# no heading\n')
  assert.equal(plain.stdout, '```\n# no heading\n```\n')
  const type = ['--content-type', 'text/markdown']
  assert.equal((await parsed(['-', '--markdown', ...type], '# a\n')).stdout, '# a\n')
})

test('parts are chosen by name', async () => {
  const only = (await parsed(['-', '--json', '--parts', 'images'], PAGE)).json()
  assert.deepEqual(Object.keys(only.parts), ['images'])
  const { stdout } = await parsed(['-', '--parts', 'links'], PAGE)
  assert.match(stdout, /links within localhost \(1\)\n {2}http:\/\/localhost\/moon\?n=1 /)
  assert.doesNotMatch(stdout, /boat\.png/)
})

/** A site with a page, moved pages and closed doors; says what it was asked for. */
async function site(robots = 'User-agent: *\nDisallow: /closed') {
  const asked: string[] = []
  const server = await serve((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/'
    asked.push(path)
    if (path === '/robots.txt') response.end(robots)
    else if (path === '/moved') response.writeHead(302, { location: '/page' }).end()
    else if (path === '/away') response.writeHead(301, { location: 'http://10.0.0.1/' }).end()
    else if (path === '/image') response.writeHead(200, { 'content-type': 'image/png' }).end('x')
    else if (path === '/missing') response.writeHead(404, { 'content-type': 'text/html' }).end('no')
    else response.writeHead(200, { 'content-type': 'text/html', etag: '"1"' }).end(PAGE)
  })
  const at = `http://127.0.0.1:${server.port}`
  return { at, asked, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

test('a URL is fetched politely and its redirects are reported', async () => {
  await using server = await site()
  const { at } = server
  const json = (await parsed([`${at}/moved`, '--json', '--delay', '10'])).json()
  assert.deepEqual([json.url, json.etag, json.title], [`${at}/page`, '"1"', 'The tide'])
  assert.deepEqual(json.redirects, [{ url: `${at}/moved`, status: 302 }])
  assert.deepEqual(server.asked, ['/robots.txt', '/moved', '/page'])
  const { stdout } = await parsed([`${at}/moved`, '--delay', '10'])
  assert.match(stdout, /redirected +302 from http:.*\/moved\n/)
})

test('robots.txt is asked and obeyed, unless told otherwise', async () => {
  await using server = await site()
  const { code, stdout, stderr } = await runHere(['parse', `${server.at}/closed`])
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /robots.txt asks crawlers to stay out; --ignore-robots/)
  assert.deepEqual(server.asked, ['/robots.txt'])
  await parsed([`${server.at}/closed`, '--ignore-robots'])
  assert.deepEqual(server.asked, ['/robots.txt', '/closed'])
})

test('what brings no page ends with 1 and says why', async () => {
  await using server = await site('')
  const cases: [path: string, says: RegExp][] = [
    ['/missing', /the server answered 404 Not Found/],
    ['/image', /is image\/png, which the parser does not read/],
    ['/away', /\/away → http:\/\/10.0.0.1\/: .*a private address; --allow-private/],
  ]
  for (const [path, says] of cases) {
    const args = ['parse', `${server.at}${path}`, '--json', '--delay', '1']
    const { code, stdout, stderr } = await runHere(args)
    assert.deepEqual([code, stdout], [1, ''], path)
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace')
  }
  const nobody = await runHere(['parse', 'http://127.0.0.1:1/'])
  assert.equal(nobody.code, 1)
  assert.match(nobody.stderr, /cannot be reached \(ECONNREFUSED\)/)
})

test('a file that cannot be a page is refused in one line', async () => {
  await using folder = await temporaryFolder()
  const at = (name: string) => join(folder.path, name)
  writeFileSync(at('picture.html'), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
  writeFileSync(at('noise'), Buffer.from(Array.from({ length: 2000 }, (_, n) => (n * 7) % 31)))
  writeFileSync(at('empty.html'), '')
  writeFileSync(at('secret.html'), PAGE)
  chmodSync(at('secret.html'), 0)
  mkdirSync(at('folder'))
  // Root may read what nobody may.
  const isRoot = process.getuid?.() === 0
  const cases: [name: string, code: number, says: RegExp][] = [
    ['picture.html', 1, /is image\/png, which the parser does not read/],
    ['noise', 1, /is application\/octet-stream, which/],
    ['empty.html', 1, /is empty/],
    ['folder', 2, /is a folder/],
    ['missing.html', 2, /there is no such file\n/],
    ['example.com', 2, /there is no such file/],
    ['folder/x/y.html', 2, /there is no such file/],
    ['picture.html/x.html', 2, /cannot be read: ENOTDIR/],
    ...(isRoot
      ? []
      : ([['secret.html', 2, /cannot be read: EACCES/]] as [string, number, RegExp][])),
  ]
  for (const [name, code, says] of cases) {
    const ended = await runHere(['parse', at(name)])
    assert.deepEqual([ended.code, ended.stdout], [code, ''], name)
    assert.match(ended.stderr, says)
    assert.equal(ended.stderr.split('\n').length, 2, ended.stderr)
  }
  const empty = await runHere(['parse', '-'], '')
  assert.deepEqual(
    [empty.code, empty.stderr],
    [1, 'jelajah: stdin: is empty: there is nothing to parse\n'],
  )
})

test('a hostile page cannot steer the terminal it is shown on', async () => {
  const page =
    '<title>\x1b]0;owned\x07Hi</title><p>one \x1b[2Jtwo \x9b31m&#27;[31m three \u202eevil'
  for (const flags of [[], ['--parts', 'all'], ['--json']]) {
    const { stdout } = await parsed(['-', ...flags], `<!doctype html><meta charset=utf-8>${page}`)
    assert.doesNotMatch(stdout, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/, flags.join(' '))
  }
})

test('a reader that has seen enough ends it quietly', async () => {
  const run = jelajah(['parse', '-'], { stdin: `<p>${'word '.repeat(150_000)}` })
  run.process.stdout?.once('data', () => run.process.stdout?.destroy())
  const { code, stderr } = await run.ended
  assert.deepEqual([code, stderr], [0, ''])
})
