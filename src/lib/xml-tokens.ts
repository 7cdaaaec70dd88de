// Splits markup into tags in one pass, for feeds and sitemaps of the web. It never fails, returns what it can
// of broken input, and leaves out what could be harmful. Document types are skipped, so only the five
// entities built into XML are known.

export type XmlToken =
  /** Names are in lower case, otherwise as written. `attributes` is raw text for `attributeOf`. */
  | {
      readonly kind: 'open'
      readonly name: string
      readonly attributes: string
      readonly empty: boolean
    }
  | { readonly kind: 'close'; readonly name: string }
  /** With its entities replaced; one text may come in several pieces. */
  | { readonly kind: 'text'; readonly text: string }

// An attribute cannot contain `<`: if a quote is not closed, the next tag ends the damage. Every character
// can be matched in one way only, so failing costs no more than matching.
const TAG = /<(\/?)([^\s<>/"'=]+)(?=[\s/>])([^<>"']*(?:"[^"<]*"[^<>"']*|'[^'<]*'[^<>"']*)*)>/y
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/gi
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** The longest tag that is waited for if a text arrives in pieces. */
const MAX_TAG = 16_384
const LONGEST_OPENING = '<![CDATA['.length
/** Longer than any entity: an unfinished one at the end of a piece may continue in the next. */
const LONGEST_ENTITY = 10

/** `isOpen`: it continues after `end`. */
type Inside = { readonly text: string; readonly end: number; readonly isOpen: boolean }

/**
 * Splits a text that arrives in pieces, cut anywhere. The time is linear in its length, whatever it contains, and
 * no more than one tag is buffered.
 */
export class XmlScanner {
  #held = ''
  /** The end mark of the comment, declaration or CDATA that the last piece ended in; '' outside of one. */
  #until: '' | ']]>' | '-->' | '?>' | ']' | '>' | '[>' = ''

  push(piece: string): Generator<XmlToken> {
    return this.#scan(this.#held + piece, false)
  }

  end(piece = ''): Generator<XmlToken> {
    return this.#scan(this.#held + piece, true)
  }

  *#scan(source: string, isLast: boolean): Generator<XmlToken> {
    let at = 0
    // If the caller stops early, the rest is lost, here too.
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
      // A `<` that begins no tag is text.
      yield tag?.token ?? { kind: 'text', text: '<' }
      at = tag?.end ?? less + 1
    }
    this.#held = source.slice(at)
  }

  /** The length of the opening of a comment, declaration or CDATA; 0 if it is none. */
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

  /** Up to its end mark, or the end of the piece; only CDATA has text. */
  #inside(source: string, at: number, isLast: boolean): Inside {
    const mark = this.#until
    if (mark === '[>') return this.#insideDeclaration(source, at)
    const found = source.indexOf(mark, at)
    const isOpen = found < 0
    // The end mark itself may be cut in two.
    const rest = isLast ? source.length : Math.max(at, source.length - mark.length + 1)
    const end = isOpen ? rest : found
    const text = mark === ']]>' ? source.slice(at, end) : ''
    if (isOpen) return { text, end, isOpen }
    // A document type may contain declarations in brackets, and continues after them.
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

/** Whether a tag is not closed yet and more text follows, unless another tag begins or it is too long. */
function mayGoOn(source: string, less: number): boolean {
  return source.length - less < MAX_TAG && !source.includes('<', less + 1)
}

function beforeOpenEntity(source: string, from: number): number {
  const and = source.lastIndexOf('&')
  const isOpen = and >= from && source.length - and <= LONGEST_ENTITY && !source.includes(';', and)
  return isOpen ? and : source.length
}

/** The value of an attribute, its entities replaced; null if there is none. */
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
