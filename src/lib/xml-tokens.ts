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

/** The longest tag that is waited for where a text comes in pieces. */
const MAX_TAG = 16_384
const LONGEST_OPENING = '<![CDATA['.length
/** Longer than any entity: what is left open at the end of a piece may go on in the next. */
const LONGEST_ENTITY = 10

/** `isOpen`: it goes on behind `end`. */
type Inside = { readonly text: string; readonly end: number; readonly isOpen: boolean }

/** Takes a whole text apart. Time is linear in the text, whatever is in it. */
export function* xmlTokens(source: string): Generator<XmlToken> {
  yield* new XmlScanner().end(source)
}

/** The same for a text that comes in pieces, cut anywhere; it keeps no more than one tag of it. */
export class XmlScanner {
  #held = ''
  /** What ends the comment, declaration or CDATA that the last piece ended in; '' outside of one. */
  #until: '' | ']]>' | '-->' | '?>' | ']' | '>' | '[>' = ''

  push(piece: string): Generator<XmlToken> {
    return this.#scan(this.#held + piece, false)
  }

  end(piece = ''): Generator<XmlToken> {
    return this.#scan(this.#held + piece, true)
  }

  *#scan(source: string, isLast: boolean): Generator<XmlToken> {
    let at = 0
    // What a caller leaves in the middle is lost to it, and so it is here.
    this.#held = ''
    while (at < source.length) {
      if (this.#until !== '') {
        const inside = this.#inside(source, at, isLast)
        if (inside.text !== '') yield { kind: 'text', text: inside.text }
        at = inside.end
        if (inside.isOpen) break
        continue
      }
      const less = source.indexOf('<', at)
      const end = less < 0 ? (isLast ? source.length : beforeOpenEntity(source, at)) : less
      if (end > at) yield { kind: 'text', text: decodeEntities(source.slice(at, end)) }
      at = end
      if (less < 0) break
      const opening = this.#open(source, less)
      if (opening > 0) {
        at = less + opening
        continue
      }
      const tag = readTag(source, less)
      if (tag === null && !isLast && mayGoOn(source, less)) break
      // A sign that begins no tag is text.
      yield tag?.token ?? { kind: 'text', text: '<' }
      at = tag?.end ?? less + 1
    }
    this.#held = source.slice(at)
  }

  /** How long the opening of a comment, declaration or CDATA is; 0: it is none. */
  #open(source: string, less: number): number {
    const next = source[less + 1]
    if (next === '?') this.#until = '?>'
    else if (next !== '!') return 0
    else if (source.startsWith('<![CDATA[', less)) this.#until = ']]>'
    else if (source.startsWith('<!--', less)) this.#until = '-->'
    else if (source.length - less < LONGEST_OPENING && !source.includes('>', less)) return 0
    else this.#until = '[>'
    return this.#until === ']]>' ? LONGEST_OPENING : this.#until === '-->' ? 4 : 2
  }

  /** To the end of what it is in, or of the piece; only CDATA has text. */
  #inside(source: string, at: number, isLast: boolean): Inside {
    const mark = this.#until
    if (mark === '[>') return this.#insideDeclaration(source, at)
    const found = source.indexOf(mark, at)
    const isOpen = found < 0
    // The mark itself may be cut in two.
    const rest = isLast ? source.length : Math.max(at, source.length - mark.length + 1)
    const end = isOpen ? rest : found
    const text = mark === ']]>' ? source.slice(at, end) : ''
    if (isOpen) return { text, end, isOpen }
    // A document type may hold declarations in brackets, and goes on behind them.
    this.#until = mark === ']' ? '>' : ''
    return { text, end: end + mark.length, isOpen }
  }

  #insideDeclaration(source: string, at: number): Inside {
    const close = source.indexOf('>', at)
    const bracket = source.slice(at, close < 0 ? source.length : close).indexOf('[')
    if (bracket >= 0) {
      this.#until = ']'
      return { text: '', end: at + bracket + 1, isOpen: false }
    }
    if (close < 0) return { text: '', end: source.length, isOpen: true }
    this.#until = ''
    return { text: '', end: close + 1, isOpen: false }
  }
}

/** A tag that is not closed yet, where more is to come: unless another begins, or it is too long. */
function mayGoOn(source: string, less: number): boolean {
  return source.length - less < MAX_TAG && !source.includes('<', less + 1)
}

function beforeOpenEntity(source: string, from: number): number {
  const and = source.lastIndexOf('&')
  const isOpen = and >= from && source.length - and <= LONGEST_ENTITY && !source.includes(';', and)
  return isOpen ? and : source.length
}

/** The value of an attribute, its entities replaced; null when there is none. */
export function attributeOf(attributes: string, name: string): string | null {
  const pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i')
  const found = pattern.exec(attributes)
  return found === null ? null : decodeEntities(found[1] ?? found[2] ?? '')
}

function readTag(source: string, start: number): { token: XmlToken; end: number } | null {
  TAG.lastIndex = start
  const found = TAG.exec(source)
  if (found === null) return null
  const [whole, slash, name = '', rest = ''] = found
  const end = start + whole.length
  if (slash === '/') return { token: { kind: 'close', name: name.toLowerCase() }, end }
  const empty = rest.endsWith('/')
  return { token: { kind: 'open', name: name.toLowerCase(), attributes: rest, empty }, end }
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(ENTITY, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? ''
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  })
}
