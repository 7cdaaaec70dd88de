// The dashboard in a real browser, on a real server that crawls the sample web: crawls are started,
// watched, paused and resumed as a reader would.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { temporaryFolder } from '../e2e/crawling.ts'
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
  seed: 5,
  hosts: [
    { name: 'kabar', pages: 60, language: 'id', style: 'news' },
    { name: 'roads', pages: 60, language: 'en', style: 'blog' },
    { name: 'bench', pages: 40, language: 'en', style: 'docs' },
  ],
})

const rig = new AsyncDisposableStack()
let served: ServedSite
let server: Served
let browser: Chromium

before(async () => {
  browser = rig.use(await openBrowser())
  served = rig.use(await startSite(site))
  const folder = rig.use(await temporaryFolder())
  server = rig.use(await startServer(folder.path, ['--allow-private', '--quiet']))
})
after(() => rig.disposeAsync())

const seeds = (): string => served.seeds.join('\n')
const FOCUSED = "document.activeElement.tagName + ' ' + document.activeElement.textContent"
const UNFOLD = "for (const part of document.querySelectorAll('main details')) part.open = true"
const startButton = (page: Page) => page.getByRole('button', { name: 'Start crawl' })

/** A crawl of its own that a test may do anything with. */
const slowCrawl = (name: string): Promise<string> =>
  server.crawl({ urls: served.seeds, name, delay: 500 })

async function openGroup(page: Page, name: string): Promise<void> {
  await page.locator('summary', { hasText: name }).first().click()
}

test('an empty place says what to do, and leads to the form', async () => {
  const folder = await temporaryFolder()
  await using _folder = folder
  await using empty = await startServer(folder.path, ['--quiet'])
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(empty.url)
  await page.getByRole('heading', { name: 'No crawls yet' }).waitFor()
  await keepScreenshot(page, 'jobs-empty')
  await page.getByRole('main').getByRole('link', { name: 'New crawl' }).first().click()
  await page.getByRole('heading', { name: 'New crawl' }).waitFor()
  await until(async () => (await page.title()) === 'New crawl · Jelajah', 'the title of the form')
  assert.deepEqual(troubles, [])
})

test('a crawl is started from the form and watched until it is done', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(`${server.url}/#/new`)
  await page.getByLabel('Addresses').fill(seeds())
  await page.getByLabel('Pages, at most').fill('40')
  await page.getByLabel('Name').fill('From the form')
  await openGroup(page, 'Manners')
  await page.getByLabel('Delay', { exact: true }).fill('50')
  await startButton(page).click()
  await page.getByRole('heading', { name: 'From the form' }).waitFor()
  await until(
    async () => (await page.evaluate(FOCUSED)) === 'H1 From the form',
    'the focus to be at the heading of the new crawl',
  )
  await page.locator('.newest li').first().waitFor()
  await page.locator('.status.completed').waitFor()
  const stored = page.locator('.stat', { hasText: 'Stored' }).locator('dd')
  await until(
    async () => /^40(?!\d)/.test((await stored.textContent()) ?? ''),
    '40 stored pages to be shown',
  )
  await page.getByRole('img', { name: /Stored: 40 now/ }).waitFor()
  const [job] = (await server.ask('/crawl')).json.jobs
  assert.deepEqual([job.name, job.stored, job.status], ['From the form', 40, 'completed'])
  await keepScreenshot(page, 'job-completed')
  assert.deepEqual(troubles, [])
})

test('only what was changed is sent, in its own type', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(`${server.url}/#/new`)
  await page.getByLabel('Addresses').fill(`${served.seeds[0]}\n\n${served.seeds[1]}`)
  await page.getByLabel('Pages, at most').fill('3')
  await page.getByLabel('Keywords').fill('road, travel')
  await page.getByLabel('Ordering', { exact: true }).selectOption('best-first')
  await openGroup(page, 'What is kept')
  await page.getByLabel('Keep HTML').check()
  const sent = page.waitForRequest(`${server.url}/crawl`)
  await startButton(page).click()
  const request = await sent
  assert.deepEqual(request.postDataJSON(), {
    urls: [served.seeds[0], served.seeds[1]],
    max_pages: 3,
    ordering: 'best-first',
    // The server splits them.
    keywords: ['road, travel'],
    keep_html: true,
  })
  assert.match(request.headers()['idempotency-key'] ?? '', /^[0-9a-f]{32}$/)
  await page.locator('.status').waitFor()
  assert.deepEqual(troubles, [])
})

test('what is wrong stands beside its field, and the first of it has the focus', async () => {
  await using reader = await browser.open()
  const { page } = reader
  await page.goto(`${server.url}/#/new`)
  await startButton(page).click()
  await page.getByText('Give at least one address to begin with.').first().waitFor()
  const addresses = page.getByLabel('Addresses')
  assert.equal(await addresses.getAttribute('aria-invalid'), 'true')
  await addresses.fill('not an address\nhttps://ok.test/')
  await openGroup(page, 'Limits and filters')
  await page.getByLabel('Include').fill('[z-a]{')
  await openGroup(page, 'Limits and filters')
  await startButton(page).click()
  const error = page.locator('#field-seeds-error')
  await error.filter({ hasText: 'Line 1' }).waitFor()
  const described = (await addresses.getAttribute('aria-describedby')) ?? ''
  assert.ok(described.includes('field-seeds-error'), described)
  assert.equal(await page.evaluate('document.activeElement.id'), 'field-seeds')
  // A field in a folded group is shown when something is wrong with it.
  assert.ok(await page.locator('#field-include-error').isVisible())
  await assertAccessible(page, 'a form with errors')
  await keepScreenshot(page, 'new-errors')
})

test('a focused ordering asks for a topic before anything is sent', async () => {
  await using reader = await browser.open({ language: 'id' })
  const { page, troubles } = reader
  await page.goto(`${server.url}/#/new`)
  await page.getByLabel('Alamat', { exact: true }).fill(served.seeds[0] ?? '')
  await page.getByLabel('Urutan', { exact: true }).selectOption('adaptive')
  await page.getByRole('button', { name: 'Mulai merayap' }).click()
  await page.locator('#field-topic-error').waitFor()
  assert.equal(await page.evaluate('document.activeElement.id'), 'field-topic')
  assert.deepEqual(troubles, [])
})

test('a crawl is paused, resumed and stopped', async () => {
  const id = await slowCrawl('Pause me')
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(`${server.url}/#/job/${id}`)
  await page.locator('.status.running').waitFor()
  await page.locator('.newest li').first().waitFor()
  await keepScreenshot(page, 'job-running')
  await page.getByRole('button', { name: /^Pause/ }).click()
  await page.locator('.status.paused').waitFor()
  await page.getByRole('button', { name: /^Resume/ }).click()
  await page.locator('.status.running').waitFor()
  await page.getByRole('button', { name: /^Stop/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  const tile = page.locator('.stat', { hasText: 'Stored' }).locator('dd')
  await until(async () => {
    const [stored] = ((await tile.textContent()) ?? '').match(/\d+/) ?? []
    return ((await dialog.textContent()) ?? '').includes(`(${stored} page`)
  }, 'the dialog to name the pages of now')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.ok(await page.locator('.status.running').isVisible(), 'Escape leaves all as it is')
  await page.getByRole('button', { name: /^Stop/ }).click()
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await page.locator('.status.stopped').waitFor()
  assert.deepEqual(troubles, [])
})

test('a crawl that ended at its limit of pages goes on with a larger one', async () => {
  const id = await server.crawl({ urls: served.seeds, delay: 20, max_pages: 6, name: 'A few' })
  await server.ended(id)
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(`${server.url}/#/job/${id}`)
  await page.getByRole('button', { name: /^Go on with more pages/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Pages, at most').fill('6')
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await dialog.getByText('This needs to be at least 7.').waitFor()
  await assertAccessible(page, 'asking for more pages')
  await keepScreenshot(page, 'job-go-on')
  await dialog.getByLabel('Pages, at most').fill('14')
  await dialog.getByRole('button', { name: 'Go on' }).click()
  const stored = page.locator('.stat', { hasText: 'Stored' }).locator('dd')
  await until(
    async () => /^14of at most 14/.test((await stored.textContent()) ?? ''),
    '14 stored pages to be shown',
  )
  assert.deepEqual(troubles, [])
})

test('the list follows crawls that others start, and one can be removed there', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(server.url)
  await page.getByRole('table').waitFor()
  const id = await slowCrawl('Started elsewhere')
  const row = page.getByRole('row').filter({ hasText: 'Started elsewhere' })
  await row.waitFor()
  await row.getByText(/pages\/s/).waitFor()
  await row.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
  assert.equal((await server.ask(`/crawl/${id}/overview`)).status, 404)
  assert.deepEqual(troubles, [])
})

test('the panel of reasons never contradicts the figures above it', async () => {
  const id = await server.crawl({
    urls: served.seeds,
    delay: 150,
    max_pages: 100,
    exclude: ['/**/*a*'],
  })
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(`${server.url}/#/job/${id}`)
  const seen = `(() => {
    const tiles = [...document.querySelectorAll('.stat')]
    const left = tiles.find((tile) => tile.textContent.startsWith('Outside'))
    const denies = document.body.textContent.includes('Nothing was refused')
    return { refused: Number(/[0-9]+/.exec(left?.textContent ?? '0')[0]), denies }
  })()`
  await until(async () => {
    const { refused, denies } = await page.evaluate<{ refused: number; denies: boolean }>(seen)
    assert.ok(refused === 0 || !denies, `${refused} were left out, and the panel says none`)
    return refused > 0 && (await page.locator('.reason').count()) > 0
  }, 'the reasons of what was left out')
  await server.post(`/crawl/${id}/stop`, undefined)
  assert.deepEqual(troubles, [])
})

test('reasons of what was refused open to the URLs behind them', async () => {
  const id = await server.crawl({ urls: served.seeds, delay: 0, per_host: 8, exclude: ['/**/*a*'] })
  await server.ended(id)
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(`${server.url}/#/job/${id}`)
  const reason = page.locator('.reason', { hasText: 'Excluded by a filter' })
  await reason.locator('summary').click()
  const link = reason.getByRole('link').first()
  await link.waitFor()
  assert.match((await link.getAttribute('href')) ?? '', /^http:\/\//)
  assert.equal(await link.getAttribute('rel'), 'noopener noreferrer nofollow')
  assert.deepEqual(troubles, [])
})

test('a crawl that ended is at rest in the list: no bar, however few pages it has', async () => {
  const id = await server.crawl({
    urls: served.seeds,
    delay: 0,
    max_depth: 0,
    name: 'Only the seeds',
  })
  await server.ended(id)
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(server.url)
  const row = page.getByRole('row').filter({ hasText: 'Only the seeds' })
  await row.getByText('Completed').waitFor()
  assert.equal(await row.locator('.bar').count(), 0)
  assert.deepEqual(troubles, [])
})

test('a crawl that is not there says so', async () => {
  await using reader = await browser.open()
  const { page } = reader
  await page.goto(`${server.url}/#/job/crawl_999999`)
  await page.getByRole('heading', { name: 'This crawl is not here' }).waitFor()
  assert.equal(await page.getByText('The server does not answer').count(), 0)
  await page.goto(`${server.url}/#/no/such/place`)
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
})

test('every view is accessible and fits, in light and dark, wide and narrow, in both languages', async () => {
  const id = await server.crawl({
    urls: served.seeds,
    delay: 20,
    max_pages: 25,
    topic: 'perjalanan dan kesehatan',
    ordering: 'adaptive',
    name: '<script>alert(1)</script> \u202e and more',
  })
  await server.ended(id)
  const views: [string, string][] = [
    ['jobs', '#/'],
    ['new', '#/new'],
    ['job', `#/job/${id}`],
    ['api', '#/api'],
  ]
  const looks = [
    { theme: 'light', width: 1280, language: 'en' },
    { theme: 'dark', width: 1280, language: 'id' },
    { theme: 'light', width: 360, language: 'id' },
  ] as const
  for (const look of looks) {
    await using reader = await browser.open(look)
    const { page, troubles } = reader
    for (const [name, hash] of views) {
      const what = `${name}-${look.theme}-${look.width}`
      await page.goto(`${server.url}/${hash}`)
      await page.locator('main h1').waitFor()
      await page.locator('main :is(.card, .stats)').first().waitFor()
      if (name === 'new') await page.evaluate(UNFOLD)
      await assertAccessible(page, what)
      await assertFits(page, what)
      await keepScreenshot(page, what)
    }
    assert.deepEqual(troubles, [], `${look.theme} ${look.width}`)
  }
})

test('all can be done with the keyboard, and a new view begins at its top', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(server.url)
  await page.getByRole('table').waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.className'), 'skip-link')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.id'), 'main')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'New crawl' }).waitFor()
  await until(
    async () => (await page.evaluate(FOCUSED)) === 'H1 New crawl',
    'the focus to be at the heading',
  )
  assert.deepEqual(troubles, [])
})

test('when the server goes away the page says so, and recovers by itself', async () => {
  const folder = await temporaryFolder()
  await using _folder = folder
  const first = await startServer(folder.path, ['--quiet'])
  const { port } = new URL(first.url)
  await using reader = await browser.open()
  const { page } = reader
  await page.goto(first.url)
  await page.getByRole('heading', { name: 'No crawls yet' }).waitFor()
  await first[Symbol.asyncDispose]()
  await page.getByText('The server does not answer. Trying again').waitFor()
  await using _again = await startServer(folder.path, ['--quiet', '--port', port])
  await page.getByText('The server does not answer').waitFor({ state: 'detached' })
})

test('a server with a token asks for it, and lets nobody in without', async () => {
  const token = 'a-token-of-some-length'
  const folder = await temporaryFolder()
  await using _folder = folder
  await using guarded = await startServer(folder.path, ['--quiet'], { JELAJAH_TOKEN: token })
  await using reader = await browser.open()
  const { page } = reader
  await page.goto(guarded.url)
  await page.getByLabel('Token').fill('not-the-right-token')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('That is not the token of this server.').waitFor()
  await assertAccessible(page, 'signing in')
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'No crawls yet' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Token').waitFor()
})
