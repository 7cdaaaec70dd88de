// Looking around in a crawl with a real browser: the table of pages, one page, both maps, search.
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
  WEBGL,
} from './browser.ts'

const site = createSite({
  seed: 11,
  hosts: [
    { name: 'kabar', pages: 30, language: 'id', style: 'news' },
    { name: 'roads', pages: 24, language: 'en', style: 'blog' },
    { name: 'bench', pages: 16, language: 'en', style: 'docs' },
  ],
})

const rig = new AsyncDisposableStack()
let served: ServedSite
let server: Served
let browser: Chromium
let id: string

before(async () => {
  served = rig.use(await startSite(site))
  const folder = rig.use(await temporaryFolder())
  server = rig.use(await startServer(folder.path, ['--allow-private', '--quiet']))
  browser = rig.use(await openBrowser(WEBGL))
  id = await server.crawl({
    urls: served.seeds,
    delay: 0,
    per_host: 8,
    keep_html: true,
    topic: 'health, clinic and food',
    name: 'Look around',
  })
  await server.ended(id)
})
after(() => rig.disposeAsync())

const stored = async (): Promise<number> =>
  (await server.ask(`/crawl/${id}/overview`)).json.job.stored

const grid = (page: Page) => page.getByRole('grid')
const rows = (page: Page) => page.locator('.page-rows .page-row')
const count = (page: Page, text: RegExp | string) =>
  page.locator('.table-state').getByText(text).waitFor()

async function openPages(page: Page, query = ''): Promise<void> {
  await page.goto(`${server.url}/#/job/${id}/pages${query}`)
  await rows(page).locator('a').first().waitFor()
}

/** Where nodes end up is shown, not how they get there: a picture takes long without a graphics card. */
async function openMap(page: Page, view: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${server.url}/#/job/${id}/${view}`)
  await page.locator('.map-canvas[data-share="1"]').waitFor()
}

test('the table shows all pages, and filters are kept in the address', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await openPages(page)
  const total = await stored()
  await count(page, `${total} pages`)
  assert.equal(await grid(page).getAttribute('aria-rowcount'), String(total + 1))
  await page.locator('#filter-language').selectOption('id')
  await count(page, /^\d+ pages? match/)
  const { json } = await server.ask(`/crawl/${id}/page-ids?language=id`)
  await count(page, new RegExp(`^${json.total} pages match`))
  await page.getByLabel('Title or URL contains').fill('no page is called this')
  await page.getByRole('heading', { name: 'No page matches' }).waitFor()
  assert.match(page.url(), /language=id/)
  assert.match(page.url(), /text=no\+page/)
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
  await count(page, `${total} pages`)
  assert.doesNotMatch(page.url(), /\?/)
  assert.deepEqual(troubles, [])
})

test('a header sorts the table, and says so', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await openPages(page)
  const size = page.getByRole('columnheader', { name: 'Size' })
  assert.equal(await size.getAttribute('aria-sort'), 'none')
  await size.getByRole('button').click()
  const { json } = await server.ask(`/crawl/${id}/page-ids?sort=size_bytes&descending=true`)
  const largest = `#/job/${id}/page/${json.ids[0]}`
  await rows(page).first().locator(`a[href="${largest}"]`).waitFor()
  assert.equal(await size.getAttribute('aria-sort'), 'descending')
  await size.getByRole('button').click()
  await page.locator('[aria-sort="ascending"]').waitFor()
  assert.match(page.url(), /sort=size_bytes/)
  assert.deepEqual(troubles, [])
})

test('the keyboard moves through the table, opens a page, and comes back to the same row', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await openPages(page)
  await grid(page).focus()
  for (const key of ['End', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key)
  const third = (await stored()) - 1
  const active = page.locator(`.page-row.active[aria-rowindex="${third}"]`)
  await active.locator('a').waitFor()
  const named = await grid(page).getAttribute('aria-activedescendant')
  assert.equal(named, await active.getAttribute('id'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/page\/\d+$/)
  await page.getByRole('heading', { name: 'Facts' }).waitFor()
  await page.goBack()
  await active.waitFor()
  assert.ok(await active.isVisible())
  await page.keyboard.press('Tab')
  assert.deepEqual(troubles, [])
})

test('pages of a running crawl are announced, and come when asked for', async () => {
  const slow = await server.crawl({ urls: served.seeds, delay: 800, name: 'Slow' })
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(`${server.url}/#/job/${slow}/pages`)
  const shown = page.getByText(/\d+ new pages?/)
  await shown.waitFor()
  await server.post(`/crawl/${slow}/stop`, undefined)
  await server.ended(slow)
  const { json } = await server.ask(`/crawl/${slow}/overview`)
  await page.locator('.status.stopped').waitFor()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await count(page, `${json.job.stored} pages`)
  await shown.waitFor({ state: 'detached' })
  assert.deepEqual(troubles, [])
})

test('a page is shown in full, and leads on to the pages it links to', async () => {
  const { json } = await server.ask(`/crawl/${id}/page-ids?sort=depth&descending=true`)
  const pageId = json.ids[0]
  const { json: full } = await server.ask(`/crawl/${id}/pages/${pageId}`)
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(`${server.url}/#/job/${id}/page/${pageId}`)
  await page.getByRole('heading', { name: full.title }).waitFor()
  const address = page.locator('.page-head').getByRole('link', { name: full.url })
  assert.equal(await address.getAttribute('rel'), 'noopener noreferrer nofollow')
  await page.getByRole('heading', { name: 'The way from the seed' }).waitFor()
  const way = await page.locator('.way li').allTextContents()
  assert.ok(
    served.seeds.some((seed) => way[0]?.includes(seed)),
    `${way[0]} is a seed`,
  )
  const shown = (await page.locator('.page-text').textContent()) ?? ''
  assert.ok(full.content_text.startsWith(shown.slice(0, 60)))
  await page.evaluate(`for (const fold of document.querySelectorAll('.fold')) fold.open = true`)
  const [stored] = full.links.filter((link: { page_id: number | null }) => link.page_id !== null)
  await page.locator('.links').first().waitFor()
  await assertAccessible(page, 'a page with all its parts')
  await keepScreenshot(page, 'page-unfolded')
  await page.locator(`.links a[href="#/job/${id}/page/${stored.page_id}"]`).first().click()
  const { json: next } = await server.ask(`/crawl/${id}/pages/${stored.page_id}`)
  await page.locator('.page-head').getByText(next.url).waitFor()
  assert.deepEqual(troubles, [])
})

test('the page map is drawn, settles, and tells of a node what it knows', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await openMap(page, 'map')
  await page.getByText(`${await stored()} nodes`).waitFor()
  const list = page.getByRole('region', { name: 'Nodes by PageRank' })
  const first = list.getByRole('button').first()
  const name = (await first.locator('.map-name').textContent()) ?? ''
  await first.click()
  await page.getByRole('heading', { name, exact: true }).waitFor()
  await page.getByRole('heading', { name: /^Links in/ }).waitFor()
  // A node that was chosen is brought to the middle: there the pointer finds it.
  const middle = await middleOf(page)
  let moves = 0
  await until(async () => {
    await page.mouse.move(middle.x + (moves++ % 3), middle.y)
    return page.locator('.map-card').isVisible()
  }, 'a card beside the pointer')
  await keepScreenshot(page, 'map-selected')
  await page.mouse.dblclick(middle.x, middle.y)
  await page.waitForURL(/\/page\/\d+$/)
  assert.deepEqual(troubles, [])
})

test('a host has the same colour in both maps, and nothing lies over the picture', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  const coloursIn = async (view: string): Promise<unknown> => {
    await openMap(page, view)
    return page.evaluate(`Object.fromEntries([...document.querySelectorAll('.map-main .legend li')]
      .map((entry) => [entry.textContent, entry.querySelector('.swatch').style.background]))`)
  }
  const ofPages = await coloursIn('map')
  assert.equal(Object.keys(Object(ofPages)).length, 3)
  const picture = await page.locator('.map-canvas').boundingBox()
  const buttons = await page.locator('.map-buttons').boundingBox()
  assert.ok(picture !== null && buttons !== null && buttons.y >= picture.y + picture.height)
  assert.deepEqual(await coloursIn('sites'), ofPages)
  // One host alone is told apart by what its pages are about.
  await page.goto(
    `${server.url}/#/job/${id}/map?host=roads.localhost:${new URL(served.seeds[1] ?? '').port}`,
  )
  await page.locator('.map-canvas[data-share="1"]').waitFor()
  assert.ok(await page.getByRole('radio', { name: 'Relevance' }).isChecked())
  assert.deepEqual(troubles, [])
})

test('a map is narrowed by what is looked for, and can be settled further', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await openMap(page, 'map')
  await page.getByLabel('Find in the map').fill('bench.localhost')
  const told = page.getByText(/^\d+ of \d+ nodes shown/)
  await told.waitFor()
  const [nodes = 0, , links = 0] =
    ((await told.textContent()) ?? '').match(/\d+/g)?.map(Number) ?? []
  assert.ok(links <= nodes * (nodes - 1), 'links are of what is shown')
  const hosts = await page.locator('.map-list .web-text').allTextContents()
  assert.ok(hosts.some((host) => host.startsWith('bench.localhost')))
  assert.ok(!hosts.some((host) => host.startsWith('roads.localhost')))
  await page.getByRole('radio', { name: 'Relevance' }).check()
  await page.getByRole('button', { name: 'Arrange further' }).click()
  await page.locator('.map-canvas[data-share="1"]').waitFor()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await page.getByRole('button', { name: 'Show all' }).click()
  assert.deepEqual(troubles, [])
})

test('a site of the site map opens the page map of that host', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await openMap(page, 'sites')
  await page
    .getByRole('button', { name: /roads\.localhost/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Open its page map' }).click()
  await page.waitForURL(/map\?host=roads\.localhost/)
  const listed = page.locator('.map-list .small .web-text')
  await listed.first().waitFor()
  const hosts = await listed.allTextContents()
  assert.ok(hosts.length > 0 && hosts.every((host) => host.startsWith('roads.localhost')))
  assert.deepEqual(troubles, [])
})

test('a map that the graphics card lost is drawn again', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await openMap(page, 'sites')
  await page.evaluate(`(() => {
    window.lostCanvas = document.querySelector('.map-canvas canvas.sigma-nodes')
    window.lostCanvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()
  })()`)
  await until(
    async () =>
      (await page.evaluate(`!window.lostCanvas.isConnected &&
        document.querySelector('.map-canvas[data-share="1"] canvas.sigma-nodes') !== null`)) ===
      true,
    'a new picture',
  )
  assert.deepEqual(troubles, [])
})

test('without WebGL the list stands for the map', async () => {
  await using plain = await openBrowser(['--disable-3d-apis'])
  await using reader = await plain.open()
  const { page } = reader
  await page.goto(`${server.url}/#/job/${id}/map`)
  await page.getByText('The map cannot be drawn').waitFor()
  await page.locator('.map-list button').first().click()
  await page.getByRole('link', { name: 'Open the page' }).waitFor()
  await assertAccessible(page, 'a map without WebGL')
})

test('a search finds pages, marks why, and is narrowed by facets', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(`${server.url}/#/search`)
  await page.getByRole('heading', { name: 'Search what was crawled' }).waitFor()
  await page.getByLabel('Search stored pages').fill('health')
  await page.keyboard.press('Enter')
  await page.locator('.hit mark').first().waitFor()
  const { json } = await server.ask('/search?q=health&limit=20')
  await page.getByText(new RegExp(`^${json.total} pages? found`)).waitFor()
  const facet = page.locator('.facet').first()
  await facet.click()
  await page.locator('.facet[aria-pressed="true"]').waitFor()
  assert.match(page.url(), /q=health&(?:host|language|kind|crawl)=/)
  await page.locator('.hit').first().waitFor()
  await keepScreenshot(page, 'search-narrowed')
  await page.goBack()
  await page.locator('.facet[aria-pressed="true"]').waitFor({ state: 'detached' })
  await page.locator('.hit h2 a').first().click()
  await page.waitForURL(/\/page\/\d+$/)
  await page.goto(`${server.url}/#/search?q=zzzzunheardof`)
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await page.getByLabel('Save this search as').fill('unheard of')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.goto(`${server.url}/#/search`)
  await page.getByRole('link', { name: 'What is new' }).click()
  await page.getByRole('button', { name: 'I have seen these' }).click()
  await page.waitForURL(/q=zzzzunheardof$/)
  await page.goto(`${server.url}/#/search`)
  const forget = page.getByRole('button', { name: 'Forget unheard of' })
  await forget.click()
  await forget.waitFor({ state: 'detached' })
  assert.deepEqual(troubles, [])
})

test('a misspelt word leads to the right one, and time and likeness narrow what it finds', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.goto(`${server.url}/#/search?q=helth`)
  await page.locator('.did-you-mean a').click()
  await page.waitForURL(/q=health$/)
  await page.locator('.did-you-mean').waitFor({ state: 'detached' })
  await page.locator('.hit').first().waitFor()
  assert.equal(await page.getByLabel('Search stored pages').inputValue(), 'health')
  await page.getByLabel('Fetched').selectOption('7d')
  await page.waitForURL(/since=7d/)
  await page.getByLabel('Similar pages, too').check()
  await page.waitForURL(/all=true/)
  const { json } = await server.ask('/search?q=health&since=7d&all=true&limit=20')
  assert.equal(json.total, json.pages)
  await page.getByText(new RegExp(`^${json.total} pages? found`)).waitFor()
  assert.deepEqual(troubles, [])
})

test('every view is accessible and fits, in light and dark, wide and narrow, in both languages', async () => {
  const views: [string, string, string][] = [
    ['pages', `#/job/${id}/pages`, '.page-row a'],
    ['page', `#/job/${id}/page/1`, '.page-text'],
    ['map', `#/job/${id}/map`, '.map-canvas[data-share="1"]'],
    ['sites', `#/job/${id}/sites`, '.map-canvas[data-share="1"]'],
    ['search-start', '#/search', '.tips'],
    ['search', '#/search?q=health', '.hit'],
  ]
  const looks = [
    { theme: 'light', width: 1280, language: 'en' },
    { theme: 'dark', width: 1280, language: 'id' },
    { theme: 'light', width: 360, language: 'id' },
  ] as const
  for (const look of looks) {
    await using reader = await browser.open(look)
    const { page, troubles } = reader
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const [name, hash, sign] of views) {
      const what = `${name}-${look.theme}-${look.width}`
      await page.goto(`${server.url}/${hash}`)
      await page.locator(sign).first().waitFor()
      await assertAccessible(page, what)
      await assertFits(page, what)
      await keepScreenshot(page, what)
    }
    assert.deepEqual(troubles, [], `${look.theme} ${look.width}`)
  }
})

async function middleOf(page: Page): Promise<{ x: number; y: number }> {
  const box = await page.locator('.map-canvas').boundingBox()
  assert.ok(box !== null)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
