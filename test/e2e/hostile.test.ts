// Pages made to hurt, through the whole program. What servers do to it is in test/hostile/.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { jelajah, readUrls, serve, temporaryFolder } from './crawling.ts'

const LINKS = Array.from({ length: 200_000 }, (_, nth) => `<a href="/l${nth}?">x</a>`).join('')

const PAGES: Readonly<Record<string, string | Uint8Array>> = {
  '/nested': `${'<div>'.repeat(100_000)}<a href="/found">deep</a>`,
  '/lists': '<ul><li>'.repeat(50_000),
  '/links': LINKS,
  '/attributes': `<a ${'x=y '.repeat(50_000)} href="/found">a</a>`,
  '/attribute': `<p title="${'x'.repeat(900_000)}">text</p>`,
  '/brackets': '<'.repeat(900_000),
  '/comments': '<!--'.repeat(200_000),
  '/script': `<script>${'a'.repeat(500_000)}`,
  '/nul': 'a\0b<title>\0</title>',
  '/empty': '',
  '/bomb': gzipSync(Buffer.alloc(50_000_000, 97)),
}

test('hostile pages are stored or refused in bounds, never a crash', async () => {
  await using server = await serve((request, response) => {
    const path = request.url ?? '/'
    const page = PAGES[path]
    response.setHeader('content-type', 'text/html')
    if (path === '/') {
      response.end(
        Object.keys(PAGES)
          .map((page) => `<a href="${page}">${page}</a>`)
          .join(''),
      )
    } else if (page === undefined) {
      response.writeHead(404).end()
    } else {
      if (typeof page !== 'string') response.setHeader('content-encoding', 'gzip')
      response.end(page)
    }
  })
  await using folder = await temporaryFolder()
  const seed = `http://127.0.0.1:${server.port}/`
  const args = ['crawl', seed, '--data', folder.path, '--delay', '0', '--quiet', '--max-depth', '1']
  const { code, stderr } = await jelajah(args).ended
  assert.equal(code, 0)
  assert.doesNotMatch(stderr, /died/)
  const states = new Map(
    readUrls(folder.path).map(({ url, state }) => [new URL(url).pathname, state]),
  )
  for (const path of Object.keys(PAGES)) {
    assert.ok(['stored', 'refused', 'duplicate'].includes(states.get(path) ?? ''), path)
  }
  assert.equal(
    states.get('/found'),
    'refused',
    'links of odd pages are known, here beyond the depth',
  )
})
