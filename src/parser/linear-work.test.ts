// Four times the page is at most about four times the work, for any page: counted, not timed. This
// is a separate file, because code that ran before is not counted right.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorkCounter } from '../../test/html/count-work.ts'
import {
  HEAD,
  HOSTILE_PAGES,
  type HostilePage,
  hostilePage,
} from '../../test/html/hostile-pages.ts'
import { PARTS } from '../core/page.ts'
import { createPageParser } from './parse-page.ts'

/** Large enough to show quadratic work, which would be sixteen times as much. */
const SMALL_BYTES = 8000
const MAX_RATIO = 6

const counter = new WorkCounter()
const parse = createPageParser({
  salt: 7,
  parts: PARTS,
  keepHtml: false,
  maxBodyBytes: 64 << 20,
  markdown: true,
})

function workOf(page: HostilePage, size: number): number {
  const body = hostilePage(page, size)
  return counter.count(() => void parse(HEAD, body))
}

/** Does the work that is done only once. */
function warm(): void {
  for (const page of Object.values(HOSTILE_PAGES)) workOf(page, 2)
}

test('four times the page is no more than six times the work', () => {
  warm()
  const broken: string[] = []
  for (const [name, page] of Object.entries(HOSTILE_PAGES)) {
    const bytes = page.piece(1000).length
    const size = Math.ceil(SMALL_BYTES / bytes)
    const work = workOf(page, size)
    const more = workOf(page, 4 * size)
    if (more > MAX_RATIO * work) broken.push(`${name}: ${work} for ${size}, ${more} for four times`)
  }
  assert.deepEqual(broken, [])
})
