import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from './html-reader.ts'

const reader = new HtmlReader()

function textOf(html: string): string {
  return reader.read(Buffer.from(html), { isXml: false }).text.text()
}

const LINKS = '<a href=x>one</a> <a href=y>two</a> or three'
const PROSE =
  '<p>A sentence of some length that says something, and then goes on to say a little more of it.</p>'

const SHOWN: readonly (readonly [name: string, html: string])[] = [
  ['a panel of tabs', '<div role=tabpanel hidden>words</div>'],
  ['what a heading labels', '<div aria-labelledby=h hidden>words</div>'],
  ['a section of an accordion', '<section class="my-accordion__body" hidden>words</section>'],
  ['what its id calls a tab', '<div id=details-tab-2 hidden>words</div>'],
  ['a panel with a few links', `<div role=tabpanel hidden>${'words '.repeat(9)}${LINKS}</div>`],
  ['long prose', `<div hidden>${PROSE.replace('<p>', '<p>Some words: ').repeat(9)}</div>`],
]
for (const [name, html] of SHOWN) {
  test(`hidden until a click, so part of the text: ${name}`, () => {
    assert.match(textOf(`<p>before</p>${html}<p>after</p>`), /^before\n.*words.*\nafter$/s)
  })
}

const LEFT_OUT: readonly (readonly [name: string, html: string])[] = [
  ['a panel of links', `<div role=tabpanel hidden>${LINKS}</div>`],
  ['a dialog', '<div role=dialog aria-labelledby=h hidden>words</div>'],
  ['a menu', '<ul role=menu class=tab-menu hidden><li>words</ul>'],
  ['navigation', '<nav class=panel hidden>words</nav>'],
  ['a cookie notice', '<div class="cookie-panel" aria-labelledby=h hidden>words</div>'],
  ['a table is no tab', '<div class="stable table" hidden>words</div>'],
  ['a short note', `<div hidden>${PROSE}</div>`],
  ['long prose in a popup', `<div class=popup hidden>${PROSE.repeat(9)}</div>`],
  ['long prose with as many links', `<div hidden>${(PROSE + LINKS.repeat(9)).repeat(9)}</div>`],
  ['an element of some library', `<text-editor hidden>${PROSE.repeat(9)}</text-editor>`],
  ['a template in a panel', '<div role=tabpanel hidden><template>words</template></div>'],
]
for (const [name, html] of LEFT_OUT) {
  test(`hidden and not part of the text: ${name}`, () => {
    assert.equal(textOf(`<p>before</p>${html}<p>after</p>`), 'before\nafter')
  })
}

test('permanently hidden content in a panel stays hidden', () => {
  const html = '<div role=tabpanel hidden>a<nav hidden>b</nav><video>c</video>d</div>e'
  assert.equal(textOf(html), 'a\nd\ne')
})

test('a panel in a panel is judged with it', () => {
  const html = '<div role=tabpanel hidden>a<div role=tabpanel hidden>b</div></div>c'
  assert.equal(textOf(html), 'a\nb\nc')
})

test('the last panel ends with the page', () => {
  assert.equal(textOf('a<div role=tabpanel hidden>b'), 'a\nb')
  assert.equal(textOf(`a<div role=tabpanel hidden>${LINKS}`), 'a')
})

test('links in a panel that is left out keep their words', () => {
  const { links, pieces } = reader.read(
    Buffer.from('<div role=tabpanel hidden><a href=x>words</a></div>'),
    { isXml: false },
  )
  assert.equal(pieces.bytes.length, 0)
  assert.equal(links.lacksAnchor(0), false)
})
