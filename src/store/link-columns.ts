// The URLs and rels of a page's links, without the words around them. Those make up most of the part, and
// most of the time it takes to parse it: who reads the links of a hundred thousand pages skips them. Who
// only looks them up need not even cut them out.
import type { CanonicalUrl } from '../core/url.ts'

/** By link, in the order of the page. */
type LinkColumns = {
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
  const count = scan(json)
  if (count < 0) return parsed(json)
  const urls: CanonicalUrl[] = []
  const rels: string[] = []
  for (let at = 0; at < count * PLACES; at += PLACES) {
    // As the parser wrote it, and only ever in its one spelling.
    urls.push(textBetween(json, places[at] ?? 0, places[at + 1] ?? 0) as CanonicalUrl)
    rels.push(textBetween(json, places[at + 2] ?? 0, places[at + 3] ?? 0))
  }
  return { urls, rels }
}

/** A URL is `text` from `from` up to, not including, `end`. */
type VisitUrl = (text: string, from: number, end: number) => void

const UNVOUCHED = /(?:^| )(?:nofollow|ugc|sponsored)(?: |$)/

/** The URLs of the links that their page vouches for, without cutting them out. */
export function eachVouchedUrl(json: string, visit: VisitUrl): void {
  const count = scan(json)
  if (count < 0) eachVouchedParsed(json, visit)
  // The next one at or after the URL; searched again only when it has been passed.
  let escaped = json.indexOf('\\')
  for (let at = 0; at < count * PLACES; at += PLACES) {
    const from = places[at] ?? 0
    const end = places[at + 1] ?? 0
    const relFrom = places[at + 2] ?? 0
    const relEnd = places[at + 3] ?? 0
    if (relEnd > relFrom && UNVOUCHED.test(textBetween(json, relFrom, relEnd))) continue
    if (escaped >= 0 && escaped < from) escaped = json.indexOf('\\', from)
    if (escaped < 0 || escaped >= end) visit(json, from, end)
    else {
      const url = textBetween(json, from, end)
      visit(url, 0, url.length)
    }
  }
}

function eachVouchedParsed(json: string, visit: VisitUrl): void {
  const { urls, rels } = parsed(json)
  for (const [nth, url] of urls.entries()) {
    if (!UNVOUCHED.test(rels[nth] ?? '')) visit(url, 0, url.length)
  }
}

/** Where URL and rel of each link begin and end; used again for the next part. */
let places = new Uint32Array(4096)
const PLACES = 4

/** How many links there are, now in `places`; -1 when it is not written as the parser writes it. */
function scan(json: string): number {
  let count = 0
  let at = 1
  for (; json.charCodeAt(at) === OPEN; at += 2) {
    const place = count * PLACES
    if (place === places.length) growPlaces()
    places[place + 2] = 0
    places[place + 3] = 0
    let column = 0
    do {
      if (json.charCodeAt(at + 1) !== QUOTE) return -1
      const end = endOfText(json, at + 2)
      if (end < 0) return -1
      if (column === 0 || column === 2) {
        places[place + column] = at + 2
        places[place + column + 1] = end
      }
      column++
      at = end + 1
    } while (json.charCodeAt(at) === COMMA)
    count++
    const next = json.charCodeAt(at + 1)
    if (json.charCodeAt(at) !== CLOSE || (next !== COMMA && next !== CLOSE)) return -1
  }
  const isWhole = count === 0 ? json === '[]' : at === json.length && json.endsWith(']]')
  return isWhole ? count : -1
}

function growPlaces(): void {
  const larger = new Uint32Array(places.length * 2)
  larger.set(places)
  places = larger
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
