// A parser keeps its buffers and a few small tables from page to page. This is a separate file, so
// that nothing else is on the measured heap.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { HEAD } from '../../test/html/hostile-pages.ts'
import { PARTS } from '../core/page.ts'
import { createPageParser } from './parse-page.ts'

const PAGES = 40
const PAGE_BYTES = 1 << 19
/** Share of the size of all pages together. */
const MAX_KEPT_SHARE = 0.4

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** A page unlike all others wherever something may be kept: hosts, types, charsets, words. */
function body(nth: number): Buffer {
  const start = `<link rel=canonical href="https://canonical-${nth}.example.test/">
<meta name=author content="Somebody called ${nth}"><title>A title that is long enough ${nth}</title>
<a href="https://some-host-${nth}.example.test/path">Words of a link that nobody wrote ${nth}</a>
<img src="https://images-${nth}.example.test/i.png"><p>Unheardofword${nth} 12 Januari 2024 `
  return Buffer.alloc(PAGE_BYTES, start.padEnd(4096, `<p>Some words of number ${nth}. </p>`))
}

test('a parser keeps no page alive', () => {
  const parse = createPageParser({
    salt: 7,
    parts: PARTS,
    keepHtml: false,
    maxBodyBytes: PAGE_BYTES,
  })
  const memoryAfter = (from: number, to: number): number => {
    for (let nth = from; nth < to; nth++) {
      parse({ ...HEAD, contentType: `text/html; charset=utf-8; n=${nth}` }, body(nth))
    }
    // The memory of buffers is released some time after they were collected.
    for (let round = 0; round < 3; round++) collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = memoryAfter(0, 5)
  const kept = memoryAfter(5, 5 + PAGES) - before
  assert.ok(kept < MAX_KEPT_SHARE * PAGES * PAGE_BYTES, `${kept} bytes after ${PAGES} pages`)
})
