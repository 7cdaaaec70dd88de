// XML as sitemaps and feeds need it: tags and text in order, in one linear pass over broken files
// too. Nothing is ever expanded or fetched: a DTD is skipped, and an entity it defines stays as it
// is written.
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}
const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w{2,4}));/g

export type XmlHandlers = {
  /** `name` without its namespace prefix, lower case; `attributes` as written, see `attributeOf`. */
  readonly onOpen: (name: string, attributes: string) => void
  readonly onClose: (name: string) => void
  /** Text between two tags, references resolved; CDATA included. */
  readonly onText: (text: string) => void
}

export function scanXml(xml: string, { onOpen, onClose, onText }: XmlHandlers): void {
  let at = 0
  while (at < xml.length) {
    const open = xml.indexOf('<', at)
    const end = open < 0 ? xml.length : open
    if (end > at) onText(resolveReferences(xml.slice(at, end)))
    if (open < 0) return
    if (xml.startsWith('<![CDATA[', open)) {
      const close = after(xml, ']]>', open + 9)
      onText(xml.slice(open + 9, close.start))
      at = close.end
    } else if (xml.startsWith('<!--', open)) {
      at = after(xml, '-->', open + 4).end
    } else if (xml[open + 1] === '?') {
      at = after(xml, '?>', open + 2).end
    } else if (xml[open + 1] === '!') {
      at = afterDeclaration(xml, open)
    } else {
      const close = after(xml, '>', open + 1)
      readTag(xml.slice(open + 1, close.start), onOpen, onClose)
      at = close.end
    }
  }
}

/** The value of an attribute by its local name; null when it is not there. */
export function attributeOf(attributes: string, name: string): string | null {
  for (const [, key, double, single] of attributes.matchAll(
    /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  )) {
    if (key !== undefined && localName(key) === name) {
      return resolveReferences(double ?? single ?? '')
    }
  }
  return null
}

function readTag(
  inside: string,
  onOpen: XmlHandlers['onOpen'],
  onClose: XmlHandlers['onClose'],
): void {
  if (inside.startsWith('/')) {
    onClose(localName(inside.slice(1).trim()))
    return
  }
  const selfClosing = inside.endsWith('/')
  const body = selfClosing ? inside.slice(0, -1) : inside
  const space = body.search(/\s/)
  const name = localName(space < 0 ? body : body.slice(0, space))
  onOpen(name, space < 0 ? '' : body.slice(space + 1))
  if (selfClosing) onClose(name)
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase()
}

/** Past a DOCTYPE, with or without declarations in brackets. */
function afterDeclaration(xml: string, from: number): number {
  const close = xml.indexOf('>', from)
  const bracket = xml.indexOf('[', from)
  if (bracket < 0 || close < 0 || bracket > close) return after(xml, '>', from).end
  return after(xml, '>', after(xml, ']', bracket).end).end
}

/** Where a mark stands; what has no end lasts to the end. */
function after(xml: string, mark: string, from: number): { start: number; end: number } {
  const at = xml.indexOf(mark, from)
  return at < 0 ? { start: xml.length, end: xml.length } : { start: at, end: at + mark.length }
}

function resolveReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
