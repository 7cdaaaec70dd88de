// A map saved as HTML, opened from the disk in a real browser: it works without a network, and nothing
// that the web said does anything.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { html } from '../../src/map/html.ts'
import { type MapSource, PAGE_COLUMNS, pageRow } from '../../src/map/map-format.ts'
import {
  assertAccessible,
  assertFits,
  type Chromium,
  keepScreenshot,
  openBrowser,
  type Page,
  WEBGL,
} from './browser.ts'

const TITLES = [
  'Front page',
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(2)</script>',
  'Resep \u202egnereog isan',
  'Tempe',
]

const PAGES = 40
const SUBJECT = {
  ...{ crawl: 1, short: 'A <b>map</b> &', more: 30, host: null },
  name: Array.from({ length: 31 }, (_, n) => `http://a-long-name-${n}.test/`).join(' '),
}
const folder = mkdtempSync(join(tmpdir(), 'jelajah-saved-map-'))
const file = join(folder, 'map.html')
let browser: Chromium

function source(): MapSource {
  const ids = Array.from({ length: PAGES }, (_, nth) => nth + 1)
  return {
    ...{ kind: 'pages', title: 'in English', subject: SUBJECT, columns: PAGE_COLUMNS },
    async *nodes() {
      for (const id of ids) {
        const url = id === 5 ? 'javascript:alert(3)' : `http://h${id % 3}.test/${id}`
        const title = TITLES[id - 1] ?? `Page ${id}`
        const facts = { id, url, title, host: `h${id % 3}.test`, depth: 1, hot: id === 1 }
        yield pageRow({ ...facts, relevance: id / PAGES, pagerank: 1 / id, in: 3, out: 1 })
      }
    },
    edges: () => ids.slice(1).map((id) => ({ source: id, target: Math.ceil(id / 3) })),
    totalNodes: 100,
    totalOutside: null,
    totalEdges: 200,
  }
}

before(async () => {
  // Also builds the page that the map is put into.
  browser = await openBrowser(WEBGL)
  const pieces: string[] = []
  for await (const piece of html.write(source())) pieces.push(piece)
  writeFileSync(file, pieces.join(''))
})
after(async () => {
  await browser[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function panelOf(page: Page): Promise<string> {
  return (await page.locator('.map-panel').textContent()) ?? ''
}

async function openMap(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(pathToFileURL(file).href)
  await page.locator('.map-canvas[data-share="1"]').waitFor()
}

test('a saved map opens from the disk, is searched, walked through and asks for nothing else', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await openMap(page)
  const heading = 'Pages, crawl 1: A <b>map</b> & and 30 more'
  assert.deepEqual([await page.locator('h1').textContent(), await page.title()], [heading, heading])
  assert.equal(await page.locator('h1').getAttribute('title'), SUBJECT.name)
  await page.getByText('40 nodes, 39 links. These are the best 40 of 100 pages.').waitFor()
  assert.match(await panelOf(page), /By rank\s*Front page.*<img src=x onerror=alert\(1\)>/)
  await keepScreenshot(page, 'saved-map')
  await page.getByLabel('Find in the map').fill('h1.test/4')
  await page.getByText('2 of 40 nodes shown').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Resep gnereog isan' }).waitFor()
  assert.match(await panelOf(page), /Links in 3.*Links out 1/)
  const link = page.locator('.map-panel a')
  assert.equal(await link.getAttribute('href'), 'http://h1.test/4')
  assert.equal(await link.getAttribute('rel'), 'noopener noreferrer nofollow')
  await page.getByRole('button', { name: '<img src=x onerror=alert(1)>' }).click()
  assert.match(await panelOf(page), /<img src=x onerror=alert\(1\)>.*h2\.test\/2/)
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await page.getByLabel('Find in the map').fill('tempe')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Tempe' }).waitFor()
  assert.equal(await page.locator('.map-panel a').count(), 0)
  assert.match(await panelOf(page), /javascript:alert\(3\)/)
  await assertAccessible(page, 'a saved map')
  assert.deepEqual([asked.length, troubles], [1, []])
})

test('a saved map is used by keys and by clicks on the picture, and speaks Indonesian', async () => {
  await using reader = await browser.open({ language: 'id', theme: 'dark' })
  const { page, troubles } = reader
  await openMap(page)
  const heading = 'Halaman, perayapan 1: A <b>map</b> & dan 30 lagi'
  assert.equal(await page.locator('h1').textContent(), heading)
  await page.getByText('Ini 40 terbaik dari 100 halaman.').waitFor()
  const picture = page.locator('.map-canvas')
  await picture.focus()
  for (const key of ['+', 'ArrowLeft', 'ArrowDown', '-', '0', 'Enter'])
    await page.keyboard.press(key)
  await page.getByRole('button', { name: 'Kembali ke daftar' }).waitFor()
  assert.match(await panelOf(page), /Tautan masuk/)
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Menurut peringkat' }).waitFor()
  const { x = 0, y = 0, width = 0, height = 0 } = (await picture.boundingBox()) ?? {}
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.wheel(0, -300)
  await page.mouse.down()
  await page.mouse.move(x + width / 2 + 40, y + height / 2 + 40)
  await page.mouse.up()
  await page.getByRole('radio', { name: 'Relevansi' }).check()
  assert.match((await page.locator('.legend').textContent()) ?? '', /Relevansi 01.*tidak dinilai/)
  await assertAccessible(page, 'a dark saved map')
  assert.deepEqual(troubles, [])
})

test('a map of many seeds leaves room for its picture on a small screen', async () => {
  await using reader = await browser.open({ width: 380, height: 640 })
  const { page } = reader
  await openMap(page)
  const heading = await page.locator('h1').boundingBox()
  const picture = await page.locator('.map-canvas').boundingBox()
  assert.ok((heading?.height ?? 99) < 60, `a heading of ${heading?.height} pixels`)
  assert.ok((picture?.height ?? 0) > 180, `a picture of ${picture?.height} pixels`)
  await assertFits(page, 'a saved map')
  // No name is written below the buttons.
  const buttons = await page.locator('.map-buttons').boundingBox()
  assert.ok(picture !== null && buttons !== null && buttons.y >= picture.y + picture.height)
})
