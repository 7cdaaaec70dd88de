// Pages with large accidents in them, the same for the same numbers: what servers, templates, editors
// and broken transfers do to bytes. The small ones are in mutate.ts.
import { mutate } from './mutate.ts'

export type Random = (below: number) => number

export type Mutant = {
  readonly body: Buffer
  readonly contentType: string
  /** What was done, in order: enough to tell what a failure is about. */
  readonly done: readonly string[]
}

type Mutation = (page: Buffer, random: Random, other: Buffer) => Buffer

const MAX_MUTATIONS = 4
/** Repeats stop here, so that no round takes long. */
const MAX_GROWN = 100_000

const TAG = /<\/?[a-z][^<>]{0,300}>/gi

/** Bytes that no text has, or that are half of a character. */
const ODD_BYTES = [
  [0],
  [0, 0, 0, 0],
  [0xed, 0xa0, 0x80],
  [0xed, 0xb0, 0x80],
  [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  [0xc3],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0x98],
  [0xc0, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xff, 0xfe],
  [0xfe, 0xff],
  [0xef, 0xbb, 0xbf],
  [0xe2, 0x80, 0xa8],
  [0xe2, 0x80, 0xa9],
  [0xe2, 0x80, 0xae],
  [0xc2, 0x85],
  [0xc2, 0x9b],
  [0xc2, 0xa0],
  [0xc2, 0xad],
  [0x7f],
  [0x1b, 0x5b, 0x33, 0x31, 0x6d],
  [0x1f],
  [0x0c],
  [0x0d],
  [0x0b],
] as const

const OPENERS = [
  '<!--',
  '<![CDATA[',
  '<script>',
  '<script type="application/ld+json">',
  '<style>',
  '<textarea>',
  '<title>',
  '<select>',
  '<table>',
  '<xmp>',
  '<plaintext>',
  '<svg>',
  '<math>',
  '<template>',
  '<noscript>',
  '<dialog>',
  '<div hidden>',
  '<div hidden role=tabpanel>',
  '<a href="',
  '<pre>',
  '<button>',
  '<iframe>',
  '<frameset>',
]

/** Markup that asks for something special; `%` is a number. */
const SNIPPETS = [
  '<template id="B:%"></template>',
  '<div hidden id="S:%">part %</div>',
  '<div hidden id="S:%"><template id="B:%"></template>',
  '<base href="//x%.test/a/">',
  '<base href="../%?q#f">',
  '<link rel=canonical href="/c%">',
  '<meta name=robots content="noindex">',
  '<meta http-equiv=refresh content="%;url=/r%">',
  '<meta charset=utf-16>',
  '<meta property="og:title" content="&lt;b&gt; % &#xD800; &#0;">',
  '<meta name=author content="by % and \u0001 %">',
  '<td colspan=1000000000 rowspan=%000>',
  '<img src=a% srcset="b% %w, c% 1e400x, d (,) %x">',
  '<time datetime="20%-13-%T99:99">%</time>',
  '<p>% Januari 20% 09.%0 WIB</p>',
  '<script type="application/ld+json">{"@type":["Article"],"datePublished":"%","__proto__":{"x":%}}</script>',
  '<script type="application/ld+json">{"@graph":[[[[{"author":{"name":["%"]}}]]]],"articleBody":"\\ud800 %"}</script>',
  '<a href="http://ex%ample.test:80/%7e%41/./../%?#x">% &amp; %</a>',
  '<a href=" \t//B\u00fccher%.test/\u00e9?\u2028">\u202e%</a>',
  '<a href="javascript:%">',
  '<area href=%><iframe src=//f%.test>',
  '<form action="?%"><label for=i%>%<input id=i% name=n% required><select name=s%><option>%',
  '<svg><title>%</title><a xlink:href=%><desc>%',
  '<h1>%</h1><h2><h3>%',
  '<pre>\n  %\n\t%</pre>',
  '<ol start=-%><li value=%>%<ul><li>%',
  '<dl><dd>%<dt>%',
  '&#%;&#x%;&#xDFFF;&notin%;&nGt;',
  '<html lang="x-%"><body hidden>',
]

const CHARSETS = [
  ...['', 'utf-8', 'UTF8', 'iso-8859-1', 'windows-1252', 'utf-16', 'utf-16be', 'utf-32', 'utf-7'],
  ...['shift_jis', 'euc-jp', 'iso-2022-jp', 'gb18030', 'big5', 'euc-kr', 'koi8-r', 'iso-2022-kr'],
  ...['x-user-defined', 'macintosh', 'hz-gb-2312', 'replacement', 'nonsense', '"', 'utf-8;utf-16'],
]
const TYPES = ['text/html', 'text/html', 'text/html', 'application/xhtml+xml', 'text/plain', '']

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  scraps: (page, random) => Buffer.from(mutate(page.toString('latin1'), random), 'latin1'),
  'odd bytes': (page, random) =>
    insertSome(page, random, () => Buffer.from(pick(ODD_BYTES, random))),
  snippets: (page, random) => insertSome(page, random, () => Buffer.from(snippet(random))),
  openers: (page, random) => insertSome(page, random, () => Buffer.from(pick(OPENERS, random)), 2),
  'flipped bytes': (page, random) => {
    const copy = Buffer.from(page)
    for (let count = 1 + random(20); count > 0; count--) copy[random(copy.length)] = random(256)
    return copy
  },
  'cut off': (page, random) => page.subarray(0, random(page.length + 1)),
  'two halves': (page, random, other) =>
    Buffer.concat([page.subarray(0, random(page.length)), other.subarray(random(other.length))]),
  'one in the other': (page, random, other) =>
    insert(page, random(page.length), other.subarray(0, MAX_GROWN)),
  'a piece again and again': (page, random) => {
    const from = random(page.length)
    return insert(page, from, repeated(page.subarray(from, from + 1 + random(400)), random))
  },
  'a tag again and again': (page, random) => {
    const tag = pick(tagsOf(page), random)
    return insert(page, tag?.from ?? 0, repeated(Buffer.from(tag?.text ?? '<div>'), random))
  },
  'tags in each others places': swapTags,
  'no end tags of one name': (page, random) => {
    const [name = ''] = /[a-z0-9]+/i.exec(pick(tagsOf(page), random)?.text ?? '') ?? []
    return Buffer.from(page.toString('latin1').replaceAll(`</${name}>`, ''), 'latin1')
  },
  'many attributes': (page, random) => {
    const attributes = Array.from({ length: random(800) }, (_, at) => ` a${at}="${random(9)}"`)
    return inTag(page, random, attributes.join(''))
  },
  'a long attribute': (page, random) => {
    const name = pick([' href', ' class', ' content', ' id', ' alt', ' style', ' data-x'], random)
    return inTag(
      page,
      random,
      `${name}="${pick(['x', 'w ', '&amp;', '../', '%41'], random).repeat(random(4000))}"`,
    )
  },
  'values in other places': (page, random) => {
    const value = pick(page.toString('latin1').match(/="[^"<>]{1,80}"/g) ?? ['=""'], random)
    const name = pick(
      ['href', 'id', 'class', 'datetime', 'content', 'srcset', 'colspan', 'type'],
      random,
    )
    return inTag(page, random, ` ${name}${value}`)
  },
  'a declared charset': (page, random) =>
    insert(
      page,
      random(Math.min(page.length, 2000)),
      Buffer.from(`<meta charset="${pick(CHARSETS, random)}">`),
    ),
  'UTF-16': (page, random) => wide(page, random(2) === 0, random(2) === 0),
  'bytes of Latin-1': (page) => Buffer.from(page.toString('utf8'), 'latin1'),
}
const NAMES = Object.keys(MUTATIONS)

/** One to four mutations of a page; `other` lends pieces. */
export function mutant(page: Buffer, other: Buffer, random: Random): Mutant {
  let body = page
  const done: string[] = []
  for (let count = 1 + random(MAX_MUTATIONS); count > 0; count--) {
    const name = pick(NAMES, random)
    if (body.length > 2 * MAX_GROWN) break
    body = MUTATIONS[name]!(body.length === 0 ? other : body, random, other)
    done.push(name)
  }
  const charset = random(2) === 0 ? '' : pick(CHARSETS, random)
  const contentType = pick(TYPES, random) + (charset === '' ? '' : `; charset=${charset}`)
  return { body, contentType, done }
}

function pick<Kind>(list: readonly Kind[], random: Random): Kind {
  return list[random(list.length)]!
}

function insert(page: Buffer, at: number, piece: Uint8Array): Buffer {
  return Buffer.concat([page.subarray(0, at), piece, page.subarray(at)])
}

function insertSome(page: Buffer, random: Random, piece: () => Buffer, most = 12): Buffer {
  let result = page
  for (let count = 1 + random(most); count > 0; count--) {
    result = insert(result, random(result.length + 1), piece())
  }
  return result
}

function snippet(random: Random): string {
  return pick(SNIPPETS, random).replace(/%(?![0-9A-Fa-f]{2})/g, () => String(random(40)))
}

function repeated(piece: Buffer, random: Random): Buffer {
  const times = Math.min(1 + random(3000), Math.floor(MAX_GROWN / piece.length))
  return Buffer.alloc(piece.length * times, piece)
}

type Tag = { readonly from: number; readonly text: string }

function tagsOf(page: Buffer): Tag[] {
  const tags: Tag[] = []
  for (const match of page.toString('latin1').matchAll(TAG)) {
    tags.push({ from: match.index, text: match[0] })
  }
  return tags
}

function swapTags(page: Buffer, random: Random): Buffer {
  const tags = tagsOf(page)
  const [first, second] = [pick(tags, random), pick(tags, random)].sort(
    (a, b) => (a?.from ?? 0) - (b?.from ?? 0),
  )
  if (first === undefined || second === undefined || first === second) return page
  const text = page.toString('latin1')
  const between = text.slice(first.from + first.text.length, second.from)
  const rest = text.slice(second.from + second.text.length)
  return Buffer.from(
    text.slice(0, first.from) + second.text + between + first.text + rest,
    'latin1',
  )
}

function inTag(page: Buffer, random: Random, attributes: string): Buffer {
  const tag = pick(tagsOf(page), random)
  const at = tag === undefined ? 0 : tag.from + tag.text.length - 1
  return insert(page, at, Buffer.from(tag === undefined ? `<a ${attributes}>` : attributes))
}

function wide(page: Buffer, isBigEndian: boolean, hasMark: boolean): Buffer {
  const text = page.subarray(0, MAX_GROWN).toString('utf8')
  const bytes = Buffer.from((hasMark ? '\uFEFF' : '') + text, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}
