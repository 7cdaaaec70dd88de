// The known element and attribute names, as small numbers, and how elements behave. A name is hashed
// while it is read and looked up by that hash alone: no two names of HTML share one (checked when this
// file is loaded), and an author who invents a colliding name could have used the real one.

/** Properties of an element by its name. */
export const TRAIT = {
  /** Begins and ends a line. */
  block: 1,
  /** Has no content. */
  empty: 2,
  /** Its content is text without markup, until its end tag. */
  raw: 4,
  /** Like raw, but with character references. */
  escapable: 8,
  /** May be in the head. */
  head: 16,
  /** Ends any SVG or MathML it is found in. */
  breakout: 32,
  /** A cell of a table: separated by a space. */
  cell: 64,
  /** Hidden by all browsers, or shown only above the words it belongs to. */
  unseen: 128,
  /** Its start tag contains facts besides text. */
  telling: 256,
  /** Changes how its content is read. */
  special: 512,
} as const

const { block, empty, raw, escapable, head, breakout, cell, unseen, telling, special } = TRAIT

/** In the order of their numbers, from 1. */
const ELEMENTS = {
  a: telling | special,
  abbr: 0,
  address: block,
  annotation: 0,
  'annotation-xml': 0,
  area: empty | telling,
  article: block,
  aside: block,
  audio: unseen,
  b: breakout,
  base: empty | head | telling,
  basefont: empty | head,
  bgsound: empty | head,
  big: breakout,
  blockquote: block | breakout,
  body: block | breakout,
  br: block | empty | breakout,
  button: telling,
  canvas: unseen,
  caption: block,
  center: block | breakout,
  cite: 0,
  code: breakout,
  col: empty,
  colgroup: 0,
  datalist: unseen,
  dd: block | breakout,
  del: 0,
  desc: 0,
  details: block,
  dialog: block | special,
  dir: block,
  div: block | breakout,
  dl: block | breakout,
  dt: block | breakout,
  em: breakout,
  embed: empty | breakout,
  fieldset: block,
  figcaption: block,
  figure: block,
  font: 0,
  footer: block,
  foreignobject: 0,
  form: block | telling | special,
  frame: empty | telling,
  frameset: block,
  h1: block | breakout,
  h2: block | breakout,
  h3: block | breakout,
  h4: block | breakout,
  h5: block | breakout,
  h6: block | breakout,
  head: head | breakout,
  header: block,
  hgroup: block,
  hr: block | empty | breakout,
  html: block | head | telling,
  i: breakout,
  iframe: raw | telling | special,
  image: empty | telling,
  img: empty | breakout | telling,
  input: empty | telling,
  ins: 0,
  kbd: 0,
  keygen: empty,
  label: telling | special,
  legend: block,
  li: block | breakout,
  link: empty | head | telling,
  listing: block | breakout | special,
  main: block,
  malignmark: 0,
  map: 0,
  mark: 0,
  math: 0,
  menu: block | breakout,
  meta: empty | head | breakout | telling,
  mglyph: 0,
  mi: 0,
  mn: 0,
  mo: 0,
  ms: 0,
  mtext: 0,
  nav: block,
  nobr: breakout,
  noembed: raw | special,
  noframes: special,
  noscript: head | special,
  object: 0,
  ol: block | breakout,
  optgroup: block,
  option: block | telling,
  p: block | breakout,
  param: empty,
  picture: telling | special,
  plaintext: block | special,
  pre: block | breakout | special,
  q: 0,
  rp: unseen,
  rt: unseen,
  ruby: breakout,
  s: breakout,
  samp: 0,
  script: raw | head | special,
  search: block,
  section: block,
  select: telling | special,
  small: breakout,
  source: empty | telling,
  span: breakout,
  strike: breakout,
  strong: breakout,
  style: raw | head | special,
  sub: breakout,
  summary: block,
  sup: breakout,
  svg: 0,
  table: block | breakout | telling,
  tbody: block,
  td: cell | telling,
  template: head | special,
  textarea: escapable | telling | special,
  tfoot: block,
  th: cell | telling,
  thead: block,
  time: 0,
  title: escapable | head | special,
  tr: block,
  track: empty,
  tt: breakout,
  u: breakout,
  ul: block | breakout,
  var: breakout,
  video: unseen,
  wbr: empty,
  xmp: raw | block | special,
} as const

const ATTRIBUTES = [
  'action',
  'alt',
  'alttext',
  'aria-hidden',
  'aria-label',
  'aria-labelledby',
  'async',
  'charset',
  'class',
  'color',
  'colspan',
  'content',
  'data-canonical-lang',
  'data-code-block-lang',
  'data-enlighter-language',
  'data-lang',
  'data-language',
  'data-lazy-src',
  'data-original',
  'data-src',
  'data-srcset',
  'datetime',
  'defer',
  'display',
  'encoding',
  'face',
  'for',
  'height',
  'hidden',
  'href',
  'hreflang',
  'http-equiv',
  'id',
  'itemprop',
  'lang',
  'media',
  'method',
  'name',
  'nohref',
  'open',
  'placeholder',
  'property',
  'pubdate',
  'rel',
  'required',
  'role',
  'rowspan',
  'shadowrootmode',
  'size',
  'src',
  'srcset',
  'style',
  'title',
  'type',
  'width',
  'xlink:href',
  'xml:lang',
] as const

export type ElementName = keyof typeof ELEMENTS
export type AttributeName = (typeof ATTRIBUTES)[number]

/** The number of each element; 0 for any other name. */
export const ELEMENT = numbered(Object.keys(ELEMENTS)) as Readonly<Record<ElementName, number>>
/** The number of each attribute; 0 for any other name. */
export const ATTRIBUTE = numbered(ATTRIBUTES) as Readonly<Record<AttributeName, number>>
export const TRAITS = Uint16Array.from([0, ...Object.values(ELEMENTS)])
export const ATTRIBUTE_COUNT = ATTRIBUTES.length + 1

/**
 * Per byte: its value in the hash of an element name (letters in lower case), 0 where the name
 * ends. Attribute names also end at `=`.
 */
export const NAME_BYTE = nameBytes(' \t\n\f\r/>')
export const ATTRIBUTE_BYTE = nameBytes(' \t\n\f\r/>=')

export function hashStep(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0
}

const SLOTS = 1024
/** The number of a name by its hash, open addressing. */
export const ELEMENT_SLOTS = slotsOf(Object.keys(ELEMENTS))
export const ATTRIBUTE_SLOTS = slotsOf(ATTRIBUTES)

export function elementNumber(hash: number): number {
  return find(ELEMENT_SLOTS, hash)
}

export function attributeNumber(hash: number): number {
  return find(ATTRIBUTE_SLOTS, hash)
}

type Slots = { readonly hashes: Int32Array; readonly numbers: Uint8Array }

function find({ hashes, numbers }: Slots, hash: number): number {
  let slot = (hash ^ (hash >>> 10)) & (SLOTS - 1)
  while (numbers[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & (SLOTS - 1)
  return numbers[slot] ?? 0
}

function slotsOf(names: readonly string[]): Slots {
  const hashes = new Int32Array(SLOTS)
  const numbers = new Uint8Array(SLOTS)
  for (const [index, name] of names.entries()) {
    const hash = hashOf(name)
    let slot = (hash ^ (hash >>> 10)) & (SLOTS - 1)
    while (numbers[slot] !== 0) {
      if (hashes[slot] === hash) throw new Error(`two names share a hash; one is ${name}`)
      slot = (slot + 1) & (SLOTS - 1)
    }
    hashes[slot] = hash
    numbers[slot] = index + 1
  }
  return { hashes, numbers }
}

/** The hash of a whole name, as the scanner computes it byte by byte. */
export function hashOf(name: string): number {
  let hash = 0
  for (const byte of Buffer.from(name)) hash = hashStep(hash, byte)
  return hash
}

/** By number: 1 for those in the list, 0 for the others. */
export function flagsOf(numbers: readonly number[]): Uint8Array {
  const flags = new Uint8Array(256)
  for (const number of numbers) flags[number] = 1
  return flags
}

function numbered(names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name, index) => [name, index + 1]))
}

function nameBytes(ends: string): Uint8Array {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) =>
    byte >= 65 && byte <= 90 ? byte + 32 : byte,
  )
  // A NUL becomes U+FFFD in a name; anything but a letter will do.
  bytes[0] = 1
  for (const byte of Buffer.from(ends)) bytes[byte] = 0
  return bytes
}

/** Per element: whether it is a container, and how it closes others and is closed. */
export const IS_CONTAINER = 1
export const CLOSES_P = 2
export const SCOPE = 4
export const LIST = 8
export const TABLE_PART = 16
export const HEADING = 32
export const BEHAVIOUR = behaviours()
/** A new table part closes those of the same or lower rank. */
export const TABLE_RANK = Uint8Array.from(TRAITS, () => 0)
for (const element of [ELEMENT.td, ELEMENT.th]) TABLE_RANK[element] = 1
TABLE_RANK[ELEMENT.tr] = 2
for (const element of [ELEMENT.thead, ELEMENT.tbody, ELEMENT.tfoot, ELEMENT.caption]) {
  TABLE_RANK[element] = 3
}
export const CLOSED_BY_SAME: ReadonlySet<number> = new Set([
  ELEMENT.li,
  ELEMENT.dt,
  ELEMENT.dd,
  ELEMENT.option,
  ELEMENT.optgroup,
])

/** Whether the outline handles an element. */
export function isOutlined(element: number): boolean {
  return (
    element === ELEMENT.br ||
    element === ELEMENT.hr ||
    ((BEHAVIOUR[element] ?? 0) & IS_CONTAINER) !== 0
  )
}

/** Nothing that is open in these outlives them, and nothing in them closes an element around them. */
export function isFallback(element: number): boolean {
  return element === ELEMENT.noscript || element === ELEMENT.noframes
}

export function isPre(element: number): boolean {
  return element === ELEMENT.pre || element === ELEMENT.listing
}

/**
 * How elements behave in an outline, per element: whether it is a container, and how it closes others and
 * is closed.
 */
function behaviours(): Uint8Array {
  const list = Uint8Array.from(TRAITS, (traits) => {
    const isBlock = (traits & TRAIT.block) !== 0
    const holds = (isBlock || (traits & TRAIT.cell) !== 0) && (traits & TRAIT.empty) === 0
    return (holds ? IS_CONTAINER : 0) | (isBlock ? CLOSES_P : 0)
  })
  const add = (bits: number, ...elements: number[]): void => {
    for (const element of elements) list[element] = (list[element] ?? 0) | bits
  }
  const { table, td, th, caption, tr, thead, tbody, tfoot, ul, ol, dl, menu, dir } = ELEMENT
  // An unknown name may be a container of some library.
  add(IS_CONTAINER, 0, ELEMENT.button, ELEMENT.label, ELEMENT.select)
  add(IS_CONTAINER | SCOPE, ELEMENT.noscript, ELEMENT.noframes)
  add(SCOPE, table, td, th, caption, ELEMENT.object)
  add(LIST, ul, ol, dl, menu, dir)
  add(TABLE_PART, caption, thead, tbody, tfoot, tr, td, th)
  const { h1, h2, h3, h4, h5, h6 } = ELEMENT
  add(HEADING, h1, h2, h3, h4, h5, h6)
  return list
}
