// One page now, and the URLs of a site: asked of a real server, which asks a small web on this machine.
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { ApiDeps } from '../../src/api/api-deps.ts'
import { createApi } from '../../src/api/server.ts'
import { checkTopic, lookedFor } from '../../src/crawl/topic-source.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openReads } from '../../src/reads/open-reads.ts'
import type { ScrapedPage, SiteUrls } from '../../src/reads/shapes/scrape.ts'
import { storePath } from '../../src/workspace/folder/paths.ts'
import { temporaryFolder } from '../e2e/crawling.ts'
import { RIG_SETTINGS, StillDispatcher } from '../support/api-rig.ts'
import { openSqliteJobJournal, openSqliteJobStore } from '../support/stores.ts'

const opened = new AsyncDisposableStack()
const asked: string[] = []
let web = ''
let open = ''
let guarded = ''

const PAGE = `<!doctype html><html lang="en"><head><title>Tea</title></head><body><nav><a href="/b">Next</a></nav>
<article><h1>Tea</h1><p>${'Green tea is <b>steamed</b> after it was picked. '.repeat(12)}</p>
<ul><li>Sencha</li><li>Gyokuro</li></ul><a href="http://elsewhere.test/x">away</a></article></body></html>`

function answer(path: string, response: ServerResponse): void {
  const send = (type: string, body: string) =>
    response.writeHead(200, { 'content-type': type }).end(body)
  if (path === '/robots.txt')
    send('text/plain', `User-agent: *\nDisallow: /shut\nSitemap: ${web}/index.xml\n`)
  else if (path === '/index.xml') {
    const xml = `<sitemap><loc>${web}/one.xml</loc></sitemap><sitemap><loc>http://elsewhere.test/s.xml</loc></sitemap>`
    send('application/xml', `<sitemapindex>${xml}</sitemapindex>`)
  } else if (path === '/one.xml') {
    const urls = ['/b', '/deep/green', '/deep/black']
    const xml = urls.map((one) => `<url><loc>${web}${one}</loc></url>`).join('')
    send('application/xml', `<urlset>${xml}<url><loc>http://elsewhere.test/</loc></url></urlset>`)
  } else if (path === '/old') response.writeHead(301, { location: '/' }).end()
  else if (path === '/image') send('image/png', '\x89PNG')
  else if (path === '/hang') response.writeHead(200, { 'content-type': 'text/html' }).write('<p>')
  else send('text/html; charset=utf-8', PAGE)
}

async function startApi(allowPrivate: boolean): Promise<string> {
  const dataDir = opened.use(await temporaryFolder()).path
  const path = storePath(dataDir)
  const jobs = opened.use(await openSqliteJobStore(path))
  const journal = opened.use(await openSqliteJobJournal(path))
  const reads = opened.use(await openReads({ data: dataDir, frontier: null }))
  const settings = { ...RIG_SETTINGS, allowPrivate }
  const deps: ApiDeps = {
    ...{ jobs, journal, reads, clock: systemClock, assetsDir: null, checkTopic },
    showTopic: lookedFor,
    dispatcher: new StillDispatcher(jobs, journal),
    settings: { ...settings, defaults: { ...settings.defaults, delayMs: 1 } },
    log: () => {},
  }
  const api = await createApi(deps)
  opened.defer(() => api.close())
  return api.listen({ host: '127.0.0.1', port: 0 })
}

before(async () => {
  const server = createServer(({ url = '/' }, response) => {
    asked.push(url)
    answer(url, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  web = `http://127.0.0.1:${port}`
  open = await startApi(true)
  guarded = await startApi(false)
})
after(() => opened.disposeAsync())

async function post<T>(server: string, path: string, body: object) {
  const response = await fetch(`${server}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as T }
}
type Failed = { readonly error: { readonly code: string; readonly message: string } }

test('one page comes with what was asked for, where redirects lead to', async () => {
  const formats = ['text', 'markdown', 'links', 'html', 'parts']
  const { status, body } = await post<ScrapedPage>(open, '/scrape', { url: `${web}/old`, formats })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(
    [body.url, body.title, body.language, body.redirects],
    [`${web}/`, 'Tea', 'en', [{ url: `${web}/old`, status: 301 }]],
  )
  assert.match(body.text ?? '', /Green tea is steamed/)
  assert.match(body.markdown ?? '', /# Tea[\s\S]*\*\*steamed\*\*/)
  assert.equal(body.html, PAGE)
  assert.ok(body.links?.some(({ url }) => url === 'http://elsewhere.test/x'))
  assert.equal(body.parts?.lists?.length, 1)
  const plain = await post<ScrapedPage>(open, '/scrape', { url: web })
  assert.deepEqual(
    Object.keys(plain.body).filter((key) => formats.includes(key)),
    ['text', 'markdown'],
  )
})

test('what cannot be had is answered with the reason, and robots.txt is asked for once', async () => {
  const tried = async (path: string, more = {}) =>
    (await post<Failed>(open, '/scrape', { url: `${web}${path}`, ...more })).body.error
  const shut = await tried('/shut')
  assert.deepEqual([shut.code, /robots\.txt forbids/.test(shut.message)], ['no-page', true])
  assert.match((await tried('/image')).message, /type: image\/png/)
  const free = await post<ScrapedPage>(open, '/scrape', { url: `${web}/shut`, ignore_robots: true })
  assert.equal(free.body.title, 'Tea')
  assert.equal(asked.filter((path) => path === '/shut').length, 1)
})

test('private addresses are closed, and nonsense is refused', async () => {
  const before = asked.length
  for (const path of ['/scrape', '/map']) {
    const { status, body } = await post<Failed>(guarded, path, { url: web })
    assert.deepEqual([status, body.error.code], [422, 'no-page'])
    assert.match(body.error.message, /private-address/)
    const bad = [
      {},
      { url: 'ftp://x' },
      { url: 'http://u:p@a.test/' },
      { url: web, formats: ['x'] },
    ]
    for (const one of bad) assert.equal((await post(guarded, path, one)).status, 400)
  }
  assert.equal(asked.length, before)
})

test('the URLs of a site come from its page and its sitemaps', async () => {
  const { body } = await post<SiteUrls>(open, '/map', { url: web })
  assert.deepEqual(
    body.urls.map(({ url }) => url.slice(web.length)),
    ['/', '/b', '/deep/green', '/deep/black'],
  )
  assert.deepEqual([body.urls[0]?.title, body.urls[1]?.title], ['Tea', 'Next'])
  assert.deepEqual([body.sitemaps, body.complete], [2, true])
  const found = await post<SiteUrls>(open, '/map', { url: web, search: 'DEEP', limit: 1 })
  assert.deepEqual(found.body.urls, [{ url: `${web}/deep/green` }])
  assert.equal(found.body.complete, false)
})

test('rules of a request take fields from the page, and wrong ones are all named', async () => {
  const rules = { fields: [{ name: 'kinds', selector: 'li', many: true }] }
  const body = { url: `${web}/`, formats: [], fields: rules }
  const page = await post<ScrapedPage>(open, '/scrape', body)
  assert.equal(page.status, 200)
  assert.deepEqual(page.body.fields, { kinds: ['Sencha', 'Gyokuro'] })
  const wrong = { fields: [{ name: '1', selector: 'li:hover' }] }
  const told = await post<Failed>(open, '/scrape', { url: `${web}/`, fields: wrong })
  assert.equal(told.status, 400)
  assert.match(JSON.stringify(told.body), /fields\[0\]\.name: .*fields\[0\]\.selector: /)
})

test('a page that does not end costs no more than the time that was given', async () => {
  const { status, body } = await post<Failed>(open, '/scrape', {
    url: `${web}/hang`,
    timeout: 1000,
  })
  assert.equal(status, 422)
  assert.match(body.error.message, /in the time that was given/)
})
