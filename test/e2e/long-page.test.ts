import assert from 'node:assert/strict'
import { test } from 'node:test'
import { query, readPages, serve, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'

const WORDS = 'words and more words, '.repeat(5000)
/** Some 3 MB: its links stand where nothing is read for text. */
const LONG = `<!doctype html><title>long</title>${`<p>${WORDS}</p>`.repeat(28)}<a href="/end">end</a>`

test('links at the end of a long page are followed, and pages that were cut are counted', async () => {
  await using folder = await temporaryFolder()
  await using server = await serve(({ url }, response) => {
    if (url === '/robots.txt' || url === '/sitemap.xml') return void response.writeHead(404).end()
    response.setHeader('content-type', 'text/html')
    // The connection breaks in the middle of what is read for links alone: that is enough.
    if (url === '/broken') {
      response.setHeader('content-length', 2 * LONG.length)
      response.write(LONG.replace('/end', '/behind'))
      setTimeout(() => response.destroy(), 200)
    } else
      response.end(url === '/' ? LONG.replace('</title>', '</title><a href="/broken">b</a>') : url)
  })
  const args = ['crawl', `http://127.0.0.1:${server.port}/`, '--data', folder.path, '--delay', '0']
  const { code, stdout } = await runHere([...args, '--json'])
  assert.equal(code, 0)
  assert.equal(JSON.parse(stdout).truncated, 2)
  const paths = readPages(folder.path).map(({ url }) => new URL(url).pathname)
  assert.deepEqual(paths.sort(), ['/', '/behind', '/broken', '/end'])
  const cut = query<{ n: number }>(
    `${folder.path}/jelajah.db`,
    'SELECT max(size_bytes) AS n FROM pages',
  )
  assert.equal(cut[0]?.n, 1024 * 1024)
})
