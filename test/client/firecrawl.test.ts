// The client that Firecrawl publishes, pointed at this server: its own code asks, a small web on this machine
// is what it gets.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { expectedCrawl } from '../../src/sample-web/oracle.ts'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { temporaryFolder } from '../e2e/crawling.ts'
import { type Served, startServer } from '../e2e/serving.ts'
import { Firecrawl } from './node_modules/firecrawl/dist/index.js'

const TOKEN = 'a-token-of-some-length'
const site = createSite({ seed: 6, pages: 240, hosts: 1 })
const opened = new AsyncDisposableStack()
let web: ServedSite
let server: Served
let client: Firecrawl
let seed = ''

before(async () => {
  const { path } = opened.use(await temporaryFolder())
  web = opened.use(await startSite(site))
  const flags = ['--allow-private', '--delay', '0', '--token', TOKEN]
  server = opened.use(await startServer(path, flags))
  seed = web.seeds[0] ?? ''
  client = new Firecrawl({ apiKey: TOKEN, apiUrl: server.url })
})
after(() => opened.disposeAsync())

const LOOK_AGAIN_MS = 100
const MAX_TRIES = 300

async function found(words: string): Promise<number> {
  return (await client.search(words, { limit: 5 })).web?.length ?? 0
}

test('scrape gives Markdown, links and what is known of the page', async () => {
  const page = await client.scrape(seed, { formats: ['markdown', 'links', 'rawHtml'] })
  assert.match(page.markdown ?? '', /^# /)
  assert.ok((page.links?.length ?? 0) > 0)
  assert.match(page.rawHtml ?? '', /<html/)
  assert.deepEqual([page.metadata?.statusCode, page.metadata?.sourceURL], [200, seed])
  assert.notEqual(page.metadata?.title, '')
})

test('map lists the URLs of the site', async () => {
  const { links } = await client.map(seed, { limit: 50 })
  assert.ok(links.length > 5)
  assert.ok(links.every(({ url }) => url.startsWith(seed)))
})

test('crawl stores every page of the site, and its status has them all, part by part', async () => {
  const job = await client.crawl(seed, {
    ...{ limit: 500, crawlEntireDomain: true, pollInterval: 1 },
    scrapeOptions: { formats: ['markdown'] },
  })
  assert.equal(job.status, 'completed')
  const { stored } = expectedCrawl(site, { seeds: [seed], scope: 'host' })
  const urls = job.data.map(({ metadata }) => metadata?.url).sort()
  assert.ok(urls.length > 100, `${urls.length} of ${stored.size} are more than one part`)
  assert.equal(new Set(urls).size, urls.length)
  const { json } = await server.ask(`/crawl/${job.id}/pages?limit=1000`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  const rows: { readonly url: string; readonly noindex: boolean }[] = json.pages
  const hidden = new Set(rows.filter(({ noindex }) => noindex).map(({ url }) => url))
  assert.deepEqual(
    [...stored].filter((url) => !urls.includes(url) && !hidden.has(url)),
    [],
  )
  assert.ok(job.data.every(({ markdown }) => typeof markdown === 'string'))
  const { errors, robotsBlocked } = await client.getCrawlErrors(String(job.id))
  assert.ok(Array.isArray(errors) && Array.isArray(robotsBlocked))
  const words = String(job.data[0]?.metadata?.title)
  // The index follows the crawl in a process of its own.
  for (let tries = 0; (await found(words)) === 0; tries++) {
    assert.ok(tries < MAX_TRIES, 'nothing is found')
    await wait(LOOK_AGAIN_MS)
  }
  const { crawls } = await client.getActiveCrawls()
  assert.deepEqual(crawls, [])
})

test('a crawl can be cancelled', async () => {
  const { id } = await client.startCrawl(seed, { limit: 100, delay: 5 })
  assert.equal(await client.cancelCrawl(id), true)
  assert.equal((await client.getCrawlStatus(id)).status, 'cancelled')
})

test('a crawl that comes to nothing says why', async () => {
  const { id } = await client.startCrawl(`${seed}nowhere`, { limit: 1 })
  for (let tries = 0; (await client.getCrawlStatus(id)).status !== 'failed'; tries++) {
    assert.ok(tries < MAX_TRIES, 'it does not end')
    await wait(LOOK_AGAIN_MS)
  }
  const { errors } = await client.getCrawlErrors(id)
  assert.match(errors[0]?.error ?? '', /no seed could be fetched: .*http-404/)
})

test('what is not done here is said by name', async () => {
  const json = { type: 'json', prompt: 'what is it about?' } as const
  await assert.rejects(client.scrape(seed, { formats: [json] }), /formats: "json" is not made here/)
  const actions = [{ type: 'wait', milliseconds: 10 }] as const
  await assert.rejects(client.scrape(seed, { actions: [...actions] }), /actions: is not done here/)
  await assert.rejects(
    client.startCrawl(seed, { includePaths: ['/(a|b)'] }),
    /includePaths: .*plain paths/,
  )
  await assert.rejects(client.startCrawl(seed, { limit: 1.5 }), /limit: needs a whole number/)
  await assert.rejects(client.search('tea', { sources: ['images'] }), /sources: has web only/)
  await assert.rejects(client.scrape(`${seed}nowhere`), /http-404/)
  const stranger = new Firecrawl({ apiKey: 'wrong', apiUrl: server.url })
  await assert.rejects(stranger.scrape(seed), /token/)
  const response = await fetch(`${server.url}/v2/extract`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: '{}',
  })
  assert.equal(response.status, 501)
  assert.match(await response.text(), /"success":false/)
})
