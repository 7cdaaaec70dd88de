// Names that no server answers for, beside hosts that are well.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveNames } from '../support/dns-server.ts'
import { readUrls, serve, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'

const HEALTHY = 3
const PAGES = 4

test('names without an answer hold up nobody else, though they are many more than requests at once', {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder()
  await using web = await serve((request, response) => {
    const number = request.url === '/' ? 1 : Number(request.url?.slice(1))
    if (!(number <= PAGES)) return void response.writeHead(404).end()
    const text = `${request.headers.host} ${'abcd'[number - 1]}`.repeat(5)
    const next = `<a href="/${number + 1}">next</a>`
    response.setHeader('content-type', 'text/html')
    response.end(`<title>${text}</title><p>${text}</p>${number < PAGES ? next : ''}`)
  })
  await using names = await serveNames((name) =>
    name.includes('silent') ? 'silent' : ['127.0.0.1'],
  )
  const seedsOf = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, n) => `http://www.${name}${n}.test:${web.port}/`)
  const flags = ['--concurrency', '4', '--delay', '0', '--no-sitemaps', '--allow-private']
  const { code, stderr } = await runHere([
    ...['crawl', ...seedsOf('silent', 40), ...seedsOf('good', HEALTHY)],
    ...['--data', folder.path, '--dns', names.address, '--max-pages', `${HEALTHY * PAGES}`],
    ...[...flags, '--json', '--quiet'],
  ])
  assert.equal(code, 0, stderr)
  const all = readUrls(folder.path)
  const stored = all.filter(({ state }) => state === 'stored')
  assert.equal(stored.length, HEALTHY * PAGES)
  const silent = all.filter(({ url }) => url.includes('silent'))
  assert.ok(
    silent.every(({ state }) => state === 'queued'),
    'they wait, and are given up by nobody so soon',
  )
})
