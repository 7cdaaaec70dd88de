// Where the time of a parse goes. Nothing in the parser is prepared for this: here its pieces are
// called one by one as parse-page.ts calls them, with the clock read after each.
import { PARTS, type Part } from '../../src/core/page.ts'
import { canonicalise } from '../../src/core/url.ts'
import { parseMediaType, toUtf8 } from '../../src/lib/decode.ts'
import { createUrlHasher } from '../../src/lib/url-hash.ts'
import { aboutJson, aboutPage } from '../../src/parser/about/about.ts'
import { ContentJudge } from '../../src/parser/content/main-content.ts'
import { pageText } from '../../src/parser/content/page-text.ts'
import { HtmlReader } from '../../src/parser/html/html-reader.ts'
import { LinkResolver } from '../../src/parser/parts/link-resolver.ts'
import { takeParts } from '../../src/parser/parts/take-parts.ts'
import { detectLanguage, pickLanguage } from '../../src/text/language.ts'
import type { HandoverHead } from '../../src/wire/handover.ts'
import { encodeFound } from '../../src/wire/receipt.ts'

export type ParseStage = readonly [name: string, us: number]
type Fetched = { readonly head: HandoverHead; readonly whole: Uint8Array }
type Decoded = { readonly head: HandoverHead; readonly utf8: Buffer }

/** In µs of processor time per page, the median of some rounds after one to warm up. */
export function parseStages(pages: readonly Fetched[], rounds: number): ParseStage[] {
  const decoded = pages.map(({ head, whole }) => {
    const { utf8 } = toUtf8(whole, parseMediaType(head.contentType).charset)
    return { head, utf8 }
  })
  const bare = medianOf(rounds, () => scan(decoded, []))
  const full = medianOf(rounds, () => scan(decoded, PARTS))
  const parser = new ParserInPieces()
  const runs = Array.from({ length: rounds + 1 }, () => parser.run(decoded)).slice(1)
  const names = [...(runs[0]?.keys() ?? [])]
  return [
    ['scan: tags, text, links, outline', bare],
    ['parts: gathered in the scan', Math.max(0, full - bare)],
    ...names.map((name): ParseStage => [name, median(runs.map((run) => run.get(name) ?? 0))]),
  ]
}

class ParserInPieces {
  readonly #reader = new HtmlReader()
  readonly #resolver = new LinkResolver()
  readonly #judge = new ContentJudge()
  readonly #hash = createUrlHasher(1)
  #us = new Map<string, number>()
  #before = 0

  /** What each stage behind the scan took, per page. */
  run(pages: readonly Decoded[]): Map<string, number> {
    this.#us = new Map()
    for (const page of pages) this.#parse(page)
    return new Map([...this.#us].map(([name, us]) => [name, us / pages.length]))
  }

  #parse({ head, utf8 }: Decoded): void {
    const { url, fetchedAt } = head
    const resolver = this.#resolver
    const reading = this.#reader.read(utf8, { isXml: false, parts: PARTS })
    const { notes } = reading
    this.#before = cpuUs()
    const base = notes.baseHref === null ? null : canonicalise(notes.baseHref, url)
    resolver.rebase(base ?? url)
    const links = reading.links.resolve(resolver, url, false, this.#hash)
    encodeFound(links.found)
    this.#lap('links: resolve, hash, encode')
    const { cut } = takeParts({ reading, page: url, resolver, links: links.rows })
    this.#lap('parts: as JSON')
    const resolve = (href: string) => resolver.resolve(href)
    const about = aboutPage({ ...reading, url, fetchedAt, resolve })
    aboutJson(about, { kind_confidence: 1, other_links: reading.links.others, cut })
    this.#lap('page information')
    const { title, generator, jsonLdTypes, openGraph } = about
    const signs = { url, openGraphType: openGraph.type ?? '', jsonLdTypes, generator }
    const { chosen } = this.#judge.judge(reading, title, signs)
    this.#lap('main content: judge')
    const content = pageText(reading, chosen)
    this.#lap('main content: text')
    pickLanguage(about.language, detectLanguage(content))
    this.#lap('language')
  }

  #lap(name: string): void {
    const now = cpuUs()
    this.#us.set(name, (this.#us.get(name) ?? 0) + now - this.#before)
    this.#before = now
  }
}

function scan(pages: readonly Decoded[], parts: readonly Part[]): number {
  const reader = new HtmlReader()
  const before = cpuUs()
  for (const { utf8 } of pages) reader.read(utf8, { isXml: false, parts })
  return (cpuUs() - before) / pages.length
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

function medianOf(rounds: number, measure: () => number): number {
  measure()
  return median(Array.from({ length: rounds }, measure))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
