import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { madeUpSummary } from '../../../test/simulate/made-up.ts'
import { drawReport, type ReportOptions } from './report.ts'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.Node

const OPTIONS: ReportOptions = {
  language: 'en',
  web: 'a small web',
  command: 'jelajah simulate --report out.html',
  delayMs: null,
  judgedBy: 'truth',
}
const HOSTILE = [
  '<script>alert(1)</script>',
  '" onload="alert(1)',
  "' onload='alert(1)",
  '</svg></style></title><img src=x onerror=alert(1)>',
  'a & b &lt; ]]> --> \u202e\u0000\u0007\ud800\uffff',
  'https://evil.example/?a=1&b=2',
  'x'.repeat(500),
]

function draw(
  made: Parameters<typeof madeUpSummary>[0] = {},
  options: Partial<ReportOptions> = {},
) {
  return drawReport(madeUpSummary(made), { ...OPTIONS, ...options })
}

test('every picture is well-formed XML, also with hostile names', () => {
  const page = draw({ topics: HOSTILE, orderings: ['adaptive', ...HOSTILE], polite: true })
  const pictures = page.match(/<svg[\s\S]*?<\/svg>/g) ?? []
  assert.ok(pictures.length > 20)
  for (const picture of pictures) assert.equal(faultOf(picture), null)
})

test('the check for well-formed XML finds what is broken', () => {
  const broken = [
    '<a><b></a></b>',
    '<a>',
    '<a x=1/>',
    '<a>&</a>',
    '<a>&nbsp;</a>',
    '<a x="1" x="2"/>',
  ]
  for (const text of broken) assert.notEqual(faultOf(text), null, text)
  assert.equal(faultOf('<a x="1">b &amp; c<d/></a>'), null)
})

test('hostile names are text: no element, no attribute, no address comes of them', () => {
  const summary = { topics: HOSTILE, orderings: ['adaptive', ...HOSTILE] }
  const name = HOSTILE.join(' ')
  const page = elementsOf(draw(summary, { web: name, command: name }))
  const plain = elementsOf(draw())
  const tags = (elements: readonly Element[]) => [
    ...new Set(elements.map(({ tagName }) => tagName)),
  ]
  assert.deepEqual(tags(page).sort(), tags(plain).sort())
  const attributes = page.flatMap(({ attrs }) => attrs.map((attribute) => attribute.name))
  assert.deepEqual(
    attributes.filter((attribute) => /^on|^style$|href|^src/.test(attribute)),
    [],
  )
  assert.equal(page.filter(({ tagName }) => tagName === 'html').length, 1)
})

test('nothing is fetched from anywhere, and the content policy says so', () => {
  const page = draw()
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? ''
  assert.doesNotMatch(style, /url\(|@import|\/\//)
  assert.doesNotMatch(page, /https?:|<script|<link|<img|<iframe|<base/)
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = elementsOf(page).flatMap(({ attrs }) =>
    attrs.some(({ value }) => value === 'Content-Security-Policy')
      ? attrs.filter(({ name }) => name === 'content')
      : [],
  )
  assert.match(policy[0]!.value, /^default-src 'none'; style-src 'sha256-/)
  assert.ok(policy[0]!.value.includes(hash))
})

test('equal input gives equal bytes', () => {
  assert.equal(draw({ seeds: 2 }), draw({ seeds: 2 }))
})

test('under each picture stands what was measured, on what, and how to do it again', () => {
  const page = draw({ seeds: 2 })
  const captions = page.match(/<figcaption>[\s\S]*?<\/figcaption>/g) ?? []
  assert.ok(captions.length >= 9)
  for (const [at, caption] of captions.entries()) {
    const text = caption.replace(/<[^>]*>/g, '')
    assert.ok(text.startsWith(`Figure ${at + 1}. `), text)
    for (const part of [
      'a small web',
      'reachable pages',
      'seeds: 1, 2',
      'budget 20',
      '--report out',
    ]) {
      assert.ok(text.includes(part), `${part} in: ${text}`)
    }
  }
})

test('each ordering has a line of its own look in every chart, and its name beside it', () => {
  const page = draw()
  const harvest = /<svg[^>]*aria-labelledby="harvest"[\s\S]*?<\/svg>/.exec(page)?.[0] ?? ''
  const lines = /<g class="lines">([\s\S]*?)<\/g>/.exec(harvest)?.[1] ?? ''
  const looks = [...lines.matchAll(/class="(c\d)[^"]*" stroke-dasharray="([^"]*)"/g)]
  assert.equal(looks.length, 13)
  assert.equal(new Set(looks.map(([, colour, dash]) => `${colour} ${dash}`)).size, 13)
  for (const name of ['adaptive', 'breadth-first', 'ideal', 'random']) {
    assert.match(harvest, new RegExp(`<text[^>]*>${name}</text>`))
  }
})

test('a report in Indonesian has its words and its numbers', () => {
  const page = draw({}, { language: 'id' })
  assert.match(page, /<html lang="id">/)
  assert.match(page, /Laju panen/)
  assert.match(page, />\d+,\d</)
  assert.doesNotMatch(page, /Harvest|Figure|To reproduce/)
})

test('without a topic there is nothing about relevance, and PageRank decides', () => {
  const page = draw({ focused: false })
  assert.doesNotMatch(page, /Harvest rate|nAUC20/)
  assert.match(page, /PageRank gathered at 20/)
})

test('curves over virtual hours are there when replays were polite', () => {
  assert.match(draw({ polite: true }, { delayMs: 1000 }), /Harvest rate over time/)
  assert.doesNotMatch(draw(), /over time/)
})

test('one ordering, one topic, a short crawl or forty orderings: there is always a report', () => {
  const forty = Array.from({ length: 40 }, (_, at) => `ordering-${at}`)
  for (const made of [
    { topics: ['tea'], orderings: ['adaptive'] },
    { upTo: 0.01 },
    { upTo: 1, topics: ['tea', 'rice'] },
    { orderings: forty, topics: ['tea'] },
    { orderings: [] },
  ]) {
    const page = draw(made)
    assert.doesNotMatch(page, /NaN|Infinity|undefined|\[object/)
    assert.equal(elementsOf(page).filter(({ tagName }) => tagName === 'main').length, 1)
  }
})

function elementsOf(page: string): Element[] {
  const found: Element[] = []
  const open: Node[] = [parse(page)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('tagName' in node) found.push(node)
    if ('childNodes' in node) open.push(...node.childNodes)
  }
  return found
}

/** What keeps a text from being one well-formed XML element; null when nothing does. */
function faultOf(text: string): string | null {
  const open: string[] = []
  let rest = text
  while (rest !== '') {
    const tag = /^<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>/.exec(rest)
    const piece = tag?.[0] ?? /^[^<]+/.exec(rest)?.[0]
    if (piece === undefined) return `no tag: ${rest.slice(0, 60)}`
    if (/&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(piece)) return `bare ampersand: ${piece}`
    if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(piece))
      return 'bad character'
    if (tag !== null) {
      const [, slash, name, attributes = '', empty] = tag
      const names = [...attributes.matchAll(/([\w-]+)="/g)].map(([, attribute]) => attribute)
      if (new Set(names).size < names.length) return `attribute twice: ${piece}`
      if (slash === '/' && open.pop() !== name) return `closes what is not open: ${piece}`
      if (slash === '' && empty === '') open.push(name!)
    }
    rest = rest.slice(piece.length)
  }
  return open.length > 0 ? `left open: ${open.join(' ')}` : null
}
