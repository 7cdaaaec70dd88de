// Where passwords go: a job over HTTP keeps that of its proxy over a kill, and nothing but one file has it;
// a crawl of the command line keeps none.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { jelajah, serve, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'
import { startServer, until } from './serving.ts'

const PASSWORD = 'pa55-of-the-proxy'
const SECRET = 's3cret-of-the-webhook'

/** A proxy that answers everything itself, to whoever knows the password. */
function proxy() {
  let asked = 0
  let refused = 0
  const right = `Basic ${Buffer.from(`ann:${PASSWORD}`).toString('base64')}`
  const served = serve((request, response) => {
    if (request.headers['proxy-authorization'] !== right) {
      refused++
      response.writeHead(407).end()
      return
    }
    asked++
    const { pathname } = new URL(request.url ?? '/', 'http://x')
    const next = Number(pathname.slice(1) || 0) + 1
    response.setHeader('content-type', pathname === '/robots.txt' ? 'text/plain' : 'text/html')
    response.end(pathname === '/robots.txt' ? '' : `<a href="/${next}">${next}</a> page ${next}`)
  })
  return { served, counts: () => ({ asked, refused }) }
}

function filesWith(folder: string, text: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => {
    const path = join(folder, name)
    return statSync(path).isFile() && readFileSync(path).includes(text)
  })
}

test('a job keeps its secrets over kill -9, in one file and in no answer', async () => {
  await using folder = await temporaryFolder()
  const { served, counts } = proxy()
  await using web = await served
  const flags = ['--allow-private', '--delay', '20']
  const server = await startServer(folder.path, flags)
  const id = await server.crawl({
    url: 'http://site.test/',
    proxy: [`http://ann:${PASSWORD}@127.0.0.1:${web.port}`],
    max_pages: 20,
    sitemaps: false,
    webhook: { url: `http://127.0.0.1:${web.port}/hook`, secret: SECRET },
  })
  await until(() => counts().asked > 3)
  process.kill(server.pid, 'SIGKILL')
  await server.run.ended
  const before = counts().asked
  await using again = await startServer(folder.path, flags)
  const job = await again.ended(id)
  assert.deepEqual([job.status, job.pages.length], ['completed', 20])
  assert.ok(counts().asked > before)
  const paths = [`/crawl/${id}`, `/crawl/${id}/overview`, '/crawl', `/crawl/${id}/urls`]
  for (const path of paths) {
    const { text } = await again.ask(path)
    assert.doesNotMatch(text, new RegExp(`${PASSWORD}|${SECRET}`), path)
  }
  for (const text of [PASSWORD, SECRET]) {
    assert.deepEqual(filesWith(folder.path, text), ['secrets.db'])
  }
  assert.equal(statSync(join(folder.path, 'secrets.db')).mode & 0o777, 0o600)
})

test('a crawl of the command line keeps no password, and asks for it again', async () => {
  await using folder = await temporaryFolder()
  const { served, counts } = proxy()
  await using web = await served
  const data = ['--data', folder.path]
  const crawl = [
    'crawl',
    'http://site.test/',
    ...data,
    '--delay',
    '0',
    '--no-sitemaps',
    '--allow-private',
  ]
  const url = `http://ann:${PASSWORD}@127.0.0.1:${web.port}`
  const run = (...args: string[]) => runHere([...crawl, '--json', ...args])
  const first = await jelajah([...crawl, '--json', '--max-pages', '3'], {
    env: { JELAJAH_PROXY: url },
  }).ended
  assert.equal(JSON.parse(first.stdout).stored, 3, first.stderr)
  assert.deepEqual(filesWith(folder.path, PASSWORD), [])
  const listed = await runHere(['crawls', '--json', ...data])
  assert.match(listed.stdout, /http:\/\/ann:\*\*\*@127/)
  const masked = await run('--refresh')
  assert.equal(masked.code, 2)
  assert.match(masked.stderr, /--proxy: the password of http:\/\/ann:\*\*\*@127.* is not kept/)
  const refreshed = await run('--refresh', '--proxy', url)
  assert.equal(refreshed.code, 0, refreshed.stderr)
  assert.equal(counts().refused, 0)
})
