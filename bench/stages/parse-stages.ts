// Where the time of a parse goes. Nothing in the parser is prepared for this: the scan is run by
// itself, and what works on its result is timed page by page after a scan of its own.
import { PARTS, type Part } from '../../src/core/page.ts'
import { type CanonicalUrl, canonicalise } from '../../src/core/url.ts'
import { parseMediaType, toUtf8 } from '../../src/lib/decode.ts'
import { createUrlHasher } from '../../src/lib/url-hash.ts'
import { aboutPage } from '../../src/parser/about/about.ts'
import { HtmlReader, type HtmlReading } from '../../src/parser/html/html-reader.ts'
import { LinkResolver } from '../../src/parser/parts/link-resolver.ts'
import { takeParts } from '../../src/parser/parts/take-parts.ts'
import { detectLanguage } from '../../src/text/language.ts'
import { encodeFound } from '../../src/wire/found-block.ts'
import type { HandoverHead } from '../../src/wire/handover.ts'

export type ParseStage = readonly [name: string, us: number]
type Fetched = { readonly head: HandoverHead; readonly whole: Uint8Array }
type Decoded = { readonly head: HandoverHead; readonly utf8: Buffer }
type Scanned = {
  readonly utf8: Buffer
  readonly reading: HtmlReading
  readonly url: CanonicalUrl
  readonly resolver: LinkResolver
}

const hash = createUrlHasher(1)
/** Dates later than this are none of a page's. */
const FETCHED_AT = Date.UTC(2026, 0, 1)

/** What works on a page that was scanned; a new stage of the parser is one line here. */
const PIECES: readonly (readonly [name: string, work: (scanned: Scanned) => unknown])[] = [
  [
    'links: resolve, hash, encode',
    ({ reading, url, resolver }) => {
      const { rows, found } = reading.links.resolve(resolver, url, false, hash)
      return [encodeFound(found), JSON.stringify(rows)]
    },
  ],
  [
    'parts: as JSON',
    // Their links are the stage above.
    ({ reading, url, resolver }) => takeParts({ reading, page: url, resolver, links: [] }),
  ],
  [
    'page information',
    ({ utf8, reading, url, resolver }) => {
      const { notes, outline, text } = reading
      const resolve = (href: string) => resolver.resolve(href)
      return aboutPage({ notes, outline, text, source: utf8, url, fetchedAt: FETCHED_AT, resolve })
    },
  ],
  ['text as a string', ({ reading }) => reading.text.text()],
]

/** In µs of processor time per page, the median of some rounds after one to warm up. */
export function parseStages(pages: readonly Fetched[], rounds: number): ParseStage[] {
  const decoded = pages.map(({ head, whole }) => {
    const { utf8 } = toUtf8(whole, parseMediaType(head.contentType).charset)
    return { head, utf8 }
  })
  const bare = medianOf(rounds, () => scanAll(decoded, []))
  const full = medianOf(rounds, () => scanAll(decoded, PARTS))
  const texts = textsOf(decoded)
  const nothing = medianOf(rounds, () => timeAfterScan(decoded, () => {}))
  return [
    ['scan: tags, text, links, outline', bare],
    ['parts: gathered in the scan', Math.max(0, full - bare)],
    ...PIECES.map(([name, work]): ParseStage => {
      const us = medianOf(rounds, () => timeAfterScan(decoded, work))
      // Reading the clock takes about a microsecond itself.
      return [name, Math.max(0, us - nothing)]
    }),
    ['language', medianOf(rounds, () => timeOf(texts, detectLanguage))],
  ]
}

function scanAll(pages: readonly Decoded[], parts: readonly Part[]): number {
  const reader = new HtmlReader()
  return timeOf(pages, ({ utf8 }) => reader.read(utf8, { isXml: false, parts }))
}

/** The time of the work alone; each page is scanned before, since a scan's result is gone by the next. */
function timeAfterScan(pages: readonly Decoded[], work: (scanned: Scanned) => unknown): number {
  const reader = new HtmlReader()
  const resolver = new LinkResolver()
  let us = 0
  for (const { head, utf8 } of pages) {
    const reading = reader.read(utf8, { isXml: false, parts: PARTS })
    const { baseHref } = reading.notes
    resolver.rebase((baseHref === null ? null : canonicalise(baseHref, head.url)) ?? head.url)
    const before = process.cpuUsage()
    work({ utf8, reading, url: head.url, resolver })
    const { user, system } = process.cpuUsage(before)
    us += user + system
  }
  return us / pages.length
}

function textsOf(pages: readonly Decoded[]): string[] {
  const reader = new HtmlReader()
  return pages.map(({ utf8 }) => reader.read(utf8, { isXml: false }).text.text())
}

function timeOf<T>(list: readonly T[], work: (one: T) => unknown): number {
  const before = process.cpuUsage()
  for (const one of list) work(one)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / list.length
}

function medianOf(rounds: number, measure: () => number): number {
  measure()
  const measured = Array.from({ length: rounds }, measure).sort((a, b) => a - b)
  return measured[rounds >> 1] ?? 0
}
