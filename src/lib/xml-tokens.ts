// Markup taken apart, tag by tag, in one pass. For feeds and sitemaps as the web has them: it never
// fails, gives what it can of broken input, and leaves out what could hurt. Document types are
// skipped, so no entity is known but the five that XML has by itself.

export type XmlToken =
  /** Names are in lower case, as written otherwise. `attributes` is raw text for `attributeOf`. */
  | {
      readonly kind: 'open'
      readonly name: string
      readonly attributes: string
      readonly empty: boolean
    }
  | { readonly kind: 'close'; readonly name: string }
  /** With its entities replaced; one text may come in several pieces. */
  | { readonly kind: 'text'; readonly text: string }

// An attribute cannot hold `<`: where a quote is left open, the next tag ends the damage. Every
// character has one way to be matched, so that failing costs no more than matching.
const TAG = /<(\/?)([^\s<>/"'=]+)(?=[\s/>])([^<>"']*(?:"[^"<]*"[^<>"']*|'[^'<]*'[^<>"']*)*)>/y
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/gi
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Time is linear in the text, whatever is in it. */
export function* xmlTokens(source: string): Generator<XmlToken> {
  let at = 0
  while (at < source.length) {
    const less = source.indexOf('<', at)
    const end = less < 0 ? source.length : less
    if (end > at) yield { kind: 'text', text: decodeEntities(source.slice(at, end)) }
    if (less < 0) return
    if (source.startsWith('<![CDATA[', less)) {
      at = endOf(source, ']]>', less)
      yield { kind: 'text', text: source.slice(less + '<![CDATA['.length, at - ']]>'.length) }
    } else if (source[less + 1] === '!' || source[less + 1] === '?') {
      at = endOfDeclaration(source, less)
    } else {
      const tag = readTag(source, less)
      yield tag.token
      at = tag.end
    }
  }
}

/** The value of an attribute, its entities replaced; null when there is none. */
export function attributeOf(attributes: string, name: string): string | null {
  const pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i')
  const found = pattern.exec(attributes)
  return found === null ? null : decodeEntities(found[1] ?? found[2] ?? '')
}

function readTag(source: string, start: number): { token: XmlToken; end: number } {
  TAG.lastIndex = start
  const found = TAG.exec(source)
  // A sign that begins no tag is text.
  if (found === null) return { token: { kind: 'text', text: '<' }, end: start + 1 }
  const [whole, slash, name = '', rest = ''] = found
  const end = start + whole.length
  if (slash === '/') return { token: { kind: 'close', name: name.toLowerCase() }, end }
  const empty = rest.endsWith('/')
  return { token: { kind: 'open', name: name.toLowerCase(), attributes: rest, empty }, end }
}

function endOfDeclaration(source: string, start: number): number {
  if (source.startsWith('<!--', start)) return endOf(source, '-->', start + '<!--'.length)
  if (source[start + 1] === '?') return endOf(source, '?>', start)
  const plain = endOf(source, '>', start)
  // A document type may hold declarations in brackets.
  const bracket = source.slice(start, plain).indexOf('[')
  return bracket < 0 ? plain : endOf(source, '>', endOf(source, ']', start + bracket))
}

/** Behind the mark; what is never closed goes on to the end. */
function endOf(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from)
  return found < 0 ? source.length : found + mark.length
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(ENTITY, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? ''
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  })
}
