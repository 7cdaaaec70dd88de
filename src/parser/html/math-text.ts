// A formula as one line of text: its TeX source if the page has it, otherwise the MathML content
// written from left to right: `x^{2n}`, `(a+b)/c`, `√(x+1)`.
import { decodeHTML } from 'entities/decode'
import { ATTRIBUTE, hashOf } from './html-names.ts'
import { HtmlScanner, MARKUP } from './html-scanner.ts'

/** Longer ones are cut: no formula for readers has as many characters. */
const MAX_TEX = 4000
/** Deeper nesting is ignored. */
const MAX_DEPTH = 64
const LESS = 60

/** TeX without its delimiters, comments and line ends. */
export function tidyTex(written: string): string {
  const tex = written
    .slice(0, MAX_TEX)
    .replace(/%\s*(?:<!\[CDATA\[|\]\]>)/g, '')
    .replace(/(?<!\\)%[^\n]*/g, '')
    .replace(/[\s\p{Cc}\u2061-\u2064]+/gu, ' ')
    .trim()
  const bare = withoutDelimiters(tex)
  const [, styled = ''] = /^\{\s*\\(?:displaystyle|textstyle)\s*(.*)\}$/.exec(bare) ?? []
  const inner = styled !== '' && isBalanced(styled) ? styled : bare
  return inner.replace(/^\\(?:displaystyle|textstyle)(?![a-z])/i, '').trim()
}

function withoutDelimiters(tex: string): string {
  const [, ...bodies] =
    /^(?:\$\$([^$]+)\$\$|\$([^$]+)\$|\\\((.+)\\\)|\\\[(.+)\\\])$/.exec(tex) ?? []
  return bodies.find((body) => body !== undefined) ?? tex
}

/** No closing brace comes before its opening one. */
function isBalanced(tex: string): boolean {
  let depth = 0
  for (let at = 0; at < tex.length && depth >= 0; at++) {
    if (tex[at] === '\\') at++
    else if (tex[at] === '{') depth++
    else if (tex[at] === '}') depth--
  }
  return depth === 0
}

/** An open element and the text found in it. */
type Open = { readonly name: string; readonly parts: string[] }

const TOKENS = new Set(['mi', 'mn', 'mo', 'ms', 'mtext'])
const SKIPPED = new Set(['annotation', 'annotation-xml', 'mphantom'])
const NAMES = new Map(
  [
    ...['math', 'mrow', 'mfrac', 'msup', 'msub', 'msubsup', 'mover', 'munder', 'munderover'],
    ...['msqrt', 'mroot', 'mfenced', 'mtable', 'mtr', 'mlabeledtr', 'mtd', 'mspace', 'none'],
    ...TOKENS,
    ...SKIPPED,
  ].map((name) => [hashOf(name), name]),
)
const ACCENTS = new Map([
  ...['¯', '‾', '―', '_'].map((sign) => [sign, '\\bar'] as const),
  ...['^', 'ˆ', '̂'].map((sign) => [sign, '\\hat'] as const),
  ...['~', '˜', '∼'].map((sign) => [sign, '\\tilde'] as const),
  ...['→', '⃗', '⟶'].map((sign) => [sign, '\\vec'] as const),
  ...['.', '˙'].map((sign) => [sign, '\\dot'] as const),
  ...['¨', '..'].map((sign) => [sign, '\\ddot'] as const),
])

export class MathText {
  readonly #scanner = new HtmlScanner()
  #open: Open[] = []
  #tooDeep = 0
  #tex = ''

  /** The text of MathML; `alt` is the alternative text of its tag. */
  read(mathml: Buffer, alt: string): string {
    const isAnnotated = mathml.includes('<annotation')
    if (!isAnnotated && alt !== '') return tidyTex(alt)
    this.#open = [{ name: 'math', parts: [] }]
    this.#tooDeep = 0
    this.#tex = ''
    this.#scan(mathml)
    while (this.#open.length > 1) this.#close()
    const shown = joined(this.#open[0]?.parts ?? [])
    this.#scanner.close()
    return tidyTex(this.#tex || alt || shown)
  }

  #scan(mathml: Buffer): void {
    const scanner = this.#scanner
    scanner.open(mathml)
    let from = 0
    while (from < scanner.length && this.#tex === '') {
      if (scanner.bytes[from] === LESS) {
        scanner.at = from
        const markup = scanner.read()
        if (markup === MARKUP.none) scanner.at = from + 1
        else if (markup === MARKUP.startTag) this.#start()
        else if (markup === MARKUP.endTag) this.#end()
        from = scanner.at
        continue
      }
      const next = scanner.latin1.indexOf('<', from)
      const to = next < 0 ? scanner.length : next
      this.#text(decodeHTML(scanner.slice(from, to)))
      from = to
    }
  }

  #start(): void {
    const scanner = this.#scanner
    const name = NAMES.get(scanner.nameHash)
    if (name === undefined) return
    if (scanner.selfClosing) {
      // Shows nothing, but keeps its position among the arguments.
      this.#open.at(-1)?.parts.push('')
      return
    }
    if (name === 'annotation' && scanner.value(ATTRIBUTE.encoding).toLowerCase().includes('tex')) {
      const end = scanner.latin1.indexOf('</annotation', scanner.at)
      this.#tex = decodeHTML(scanner.slice(scanner.at, end < 0 ? scanner.length : end)).trim()
    } else if (this.#open.length >= MAX_DEPTH) this.#tooDeep++
    else this.#open.push({ name, parts: [] })
  }

  #end(): void {
    const name = NAMES.get(this.#scanner.nameHash)
    if (name === undefined) return
    if (this.#tooDeep > 0) {
      this.#tooDeep--
      return
    }
    const at = this.#open.findLastIndex((open) => open.name === name)
    if (at > 0) while (this.#open.length > at) this.#close()
  }

  #text(text: string): void {
    const plain = text.replace(/[\s\u2061-\u2064]+/g, ' ')
    if (plain !== ' ' || this.#open.at(-1)?.name === 'mtext') this.#open.at(-1)?.parts.push(plain)
  }

  #close(): void {
    const last = this.#open.pop()
    if (last === undefined || SKIPPED.has(last.name)) return
    this.#open.at(-1)?.parts.push(written(last))
  }
}

/** The text of an element, in one line. */
function written({ name, parts }: Open): string {
  const [base = '', first = '', second = ''] = parts
  switch (name) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'ms':
      return joined(parts).trim()
    case 'mfrac':
      return `${grouped(base)}/${grouped(first)}`
    case 'msqrt':
      return `√${grouped(joined(parts))}`
    case 'mroot':
      return `\\sqrt[${first}]{${base}}`
    case 'msub':
    case 'munder':
      return `${base}_${scripted(first)}`
    case 'msup':
      return `${base}^${scripted(first)}`
    case 'mover': {
      const accent = ACCENTS.get(first)
      return accent === undefined ? `${base}^${scripted(first)}` : `${accent}{${base}}`
    }
    case 'msubsup':
    case 'munderover':
      return `${base}_${scripted(first)}^${scripted(second)}`
    case 'mfenced':
      return `(${parts.join(',')})`
    case 'mtable':
      return parts.join('; ')
    case 'mtr':
    case 'mlabeledtr':
      return parts.join(', ')
    default:
      return joined(parts)
  }
}

/** Words are separated, letters and signs are not. */
function joined(parts: readonly string[]): string {
  let text = ''
  // The end of the last part: letters side by side make no word.
  let end = ''
  for (const part of parts) {
    const isWord = /^[\p{L}\\]{2}/u.test(part) || /\p{L}{2}$/u.test(end)
    const isNext = /[\p{L}\p{N}]$/u.test(end) && /^[\p{L}\p{N}\\]/u.test(part)
    text += isWord && isNext ? ` ${part}` : part
    if (part !== '') end = part.slice(-2)
  }
  return text
}

/** In parentheses, unless it is a number or a word. */
function grouped(text: string): string {
  return text.length < 32 && /^(?:[\p{L}\p{N}.]+|.|\([^()]*\))$/u.test(text) ? text : `(${text})`
}

function scripted(text: string): string {
  return /^.$/u.test(text) ? text : `{${text}}`
}
