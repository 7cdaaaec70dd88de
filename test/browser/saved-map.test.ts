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
import { assertAccessible, type Chromium, openBrowser, type Page } from './browser.ts'

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
    totalEdges: 200,
  }
}

before(async () => {
  const pieces: string[] = []
  for await (const piece of html.write(source())) pieces.push(piece)
  writeFileSync(file, pieces.join(''))
  browser = await openBrowser()
})
after(async () => {
  await browser[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function panelOf(page: Page): Promise<string> {
  return (await page.locator('#panel').textContent()) ?? ''
}

test('a saved map opens from the disk, is searched, walked through and asks for nothing else', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(pathToFileURL(file).href)
  const heading = 'Pages, crawl 1: A <b>map</b> & and 30 more'
  assert.deepEqual([await page.locator('h1').textContent(), await page.title()], [heading, heading])
  assert.equal(await page.locator('h1').getAttribute('title'), SUBJECT.name)
  assert.equal(await page.locator('#counts').textContent(), 'the best 40 of 100 pages')
  assert.match(
    await panelOf(page),
    /Best by PageRank\s*Front page\s*<img src=x onerror=alert\(1\)>/,
  )
  await page.getByRole('searchbox').fill('h1.test/4')
  assert.match(await panelOf(page), /^2 found/)
  await page.keyboard.press('Enter')
  const panel = await panelOf(page)
  assert.match(panel, /Resep gnereog isan.*Links in\s*3.*Linked from \(3 on this map\)/)
  const link = page.locator('#panel a')
  assert.equal(await link.getAttribute('href'), 'http://h1.test/4')
  assert.equal(await link.getAttribute('rel'), 'noopener noreferrer nofollow')
  await page.getByRole('button', { name: '<img src=x onerror=alert(1)>' }).click()
  assert.match(await panelOf(page), /<img src=x onerror=alert\(1\)>.*h2\.test\/2/)
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await page.getByRole('searchbox').fill('tempe')
  await page.keyboard.press('Enter')
  assert.equal(await page.locator('#panel a').count(), 0)
  assert.match(await panelOf(page), /javascript:alert\(3\)/)
  await assertAccessible(page, 'a saved map')
  assert.deepEqual([asked.length, troubles], [1, []])
})

test('a saved map is used by keys and by clicks on the picture, and speaks Indonesian', async () => {
  await using reader = await browser.open({ language: 'id', theme: 'dark' })
  const { page, troubles } = reader
  await page.goto(pathToFileURL(file).href)
  const heading = 'Halaman, perayapan 1: A <b>map</b> & dan 30 lagi'
  assert.equal(await page.locator('h1').textContent(), heading)
  assert.equal(await page.locator('#counts').textContent(), '40 terbaik dari 100 halaman')
  const canvas = page.locator('canvas')
  await page.waitForFunction('document.querySelector("canvas").width > 300')
  await canvas.focus()
  for (const key of ['+', 'ArrowLeft', 'ArrowDown', '-', '0', 'Enter'])
    await page.keyboard.press(key)
  assert.match(await panelOf(page), /Kembali ke daftar.*Tautan masuk/)
  await page.keyboard.press('Escape')
  assert.match(await panelOf(page), /^Terbaik menurut PageRank/)
  const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {}
  await page.mouse.wheel(0, -300)
  await page.mouse.move(width / 2, height / 2)
  await page.mouse.down()
  await page.mouse.move(width / 2 + 40, height / 2 + 40)
  await page.mouse.up()
  await page.getByLabel('Warna menurut').selectOption('relevance')
  assert.match((await page.locator('#legend').textContent()) ?? '', /rendah.*tinggi/)
  assert.deepEqual(troubles, [])
})

test('a map of many seeds leaves room for its picture on a small screen', async () => {
  await using reader = await browser.open({ width: 380, height: 640 })
  const { page } = reader
  await page.goto(pathToFileURL(file).href)
  const heading = await page.locator('h1').boundingBox()
  const canvas = await page.locator('canvas').boundingBox()
  assert.ok((heading?.height ?? 99) < 60, `a heading of ${heading?.height} pixels`)
  assert.ok((canvas?.height ?? 0) > 180, `a picture of ${canvas?.height} pixels`)
})

/** Pixels of the picture in the colour of its names, where the buttons are. */
const NAMED_BELOW = `(() => {
  const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = document.querySelector('.zoom')
  const [, r, g, b] = /(\\d+), (\\d+), (\\d+)/.exec(getComputedStyle(document.body).color).map(Number)
  const picture = document.querySelector('canvas').getContext('2d')
  const { data } = picture.getImageData(offsetLeft, offsetTop, offsetWidth, offsetHeight)
  return data.filter((_, at) => at % 4 === 0 && data[at] === r && data[at + 1] === g && data[at + 2] === b).length
})()`

test('no name is written below the buttons of a map', async () => {
  await using reader = await browser.open({ width: 380, height: 640 })
  const { page } = reader
  await page.goto(pathToFileURL(file).href)
  await page.waitForFunction('document.querySelector("canvas").width > 300')
  await page.locator('canvas').focus()
  const found: unknown[] = []
  for (let step = 0; step < 6; step++) {
    await page.keyboard.press('ArrowLeft')
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    )
    found.push(await page.evaluate(NAMED_BELOW))
  }
  assert.deepEqual(found, [0, 0, 0, 0, 0, 0])
})
