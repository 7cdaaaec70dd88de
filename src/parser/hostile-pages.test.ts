// Hostile pages, each cut at the default limit and whole: the record is sound, it reports what was
// left out, and it takes about as long as other pages of its size.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { HEAD, HOSTILE_PAGES, hostilePage } from '../../test/html/hostile-pages.ts'
import { brokenRules } from '../../test/html/page-rules.ts'
import { PARTS } from '../core/page.ts'
import { createPageParser, type PageParser } from './parse-page.ts'

const MIB = 1 << 20
const DEFAULT_BYTES = MIB
const LARGE_BYTES = 64 * MIB
const ORDINARY =
  '<article><h2>A heading</h2><p>Some words, and a <a href=/x>link</a>.</p></article>'
/** The worst of these pages takes a tenth of it; a quadratic one takes a hundred times more. */
const MAX_TIMES = 100
/** Of the whole process with its test; no page may need more. */
const MAX_RSS_KB = 1 << 20

const cutting = parserFor(DEFAULT_BYTES)
const taking = parserFor(LARGE_BYTES)
/** CPU time for a MiB of an ordinary page. */
let ordinaryMs = 0

function parserFor(maxBodyBytes: number): PageParser {
  return createPageParser({ salt: 7, parts: PARTS, keepHtml: false, maxBodyBytes })
}

/** The record of a page, what it reports as left out, and its CPU time. */
function parse(parser: PageParser, body: Buffer) {
  const started = process.cpuUsage()
  const parsed = parser(HEAD, body)
  const { user, system } = process.cpuUsage(started)
  assert.deepEqual(brokenRules(parsed, body), [])
  assert.ok(parsed.outcome === 'page')
  const { truncated, about } = parsed.page.fields
  const left: string[] = JSON.parse(about).cut ?? []
  if (truncated) left.unshift('truncated')
  return { left, cpuMs: (user + system) / 1000 }
}

before(() => {
  const body = Buffer.alloc(MIB, ORDINARY)
  parse(taking, body)
  ordinaryMs = parse(taking, body).cpuMs
})

for (const [name, page] of Object.entries(HOSTILE_PAGES)) {
  test(`a hostile page is read and reports what is left out: ${name}`, () => {
    const body = hostilePage(page, page.full)
    const whole = parse(taking, body)
    assert.deepEqual(whole.left, page.left)
    const most = MAX_TIMES * ordinaryMs * Math.max(1, body.length / MIB)
    assert.ok(whole.cpuMs < most, `${whole.cpuMs} ms, ${ordinaryMs} ms for an ordinary MiB`)
    const cut = parse(cutting, body)
    if (body.length > DEFAULT_BYTES) assert.equal(cut.left[0], 'truncated')
    else assert.deepEqual(cut.left, whole.left)
  })
}

test('no hostile page takes all memory', () => {
  assert.ok(process.resourceUsage().maxRSS < MAX_RSS_KB)
})
