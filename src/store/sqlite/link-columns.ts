// The URLs and rels of a page's links, without the words around them. Those make up most of the part, and
// most of the time it takes to parse it: who reads the links of a hundred thousand pages skips them.
import type { CanonicalUrl } from '../../core/url.ts'

/** By link, in the order of the page. */
export type LinkColumns = {
  readonly urls: readonly CanonicalUrl[]
  readonly rels: readonly string[]
}

const QUOTE = 34
const COMMA = 44
const OPEN = 91
const BACKSLASH = 92
const CLOSE = 93

/** From the part as the parser wrote it: rows of URL, anchor, rel, context, their empty ends left out. */
export function linkColumns(json: string): LinkColumns {
  return scanned(json) ?? parsed(json)
}

/** Null when it is not written as the parser writes it. */
function scanned(json: string): LinkColumns | null {
  const urls: CanonicalUrl[] = []
  const rels: string[] = []
  let at = 1
  for (; json.charCodeAt(at) === OPEN; at += 2) {
    let column = 0
    let rel = ''
    do {
      if (json.charCodeAt(at + 1) !== QUOTE) return null
      const end = endOfText(json, at + 2)
      if (end < 0) return null
      // As the parser wrote it, and only ever in its one spelling.
      if (column === 0) urls.push(textBetween(json, at + 2, end) as CanonicalUrl)
      if (column === 2) rel = textBetween(json, at + 2, end)
      column++
      at = end + 1
    } while (json.charCodeAt(at) === COMMA)
    rels.push(rel)
    const next = json.charCodeAt(at + 1)
    if (json.charCodeAt(at) !== CLOSE || (next !== COMMA && next !== CLOSE)) return null
  }
  const isWhole = urls.length === 0 ? json === '[]' : at === json.length && json.endsWith(']]')
  return isWhole ? { urls, rels } : null
}

/** Where the quote stands that ends a text; -1 when none does. */
function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from); at >= 0; at = json.indexOf('"', at + 1)) {
    let before = at
    while (json.charCodeAt(before - 1) === BACKSLASH) before--
    if ((at - before) % 2 === 0) return at
  }
  return -1
}

function textBetween(json: string, from: number, end: number): string {
  const text = json.slice(from, end)
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text
}

function parsed(json: string): LinkColumns {
  const rows: readonly (readonly [CanonicalUrl, string?, string?])[] = JSON.parse(json)
  return { urls: rows.map(([url]) => url), rels: rows.map(([, , rel]) => rel ?? '') }
}
