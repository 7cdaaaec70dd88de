// Text that a page brings along without showing it, because a script will: the article in JSON-LD
// of which the page shows the beginning only, or the state of an application that builds the whole
// page itself. It is looked for when the page as it stands lacks it, and then read behind the page
// like any other HTML.
//
// An application's state holds labels, messages and settings, too. So strings count only under a
// key that is named for a text, and if they read like one.
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'
import { decodeLiteral, stringLiterals } from './string-literals.ts'

/** A page as it was read. */
export type ShownPage = {
  readonly source: Buffer
  /** The same, one character per byte. */
  readonly latin1: string
  /** The visible text. */
  readonly text: Buffer
  /** The texts of JSON-LD scripts. */
  readonly ldTexts: readonly string[]
}

/** A page that shows less may be built by scripts; of such pages most show a notice or a menu. */
const MAX_SHOWN_BYTES = 1200
/** What is found has to be more than what is shown, by this factor, or it is not worth its noise. */
const MIN_GAIN = 2
const MIN_BODY = 400
const MAX_BODY = 512 * 1024
const MIN_STRING = 60
/** Strings within strings, as many levels. */
const MAX_DEPTH = 3
/** Of one page, in characters: read, and taken. */
const MAX_READ = 8 << 20
const MAX_TAKEN = 1 << 20
/** Where in a text to look, from 0 to 1. */
const PROBES = [0.9, 0.5, 0.75, 0.25, 0.6, 0.4, 0.1]

const TEXT_KEY =
  /^(?:cooked|rendered|children|value|paragraph|answer|message|(?:\w*_)?(?:body|content|text|html|description|summary|intro)|\w*(?:Body|Content|Text|Html|HTML|Description|Summary|Intro|Paragraph))$/
const OTHER_KEY =
  /cookie|consent|gdpr|meta|seo|error|alt|label|placeholder|footer|legal|privacy|share/i
const MARKUP = /<\/?[a-z][^<>]{0,2000}>/gi
const BLOCKS = /<(?:p|br|div|li|h[1-6])\b/i
const LETTER = /[\p{L}\p{M}\p{N}]/gu
/** Scripts that have no blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]{4}/u
const SCRIPT = /<script\b/gi
/** The beginning of an attribute's value, from the equals sign on. */
const JSON_ATTRIBUTE = /="[[{]{1,3}&quot;|='[[{]{1,3}"/g
/** A few words without anything between them that may be written in two ways. */
const WORDS = /[\p{L}\p{N}][\p{L}\p{N} ]{14,30}[\p{L}\p{N}]/u

/** The page with such text behind it; null when it has none, or shows it already. */
export function withEmbeddedText(page: ShownPage): Buffer | null {
  const isBare = page.text.length < MAX_SHOWN_BYTES
  const html = isBare ? stateHtml(page) : bodyHtml(page)
  return html === ''
    ? null
    : Buffer.concat([page.source, Buffer.from(`<article>${html}</article>`)])
}

/** The articles that JSON-LD holds and the page does not show. */
function bodyHtml({ ldTexts, text }: ShownPage): string {
  let html = ''
  for (const ld of ldTexts) {
    if (!ld.includes('"articleBody"')) continue
    for (const { key, written } of stringLiterals(ld, MIN_BODY)) {
      if (key !== 'articleBody' || written.length > MAX_BODY) continue
      const body = decodeLiteral(written) ?? ''
      if (body.length >= MIN_BODY && !isShown(body, text)) html += asHtml(body)
    }
  }
  return html
}

/** Whether most of some words from all over a text are there; of a longer text the first always are. */
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

/** The texts in an application's state, wherever it stands. */
function stateHtml(page: ShownPage): string {
  const texts = new Set<string>()
  const room = { read: MAX_READ, taken: MAX_TAKEN }
  const take = (text: string, depth: number): void => {
    room.read -= text.length
    if (room.read < 0) return
    for (const { key, written } of stringLiterals(text, MIN_STRING)) {
      const string = room.taken > 0 ? decodeLiteral(written) : null
      if (string === null) continue
      if (isState(string)) {
        if (depth < MAX_DEPTH) take(string, depth + 1)
      } else if (isText(key, string) && !texts.has(string)) {
        room.taken -= string.length
        texts.add(string)
      }
    }
  }
  for (const state of statesOf(page)) take(state, 1)
  const html = [...texts].map(asHtml).join('\n')
  const gained = html.replace(MARKUP, '').length
  return gained >= MIN_BODY && gained >= MIN_GAIN * page.text.length ? html : ''
}

/** Scripts, and attributes that hold JSON. */
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

function isText(key: string, text: string): boolean {
  return TEXT_KEY.test(key) && !OTHER_KEY.test(key) && isProse(text)
}

/** Mostly letters, with as many blanks between them as their script has. */
function isProse(text: string): boolean {
  const words = text.slice(0, 4000).replace(MARKUP, ' ')
  const letters = words.match(LETTER)?.length ?? 0
  const blanks = words.match(/\s/g)?.length ?? 0
  if (letters < MIN_STRING / 2 || letters + blanks < 0.85 * words.length) return false
  return UNSPACED.test(words) || (blanks >= letters / 12 && blanks <= letters / 2)
}

/** Markup is read as such, also when it was escaped once more; in plain text lines are kept. */
function asHtml(text: string): string {
  const written = text.includes('&lt;') && !text.includes('<') ? decodeHTML(text) : text
  if (BLOCKS.test(written)) return `<div>${written}</div>`
  if (written.includes('</')) return `<p>${written}</p>`
  const lines = written.replaceAll('<', '&lt;').split(/[\r\n]+/)
  return lines.map((line) => `<p>${line}</p>`).join('')
}
