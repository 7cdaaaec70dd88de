import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FEATURES, featuresKey } from '../features/block-features.ts'
import { PAGE_FEATURES } from '../features/page-facts.ts'
import { decodeForest } from '../forest/forest.ts'
import { HtmlReader } from '../html/html-reader.ts'
import { ContentJudge, hasPostsOfUsers, hasSameLetters } from './main-content.ts'
import { BLOCK_FOREST, FEATURES_KEY, KIND_FORESTS } from './model.ts'
import { CLASSES } from './page-kinds.ts'
import { pageText } from './page-text.ts'

const MENU = ['Home', 'World', 'Business', 'Sports', 'Subscribe', 'Sign in']
const NAV = `<header class="site-header"><a href="/" class="logo">The Harbour Post</a>
  <nav class="main-nav"><ul>${MENU.map((word) => `<li><a href="/${word}">${word}</a></li>`).join('')}</ul></nav></header>`
const FOOTER = `<footer class="site-footer"><ul><li><a href="/privacy">Privacy policy</a></li>
  <li><a href="/terms">Terms of use</a></li></ul><p>© 2026 The Harbour Post. All rights reserved.</p></footer>`

const PARAGRAPHS = [
  'The fishing boats that leave the old harbour before dawn have carried ice from the same factory for three generations, and nobody on the quay remembers a morning without the sound of its crushers.',
  'Last spring the factory closed for repairs, and within a week the price of a basket of mackerel had doubled at the market on the hill, where most families of the town still buy their dinner.',
  '“We did not know how much hung on it,” said the harbour master, who has kept a record of every landing since 1987. “You only see the ice when it is gone.”',
  'Engineers have since replaced the compressors with a system that uses sea water for cooling, which, according to the town council, should halve the amount of electricity that the plant consumes.',
  'Whether the boats will stay is another question. Two of the younger captains have already moved their crews to the larger port in the north, where berths are cheaper and the road is better.',
]
const paragraphs = (texts: readonly string[]): string =>
  texts.map((text) => `<p>${text}</p>`).join('\n')

const ARTICLE = `<!doctype html><html lang="en"><head><title>The ice of the old harbour - The Harbour Post</title>
<meta property="og:type" content="article"></head><body>${NAV}
<main><article class="post"><h1 class="entry-title">The ice of the old harbour</h1>
<div class="post-meta"><span class="byline">By Mara Lindqvist</span> <time datetime="2026-03-02">2 March 2026</time></div>
<div class="entry-content">${paragraphs(PARAGRAPHS)}</div>
<div class="share-buttons"><a href="#">Share on Facebook</a> <a href="#">Share on X</a></div></article>
<aside class="related-posts"><h3>Related stories</h3><ul><li><a href="/a">Ferries return to the bay</a></li>
<li><a href="/b">A lighthouse for sale</a></li><li><a href="/c">Storm season begins early</a></li></ul></aside>
</main>${FOOTER}</body></html>`

const POSTS = [
  [
    'tidewatcher',
    'Has anyone here managed to get a stable reading from the cheap pressure sensors? Mine drifts by about two centimetres an hour, and I have already ruled out the temperature of the water.',
  ],
  [
    'oldsalt',
    'I had the same trouble last year. In the end it was the cable: moisture crept in at the connector, and once I had potted it in epoxy the drift was gone for good.',
  ],
  [
    'gullwing',
    'Check the reference voltage as well, please. The boards that came with mine had a regulator that was far too noisy, and no amount of averaging in software would hide it.',
  ],
  [
    'tidewatcher',
    'Thank you both! It was indeed the connector. I opened it today and found green crust on two of the pins, so a new cable is on its way and I will report back next week.',
  ],
] as const
const THREAD = `<!doctype html><html lang="en"><head><title>Pressure sensor drifts | Tide Forum</title>
<meta name="generator" content="phpBB"></head><body>${NAV}
<div id="page-body" class="viewtopic"><h2 class="topic-title">Pressure sensor drifts</h2>
${POSTS.map(
  ([author, text], at) => `<div id="p${at}" class="post has-profile"><div class="inner">
<dl class="postprofile"><dt><a href="/u/${author}" class="username">${author}</a></dt><dd>Posts: ${40 + at}</dd></dl>
<div class="postbody"><p class="author">by <a href="/u/${author}" class="username">${author}</a> » Mon Mar 0${at + 1}, 2026</p>
<div class="content">${text}</div></div></div></div>`,
).join('\n')}
</div>${FOOTER}</body></html>`

const CODE = [
  'import { open } from "tide"',
  '',
  'const gauge = await open("/dev/ttyUSB0", {',
  '  rate: 9600,',
  '  parity: "none",',
  '})',
  'for await (const level of gauge) {',
  '  if (level > 3.2) console.log("high water", level)',
  '}',
].join('\n')
const SECTIONS = ['Installing', 'Opening a gauge', 'Reading levels', 'Closing it again']
const MANUAL = `<!doctype html><html lang="en"><head><title>Reading a gauge — tide 2.1 documentation</title>
<meta name="generator" content="Docutils 0.19"></head><body>
<div class="sphinxsidebar"><div class="sphinxsidebarwrapper"><h3>Navigation</h3><ul>${SECTIONS.map(
  (name) =>
    `<li class="toctree-l1"><a class="reference internal" href="#x">${name} chapter</a></li>`,
).join('')}</ul></div></div>
<div class="document"><div class="documentwrapper"><div class="body" role="main">
<section id="reading"><h1>Reading a gauge<a class="headerlink" href="#reading">¶</a></h1>
<p>A gauge is opened by the path of its device. The options are those of the serial port, and what is left out has the value that most gauges want.</p>
<div class="highlight-javascript notranslate"><div class="highlight"><pre>${CODE}</pre></div></div>
<p>The loop ends when the gauge is closed, or when it has been silent for longer than the time that was given when it was opened.</p>
<dl class="py function"><dt class="sig">open(path, options)</dt><dd><p>Opens a gauge and waits until it has answered for the first time. Throws when there is no such device.</p></dd></dl>
</section></div></div></div><div class="footer">© Copyright 2026, The Tide Authors. Created using Sphinx.</div></body></html>`

type Given = { url?: string; title?: string; generator?: string; openGraphType?: string }

function judge(html: string, given: Given = {}, judged = new ContentJudge()) {
  const { title = '', ...signs } = given
  const reading = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const { kind, confidence, chosen } = judged.judge(reading, title, { ...NO_SIGNS, ...signs })
  return { kind, confidence, text: pageText(reading, chosen) }
}

const NO_SIGNS = {
  url: 'https://site.test/2026/03/page.html',
  openGraphType: '',
  jsonLdTypes: [],
  generator: '',
}
const OF_ARTICLE = { title: 'The ice of the old harbour', openGraphType: 'article' }
const OF_THREAD = {
  url: 'https://site.test/viewtopic.php?t=12',
  title: 'Pressure sensor drifts',
  generator: 'phpBB',
}
const OF_MANUAL = {
  url: 'https://docs.site.test/reading.html',
  title: 'Reading a gauge',
  generator: 'Docutils 0.19',
}

test('an article keeps its whole text and nothing around it', () => {
  const { kind, text } = judge(ARTICLE, OF_ARTICLE)
  assert.equal(text, PARAGRAPHS.join('\n\n'))
  assert.equal(kind, 'article')
})

test('a thread keeps all posts in order and nothing of the menu', () => {
  const { kind, text } = judge(THREAD, OF_THREAD)
  const places = POSTS.map(([, words]) => text.indexOf(words))
  assert.ok(!places.includes(-1), text)
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  )
  for (const word of [...MENU, 'Privacy', 'rights reserved']) assert.ok(!text.includes(word), word)
  assert.equal(kind, 'thread')
})

test('a thread is one without a telling address or generator', () => {
  const { kind, text } = judge(THREAD, { title: OF_THREAD.title, url: 'https://site.test/a.html' })
  assert.equal(kind, 'thread')
  for (const [, words] of POSTS) assert.ok(text.includes(words), text)
})

test('a manual keeps its code, and signatures with their descriptions', () => {
  const { kind, text } = judge(MANUAL, OF_MANUAL)
  assert.ok(text.includes(`\n\n${CODE}\n\n`), text)
  assert.match(text, /\nopen\(path, options\)\n {2}Opens a gauge/)
  for (const word of ['Navigation', 'chapter', 'Sphinx']) assert.ok(!text.includes(word), word)
  assert.equal(kind, 'documentation')
})

test('a manual keeps what it says about cookies', () => {
  const cookies = 'Here we set signed session cookies; the cookie settings of the gauge are above.'
  const similar = 'Cookies and similar technologies of the browser carry the session.'
  const html = MANUAL.replace('</section>', `<p>${cookies}</p><p>${similar}</p></section>`)
  const { text } = judge(html, OF_MANUAL)
  assert.ok(text.includes(cookies) && text.includes(similar), text)
})

test('a page with almost no text gives little, not its menu', () => {
  const { text } = judge(`${NAV}<main><p>Loading…</p></main>${FOOTER}`)
  assert.ok(text.length < 100, text)
  for (const word of [...MENU, 'Privacy']) assert.ok(!text.includes(word), word)
})

test('the first heading is left out where it is the title, and only there', () => {
  assert.ok(judge(MANUAL, OF_MANUAL).text.startsWith('A gauge is opened'))
  const { text } = judge(MANUAL, { ...OF_MANUAL, title: 'Something else' })
  assert.ok(text.startsWith('Reading a gauge\n'), text)
})

test('a page without a block is judged', () => {
  for (const html of ['', '<p>', '<img src=a>', '<script>a</script>']) {
    const { confidence, text } = judge(html)
    assert.equal(text, '')
    assert.ok(confidence >= 0 && confidence <= 1)
  }
})

test('a page is judged the same after any other page', () => {
  const judged = new ContentJudge()
  const pages: readonly (readonly [string, Given])[] = [
    [ARTICLE, OF_ARTICLE],
    [`<ul>${'<li><a href=x>one of many links</a>'.repeat(3000)}</ul>`, {}],
    [THREAD, OF_THREAD],
    ['', {}],
    [MANUAL, OF_MANUAL],
    [ARTICLE, OF_ARTICLE],
  ]
  for (const [html, given] of pages) {
    assert.deepEqual(judge(html, given, judged), judge(html, given))
  }
})

test('the forests match the list of features: a changed list needs new training', () => {
  assert.equal(FEATURES_KEY, featuresKey())
  assert.equal(decodeForest(BLOCK_FOREST).featureCount, FEATURES.length + CLASSES.length)
  assert.equal(KIND_FORESTS.length, CLASSES.length)
  for (const forest of KIND_FORESTS) {
    assert.equal(decodeForest(forest).featureCount, PAGE_FEATURES.length)
  }
})

test('no two columns have the same name', () => {
  for (const names of [FEATURES, PAGE_FEATURES]) assert.equal(new Set(names).size, names.length)
})

function isThread(html: string): boolean {
  return hasPostsOfUsers(new HtmlReader().read(Buffer.from(html), { isXml: false }).outline)
}

test('posts side by side with a block about their user are a thread', () => {
  for (const post of [
    '<div class="post bg1"><dl class="postprofile"><dt>rina</dl><div class=content>Text</div></div>',
    '<article class="message"><div class="message-inner"><div class="message-cell"><section class="message-user">rina</section></div><div class="message-body">Text</div></div></article>',
    '<li class="postbit postcontainer"><div class="userinfo">rina</div><div class=body>Text</div></li>',
  ]) {
    assert.ok(isThread(post.repeat(4)), post)
    assert.ok(!isThread(post.repeat(2)), post)
    const apart = `<section>${post}</section>`.repeat(4)
    assert.ok(!isThread(apart), apart)
  }
})

test('a list of articles, comments, and members without posts are no thread', () => {
  for (const entry of [
    '<div class="post"><h2>A title</h2><p class="author">rina</p><p>Text</p></div>',
    '<li class="comment"><div class="user">rina</div><p>Text</p></li>',
    '<li class="row"><div class="member">rina</div></li>',
  ]) {
    assert.ok(!isThread(entry.repeat(5)), entry)
  }
})

test('two texts have the same letters, whatever their case and signs', () => {
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  const texts = '| |A b-c 1|abc1|ABC 1¶|abc12|Ärger!|ärger|a·b|¶|\u212a|k'.split('|')
  for (const one of texts) {
    for (const other of texts) {
      assert.equal(hasSameLetters(one, other), letters(one) === letters(other), `${one} ${other}`)
    }
  }
})
