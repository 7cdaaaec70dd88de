// Longer than other files: one case of Markdown after the other, best read as one list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom, mutate } from '../../../test/html/mutate.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { HtmlReader } from '../html/html-reader.ts'
import { LinkResolver } from '../parts/link-resolver.ts'
import { markdown } from './markdown.ts'
import { pageText } from './page-text.ts'

const reader = new HtmlReader()
const resolver = new LinkResolver()
resolver.rebase('https://a.test/b/' as CanonicalUrl)

/** The Markdown of all blocks. */
function markdownOf(html: string, isXml = false, title = ''): string {
  const reading = reader.read(Buffer.from(html), { isXml })
  const chosen = new Uint8Array(reading.outline.blocks.count).fill(1)
  return markdown(reading, { title, chosen, resolver, isXml })
}

function suite(name: string, cases: readonly (readonly [string, string, string])[]): void {
  for (const [title, html, text] of cases) {
    test(`Markdown, ${name}: ${title}`, () => assert.equal(markdownOf(html), text))
  }
}

suite('blocks', [
  ['nothing gives nothing', '<p> </p>', ''],
  ['headings and paragraphs', '<h1>a</h1><p>b</p><h3>c</h3>d', '# a\n\nb\n\n### c\n\nd'],
  ['a heading is one line', '<h2>a<br>b</h2>', '## a b'],
  ['a heading is not strong in itself', '<h2><b>a</b> <i>b</i></h2>', '## a *b*'],
  ['a heading may end with a sharp', '<h2>C #</h2>', '## C \\#'],
  ['a heading does not link to itself', '<h2>a<a href="#a">¶</a></h2>', '## a'],
  ['lines of a paragraph', '<p>a<br>b</p>', 'a\\\nb'],
  ['a rule', '<p>a</p><hr><p>b</p><hr>c', 'a\n\n---\n\nb\n\n---\n\nc'],
  [
    'quotes',
    '<blockquote><p>a<br>b</p><p>c</p></blockquote><blockquote>d</blockquote>',
    '> a\\\n> b\n>\n> c\n\n> d',
  ],
  ['code', '<pre>a {\n  b\n\n\n}</pre>', '```\na {\n  b\n\n\n}\n```'],
  ['code is nothing but text', '<pre><b>*a*</b> &lt;i&gt;</pre>', '```\n*a* <i>\n```'],
  ['a fence is longer than those in it', '<pre>```\na\n````</pre>', '`````\n```\na\n````\n`````'],
  [
    'an image between paragraphs',
    '<p>a<figure><img src=x.png alt="b c"></figure><p>d',
    'a\n\n![b c](https://a.test/b/x.png)\n\nd',
  ],
  ['terms', '<dl><dt>a<dd>b<dt>c<dd><p>d<p>e</dl>', '**a**\n- b\n\n**c**\n- d\n\n  e'],
])

const LANGUAGES: readonly (readonly [by: string, html: string, language: string])[] = [
  ['Prism', '<pre class="x language-js">', 'js'],
  ['prettyprint', '<pre class="prettyprint lang-c++"><code>', 'c++'],
  ['the standard', '<pre><code class="language-c#">', 'c#'],
  ['highlight.js', '<pre><code class="hljs python">', 'python'],
  ['highlight.js, the other way round', '<pre><code class="rust hljs">', 'rust'],
  [
    'pandoc',
    '<div class="sourceCode"><pre class="sourceCode haskell"><code class="sourceCode haskell">',
    'haskell',
  ],
  [
    'Sphinx',
    '<div class="highlight-py notranslate"><div class="highlight"><pre><span></span>',
    'py',
  ],
  ['GitHub', '<div class="highlight highlight-source-shell"><pre>', 'shell'],
  [
    'Rouge',
    '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code>',
    'ruby',
  ],
  [
    'Hugo',
    '<div class="highlight"><pre class="chroma"><code class="language-go" data-lang="go">',
    'go',
  ],
  ['asciidoctor', '<pre class="highlight"><code data-lang="java">', 'java'],
  ['Gatsby', '<div class="gatsby-highlight" data-language="tsx"><pre class="x"><code>', 'tsx'],
  [
    'Docusaurus',
    '<div class="language-yaml codeBlockContainer_a"><div><pre tabindex="0" class="prism-code"><code>',
    'yaml',
  ],
  ['VuePress', '<div class="language-ts extra-class"><pre><code>', 'ts'],
  ['Astro and shiki', '<pre class="astro-code github-dark" data-language="css"><code>', 'css'],
  ['SyntaxHighlighter', '<pre class="brush: php; toolbar: false">', 'php'],
  ['Crayon', '<pre class="lang:sql decode:true">', 'sql'],
  ['org-mode', '<div class="org-src-container"><pre class="src src-emacs-lisp">', 'emacs-lisp'],
  ['rustdoc', '<div class="example-wrap"><pre class="rust rust-example-rendered"><code>', 'rust'],
  ['mdBook', '<pre><code class="language-rust,ignore noplayground">', 'rust'],
  ['Hexo', '<figure class="highlight js"><table><tr><td class="code"><pre>', 'js'],
  ['MediaWiki', '<div class="mw-highlight mw-highlight-lang-lua mw-content-ltr"><pre>', 'lua'],
  ['GitLab', '<pre class="code highlight" lang="ruby" data-canonical-lang="ruby"><code>', 'ruby'],
  ['DokuWiki', '<pre class="code perl">', 'perl'],
  ['Enlighter', '<pre class="EnlighterJSRAW" data-enlighter-language="json">', 'json'],
  ['nobody: a default', '<pre class="highlight-default language-none">', ''],
  ['nobody: a name that is none', '<pre class="language-`x">', ''],
  ['nobody: the language of the page', '<div class="lang-en"><div><div><pre lang="en">', ''],
  ['nobody: other classes', '<div class="code-wrapper go-back"><pre class="wp-block-code">', ''],
]

for (const [by, html, language] of LANGUAGES) {
  test(`Markdown: the language of code as written by ${by}`, () => {
    assert.equal(markdownOf(`<p>b</p>${html}a b`), `b\n\n\`\`\`${language}\na b\n\`\`\``)
  })
}

suite('lists', [
  ['entries', 'a<ul><li>b<li>c</ul>d', 'a\n\n- b\n- c\n\nd'],
  ['numbers', '<ol start=9><li>a<li>b</ol>', '9. a\n10. b'],
  ['lists within lists', '<ul><li>a<ol><li>b<li>c</ol><li>d</ul>', '- a\n  1. b\n  2. c\n- d'],
  [
    'a number above 1 cannot follow a line',
    '<ul><li>a<ol start=2><li>b</ol></ul>',
    '- a\n\n  2. b',
  ],
  [
    'entries of several blocks',
    '<ol start=10><li><p>a<p>b<pre>c\n\n d</pre><blockquote>e</blockquote><li>f</ol>',
    '10. a\n\n    b\n\n    ```\n    c\n\n     d\n    ```\n\n    > e\n11. f',
  ],
  [
    'lists below each other stay two',
    '<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol><ol><li>d</ol>',
    '- a\n\n* b\n\n1. c\n\n1) d',
  ],
  ['an entry that is a list', '<ul><li><ol><li>a</ol></ul>', '- 1. a'],
  ['a list in a quote', '<blockquote>a<ul><li>b<li>c</ul></blockquote>', '> a\n> - b\n> - c'],
  [
    'an image at the start or the end of an entry',
    '<ul><li><p>a<p><img src=x><li><p><img src=y><p>b</ul>',
    '- a\n\n  ![](https://a.test/b/x)\n- ![](https://a.test/b/y)\n\n  b',
  ],
])

suite('tables', [
  [
    'headers in the first row',
    '<table><tr><th>a<th>b<tr><td>c<td>d</table>',
    '| a | b |\n| --- | --- |\n| c | d |',
  ],
  [
    'headers in a head',
    '<table><thead><tr><td>a<td>b<tbody><tr><th>c<td>d</table>',
    '| a | b |\n| --- | --- |\n| c | d |',
  ],
  ['no headers', '<table><tr><td>a<td>b</table>', '|  |  |\n| --- | --- |\n| a | b |'],
  [
    'empty cells and pipes',
    '<table><tr><th>a|b<th>c<tr><td></td><td><code>d|e</code></td></tr></table>',
    '| a\\|b | c |\n| --- | --- |\n|  | `d\\|e` |',
  ],
  [
    'lines, blocks and lists in cells',
    '<table><tr><th>a<br>b<th><p>c<p>d</th><tr><td><ul><li>e<li>f</ul></td><td>g</table>',
    '| a<br>b | c<br>d |\n| --- | --- |\n| e<br>f | g |',
  ],
  [
    'cells that span others',
    '<table><tr><th colspan=2>a<th rowspan=2>b<tr><td>c<td>d<tr><td>e<td>f<td>g</table>',
    '| a |  | b |\n| --- | --- | --- |\n| c | d |\n| e | f | g |',
  ],
  [
    'a caption, and links in cells',
    '<table><caption>a<tr><th>b<th><a href=/c>d</a><tr><td>e<td><img src=/f></table>',
    'a\n\n| b | [d](https://a.test/c) |\n| --- | --- |\n| e | ![](https://a.test/f) |',
  ],
  [
    'tables that are there for their looks',
    '<table role=presentation><tr><td>a<td>b</table>',
    'a\\\nb',
  ],
  ['a table of one column', '<table><tr><td>a<tr><td>b</table>', 'a\n\nb'],
  [
    'tables within tables',
    '<table><tr><td>a<td><table><tr><th>b<th>c<tr><td>d<td>e</table></table>',
    'a\n\n| b | c |\n| --- | --- |\n| d | e |',
  ],
  [
    'code beside its numbers',
    '<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>',
    '```\na\nb\n```',
  ],
  ['tables that lay out a page', '<table><tr><td><p>a<td><h2>b</h2></table>', 'a\n\n## b'],
])

suite('inline', [
  ['marks', '<b>a</b> <em>b</em> <s>c</s> <code>d</code>', '**a** *b* ~~c~~ `d`'],
  ['marks within marks', '<b>a <i>b</i></b> <i><b>c</b> d</i>', '**a *b*** ***c** d*'],
  ['marks over each other', '<b>a <i>b</b> c</i>', '**a *b*** c'],
  ['blanks stand outside of marks', 'a<b> b </b>c', 'a **b** c'],
  ['marks that cannot be read there are left out', 'a<b>.b</b> <b>c.</b>d', 'a.b c.d'],
  ['marks without text are none', 'a<b></b><i> </i>b', 'a b'],
  ['neighbours are one', '<b>a</b><strong>b</strong> <b>c</b>', '**ab** **c**'],
  ['code with backticks', '<code>a`b</code> <code>`</code>', '``a`b`` `` ` ``'],
  ['code is literal', '<code>*a* \\ &lt;</code>', '`*a* \\ <`'],
  ['code next to code', '<code>a</code><code>b</code>', '`ab`'],
  ['links are absolute', '<a href="c?d#e">a <b>b</b></a>', '[a **b**](https://a.test/b/c?d#e)'],
  ['raised and lowered text', 'x<sup>2</sup> H<sub>2</sub>O', 'x<sup>2</sup> H<sub>2</sub>O'],
  [
    'raised text in marks',
    '<b>x<sup>2</sup></b> <sup><i>a</i> b</sup>',
    '**x<sup>2</sup>** <sup>*a* b</sup>',
  ],
  ['a raised link', 'a<sup><a href=/c>b</a></sup>', 'a[<sup>b</sup>](https://a.test/c)'],
  ['hostile links are text', '<a href="javascript:x">a</a> <a href=data:x>b</a>', 'a b'],
  [
    'links that lead nowhere are text',
    '<a href="#">a</a> <a>b</a> <a href="http://[">c</a>',
    'a b c',
  ],
  [
    'a link cannot end early',
    '<a href="/c)*_`|&lt;\\">a](b)</a>',
    '[a\\](b)](<https://a.test/c)*_%60%7C%3C/>)',
  ],
  [
    'a link around blocks is one in each',
    '<a href=/c><h2>a</h2><p>b</p></a>c',
    '## [a](https://a.test/c)\n\n[b](https://a.test/c)\n\nc',
  ],
  ['images', 'a <img src=c.png alt="*b*"> d', 'a ![\\*b\\*](https://a.test/b/c.png) d'],
  [
    'images in links',
    '<a href=/c><img src=/d alt=b></a> e',
    '[![b](https://a.test/d)](https://a.test/c) e',
  ],
  ['late images', 'a <img src="data:x" data-src=/d alt=b>', 'a ![b](https://a.test/d)'],
  ['images nobody sees', 'a <img src=/p width=1 height=1><img src=data:x>b', 'a b'],
  [
    'what is not shown',
    'a <span hidden>b</span><svg><title>c</title></svg><template>d</template>e',
    'a e',
  ],
])

const TEX = (tex: string, more = ''): string =>
  `<math${more}><mi>q</mi><annotation encoding="application/x-tex">${tex}</annotation></math>`

suite('footnotes', [
  [
    'as Markdown tools write them',
    '<p>a<sup id=fnref1><a href="#fn1">1</a></sup> b<ol><li id=fn1><p>note <a href="#fnref1">↩</a></p></ol>',
    'a[^1] b\n\n[^1]: note &nbsp;',
  ],
  [
    'as pandoc writes them',
    '<p>a<a href="#fn1" id=r1><sup>1</sup></a>.<p>b<section><ol><li id=fn1><p>c<p>d<a href="#r1">↩︎</a></ol></section>',
    'a[^1].\n\nb\n\n[^1]: c &nbsp;\n\n    d',
  ],
  [
    'as Wikipedia writes them',
    '<p>a<sup><a href="#cite_note-1"><span>[</span>1<span>]</span></a></sup> b<sup><a href="#cite_note-1">[1]</a></sup><ol><li id="cite_note-1"><span>^ <a href="#r-a"><sup>a</sup></a> <a href="#r-b"><sup>b</sup></a></span> <i>c</i></ol>',
    'a[^1] b[^1]\n\n[^1]: *c* &nbsp;',
  ],
  ['with other signs', '<p>a<sup><a href="#n">*</a></sup><p id=n>* c', 'a[^1]\n\n[^1]: \\* c'],
  [
    'whose notes are not there are links',
    '<p>a<sup><a href="#fn1">1</a></sup>',
    'a[<sup>1</sup>](https://a.test/b/#fn1)',
  ],
])

suite('nothing to click:', [
  ['buttons', '<p>a <button>Copy</button> b</p><button>Share this</button><p>c', 'a b\n\nc'],
  ['buttons that are headings', '<h3><button>What is it</button></h3>a', '### What is it\n\na'],
  ['buttons that ask', '<button>Why so?</button><p>a', 'Why so?\n\na'],
  ['buttons in code', '<pre><button>Copy</button><code>a b</code></pre>', '```\na b\n```'],
  [
    'numbers of lines',
    '<pre><span class="lineno">1</span>a\n<span class="ln">2</span>b</pre>',
    '```\na\nb\n```',
  ],
  [
    'but code whose lines have numbers stays',
    '<pre class="line-numbers"><code class="line-numbers">a</code></pre>',
    '```\na\n```',
  ],
  [
    'so do its lines',
    '<pre><span class="ln">a</span>\n<span class="ln">b</span></pre>',
    '```\na\nb\n```',
  ],
  ['a column of numbers', '<pre class="lineno">1\n2</pre><pre>a\nb</pre>', '```\na\nb\n```'],
  ['links from headings', '<h2>a<a href="#a" class=headerlink>Permalink</a></h2>', '## a'],
  ['signs of links', '<h2>a<a href="https://a.test/b/#a">\u200b</a></h2>', '## a'],
  ['editing', '<h2>a<span class="mw-editsection">[<a href=/x>edit</a>]</span></h2>b', '## a\n\nb'],
])

suite('formulas', [
  ['in a line', `<p>a ${TEX('x_1 * y_1')}, b`, 'a $x_1 * y_1$, b'],
  ['beside dollars', `<p>$5, ${TEX('x')}, $6`, '\\$5, $x$, \\$6'],
  ['apart', `<p>a<p>${TEX('x', ' display=block')}<p>b`, 'a\n\n$$x$$\n\nb'],
  ['of scripts', '<p>a <script type="math/tex; mode=display">x^2</script> b', 'a $$x^2$$ b'],
  ['side by side', `<p>${TEX('x')}${TEX('y')}`, '$x$ $y$'],
  ['within marks', `<p><b>a ${TEX('x')} b</b>`, '**a** $x$ **b**'],
  [
    'in cells',
    `<table><tr><th>a<th>b<tr><td>${TEX('|x|')}<td>c</table>`,
    '| a | b |\n| --- | --- |\n| $\\vert x\\vert$ | c |',
  ],
  [
    'are no markup',
    `<p>${TEX('x &lt;b> [a](b) `c` \\$ $d$')}`,
    '$x \\lt b> [a] (b) ‘c‘ \\$ \\(d\\)$',
  ],
  ['of pictures', '<p>a <img class=latex src=/x alt="x^2"> b', 'a $x^2$ b'],
  [
    'have no picture besides',
    `<p>${TEX('x')}<img class=mwe-math-fallback-image-inline src=/x alt=x> b`,
    '$x$ b',
  ],
])

suite('text stays text:', [
  ['headings', '<p># a<p>#a<p>a<br>===', '\\# a\n\n#a\n\na\\\n\\==='],
  [
    'entries',
    '<p>- a<p>+ b<p>* c<p>-1<p>1. d<p>2) e<p>1.5',
    '\\- a\n\n\\+ b\n\n\\* c\n\n-1\n\n1\\. d\n\n2\\) e\n\n1.5',
  ],
  ['quotes and rules', '<p>&gt; a<p>---<p>- - -<p>___', '\\> a\n\n\\---\n\n\\- - -\n\n\\_\\_\\_'],
  ['code', '<p>`a` ~~~<p>```', '\\`a\\` \\~\\~\\~\n\n\\`\\`\\`'],
  ['marks', '*a* _b_ a_b', '\\*a\\* \\_b\\_ a_b'],
  ['links', '[a](b) ![c](d) [e]: f', '\\[a\\](b) !\\[c\\](d) \\[e\\]: f'],
  ['an exclamation mark before a link', 'a!<a href=/c>b</a>', 'a\\![b](https://a.test/c)'],
  ['tables', 'a | b<br>--- | ---', 'a \\| b\\\n--- \\| ---'],
  ['HTML', '&lt;b&gt; &lt;!--', '\\<b> \\<!--'],
  [
    'references',
    '&amp;lt; &amp;#60; AT&amp;T &amp; &amp;<b></b>lt;',
    '\\&lt; \\&#60; AT&T & \\&lt;',
  ],
  ['backslashes', '\\* \\', '\\\\\\* \\\\'],
  ['a number that is marked in part', '<p>1<b>.</b> a', '1\\. a'],
])

const MATHJAX = '<script src="/mathjax/tex-chtml.js"></script>'
const DOLLARS = `<script>MathJax={tex:{inlineMath:[['$','$']]}}</script>`

suite('formulas that MathJax or KaTeX draws', [
  ['in a line', `${MATHJAX}<p>a \\(x_1 * y_1\\), b`, 'a $x_1 * y_1$, b'],
  ['apart', `${MATHJAX}<p>a<p>\\[x^2 &lt; y\\]<p>$$z_*$$`, 'a\n\n$$x^2 \\lt  y$$\n\n$$z_*$$'],
  ['between dollars', `${DOLLARS}<p>$a*b*c$ is $5, not $6.`, '$a*b*c$ is \\$5, not \\$6.'],
  ['dollars that nobody set', `${MATHJAX}<p>$a$ and $b$`, '$a$ and $b$'],
  [
    'environments',
    `${MATHJAX}<p>\\begin{align*}a &amp;= b\\\\ c\\end{align*}`,
    '$$\\begin{align*}a &= b\\\\ c\\end{align*}$$',
  ],
  ['in code', `${MATHJAX}<p><code>\\(x\\)</code>`, '`\\(x\\)`'],
  ['that do not end', `${MATHJAX}<p>\\(a_1 $$ b`, '\\\\(a_1 $$ b'],
  ['with nothing to draw them', '<p>\\(x_1\\) and \\(not\\)', '$x_1$ and \\\\(not\\\\)'],
  ['in headings', `${MATHJAX}<h2>The \\(p\\)-adic</h2>`, '## The $p$-adic'],
])

test('Markdown: a title may hold formulas', () => {
  assert.equal(markdownOf(`${MATHJAX}<p>a`, false, 'On \\(x_1\\)'), '# On $x_1$\n\na')
})

test('Markdown: posts of a thread have an author and a rule between them', () => {
  const reading = reader.read(Buffer.from('<p>a<p>b<p>c'), { isXml: false })
  const chosen = Uint8Array.of(1, 1, 1)
  const starts = new Map([
    [0, 'Ani'],
    [2, 'B*n'],
  ])
  const posts = { starts, bylines: new Set([1]) }
  const written = markdown(reading, { title: '', chosen, resolver, isXml: false, posts })
  assert.equal(written, '**Ani**\n\na\n\n---\n\n**B\\*n**\n\nc')
})

test('Markdown: a table with one written cell in each row is written as text', () => {
  const html = '<table><tr><td>rina<td>One long line.<br>Two.<tr><td>budi<td>Three.</table>'
  const reading = reader.read(Buffer.from(html.replaceAll('rina', 'x'.repeat(120))), {
    isXml: false,
  })
  const { blocks } = reading.outline
  const chosen = Uint8Array.from({ length: blocks.count }, (_, row) =>
    reading.text.slice(blocks.textFrom[row] ?? 0, blocks.textTo[row] ?? 0).startsWith('x') ? 0 : 1,
  )
  const written = markdown(reading, { title: '', chosen, resolver, isXml: false })
  assert.equal(written.split('\n')[0], '|  |  |')
  chosen[blocks.count - 1] = 0
  const left = markdown(reading, { title: '', chosen, resolver, isXml: false })
  assert.equal(left, 'One long line.\\\nTwo.')
})

test('Markdown: in XML CDATA sections are text', () => {
  assert.equal(markdownOf('<p>a <![CDATA[<b>]]> c<b/>d</p>', true), 'a \\<b> cd')
})

test('Markdown: only chosen blocks are written, images and rules only between them', () => {
  const html = '<p>a<p>b<hr><img src=x><p>c<p>d<p><a href=/e>e</a>'
  const reading = reader.read(Buffer.from(html), { isXml: false })
  const written = markdown(reading, {
    title: '',
    chosen: Uint8Array.of(1, 0, 1, 0, 1),
    resolver,
    isXml: false,
  })
  assert.equal(written, 'a\n\nc\n\n[e](https://a.test/e)')
})

test('Markdown: the URLs of a page are limited, its words are not', () => {
  const far = new LinkResolver()
  far.rebase(`https://a.test/${'x'.repeat(4000)}/` as CanonicalUrl)
  const reading = reader.read(Buffer.from('<p><a href=b>c</a> d'.repeat(5000)), { isXml: false })
  const chosen = new Uint8Array(reading.outline.blocks.count).fill(1)
  const written = markdown(reading, { title: '', chosen, resolver: far, isXml: false })
  assert.ok(written.length < 5_000_000)
  assert.equal(written.match(/c(?:\]\(.*\))? d/g)?.length, 5000)
})

test('Markdown: endless nesting gets bounded indentation', () => {
  for (const piece of ['<ul><li>a', '<blockquote>a<p>', '<b>a<i>', '<dl><dd>a', '<table><td>a']) {
    const written = markdownOf(piece.repeat(2000))
    assert.equal(written.match(/a/g)?.length, 2000)
    assert.ok(written.length < 100 * 2000)
  }
})

const INLINE = ['b', 'i', 'em', 'strong', 'code', 'span', 'a', 'del', 'kbd', 'sup'] as const
const BLOCK = ['p', 'h2', 'div', 'section', 'blockquote', 'ul', 'ol', 'dl', 'table', 'pre'] as const
const SCRAPS = [
  '#',
  '-',
  '1.',
  '*',
  '_',
  '|',
  '[',
  ']',
  '!',
  '&amp;',
  '&lt;',
  '~',
  '===',
  '>',
] as const

/** Nested HTML of words and of characters with a meaning in Markdown. */
function randomHtml(seed: number): string {
  const random = createRandom(seed)
  const pick = <Kind>(list: readonly Kind[]): Kind => list[random(list.length)]!
  const several = (most: number, make: () => string): string =>
    Array.from({ length: 1 + random(most) }, make).join('')
  const word = (): string => String.fromCharCode(...[1, 2, 3].map(() => 97 + random(26)))
  const inline = (depth: number): string =>
    several(4, () => {
      const gap = pick([' ', ''])
      const kind = random(10)
      if (kind < 4 || depth > 3) return word() + gap
      if (kind < 6) return pick(SCRAPS) + gap
      if (kind === 6) return pick(['<br>', '<img src=/x>'])
      const name = pick(INLINE)
      return `<${name} href="/1?(_">${inline(depth + 1)}</${name}>${gap}`
    })
  const cells = (): string => `<tr>${several(3, () => `<${pick(['td', 'th'])}>${inline(1)}`)}`
  const block = (depth: number): string =>
    several(3, () => {
      const name = depth > 4 ? 'p' : pick(BLOCK)
      if (name === 'p' || name === 'h2') return `<${name}>${inline(0)}</${name}>`
      if (name === 'pre') return `<pre>${word()}\n  ${pick(SCRAPS)}${word()}</pre>`
      if (name === 'table') return `<table>${several(3, cells)}</table>`
      const entry = name === 'dl' ? '<dt>x<dd>' : '<li>'
      const isList = name === 'ul' || name === 'ol' || name === 'dl'
      const within = (): string => pick([inline(0), block(depth + 1)])
      return `<${name}>${isList ? several(3, () => entry + within()) : within()}</${name}>`
    })
  return block(0)
}

const DESTINATION = /(?<!\\)\]\((?:<[^>]*>|[^)]*)\)/g

test('Markdown has the words of the text for any page and any choice', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const html = randomHtml(seed * 7919)
    const reading = reader.read(Buffer.from(html), { isXml: false })
    const random = createRandom(seed)
    const chosen = Uint8Array.from({ length: reading.outline.blocks.count }, () =>
      random(5) === 0 ? 0 : 1,
    )
    const words = markdown(reading, { title: '', chosen, resolver, isXml: false })
      .replaceAll('![](https://a.test/x)', '')
      .replace(DESTINATION, '')
      .replaceAll('<br>', ' ')
      .replace(/(?<!\\)<\/?su[bp]>/g, '')
      // Marks within a word; white space is the same in both.
      .replace(/[*~`\\[\]]/g, '')
      .match(/[a-z]+/g)
    const plain = pageText(reading, chosen).replace(/[*~`\\[\]]/g, '')
    assert.deepEqual(words, plain.match(/[a-z]+/g), html)
  }
})

test('Markdown of broken pages has their letters, in order', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const page = Buffer.from(mutate(randomHtml(seed * 104729), createRandom(seed)), 'latin1')
    const reading = reader.read(page, { isXml: false })
    const chosen = new Uint8Array(reading.outline.blocks.count).fill(1)
    const written = markdown(reading, { title: '', chosen, resolver, isXml: false })
    const letters = written.replaceAll('![](https://a.test/x)', '').replace(DESTINATION, '')
    assert.equal(
      onlyLetters(letters.replace(/(?<!\\)<(?:br|\/?su[bp])>/g, '')),
      onlyLetters(reading.text.text()),
    )
  }
})

function onlyLetters(text: string): string {
  return text.replace(/[^a-z]/g, '')
}

test('Markdown: the title comes first, as a heading that cannot forge markup', () => {
  assert.equal(markdownOf('<p>text', false, 'A *title*'), '# A \\*title\\*\n\ntext')
  assert.equal(markdownOf('<p>text', false, 'Tunes in F #'), '# Tunes in F \\#\n\ntext')
})
