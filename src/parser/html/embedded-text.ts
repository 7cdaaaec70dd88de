// Finds text that a page contains but does not show because a script will: the article in JSON-LD of which
// the page shows only the beginning, or the state of an application that builds the whole page itself. It
// is searched only when the visible text lacks it, and is then read after the page like any other HTML.
//
// The state of an application also contains labels, messages and settings. So strings count only if they
// read like a text and if their key also has long ones.
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'

export type ShownPage = {
  readonly source: Buffer
  /** The same, one character per byte. */
  readonly latin1: string
  /** The visible text. */
  readonly text: Buffer
  readonly ldTexts: readonly string[]
}

/** A page that shows less may be built by scripts; most such pages show a notice or a menu. */
const MAX_SHOWN_BYTES = 800
/** The found text must exceed the visible text by this factor, or it is not worth its noise. */
const MIN_GAIN = 2
const MIN_BODY = 400
const MAX_BODY = 512 * 1024
/** Per page: each is searched in the whole text. */
const MAX_BODIES = 32
const MIN_STRING = 60
/** A paragraph of six or seven lines: no label and hardly any message is as long. */
const MIN_LONGEST = 500
/** Levels of strings within strings. */
const MAX_DEPTH = 3
/** Per page, in characters: read, and taken. */
const MAX_READ = 8 << 20
const MAX_TAKEN = 1 << 20
/** Positions in a text to check, from 0 to 1. */
const PROBES = [0.9, 0.5, 0.75, 0.25, 0.6, 0.4, 0.1]

const TEXT_KEY =
  /^(?:cooked|rendered|children|value|paragraph|answer|message|(?:\w*_)?(?:body|content|text|html|description|summary|intro)|\w*(?:Body|Content|Text|Html|HTML|Description|Summary|Intro|Paragraph))$/
const OTHER_KEY =
  /cookie|consent|gdpr|meta|seo|error|alt|label|placeholder|footer|legal|privacy|share/i
const MARKUP = /<\/?[a-z][^<>]{0,2000}>/gi
const BLOCKS = /<(?:p|br|div|li|h[1-6])\b/i
const LETTER = /[\p{L}\p{M}\p{N}]/gu
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]{4}/u
const SCRIPT = /<script\b/gi
/** The start of an attribute's value, from the equals sign on. */
const JSON_ATTRIBUTE = /="[[{]{1,3}&quot;|='[[{]{1,3}"/g
/** A few words, without characters between them that may be written in two ways. */
const WORDS = /[\p{L}\p{N}][\p{L}\p{N} ]{14,30}[\p{L}\p{N}]/u

/** The page with such text appended; null when it has none, or already shows it. */
export function withEmbeddedText(page: ShownPage): Buffer | null {
  const body = bodyHtml(page)
  const html = body === '' && page.text.length < MAX_SHOWN_BYTES ? stateHtml(page) : body
  return html === ''
    ? null
    : Buffer.concat([page.source, Buffer.from(`<article>${html}</article>`)])
}

/** The articles in JSON-LD that the page does not show. */
function bodyHtml({ ldTexts, text }: ShownPage): string {
  let html = ''
  let bodies = 0
  for (const ld of ldTexts) {
    if (!ld.includes('"articleBody"')) continue
    for (const { key, written } of stringLiterals(ld, MIN_BODY)) {
      if (key !== 'articleBody' || written.length > MAX_BODY) continue
      if (++bodies > MAX_BODIES) return html
      const body = decodeLiteral(written) ?? ''
      if (body.length >= MIN_BODY && !isShown(body, text)) html += asHtml(body)
    }
  }
  return html
}

/**
 * Whether most sample words from the whole text are visible; the first words of a longer text always are.
 */
function isShown(body: string, text: Buffer): boolean {
  let found = 0
  let missing = 0
  for (const place of PROBES) {
    const from = Math.floor(body.length * place)
    const words = WORDS.exec(body.slice(from, from + 200))?.[0]
    if (words === undefined) continue
    if (text.includes(words)) found++
    else missing++
    if (Math.abs(found - missing) === 3) break
  }
  return found >= missing
}

/** The texts in an application's state, wherever it is. */
function stateHtml(page: ShownPage): string {
  const found = new StateTexts()
  for (const state of statesOf(page)) found.read(state, 1)
  const html = found.texts().map(asHtml).join('\n')
  const gained = html.replace(MARKUP, '').length
  return gained >= MIN_BODY && gained >= MIN_GAIN * page.text.length ? html : ''
}

class StateTexts {
  /** Distinct strings that read like a text, with their keys. */
  readonly #keys = new Map<string, string>()
  readonly #longest = new Map<string, number>()
  #readRoom = MAX_READ
  #takenRoom = MAX_TAKEN

  /** The strings whose key has a long one: messages and labels are all short. */
  texts(): string[] {
    const isLong = (key: string) => (this.#longest.get(key) ?? 0) >= MIN_LONGEST
    return [...this.#keys].filter(([, key]) => isLong(key)).map(([text]) => text)
  }

  read(state: string, depth: number): void {
    this.#readRoom -= state.length
    if (this.#readRoom < 0) return
    for (const { key, written } of stringLiterals(state, MIN_STRING)) {
      const text = this.#takenRoom > 0 ? decodeLiteral(written) : null
      if (text === null) continue
      if (!isState(text)) this.#take(key, text)
      else if (depth < MAX_DEPTH) this.read(text, depth + 1)
    }
  }

  #take(key: string, text: string): void {
    if (this.#keys.has(text) || !TEXT_KEY.test(key) || OTHER_KEY.test(key)) return
    if (!isProse(text)) return
    this.#takenRoom -= text.length
    this.#keys.set(text, key)
    this.#longest.set(key, Math.max(text.length, this.#longest.get(key) ?? 0))
  }
}

/** Scripts, and attributes that contain JSON. */
function* statesOf({ source, latin1 }: ShownPage): Generator<string> {
  let end = 0
  for (const { index } of latin1.matchAll(SCRIPT)) {
    if (index < end) continue
    const from = latin1.indexOf('>', index) + 1
    end = from === 0 ? -1 : latin1.indexOf('</script', from)
    if (end < 0) break
    if (end - from >= MIN_STRING) yield source.toString('utf8', from, end)
  }
  for (const { index } of latin1.matchAll(JSON_ATTRIBUTE)) {
    const from = index + 2
    const to = latin1.indexOf(latin1[index + 1] ?? '"', from)
    if (to - from >= MIN_STRING) yield decodeHTMLAttribute(source.toString('utf8', from, to))
  }
}

/** JSON within a string, or a line of it. */
function isState(text: string): boolean {
  return /^\s*[[{]/.test(text) || /":["[{]/.test(text)
}

/** Mostly letters, with the usual number of spaces for their script. */
function isProse(text: string): boolean {
  const words = text.slice(0, 4000).replace(MARKUP, ' ')
  const letters = words.match(LETTER)?.length ?? 0
  const blanks = words.match(/\s/g)?.length ?? 0
  if (letters < MIN_STRING / 2 || letters + blanks < 0.85 * words.length) return false
  return UNSPACED.test(words) || (blanks >= letters / 12 && blanks <= letters / 2)
}

/** Markup is used as such, even if it was escaped once more; plain text keeps its lines. */
function asHtml(text: string): string {
  const written = text.includes('&lt;') && !text.includes('<') ? decodeHTML(text) : text
  if (BLOCKS.test(written)) return `<div>${written}</div>`
  if (written.includes('</')) return `<p>${written}</p>`
  const lines = written.replaceAll('<', '&lt;').split(/[\r\n]+/)
  return lines.map((line) => `<p>${line}</p>`).join('')
}

type Literal = {
  /** The last key before it; '' without one. */
  readonly key: string
  /** The source text between the quotes. */
  readonly written: string
}

const BACKSLASH = 92
const COLON = 58
const SPACE = 32
const MAX_KEY = 64
const CONTROLS = /[\u0000-\u001f]+/g

/**
 * Every string value of JSON or of similar code of at least `minLength` characters. They are found without
 * parsing, and each character is looked at once: they may be surrounded by a program, cut off, or nested in
 * another string.
 */
function* stringLiterals(text: string, minLength: number): Generator<Literal> {
  let key = ''
  let start = text.indexOf('"')
  while (start >= 0) {
    const end = literalEnd(text, start + 1)
    if (end < 0) return
    const length = end - start - 1
    if (isKey(text, end + 1)) key = length <= MAX_KEY ? text.slice(start + 1, end) : ''
    else if (length >= minLength) yield { key, written: text.slice(start + 1, end) }
    start = text.indexOf('"', end + 1)
  }
}

/** Decodes the text between the quotes; null when it is not a valid string. */
function decodeLiteral(written: string): string | null {
  if (!written.includes('\\')) return written
  try {
    const text: unknown = JSON.parse(`"${written.replace(CONTROLS, ' ')}"`)
    return typeof text === 'string' ? text : null
  } catch {
    return null
  }
}

/** Offset of the closing quote; -1 without one. */
function literalEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = end
    while (escapes > from && text.charCodeAt(escapes - 1) === BACKSLASH) escapes--
    if ((end - escapes) % 2 === 0) return end
  }
  return -1
}

function isKey(text: string, behind: number): boolean {
  let at = behind
  while (text.charCodeAt(at) <= SPACE) at++
  return text.charCodeAt(at) === COLON
}
