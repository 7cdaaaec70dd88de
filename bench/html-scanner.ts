// Why pages are read by a scanner of our own: what it costs per page, stage by stage, beside
// htmlparser2 and parse5 doing the same work. That its links are those of a full parser: links.ts.
//
//   sh scripts/node bench/html-scanner.ts FOLDER [PAGES]
//
// FOLDER holds real pages (`*.html`, any depth): a documentation package, for example
// /usr/share/doc. Figures are CPU microseconds per page, the best of several rounds.
import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { Parser } from 'htmlparser2'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { PARTS } from '../src/core/page.ts'
import { type CanonicalUrl, canonicalise } from '../src/core/url.ts'
import { toUtf8 } from '../src/lib/decode.ts'
import { decompress } from '../src/lib/decompress.ts'
import { createUrlHasher } from '../src/lib/url-hash.ts'
import { HtmlReader } from '../src/parser/html/html-reader.ts'
import { createPageParser } from '../src/parser/parse-page.ts'
import { LinkResolver } from '../src/parser/parts/link-resolver.ts'
import type { HandoverHead } from '../src/wire/handover.ts'
import { encodeFound } from '../src/wire/receipt.ts'
import { samplePages } from './page-files.ts'

const MIN_BYTES = 20_000
const MAX_BYTES = 120_000
const ROUNDS = 7
const CAP = 1 << 20
const UNSEEN = new Set(['script', 'style', 'title', 'template', 'textarea', 'noscript'])
const BLANKS = /\s{2,}|[\n\r\t\f]/g

const [folder, count = '300'] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: bench/html-scanner.ts FOLDER [PAGES]')
  process.exit(2)
}

const PAGE = pageUrl()
const pages = samplePages(folder, {
  limit: Number(count),
  minBytes: MIN_BYTES,
  maxBytes: MAX_BYTES,
}).map(({ bytes }) => bytes)
const meanBytes = pages.reduce((sum, page) => sum + page.length, 0) / pages.length
console.log(`${pages.length} pages of ${folder}, ${Math.round(meanBytes)} bytes on average\n`)

stages()
rivals()

function pageUrl(): CanonicalUrl {
  const url = canonicalise('http://bench.test/folder/page.html')
  if (url === null) throw new Error('this URL is in order')
  return url
}

/** CPU microseconds per item. */
function measure<T>(items: readonly T[], work: (item: T) => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    for (const item of items) work(item)
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / items.length)
  }
  return best
}

function show(name: string, micros: number): void {
  const speed = `${(meanBytes / micros).toFixed(0)} MB/s`
  console.log(`${name.padEnd(44)}${micros.toFixed(1).padStart(9)} µs${speed.padStart(12)}`)
}

function stages(): void {
  const reader = new HtmlReader()
  const resolver = new LinkResolver()
  const hashUrl = createUrlHasher(1)
  const options = { isXml: false, parts: ['links', 'images'] as const }
  const head: HandoverHead = {
    kind: 'page',
    id: 1,
    token: 1,
    url: PAGE,
    depth: 0,
    status: 200,
    contentType: 'text/html',
    contentEncoding: 'gzip',
    robotsTag: [],
    etag: '',
    lastModified: '',
    fetchedAt: 0,
    fetchMs: 0,
    truncated: false,
  }
  const zipped = pages.map((page) => gzipSync(page))
  const readings = pages.map((page) => reader.read(page, options))
  const resolved = readings.map(({ links }) => {
    resolver.rebase(head.url)
    return links.resolve(resolver, head.url, false, hashUrl)
  })
  const links = resolved.reduce((sum, { rows }) => sum + rows.length, 0) / pages.length
  console.log(`stage (${links.toFixed(0)} links per page)`)
  show(
    '  gunzip',
    measure(zipped, (body) => decompress(body, 'gzip', CAP)),
  )
  show(
    '  charset',
    measure(pages, (page) => toUtf8(page, '')),
  )
  show(
    '  tokenise and extract',
    measure(pages, (page) => reader.read(page, options)),
  )
  show(
    '  the same, text as a string',
    measure(pages, (page) => reader.read(page, options).text.text()),
  )
  show(
    '  links resolved and hashed',
    measure(readings, ({ links }) => links.resolve(resolver, head.url, false, hashUrl)),
  )
  show(
    '  links encoded',
    measure(resolved, ({ found }) => encodeFound(found)),
  )
  show(
    '  links as JSON',
    measure(resolved, ({ rows }) => JSON.stringify(rows)),
  )
  show(
    '  content hash',
    measure(pages, (page) => hash('sha256', page, 'hex')),
  )
  const parser = createPageParser({
    salt: 1,
    parts: PARTS,
    keepHtml: false,
    maxBodyBytes: CAP,
  })
  const plain = { ...head, contentEncoding: '' }
  show(
    'all of it, body not compressed',
    measure(pages, (page) => parser(plain, page)),
  )
  show(
    'all of it, from gzip',
    measure(zipped, (body) => parser(head, body)),
  )
}

/** The same harvest by others: title, visible text, links. */
function rivals(): void {
  console.log('\ntitle, text and raw links, from bytes')
  const reader = new HtmlReader()
  const options = { isXml: false }
  show(
    '  our scanner',
    measure(pages, (page) => reader.read(toUtf8(page, '').utf8, options).text.text()),
  )
  show(
    '  htmlparser2',
    measure(pages, (page) => harvestByHtmlparser2(toUtf8(page, '').utf8.toString())),
  )
  show(
    '  parse5',
    measure(pages, (page) => harvestByParse5(toUtf8(page, '').utf8.toString())),
  )
}

function harvestByHtmlparser2(html: string): readonly unknown[] {
  const hrefs: string[] = []
  let text = ''
  let title = ''
  let unseen = 0
  let inTitle = false
  const parser = new Parser({
    onopentag(name, attributes) {
      if (UNSEEN.has(name)) unseen++
      if (name === 'title') inTitle = true
      else if (name === 'a' && attributes.href !== undefined) hrefs.push(attributes.href)
    },
    ontext(piece) {
      if (inTitle) title += piece
      else if (unseen === 0) text += piece
    },
    onclosetag(name) {
      if (UNSEEN.has(name)) unseen--
      if (name === 'title') inTitle = false
    },
  })
  parser.end(html)
  return [title, text.replace(BLANKS, ' '), hrefs]
}

function harvestByParse5(html: string): readonly unknown[] {
  const hrefs: string[] = []
  let text = ''
  const stack: DefaultTreeAdapterTypes.Node[] = [parse(html, { scriptingEnabled: false })]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('value' in node) text += node.value
    if ('tagName' in node) {
      if (UNSEEN.has(node.tagName)) continue
      const href = node.attrs.find((attribute) => attribute.name === 'href')
      if (node.tagName === 'a' && href !== undefined) hrefs.push(href.value)
    }
    if ('childNodes' in node) stack.push(...node.childNodes.toReversed())
  }
  return [text.replace(BLANKS, ' '), hrefs]
}
