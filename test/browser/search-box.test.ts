// The search box on a site of its own, in a real browser: what visitors type, hear and press, and what a site
// that is not listed gets.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { SEARCH_PAGE, searchPage } from '../../src/sample-web/search-page.ts'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { jelajah, temporaryFolder } from '../e2e/crawling.ts'
import { type Served, startServer, until } from '../e2e/serving.ts'
import {
  assertAccessible,
  assertFits,
  type Chromium,
  keepScreenshot,
  openBrowser,
  type Page,
} from './browser.ts'

const site = createSite({
  seed: 11,
  hosts: [
    { name: 'roads', pages: 40, language: 'en', style: 'blog' },
    { name: 'kabar', pages: 20, language: 'id', style: 'news' },
    { name: 'stranger', pages: 2, language: 'en', style: 'docs' },
  ],
})
const KEY = 'the-public-key-of-this-test'
const MAX_BYTES = 10_000

const rig = new AsyncDisposableStack()
let served: ServedSite
let server: Served
let browser: Chromium

before(async () => {
  served = rig.use(await startSite(site))
  const folder = rig.use(await temporaryFolder())
  const listed = ['roads', 'kabar'].map((name) => new URL(served.url(name)).origin)
  server = rig.use(
    await startServer(folder.path, [
      ...listed.flatMap((origin) => ['--public-search', origin]),
      ...['--public-crawl', 'box', '--public-key', KEY, '--public-rate', '1000', '--quiet'],
    ]),
  )
  browser = rig.use(await openBrowser())
  served.add(SEARCH_PAGE, (host) =>
    searchPage(host, { server: server.url, key: KEY, crawl: 'box' }),
  )
})
after(() => rig.disposeAsync())

const box = (page: Page) => page.getByRole('combobox')
const options = (page: Page) => page.getByRole('option')
const heard = (page: Page) => page.locator('jelajah-search').getByRole('status')

async function openBox(page: Page, host = 'roads'): Promise<void> {
  await page.goto(new URL(SEARCH_PAGE, served.url(host)).href)
  await box(page).waitFor()
}

test('the box is one small file', () => {
  const file = join(import.meta.dirname, '..', '..', 'dist', 'dashboard', 'search.js')
  const text = readFileSync(file, 'utf8')
  assert.ok(text.length <= MAX_BYTES, `search.js has ${text.length} bytes`)
  assert.doesNotMatch(text, /\bimport\b|\brequire\(|innerHTML/)
})

test('before anything is stored the box says so, and finds the pages of a crawl beside the server', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await openBox(page)
  await box(page).fill('health')
  await page.getByText('There is nothing to search yet.').last().waitFor()
  assert.equal(await box(page).getAttribute('aria-expanded'), 'false')
  await page.goto(`${server.url}/#/search?q=-nosuchword`)
  await page.getByRole('heading', { name: 'There is nothing to search yet' }).waitFor()
  const data = server.run.process.spawnargs[server.run.process.spawnargs.indexOf('--data') + 1]!
  const seeds = ['roads', 'kabar'].map((name) => served.url(name))
  const flags = ['--data', data, '--name', 'box', '--delay', '0', '--allow-private', '--quiet']
  const { code, stderr } = await jelajah(['crawl', ...seeds, ...flags]).ended
  assert.equal(code, 0, stderr)
  await until(async () => {
    const { json } = await server.ask(`/public/search?key=${KEY}&q=-nosuchword`)
    return json.index === 'ready' && json.total > 10
  }, 'the index to follow a crawl of another program')
  await page.locator('.hits a').first().waitFor()
  await openBox(page)
  await box(page).fill('the')
  await options(page).first().waitFor()
  assert.deepEqual(troubles, [])
})

/** A word of a title of the crawl. */
async function titleWord(): Promise<string> {
  const { json } = await server.ask(`/public/search?key=${KEY}&q=-nosuchword&limit=20`)
  const titles: string[] = json.hits.map(({ title }: { title: string }) => title)
  const words = titles.flatMap((title) => title.match(/\b[a-z]{8,}\b/g) ?? [])
  assert.ok(words[0] !== undefined, titles.join())
  return words[0]
}

test('results come as a visitor types, as links with their matches marked', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/public/search')) asked.push(request.url())
  })
  // What the box was told: ranks that are computed meanwhile may change the order of a later answer.
  const answers = new Map<string | null, string[]>()
  page.on('response', async (response) => {
    const { pathname, searchParams } = new URL(response.url())
    if (pathname !== '/public/search') return
    const { hits } = (await response.json()) as { hits: { url: string }[] }
    answers.set(
      searchParams.get('q'),
      hits.map(({ url }) => url),
    )
  })
  await openBox(page)
  const word = await titleWord()
  await box(page).pressSequentially(word.slice(0, -2), { delay: 5 })
  await options(page).first().waitFor()
  assert.ok(asked.length < word.length - 2, 'not for every letter')
  await until(async () => {
    const links = page.locator('jelajah-search a[role=option]')
    const shown = await links.evaluateAll((found) => found.map((one) => one.getAttribute('href')))
    return String(shown) === String(answers.get(word.slice(0, -2)))
  }, 'the box to show what the server answered')
  assert.ok((await page.locator('jelajah-search mark').count()) > 0)
  assert.match((await heard(page).textContent()) ?? '', /^\d+ results?$/)
  await keepScreenshot(page, 'search-box')
  await assertAccessible(page, 'the search box with results')
  assert.deepEqual(troubles, [])
})

test('the keyboard alone chooses, opens, closes and clears', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await openBox(page)
  await box(page).fill(await titleWord())
  await options(page).first().waitFor()
  const active = async () => {
    const id = await box(page).getAttribute('aria-activedescendant')
    return id === null
      ? null
      : options(page)
          .and(page.locator(`#${id}`))
          .getAttribute('aria-selected')
  }
  assert.equal(await active(), null)
  await page.keyboard.press('ArrowUp')
  assert.equal(await options(page).last().getAttribute('aria-selected'), 'true')
  await page.keyboard.press('ArrowDown')
  assert.equal(await active(), null, 'back in the input')
  await page.keyboard.press('ArrowDown')
  assert.equal(await active(), 'true')
  assert.equal(await box(page).getAttribute('aria-expanded'), 'true')
  await page.keyboard.press('Escape')
  assert.equal(await box(page).getAttribute('aria-expanded'), 'false')
  assert.equal(await options(page).count(), 0, 'hidden')
  await page.keyboard.press('ArrowDown')
  assert.equal(await options(page).first().getAttribute('aria-selected'), 'true')
  const href = await options(page).first().getAttribute('href')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  assert.equal(await box(page).inputValue(), '')
  await box(page).fill(await titleWord())
  await options(page).first().waitFor()
  await page.keyboard.press('ArrowDown')
  // The page that opens lacks pictures and styles.
  assert.deepEqual(troubles, [])
  await page.keyboard.press('Enter')
  await page.waitForURL(href!)
})

test('more results follow the last one, and the first new one is the active one', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await openBox(page)
  await box(page).fill('the OR and OR yang OR dan')
  await options(page).nth(8).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await options(page).nth(15).waitFor()
  assert.equal(await options(page).nth(8).getAttribute('aria-selected'), 'true')
  assert.deepEqual(troubles, [])
})

test('a word with a slip is found, or the right one is offered', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await openBox(page)
  const word = await titleWord()
  const slip = `${word.slice(0, 3)}${word[4]}${word[3]}${word.slice(5)}`
  assert.notEqual(slip, word)
  await box(page).fill(slip)
  await options(page).first().waitFor()
  const offered = page.getByRole('option', { name: `Did you mean: ${word}` })
  if ((await offered.count()) > 0) {
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await until(async () => (await box(page).inputValue()) === word)
  }
  await page.locator('jelajah-search a[role=option]').first().waitFor()
  assert.deepEqual(troubles, [])
})

test('a site in Indonesian has a box in Indonesian, dark where the visitor wants it so', async () => {
  await using reader = await browser.open({ theme: 'dark', width: 400 })
  const { page, troubles } = reader
  await openBox(page, 'kabar')
  await page.getByRole('combobox', { name: 'Cari di situs ini' }).fill('yang')
  await page.getByRole('listbox', { name: 'Hasil' }).waitFor()
  assert.match((await heard(page).textContent()) ?? '', /^\d+ hasil$/)
  await keepScreenshot(page, 'search-box-dark')
  await assertAccessible(page, 'the dark search box')
  await assertFits(page, 'the search box')
  await box(page).fill('zzqqxxyy')
  await page.getByText('Tidak ada hasil untuk “zzqqxxyy”.').first().waitFor()
  assert.deepEqual(troubles, [])
})

test('a site that is not listed gets nothing, whatever it tries', async () => {
  await using reader = await browser.open()
  const { page } = reader
  await openBox(page, 'stranger')
  await box(page).fill('the')
  await page.getByText('The search cannot be reached now.').first().waitFor()
  assert.equal(await options(page).count(), 0)
  const address = `${server.url}/public/search?q=the&key=${KEY}`
  const tries: unknown = await page.evaluate(`(async () => {
    const outcome = (...asked) => fetch(...asked).then((answer) => answer.text(), () => '')
    const address = ${JSON.stringify(address)}
    const frame = document.createElement('iframe')
    frame.sandbox.add('allow-scripts')
    const heard = new Promise((done) => addEventListener('message', ({ data }) => done(data)))
    const asks = 'fetch(' + JSON.stringify(address) + ').then((answer) => answer.text(), () => "")'
    const tells = '.then((text) => parent.postMessage(text, "*"))'
    frame.srcdoc = '<script>' + asks + tells + '</scr' + 'ipt>'
    document.body.append(frame)
    return [
      await outcome(address),
      await outcome(address, { credentials: 'include' }),
      await outcome(address, { headers: { 'x-a': '1' } }),
      await outcome(address, { mode: 'no-cors' }),
      await outcome(${JSON.stringify(`${server.url}/crawl`)}),
      await heard,
    ]
  })()`)
  assert.deepEqual(tries, ['', '', '', '', '', ''])
})

test('what pages say is shown, never obeyed', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  const evil = '<img src=x onerror=alert(1)>\u202egnp\u0000<script>alert(2)</script>'
  const hit = { title: evil, snippet: evil, title_marks: [[0, 4]], snippet_marks: [[5, 2]] }
  const hits = [
    { ...hit, url: 'javascript:alert(3)', language: '' },
    { ...hit, url: 'https://a.test/"><b>', title: '', title_marks: [[9, 1e9]], language: '' },
  ]
  await page.route('**/public/search?*', (route) =>
    route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      json: { query: 'x', total: 2, suggestion: null, words: [], hits, index: 'ready' },
    }),
  )
  await openBox(page)
  await box(page).fill('anything')
  await options(page).nth(1).waitFor()
  assert.equal(await options(page).first().getAttribute('href'), null)
  assert.equal(await page.locator('jelajah-search img, jelajah-search script').count(), 0)
  const shown = (await options(page).first().textContent()) ?? ''
  assert.ok(shown.startsWith('<img src=x onerror=alert(1)>'))
  assert.doesNotMatch(shown, /[\u0000\u202e]/)
  assert.match((await options(page).nth(1).textContent()) ?? '', /^\(no title\)/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.deepEqual(troubles, [])
})
