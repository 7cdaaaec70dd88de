// Whether the links that our scanner finds are those of a full HTML parser (parse5): on real pages as
// they are, and on the same pages after accidents, which is where scanners and parsers part.
//
//   sh scripts/node bench/links.ts [FOLDER] [--pages N] [--mutants N] [--seed N] [--show N]
//
// FOLDER holds pages (`*.html`, any depth); without one it is the documentation packages of the
// crawl benchmark. --show prints the first differences.
import { parseArgs } from 'node:util'
import { type CanonicalUrl, canonicalise } from '../src/core/url.ts'
import { toUtf8 } from '../src/lib/decode.ts'
import { HtmlReader } from '../src/parser/html/html-reader.ts'
import { LinkResolver } from '../src/parser/parts/link-resolver.ts'
import { createRandom, mutate } from '../test/html/mutate.ts'
import { referenceLinks } from '../test/html/reference.ts'
import { documentationRoot } from './crawl/webs.ts'
import { samplePages } from './page-files.ts'
import { markdownTable } from './table.ts'

type Page = { readonly file: string; readonly html: string }
type Difference = { readonly file: string; readonly what: 'missed' | 'more'; readonly url: string }
type Comparison = { readonly links: number; readonly differences: readonly Difference[] }

const PAGE_URL = pageUrl()
const reader = new HtmlReader()
const resolver = new LinkResolver()

function pageUrl(): CanonicalUrl {
  const url = canonicalise('http://bench.test/folder/page.html')
  if (url === null) throw new Error('this URL is in order')
  return url
}

function compare(pages: Iterable<Page>): Comparison {
  const differences: Difference[] = []
  let links = 0
  for (const { file, html } of pages) {
    const expected = referenceLinks(html, PAGE_URL)
    const found = ownLinks(html, expected)
    links += expected.size
    for (const url of expected.difference(found)) differences.push({ file, what: 'missed', url })
    for (const url of found.difference(expected)) differences.push({ file, what: 'more', url })
  }
  return { links, differences }
}

function ownLinks(html: string, expected: ReadonlySet<string>): Set<string> {
  const { links, notes } = reader.read(Buffer.from(html), { isXml: false })
  const { baseHref } = notes
  resolver.rebase((baseHref === null ? null : canonicalise(baseHref, PAGE_URL)) ?? PAGE_URL)
  const { rows } = links.resolve(resolver, PAGE_URL, false, () => ({ hi: 0, lo: 0 }))
  const found = new Set<string>(rows.map(([url]) => url))
  // Links of head tags are ours alone; the reference has only what a reader can click or see.
  for (const [href] of notes.links) {
    const url = resolver.resolve(href)
    if (url !== null && !expected.has(url)) found.delete(url)
  }
  return found
}

function* mutants(pages: readonly Page[], each: number, seed: number): Generator<Page> {
  const random = createRandom(seed)
  for (const { file, html } of pages) {
    for (let copy = 1; copy <= each; copy++) yield { file, html: mutate(html, random) }
  }
}

function rowOf(name: string, { links, differences }: Comparison): string[] {
  const missed = differences.filter(({ what }) => what === 'missed').length
  const share = 100 * (1 - differences.length / links)
  const counts = [links, missed, differences.length - missed].map(String)
  return [name, ...counts, `${share.toFixed(3)} %`]
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '1000' },
    mutants: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '0' },
  },
})
const sample = samplePages(positionals[0] ?? documentationRoot(), { limit: Number(values.pages) })
const pages = sample.map(({ file, bytes }) => ({ file, html: toUtf8(bytes, '').utf8.toString() }))
const plain = compare(pages)
const broken = compare(mutants(pages, Number(values.mutants), Number(values.seed)))
const head = ['', 'links of parse5', 'missed', 'more', 'agreement']
const rows = [
  rowOf(`${pages.length} pages as they are`, plain),
  rowOf(`${pages.length * Number(values.mutants)} pages with accidents`, broken),
]
process.stdout.write(`${markdownTable(head, rows)}\n`)
const shown = [...plain.differences, ...broken.differences].slice(0, Number(values.show))
for (const { file, what, url } of shown) process.stdout.write(`${what} ${url} in ${file}\n`)
