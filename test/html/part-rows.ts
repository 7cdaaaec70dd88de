// The rows of one part of a page, and whether some were cut: for tests of the parts.
import { PARTS, type Part, type PartChoice } from '../../src/core/page.ts'
import { type CanonicalUrl, canonicalise } from '../../src/core/url.ts'
import { HtmlReader } from '../../src/parser/html/html-reader.ts'
import { LinkResolver } from '../../src/parser/parts/link-resolver.ts'
import { type TakenParts, takeParts } from '../../src/parser/parts/take-parts.ts'

export const PAGE = canonicalise('http://site.test/folder/page.html')!
const reader = new HtmlReader()

export function partsIn(html: string, parts: readonly PartChoice[] = PARTS): TakenParts {
  const reading = reader.read(Buffer.from(html), { isXml: false, parts })
  const resolver = new LinkResolver()
  resolver.rebase(baseOf(reading.notes.baseHref))
  const links = reading.links.resolve(resolver, PAGE, false, () => ({ hi: 0, lo: 0 })).rows
  return takeParts({ reading, page: PAGE, resolver, links })
}

export function rowsOf(part: Part, html: string): unknown[] {
  return JSON.parse(partsIn(html, [part]).parts[part]!)
}

function baseOf(href: string | null): CanonicalUrl {
  return href === null ? PAGE : (canonicalise(href, PAGE) ?? PAGE)
}
