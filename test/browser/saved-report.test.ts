// A report of `simulate`, opened from the disk in a real browser: it works without a network, and no name
// in it does anything.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { drawReport, type ReportOptions } from '../../src/simulate/report/report.ts'
import { type MadeUp, madeUpSummary } from '../simulate/made-up.ts'
import {
  assertAccessible,
  assertFits,
  type Chromium,
  keepScreenshot,
  openBrowser,
  type Page,
} from './browser.ts'

const HOSTILE = [
  '<script>alert(1)</script>',
  '" onload="alert(1)',
  "' onload='alert(1)",
  '</svg></style></title><img src=x onerror=alert(1)>',
  'a & b &lt; ]]> --> <!-- \u202e\u0000\u0007\ud800\uffff',
  'https://evil.example/?a=1&b=2',
  'x'.repeat(500),
]
const OPTIONS: ReportOptions = {
  language: 'en',
  web: 'a small web',
  command: 'jelajah simulate --demo --out report',
  delayMs: null,
  judgedBy: 'truth',
}
/** Axe takes long for many lines. */
const SMALL: MadeUp = { topics: ['tea', 'rice'], orderings: ['adaptive', 'pagerank'] }
const folder = mkdtempSync(join(tmpdir(), 'jelajah-saved-report-'))
let browser: Chromium

before(async () => {
  // Also builds the page that the report is put into.
  browser = await openBrowser()
})
after(async () => {
  await browser[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function open(page: Page, made: MadeUp, options: Partial<ReportOptions> = {}) {
  const text = drawReport(madeUpSummary(made), { ...OPTIONS, ...options })
  assert.ok(text !== null)
  assert.equal(text.match(/<\/script>/gi)?.length, 2)
  assert.match(text, /Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/)
  const file = join(folder, 'report.html')
  writeFileSync(file, text)
  await page.goto(pathToFileURL(file).href)
  await page.locator('main table').first().waitFor()
}

test('a report opens from the disk, says what was measured and how, and asks for nothing else', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await open(page, { seeds: 2, polite: true }, { delayMs: 1000 })
  assert.equal(await page.title(), 'Orderings compared: a small web')
  await page
    .getByText(/^adaptive comes first: nAUC20 \d+\.\d\. It beats .* on \d of 3 topics/)
    .waitFor()
  const captions = await page.locator('figcaption').allTextContents()
  assert.equal(captions.length, 13)
  for (const [at, text] of captions.entries()) {
    assert.ok(text.startsWith(`Figure ${at + 1}. `), text)
    for (const part of [
      'a small web',
      'reachable pages',
      'seeds: 1, 2',
      'budget 20%',
      '--out report',
    ])
      assert.ok(text.includes(part), `${part} in: ${text}`)
  }
  await page.getByRole('heading', { name: 'Harvest rate over time' }).waitFor()
  const looks = await page
    .locator('svg[aria-labelledby="harvest"] .lines path:not(.mark)')
    .evaluateAll((lines) => lines.map((line) => line.outerHTML.replace(/ d=.*/s, '')))
  assert.deepEqual([looks.length, new Set(looks).size], [13, 13])
  for (const name of ['adaptive', 'breadth-first', 'ideal', 'random'])
    await page.locator('svg[aria-labelledby="harvest"] text', { hasText: name }).waitFor()
  assert.equal(await page.locator('table').count(), 4)
  await keepScreenshot(page, 'saved-report')
  assert.deepEqual([asked.length, troubles], [1, []])
})

test('on a phone every figure fits, with the names of its lines', async () => {
  await using reader = await browser.open({ width: 390 })
  const { page } = reader
  await open(page, SMALL)
  const figures = page.locator('figure svg[role=img]:visible')
  assert.ok((await figures.count()) > 3)
  for (const figure of await figures.all()) {
    const box = await figure.boundingBox()
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box))
  }
  const first = figures.first()
  const [outer, inner] = [
    await first.boundingBox(),
    await first.getByText('pagerank').boundingBox(),
  ]
  assert.ok(outer !== null && inner !== null)
  assert.ok(inner.x >= outer.x && inner.y + inner.height <= outer.y + outer.height)
})

test('hostile names in a report are text: nothing runs and no element comes of them', async () => {
  await using reader = await browser.open({ width: 380, height: 640 })
  const { page, troubles } = reader
  const tags = async (): Promise<unknown> =>
    page.evaluate(`[...new Set([...document.querySelectorAll('*')].map((e) => e.tagName))].sort()`)
  await open(page, { polite: true })
  const plain = await tags()
  const name = HOSTILE.join(' ')
  const made = { topics: HOSTILE, orderings: ['adaptive', ...HOSTILE], polite: true }
  await open(page, made, { web: name, command: name })
  assert.deepEqual(await tags(), plain)
  assert.equal(await page.locator('[onload], [onerror], #app [href], #app [src]').count(), 0)
  await assertFits(page, 'a report with long names')
  assert.deepEqual(troubles, [])
})

test('a report in Indonesian has its words and its numbers, in dark, and is light on paper', async () => {
  await using reader = await browser.open({ theme: 'dark' })
  const { page, troubles } = reader
  await open(page, SMALL, { language: 'id' })
  assert.equal(await page.locator('html').getAttribute('lang'), 'id')
  const text = (await page.locator('#app').textContent()) ?? ''
  assert.match(text, /Laju panen.*\d+,\d/s)
  assert.doesNotMatch(text, /Harvest|Figure|To reproduce/)
  await assertAccessible(page, 'a dark report')
  const ground = `getComputedStyle(document.documentElement).backgroundColor`
  assert.equal(await page.evaluate(ground), 'rgb(25, 29, 28)')
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.evaluate(ground), 'rgb(255, 255, 255)')
  await page.emulateMedia({ media: null })
  assert.deepEqual(troubles, [])
})

test('one ordering, one topic, a short crawl or forty orderings: there is always a report', async () => {
  await using reader = await browser.open()
  const { page, troubles } = reader
  const forty = Array.from({ length: 40 }, (_, at) => `ordering-${at}`)
  for (const made of [
    SMALL,
    { topics: ['tea'], orderings: ['adaptive'] },
    { upTo: 0.01 },
    { upTo: 1, topics: ['tea', 'rice'], focused: false },
    { orderings: forty, topics: ['tea'] },
  ]) {
    await open(page, made)
    if (made === SMALL) await assertAccessible(page, 'a report')
    assert.doesNotMatch(await page.locator('#app').innerHTML(), /NaN|Infinity|undefined|\[object/)
  }
  assert.deepEqual(troubles, [])
})
