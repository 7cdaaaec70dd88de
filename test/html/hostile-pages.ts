// Pages made to hurt: floods of one thing, in the size that hurts or in any other.
import { canonicalise } from '../../src/core/url.ts'
import type { HandoverHead } from '../../src/wire/handover.ts'

/** Of a page that came as most do. */
export const HEAD: HandoverHead = {
  kind: 'page',
  id: 1,
  token: 1,
  url: canonicalise('http://site.test/folder/page-1.html')!,
  depth: 2,
  status: 200,
  contentType: 'text/html; charset=utf-8',
  contentEncoding: '',
  robotsTag: [],
  etag: '',
  lastModified: '',
  fetchedAt: 1_750_000_000_000,
  fetchMs: 1,
  truncated: false,
}

export type HostilePage = {
  /** Around the flood. */
  readonly before?: string
  readonly behind?: string
  readonly piece: (nth: number) => string
  /** How many pieces hurt. */
  readonly full: number
  /** What the record says was left out: `truncated`, and parts of the page. */
  readonly left: readonly string[]
}

/** The page with so many pieces. */
export function hostilePage(
  { before = '', piece, behind = '' }: HostilePage,
  size: number,
): Buffer {
  return Buffer.from(
    before + Array.from({ length: size }, (_, nth) => piece(nth)).join('') + behind,
  )
}

const WORDS = 'Some words of a sentence, and some more of them. '
const PARAGRAPH = `<p>${WORDS}`
const HEADING = '<h1>Heading</h1>'
const LD = '<script type="application/ld+json">'
/** Of one word, and of many: large pieces, since a test has to put them together. */
const LETTERS = 'word'.repeat(100)
const NAMES = 'word '.repeat(100)
const DATA = `data:image/png;base64,${'A'.repeat(5000)}`

const WHOLE: readonly string[] = []
const LINKS = ['links']
const IMAGES = ['images']
const SCRIPTS = ['scripts']
/** More containers or blocks than are kept, or nested deeper. */
const OUTLINE = ['truncated', 'tables', 'lists']
const OUTLINE_AND_FORMS = ['truncated', 'tables', 'forms', 'lists']

export const HOSTILE_PAGES: Readonly<Record<string, HostilePage>> = {
  'nested div': { piece: () => '<div>', full: 100_000, left: OUTLINE },
  'nested div with words': { piece: () => '<div>word', full: 100_000, left: OUTLINE },
  'nested lists': { piece: () => '<ul><li>word', full: 100_000, left: OUTLINE },
  'nested tables': { piece: () => '<table><tr><td>a<td>b', full: 100_000, left: OUTLINE },
  'nested b': { piece: () => '<b>', full: 100_000, left: WHOLE },
  'nested a': { piece: () => '<a>', full: 100_000, left: WHOLE },
  'nested font': { piece: () => '<font size=1>', full: 100_000, left: WHOLE },
  'nested quotes': { piece: () => '<blockquote>word', full: 100_000, left: OUTLINE },
  'nested names nobody knows': { piece: () => '<x-y>word', full: 100_000, left: OUTLINE },
  'formatting that is misnested': { piece: () => '<b><i>word</b></i>', full: 100_000, left: WHOLE },
  'end tags of what is not open': {
    before: '<div>'.repeat(250),
    piece: () => '</li></x-y>',
    full: 50_000,
    left: WHOLE,
  },
  'many containers': {
    piece: (nth) => `<div class="a${nth} b${nth}">${nth}</div>`,
    full: 100_000,
    left: OUTLINE,
  },
  'hidden elements': { piece: () => '<p></p><i hidden></i>', full: 100_000, left: OUTLINE },
  'hidden links': {
    piece: (nth) => `<i hidden><a href=${nth}>word</a></i>`,
    full: 50_000,
    left: LINKS,
  },
  noscripts: { piece: () => '<noscript><p>word</noscript>', full: 100_000, left: OUTLINE },
  'noscripts with open comments': {
    piece: () => '<noscript><!--<style></noscript>a',
    full: 100_000,
    left: OUTLINE,
  },
  'noscripts without an end': {
    piece: () => '<noscript><iframe></iframe>',
    full: 100_000,
    left: WHOLE,
  },
  'deep in what is hidden': {
    before: '<div hidden>',
    piece: () => '<a><b><p><li></i></dd>',
    full: 30_000,
    left: OUTLINE,
  },
  formulas: {
    piece: () => '<math><msup><mi>a<mi>b</msup></math><math><mfrac><math>',
    full: 20_000,
    left: WHOLE,
  },
  'openings of written formulas': {
    piece: () => `<p>${'\\('.repeat(400)}text \\)`,
    full: 600,
    left: WHOLE,
  },
  'a formula of formulas': {
    before: '<math>',
    piece: () => '<mrow><msup><mi>a</mi>',
    full: 20_000,
    behind: '</math>',
    left: WHOLE,
  },
  'templates and panels': {
    piece: () => '<template><p>a</template><p hidden role=tabpanel>b</p>',
    full: 50_000,
    left: OUTLINE,
  },
  'parts that came late': {
    piece: (nth) =>
      `<template id=B:${nth.toString(16)}></template><div hidden id=S:${nth.toString(16)}>a</div>`,
    full: 50_000,
    left: OUTLINE,
  },
  'a million links with words': {
    piece: (nth) => `<a href=${nth}>w</a> `,
    full: 1_000_000,
    left: LINKS,
  },
  'one line of 5 MB of text': { piece: () => WORDS, full: 100_000, left: WHOLE },
  'one word of 5 MB': { piece: () => LETTERS, full: 12_500, left: WHOLE },
  'a tag of 5 MB': {
    before: '<p ',
    piece: () => NAMES,
    full: 10_000,
    left: WHOLE,
    behind: '>x',
  },
  'an attribute of 5 MB': {
    before: '<p title="',
    piece: () => NAMES,
    full: 10_000,
    left: WHOLE,
    behind: '">x',
  },
  '50,000 attributes': {
    before: '<p ',
    piece: (nth) => `a${nth}=1 `,
    full: 50_000,
    left: WHOLE,
    behind: '>x',
  },
  'a class of 1 MB': {
    before: '<p class="',
    piece: (nth) => `post-${nth} `,
    full: 100_000,
    left: WHOLE,
    behind: '">x',
  },
  'large data: URIs': { piece: (nth) => `<img src="${DATA}${nth}">`, full: 1_000, left: WHOLE },
  'a data: URI in a link': {
    before: '<a href="data:text/html,',
    piece: () => LETTERS,
    full: 12_500,
    left: WHOLE,
    behind: '">x</a>',
  },
  '5 MB of references': { piece: () => '&amp;&eacute;&#x41;&notit;&', full: 200_000, left: WHOLE },
  '200,000 br': { piece: () => 'word<br>', full: 200_000, left: WHOLE },
  '100,000 cells': { before: '<table><tr>', piece: () => '<td>a', full: 100_000, left: OUTLINE },
  'rows of cells': {
    before: '<table>',
    piece: () => '<tr><td>a<td>b',
    full: 50_000,
    left: OUTLINE,
  },
  'cells of 10^9 columns': {
    before: '<table>',
    piece: () => '<tr><td colspan=1000000000 rowspan=1000000000>a<td>b',
    full: 20_000,
    left: OUTLINE,
  },
  '100,000 h1': { piece: (nth) => `<h1>Heading ${nth}</h1>`, full: 100_000, left: OUTLINE },
  'a title of 3 MB': {
    before: '<title>',
    piece: () => 'word - ',
    full: 450_000,
    left: WHOLE,
    behind: '</title>x',
  },
  'JSON-LD nested 100,000 deep': {
    before: LD,
    piece: () => '{"a":[',
    full: 100_000,
    left: SCRIPTS,
    behind: '</script>x',
  },
  'JSON-LD that is wide': {
    before: `${LD}[`,
    piece: (nth) => `{"@type":"A${nth}","author":"B ${nth}"},`,
    full: 30_000,
    left: SCRIPTS,
    behind: '{}]</script>x',
  },
  'JSON-LD by the thousand': {
    piece: () => `${LD}{"@type":"Article",}</script>`,
    full: 20_000,
    left: SCRIPTS,
  },
  'application state': {
    before: '<script>s={',
    piece: (nth) => `"body":"${WORDS.repeat(12)}${nth}",`,
    full: 5_000,
    left: WHOLE,
    behind: '}</script>',
  },
  'thousands of times': {
    before: HEADING,
    piece: (nth) => `<p><time datetime="2024-01-${nth % 40}">${nth}</time>`,
    full: 50_000,
    left: OUTLINE,
  },
  'thousands of dates': {
    before: HEADING,
    piece: (nth) => `<p>${nth % 40} Januari 20${nth % 100} 09.30 WIB`,
    full: 50_000,
    left: OUTLINE,
  },
  'thousands of bylines': {
    before: HEADING,
    piece: (nth) => `<p class=author>By Jane Doe ${nth}`,
    full: 50_000,
    left: OUTLINE,
  },
  metas: {
    piece: (nth) => `<meta property="og:a${nth}" content=b><meta name=author content="C ${nth}">`,
    full: 50_000,
    left: WHOLE,
  },
  'an unclosed comment at the start': {
    before: '<!--',
    piece: () => PARAGRAPH,
    full: 100_000,
    left: WHOLE,
  },
  'unclosed CDATA': {
    before: '<svg><![CDATA[',
    piece: () => PARAGRAPH,
    full: 100_000,
    left: WHOLE,
  },
  'an unclosed textarea': {
    before: '<textarea>',
    piece: () => PARAGRAPH,
    full: 100_000,
    left: WHOLE,
  },
  'scripts without an end': { piece: () => '<script>', full: 200_000, left: WHOLE },
  forms: {
    piece: (nth) => `<form><label>a<select name=b${nth}><option>c`,
    full: 50_000,
    left: OUTLINE_AND_FORMS,
  },
  images: {
    piece: (nth) => `<img src=${nth} srcset="${nth}a 1x, ${nth}b 2x" alt=word>`,
    full: 50_000,
    left: IMAGES,
  },
  code: { before: '<pre>', piece: () => '  word\n', full: 200_000, left: WHOLE },
}
