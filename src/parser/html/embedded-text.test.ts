import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader, type HtmlReading } from './html-reader.ts'

const reader = new HtmlReader()

function read(html: string): HtmlReading {
  return reader.read(Buffer.from(html), { isXml: false })
}

function textOf(html: string): string {
  return read(html).text.text()
}

/** Sentences that are all different. */
function prose(count: number, first = 1): string {
  return Array.from({ length: count }, (_, at) => {
    const boat = first + at
    return `Boat ${boat} leaves at ${boat} past noon, unless the wind is above ${boat} knots.`
  }).join(' ')
}

const escaped = (json: string): string => json.replaceAll('"', '&quot;')
const state = (value: unknown): string => JSON.stringify(value)
const TEXT = prose(12)

const BARE: readonly (readonly [name: string, html: string])[] = [
  [
    'a script of JSON',
    `<script type="application/json">${state({ page: { body: TEXT } })}</script>`,
  ],
  ['JSON-LD', `<script type="application/ld+json">${state({ articleBody: TEXT })}</script>`],
  ['a variable', `<script>var a = 1; window.__STATE__ = ${state({ postContent: TEXT })};</script>`],
  ['markup', `<script>x = ${state({ cooked: `<p>${TEXT}</p>` })}</script>`],
  ['escaped markup', `<script>x = ${state({ html: `&lt;p&gt;${TEXT}&lt;/p&gt;` })}</script>`],
  [
    'JSON in JSON',
    `<script>x = ${state({ topic: state({ posts: [{ cooked: TEXT }] }) })}</script>`,
  ],
  ['an attribute', `<div id=app data-page="${escaped(state({ props: { text: TEXT } }))}"></div>`],
  ['another attribute', `<div data-props='${state({ description: TEXT })}'></div>`],
  ['a list', `<script>x = ${state({ paragraphs: 1, children: [TEXT, 'no'] })}</script>`],
]
for (const [name, html] of BARE) {
  test(`a page built by scripts has its embedded text: ${name}`, () => {
    assert.equal(textOf(`<h1>Title</h1>${html}`), `Title\n${TEXT}`)
  })
}

const NOT_TAKEN: readonly (readonly [name: string, html: string])[] = [
  ['keys that name no text', `<script>x = ${state({ token: TEXT, cookieText: TEXT })}</script>`],
  ['code', `<script>x = ${state({ body: 'if(a[0]==1){b(c,d);return e.f};'.repeat(30) })}</script>`],
  ['a long word', `<script>x = ${state({ body: 'abcdefghij'.repeat(90) })}</script>`],
  ['too little', `<script>x = ${state({ body: prose(2) })}</script>`],
  ['a script that is not ended', `<script>x = ${state({ body: TEXT })}`],
]
for (const [name, html] of NOT_TAKEN) {
  test(`strings that are not text are not taken for text: ${name}`, () => {
    assert.equal(textOf(`<h1>Title</h1>${html}`), 'Title')
  })
}

test('messages of an application are not text; posts are, even short ones', () => {
  const posts = [{ cooked: TEXT }, { cooked: prose(1, 500) }]
  const messages = { emptyText: prose(2, 200), helpText: prose(3, 300) }
  const html = `<script>x = ${state({ messages, posts })}</script>`
  assert.equal(textOf(html), `${TEXT}\n${prose(1, 500)}`)
})

test('a page with visible text needs no embedded text', () => {
  const html = `<p>${prose(30)}</p><script>x = ${state({ body: prose(99, 100) })}</script>`
  assert.equal(textOf(html), prose(30))
})

test('an article is shown in full when JSON-LD has more of it than the page', () => {
  const body = `${prose(20)}\n${prose(60, 100)}`
  const ld = `<script type="application/ld+json">${state({ articleBody: body })}</script>`
  assert.equal(textOf(`<p>${prose(20)}</p>${ld}`), `${prose(20)}\n${body}`)
})

test('an article that the page shows is not shown twice', () => {
  const body = prose(40)
  const ld = `<script type="application/ld+json">${state({ articleBody: body })}</script>`
  assert.equal(textOf(`<p>${body.replaceAll('wind', '<i>wind</i>')}</p>${ld}`), body)
})

test('links in embedded text are links of the page', () => {
  const { links } = read(
    `<script>x = ${state({ html: `<p>${TEXT} <a href=x>on</a></p>` })}</script>`,
  )
  assert.equal(links.lacksAnchor(0), false)
})

test('tags in embedded text are not metadata of the page', () => {
  const head = '<title>no</title><meta name=robots content=noindex><base href=/no/>'
  const html = `<title>Title</title><script>x = ${state({ html: `${head}<p>${TEXT}</p>` })}</script>`
  const { notes, text } = read(html)
  assert.equal(text.text(), TEXT)
  assert.deepEqual([notes.title, notes.robots, notes.baseHref], ['Title', [], null])
})

const HOSTILE: readonly (readonly [name: string, html: string])[] = [
  ['scripts without ends', '<script '.repeat(100_000)],
  ['scripts in a script', `<script>${'<script>'.repeat(100_000)}</script>`],
  ['quotes', `<script>${'"'.repeat(500_000)}</script>`],
  ['backslashes', `<script>"${'\\'.repeat(500_000)}"</script>`],
  ['escaped quotes', `<script>"a":"${'\\"'.repeat(250_000)}"</script>`],
  ['keys', `<script>${'"body":'.repeat(70_000)}</script>`],
  ['attributes', '<p a="{&quot;'.repeat(40_000)],
  ['less-than signs', `<script>${state({ body: '<p '.repeat(150_000) })}</script>`],
  [
    'texts that differ',
    `<script>${Array.from({ length: 4000 }, (_, at) => state({ body: prose(1, at) }))}</script>`,
  ],
]
for (const [name, html] of HOSTILE) {
  test(`a page of half a megabyte is read to its end: ${name}`, () => {
    assert.ok(read(html).source.length < 8 * html.length)
  })
}
