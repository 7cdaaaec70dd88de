// A crawl of 100,000 pages, looked at in a real browser: the table stays small in the document and the
// map of 10,000 nodes opens. How smooth it is is told, not judged: that depends on the machine.
import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { temporaryFolder } from '../e2e/crawling.ts'
import { runHere } from '../e2e/in-process.ts'
import { type Served, startServer } from '../e2e/serving.ts'
import { type Chromium, keepScreenshot, openBrowser, type Page, WEBGL } from './browser.ts'
import { startFrames } from './frames.ts'
import { addManyPages, manyTitle } from './many-pages.ts'

const PAGES = 100_000
const rig = new AsyncDisposableStack()
let server: Served
let browser: Chromium
let total: number

before(async () => {
  const served = rig.use(await startSite(createSite({ seed: 3, pages: 20, hosts: 2 })))
  const folder = rig.use(await temporaryFolder())
  const flags = ['--data', folder.path, '--delay', '0', '--allow-private', '--quiet']
  const { code, stderr } = await runHere(['crawl', ...served.seeds, ...flags])
  assert.equal(code, 0, stderr)
  addManyPages({ dataDir: folder.path, crawlId: 1, pages: PAGES, linked: 12_000 })
  server = rig.use(await startServer(folder.path, ['--quiet']))
  browser = rig.use(await openBrowser(WEBGL))
  total = (await server.ask('/crawl/crawl_1/overview')).json.job.stored
})
after(() => rig.disposeAsync())

const rows = (page: Page) => page.locator('.page-rows .page-row')

async function openPages(page: Page): Promise<void> {
  await page.goto(`${server.url}/#/job/crawl_1/pages`)
  await rows(page).locator('a').first().waitFor()
}

test('a table of 100,000 pages is scrolled to its end with a few rows in the document', async (t) => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await openPages(page)
  const grid = page.getByRole('grid')
  assert.equal(await grid.getAttribute('aria-rowcount'), String(total + 1))
  assert.ok(total >= PAGES)
  let requests = 0
  page.on('request', (request) => {
    if (request.url().includes('ids=')) requests++
  })
  const frames = await startFrames(page)
  await page.evaluate(`(async () => {
    const table = document.querySelector('.page-table')
    for (let step = 1; step <= 60; step++) {
      table.scrollTop = table.scrollHeight * step / 60
      await new Promise(requestAnimationFrame)
    }
  })()`)
  tell(t, 'scrolling from end to end', await frames.stop())
  await rows(page).getByText(manyTitle(PAGES), { exact: true }).waitFor()
  assert.ok((await rows(page).count()) < 60)
  assert.ok(requests < 100, `${requests} requests for rows`)
  await keepScreenshot(page, 'pages-large')
  assert.deepEqual(troubles, [])
})

test('a large table is filtered and sorted', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await openPages(page)
  await page.getByLabel('Title or URL contains').fill('number 99999')
  await page.getByText('1 page matches').waitFor()
  await rows(page).getByText(manyTitle(99_999), { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click()
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click()
  await rows(page).getByText(manyTitle(99_999), { exact: true }).waitFor()
  assert.deepEqual(troubles, [])
})

test('a map of 10,000 nodes settles in the background and is moved', async (t) => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${server.url}/#/job/crawl_1/map?top=10000`)
  await page.getByText('10,000 nodes').waitFor()
  // Laid out off the main thread: the page answers meanwhile.
  await page.getByLabel('Find in the map').fill('number 41')
  await page.getByText(/nodes shown/).waitFor()
  await page.getByLabel('Find in the map').fill('')
  await page.locator('.map-canvas[data-share="1"]').waitFor()
  await keepScreenshot(page, 'map-large')
  const box = await page.locator('.map-canvas').boundingBox()
  assert.ok(box !== null)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const frames = await startFrames(page)
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let step = 1; step <= 10; step++) await page.mouse.move(x + step * 12, y + step * 8)
  await page.mouse.up()
  tell(t, 'moving a map of 10,000 nodes', await frames.stop())
  assert.deepEqual(troubles, [])
})

function tell(t: TestContext, what: string, figures: Readonly<Record<string, number>>): void {
  const told = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`)
  t.diagnostic(`${what}: ${told.join(', ')}`)
}
