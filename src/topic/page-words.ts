// A page as counted words: its title, its description, its text, the anchors of its links and the words of
// its own address. On whole crawls, main text alone steers a third less well: menus and addresses say what a
// site is about.
import type { CanonicalUrl } from '../core/url.ts'
import { TermTable } from '../text/term-table.ts'
import type { TermReader } from '../text/terms.ts'
import type { PageText } from './topic.ts'

/** Characters read of a text: the rest repeats what came before. */
export const MAX_TEXT = 20_000
const MAX_HEADLINE = 1000
/** The same for all anchors of a page together; directories have thousands of links. */
const MAX_ANCHORS = 20_000

/** Title, description and text, added to `counts`. */
function countText(reader: TermReader, page: PageText, counts: TermTable): void {
  reader.count(headOf(page.title), counts)
  reader.count(headOf(page.description), counts)
  reader.count(startOf(page.text), counts)
}

/** Anchors and address, added to `counts`. */
export function countSurroundings(reader: TermReader, page: PageText, counts: TermTable): void {
  let left = MAX_ANCHORS
  for (const anchor of page.anchors) {
    if (left <= 0) break
    const read = anchor.length > left ? anchor.slice(0, left) : anchor
    reader.count(read, counts)
    left -= read.length
  }
  reader.count(addressWords(page.url), counts)
}

export function countPage(reader: TermReader, page: PageText): TermTable {
  const counts = new TermTable(512)
  countText(reader, page, counts)
  countSurroundings(reader, page, counts)
  return counts
}

export function headOf(text: string): string {
  return text.length > MAX_HEADLINE ? text.slice(0, MAX_HEADLINE) : text
}

export function startOf(text: string): string {
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text
}

/** Longer paths are generated and have no words for people. */
const MAX_PATH = 300

/**
 * The words of host and path as a text for the tokeniser, without the scheme: they describe a page before
 * it is fetched.
 */
export function addressWords(url: CanonicalUrl): string {
  const hostAt = url.indexOf('//') + 2
  return readable(url.slice(hostAt, hostAt + MAX_PATH))
}

/** Path and query alone. */
export function pathWords(url: CanonicalUrl): string {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2)
  return readable(url.slice(pathAt, pathAt + MAX_PATH))
}

/** Decodes percent-escaped letters; leaves what cannot be decoded. */
function readable(text: string): string {
  if (!text.includes('%')) return text
  // The limit may cut an escape in half.
  const whole = text.replace(/%[0-9a-f]?$/i, '')
  try {
    return decodeURIComponent(whole)
  } catch {
    return whole
  }
}
