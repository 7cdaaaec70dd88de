// Stored pages that are out to harm whoever looks at them, looked at in a real browser.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { temporaryFolder } from '../e2e/crawling.ts'
import { runHere } from '../e2e/in-process.ts'
import { type Served, startServer } from '../e2e/serving.ts'
import { type Chromium, keepScreenshot, openBrowser, type Page, WEBGL } from './browser.ts'
import { type HostileWeb, openHostileWeb, plantHostileRow } from './hostile-store.ts'
import { addManyPages } from './many-pages.ts'

const rig = new AsyncDisposableStack()
let web: HostileWeb
let server: Served
let browser: Chromium

/** A synthetic page that was made as bad as a row can be. */
const PLANTED = 1_000_001

before(async () => {
  web = rig.use(await openHostileWeb())
  const folder = rig.use(await temporaryFolder())
  const flags = ['--data', folder.path, '--delay', '0', '--keep-html', '--quiet']
  const { code, stderr } = await runHere(['crawl', web.seed, ...flags])
  assert.equal(code, 0, stderr)
  addManyPages({ dataDir: folder.path, crawlId: 1, pages: 50, linked: 50 })
  plantHostileRow(folder.path, PLANTED)
  server = rig.use(await startServer(folder.path, ['--allow-private', '--quiet']))
  browser = rig.use(await openBrowser(WEBGL))
})
after(() => rig.disposeAsync())

const UNFOLD = `for (const fold of document.querySelectorAll('.fold')) fold.open = true`
const SHOW_ALL = `for (const button of document.querySelectorAll('.fold-more button')) button.click()`

async function unfolded(page: Page): Promise<void> {
  await page.locator('.page-text').waitFor()
  await page.evaluate(UNFOLD)
  await page.locator('.fold-body').last().waitFor()
}

async function shownWhole(page: Page): Promise<void> {
  await unfolded(page)
  await page.evaluate(SHOW_ALL)
}

const VIEWS: readonly (readonly [string, string, (page: Page) => Promise<void>])[] = [
  ['pages', '#/job/crawl_1/pages', (page) => page.locator('.page-row a').first().waitFor()],
  ['page', '#/job/crawl_1/page/1', unfolded],
  ['planted-page', `#/job/crawl_1/page/${PLANTED}`, unfolded],
  ['map', '#/job/crawl_1/map', (page) => page.locator('[data-share="1"]').waitFor()],
  ['sites', '#/job/crawl_1/sites', (page) => page.locator('[data-share="1"]').waitFor()],
  ['search', '#/search?q=aardvark', (page) => page.locator('.hit').first().waitFor()],
  ['search-tricks', `#/search?q=${encodeURIComponent('"><script>window.harmed=1</script>')}`, idle],
]

async function idle(page: Page): Promise<void> {
  await page.locator('.search-columns, .notice').first().waitFor()
}

for (const [name, hash, shown] of VIEWS) {
  test(`${name}: what a stored page says does nothing`, async () => {
    await using reader = await browser.open()
    const { page, troubles } = reader
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(`${server.url}/`)) elsewhere.push(request.url())
    })
    const before = web.canaries()
    await page.goto(`${server.url}/${hash}`)
    await shown(page)
    await keepScreenshot(page, `hostile-${name}`)
    assert.equal(await page.evaluate('window.harmed'), undefined)
    assert.deepEqual(troubles, [])
    assert.deepEqual(elsewhere, [], 'nothing is asked from elsewhere')
    assert.equal(web.canaries(), before)
    assert.deepEqual(await strangeElements(page), [])
  })
}

test('links to anywhere but the web are text, and those to the web open apart', async () => {
  await using reader = await browser.open()
  const { page } = reader
  for (const pageId of [1, PLANTED]) {
    await page.goto(`${server.url}/#/job/crawl_1/page/${pageId}`)
    await shownWhole(page)
    const links: { href: string; rel: string; target: string }[] = await page.evaluate(
      `[...document.querySelectorAll('main a[href]')].map((a) =>
        ({ href: a.getAttribute('href'), rel: a.rel, target: a.target }))`,
    )
    for (const { href, rel, target } of links) {
      if (href.startsWith('#/') || href.startsWith('./crawl/')) continue
      assert.match(href, /^https?:\/\//)
      assert.equal(rel, 'noopener noreferrer nofollow')
      assert.equal(target, '_blank')
    }
  }
})

test('marks that turn the direction of writing or take no room are not in the document', async () => {
  await using reader = await browser.open()
  const { page } = reader
  await page.goto(`${server.url}/#/job/crawl_1/page/${PLANTED}`)
  await shownWhole(page)
  const text: string = await page.evaluate('document.body.innerText + document.title')
  assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u200b\u0000\u0007\u001b\ufeff]/)
})

/** Elements of the view that no part of the dashboard makes. */
function strangeElements(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('main :is(script, iframe, object, embed, img, link, style, base)')]
      .map((element) => element.outerHTML.slice(0, 200))`,
  )
}
