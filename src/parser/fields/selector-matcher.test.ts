// Compares our elements and selectors with parse5 and css-select, on made-up pages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectAll } from 'css-select'
import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { readSelectors } from '../../fields/selector.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { hashOf } from '../html/html-names.ts'
import { ElementReader } from './element-reader.ts'
import { ElementText } from './element-text.ts'
import { matchSelectors } from './selector-matcher.ts'
import { SelectorProgram } from './selector-program.ts'
import { TagAttributes } from './tag-attributes.ts'

type Node = DefaultTreeAdapterMap['node']
type Element = DefaultTreeAdapterMap['element']
type Document = DefaultTreeAdapterMap['document']
type Parent = DefaultTreeAdapterMap['parentNode']

const isTag = (node: Node): node is Element => 'tagName' in node
const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : [])
/** Scripts have no text for people. */
const textOf = (node: Node): string => {
  if ('value' in node) return node.value
  return node.nodeName === 'script' ? '' : childrenOf(node).map(textOf).join('')
}
const adapter = {
  isTag,
  getChildren: childrenOf,
  getParent: (node: Node): Parent | null => ('parentNode' in node ? node.parentNode : null),
  getSiblings: (node: Node): Node[] =>
    'parentNode' in node && node.parentNode !== null ? node.parentNode.childNodes : [node],
  getName: (element: Element) => element.tagName,
  getText: textOf,
  getAttributeValue: (element: Element, name: string) =>
    element.attrs.find((attribute) => attribute.name === name)?.value,
  hasAttrib: (element: Element, name: string) =>
    element.attrs.some((attribute) => attribute.name === name),
  removeSubsets: (nodes: Node[]) => nodes,
  existsOne: (check: (element: Element) => boolean, nodes: Node[]): boolean =>
    nodes.some(
      (node) => isTag(node) && (check(node) || adapter.existsOne(check, childrenOf(node))),
    ),
  findAll: (check: (element: Element) => boolean, nodes: Node[]): Element[] =>
    nodes.flatMap((node) => [
      ...(isTag(node) && check(node) ? [node] : []),
      ...adapter.findAll(check, childrenOf(node)),
    ]),
}

/** The attribute `n` of each element that matches, in the order of the page. */
function byReference(document: Document, selector: string): string[] {
  const found = selectAll<Node, Element>(selector, document.childNodes, { adapter })
  return found.map((element) => adapter.getAttributeValue(element, 'n') ?? element.tagName)
}

const reader = new ElementReader()
const attributes = new TagAttributes(reader.table, reader.scanner)
const text = new ElementText(reader.table, reader.scanner)

function read(html: string): Buffer {
  const source = Buffer.from(html)
  reader.read(source, false)
  attributes.forget()
  text.forget()
  return source
}

function byUs(source: Buffer, selector: string): string[] {
  const { table } = reader
  const program = new SelectorProgram([readSelectors(selector)])
  const { found } = matchSelectors(program, { table, attributes, text }, [10_000])
  return (found[0] ?? []).map((id) => attributes.value(id, 'n') ?? nameOf(source, id))
}

function nameOf(source: Buffer, id: number): string {
  const [from, to] = [reader.table.tagFrom[id] ?? 0, reader.table.tagTo[id] ?? 0]
  const written = /^<([^\s/>]+)/.exec(source.toString('latin1', from, to))?.[1]
  return written?.toLowerCase() ?? IMPLIED_NAMES.get(reader.table.name[id] ?? 0) ?? '?'
}
const IMPLIED_NAMES = new Map(
  ['html', 'head', 'body', 'tbody', 'tr', 'colgroup', 'p', 'br'].map((name) => [
    hashOf(name),
    name,
  ]),
)

const SELECTORS = [
  '*',
  'p',
  'div p',
  'div > p',
  'li + li',
  'h2 ~ p',
  '.a',
  '.a.b',
  'div.a > .b',
  '#x1',
  '[data-k]',
  '[data-k=v1]',
  '[data-k^="v"]',
  '[data-k$="1"]',
  '[data-k*=V i]',
  '[class~="b"]',
  '[data-k|=v]',
  'p:first-child',
  'li:last-child',
  'td:nth-child(2)',
  'tr:nth-child(2n+1) > td',
  'li:nth-last-child(-n+2)',
  'p:first-of-type',
  'p:nth-of-type(2)',
  ':only-child',
  'p:not(.a)',
  'p:not(.a, .b)',
  ':is(h1, h2) + p',
  'div:has(span)',
  'div:has(> p)',
  'li:has(+ li)',
  'tr:has(th)',
  'table > tbody > tr',
  'table tr td',
  'body > *',
  'html > head > meta',
  'ul > li > ul > li',
  'dl > dt + dd',
  'a b, b a',
  'span:empty',
  ':root',
  'div div div',
  'select > option',
  'svg path',
  'p:contains("w3")',
  'li:not(:has(a))',
]

/** More with JELAJAH_FUZZ. */
const ROUNDS = Number(process.env.JELAJAH_FUZZ ?? 100)

test('on made-up pages, elements and selectors are those of parse5 and css-select', () => {
  const random = seededRandom(7)
  for (let round = 0; round < ROUNDS; round++) {
    const html = madeUpPage(random)
    const source = read(html)
    const document = parse(html, { scriptingEnabled: false })
    for (const selector of SELECTORS) {
      const expected = byReference(document, selector)
      assert.deepEqual(byUs(source, selector), expected, `${selector} in\n${html}`)
    }
  }
})

/** How many elements of a page are matched, if each has to pass these tests for 200 fields. */
function reachOf(html: string, selector: string): number {
  read(html)
  const { table } = reader
  const program = new SelectorProgram(Array.from({ length: 200 }, () => readSelectors(selector)))
  const page = { table, attributes, text }
  const { found, isCut } = matchSelectors(program, page, Array(200).fill(50_000))
  assert.ok(isCut, selector.slice(0, 20))
  return found[0]?.length ?? 0
}

test('many tests in one selector, or of long values, do not make the work on a page endless', () => {
  const many = '<p b class=x>'.repeat(20_000)
  // At most 40 million tests; each element is put to at least 60,000.
  assert.ok(reachOf(many, '[b]'.repeat(300)) < 1000)
  assert.ok(reachOf(many, '.x'.repeat(400)) < 1000)
  assert.ok(reachOf(many, ':nth-last-of-type(n)'.repeat(48)) < 1000)
  assert.ok(reachOf(many, Array(50).fill('p').join(' ~ ')) < 1000, 'steps that are noted')
  const long = `<p b="${'z'.repeat(30_000)}">`.repeat(30)
  assert.ok(reachOf(long, '[b*=z i]'.repeat(120)) < 10)
})

type Random = ReturnType<typeof seededRandom>

/** Well nested, but with end tags and frames left out as the standard allows. */
function madeUpPage(random: Random): string {
  let number = 0
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const chance = (share: number) => random() < share
  const words = () => (chance(0.7) ? `w${Math.floor(random() * 9)} ` : '')
  const attributesFor = () => {
    number++
    const extra = [
      chance(0.4) ? ` class="${pick(['a', 'b', 'a b', ' b  c '])}"` : '',
      chance(0.2) ? ` id=x${Math.floor(random() * 5)}` : '',
      chance(0.3) ? ` data-k='${pick(['v', 'v1', 'v-2', 'w &amp; v1', 'aV'])}'` : '',
      chance(0.1) ? ' hidden' : '',
    ]
    return ` n=${number}${extra.join('')}`
  }
  const open = (name: string) => `<${chance(0.1) ? name.toUpperCase() : name}${attributesFor()}>`
  const close = (name: string, mayOmit = false) => (mayOmit && chance(0.5) ? '' : `</${name}>`)
  const inline = (depth: number): string => {
    if (depth <= 0 || chance(0.4)) return words()
    const name = pick(['span', 'b', 'em', 'x-tag', 'a', 'br', 'img', 'svg', 'comment'])
    if (name === 'br' || name === 'img') return open(name)
    if (name === 'comment') return '<!-- <p class=a> -->'
    if (name === 'svg') return `${open('svg')}<path n=s d="M0"/><title>w3</title></svg>`
    const isLink = name === 'a'
    return open(name) + (isLink ? words() : inline(depth - 1)) + close(name)
  }
  const many = (make: () => string, most = 3) =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, make).join(chance(0.3) ? '\n' : '')
  const cells = (depth: number) =>
    many(() => {
      const name = pick(['td', 'th'])
      return open(name) + (chance(0.2) ? block(depth - 1) : inline(1)) + close(name, true)
    })
  const rows = (depth: number) => many(() => open('tr') + cells(depth) + close('tr', true))
  const table = (depth: number): string => {
    const head = chance(0.3) ? `${open('thead')}${rows(depth)}${close('thead', true)}` : ''
    const body = chance(0.3) ? `${open('tbody')}${rows(depth)}${close('tbody', true)}` : rows(depth)
    const columns = chance(0.2) ? open('col') : ''
    const caption = chance(0.2) ? `${open('caption')}${inline(1)}${close('caption')}` : ''
    return `${open('table')}${caption}${columns}${head}${body}</table>`
  }
  const block = (depth: number): string => {
    if (depth <= 0) return open('p') + inline(1) + close('p', true)
    switch (
      pick(['p', 'div', 'div', 'ul', 'dl', 'table', 'h2', 'section', 'select', 'script', 'ruby'])
    ) {
      case 'p':
        return open('p') + many(() => inline(2)) + close('p', true)
      case 'ul':
        return `${open('ul')}${many(() => open('li') + (chance(0.4) ? block(depth - 1) : inline(2)) + close('li', true))}</ul>`
      case 'dl':
        return `${open('dl')}${many(() => open('dt') + inline(1) + close('dt', true) + open('dd') + block(depth - 2) + close('dd', true))}</dl>`
      case 'table':
        return table(depth - 1)
      case 'h2':
        return open('h2') + inline(2) + close('h2')
      case 'select':
        return `${open('select')}${many(() => open('option') + words() + close('option', true))}</select>`
      case 'script':
        return `${open('script')}if (a < b) "<p class=a>w3</p>"</script>`
      case 'ruby':
        return `<p>${open('ruby')}w1${open('rt')}w2${close('rt', true)}</ruby></p>`
      case 'section':
        return `${open('section')}${many(() => block(depth - 1))}</section>`
      default:
        return `${open('div')}${words()}${many(() => block(depth - 1))}${words()}</div>`
    }
  }
  const head = chance(0.6)
    ? `${chance(0.5) ? open('head') : ''}<meta n=m1 charset=utf-8><title n=t1>w3 &amp; more</title>${chance(0.5) ? '</head>' : ''}`
    : ''
  const body = chance(0.5) ? open('body') : ''
  const template = chance(0.2) ? '<template n=tp><p class=a n=no>w3</p></template>' : ''
  return `${chance(0.5) ? '<!doctype html>' : ''}${chance(0.4) ? open('html') : ''}${head}${body}${many(() => block(4), 5)}${template}`
}
