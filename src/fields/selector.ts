// CSS selectors for fields: what they are, and how they are read from a text. Nothing here knows a page.
//
//   div, *, .class, #id, [attribute], [attribute=value], ~= |= ^= $= *=, [a="b" i]
//   a b, a > b, a + b, a ~ b, and lists with commas
//   :first-child :last-child :only-child :nth-child(2n+1) :nth-last-child(2), the same with -of-type
//   :root :empty :not(…) :is(…) :where(…) with compound selectors
//   :has(…) with one compound selector, also after > + or ~
//   :contains("text"), which is not CSS: the element's text has this in it
//
// Not read: what only a browser knows (:hover, ::before), namespaces, and selectors with combinators inside :not,
// :is and :has. A text that is none is refused with the place of the mistake.
import { Refused, shown } from '../core/errors.ts'

type Combinator = ' ' | '>' | '+' | '~'
export type AttributeTest = {
  readonly name: string
  /** '' if it only has to be there. */
  readonly operator: '' | '=' | '~=' | '|=' | '^=' | '$=' | '*='
  readonly value: string
  readonly ignoresCase: boolean
}
/** Its place among its siblings is a·n + b for some n from 0. */
export type PlaceTest = {
  readonly a: number
  readonly b: number
  readonly fromEnd: boolean
  /** Only siblings of the same name count. */
  readonly ofType: boolean
}
export type HasTest = { readonly combinator: Combinator; readonly compound: Compound }

/** Tests of one element; all must hold. */
export type Compound = {
  /** In lower case; null: any. */
  name: string | null
  readonly ids: string[]
  readonly classes: string[]
  readonly attributes: AttributeTest[]
  readonly places: PlaceTest[]
  isRoot: boolean
  isEmpty: boolean
  /** None of these. */
  readonly not: (readonly Compound[])[]
  /** For each of these lists, one of it. */
  readonly any: (readonly Compound[])[]
  /** For each of these lists, one of it is found from the element. */
  readonly has: (readonly HasTest[])[]
  readonly contains: string[]
}

/** How a compound is reached from the one before it; null for the first. */
export type Step = { readonly combinator: Combinator | null; readonly compound: Compound }
export type Selector = readonly Step[]

const MAX_SELECTOR = 1000
/** Compound selectors of one text, those in parentheses included. */
const MAX_COMPOUNDS = 50
const MAX_NESTING = 4
const MAX_PLACE = 1_000_000

const ATTRIBUTE_OPERATORS = ['=', '~=', '|=', '^=', '$=', '*='] as const
const PLACES: Readonly<Record<string, readonly PlaceTest[]>> = {
  'first-child': [place(0, 1, false, false)],
  'last-child': [place(0, 1, true, false)],
  'only-child': [place(0, 1, false, false), place(0, 1, true, false)],
  'first-of-type': [place(0, 1, false, true)],
  'last-of-type': [place(0, 1, true, true)],
  'only-of-type': [place(0, 1, false, true), place(0, 1, true, true)],
}
const NTH: Readonly<Record<string, readonly [fromEnd: boolean, ofType: boolean]>> = {
  'nth-child': [false, false],
  'nth-last-child': [true, false],
  'nth-of-type': [false, true],
  'nth-last-of-type': [true, true],
}
const KNOWN = [
  ...Object.keys(PLACES),
  ...Object.keys(NTH).map((name) => `${name}()`),
  ...['root', 'empty', 'not()', 'is()', 'where()', 'has()', 'contains()'],
]

/** The selectors of a list. Throws `Refused` with the place of the first mistake. */
export function readSelectors(text: string): readonly Selector[] {
  if (text.length > MAX_SELECTOR) {
    throw new Refused(`has ${text.length} characters; at most ${MAX_SELECTOR} are read`)
  }
  return new SelectorReader(text).list()
}

class SelectorReader {
  readonly #text: string
  #at = 0
  #compounds = 0
  #nesting = 0
  #isInHas = false

  constructor(text: string) {
    this.#text = text
  }

  list(): readonly Selector[] {
    const selectors: Selector[] = []
    for (;;) {
      selectors.push(this.#selector())
      if (this.#at >= this.#text.length) return selectors
      // A selector ends at a comma, or the text is wrong there.
      if (!this.#take(',')) this.#refuse('is not understood')
    }
  }

  #selector(): Selector {
    const steps: Step[] = []
    let combinator: Combinator | null = null
    this.#skipSpace()
    for (;;) {
      steps.push({ combinator, compound: this.#compound() })
      const hadSpace = this.#skipSpace()
      const written = this.#combinator()
      if (written !== null) {
        this.#skipSpace()
        combinator = written
      } else if (hadSpace && this.#at < this.#text.length && this.#text[this.#at] !== ',') {
        combinator = ' '
      } else return steps
    }
  }

  #combinator(): Exclude<Combinator, ' '> | null {
    for (const sign of ['>', '+', '~'] as const) if (this.#take(sign)) return sign
    return null
  }

  #compound(): Compound {
    this.#compounds++
    if (this.#compounds > MAX_COMPOUNDS) this.#refuse(`is beyond ${MAX_COMPOUNDS} parts`)
    const compound = emptyCompound()
    const from = this.#at
    if (!this.#take('*') && this.#startsName()) compound.name = this.#name().toLowerCase()
    if (this.#text[this.#at] === '|') this.#refuse('begins a namespace, which is not read')
    while (this.#simple(compound));
    if (this.#at === from) this.#refuse('is where a selector should begin')
    return compound
  }

  /** False when the compound ends here. */
  #simple(compound: Compound): boolean {
    if (this.#take('#')) compound.ids.push(this.#name())
    else if (this.#take('.')) compound.classes.push(this.#name())
    else if (this.#take('[')) compound.attributes.push(this.#attribute())
    else if (this.#take(':')) this.#pseudo(compound)
    else return false
    return true
  }

  #attribute(): AttributeTest {
    this.#skipSpace()
    const name = this.#name().toLowerCase()
    this.#skipSpace()
    if (this.#take(']')) return { name, operator: '', value: '', ignoresCase: false }
    const operator = ATTRIBUTE_OPERATORS.find((known) => this.#take(known))
    if (operator === undefined) return this.#refuse('is not an operator of an attribute')
    this.#skipSpace()
    const value = this.#isQuote() ? this.#string() : this.#name()
    this.#skipSpace()
    const ignoresCase = this.#take('i') || this.#take('I')
    if (!ignoresCase && !this.#take('s')) this.#take('S')
    this.#skipSpace()
    if (!this.#take(']')) this.#refuse('is where a ] should be')
    return { name, operator, value, ignoresCase }
  }

  #pseudo(compound: Compound): void {
    const from = this.#at - 1
    if (this.#text[this.#at] === ':') this.#refuse('begins a pseudo-element: no page has one')
    const name = this.#name().toLowerCase()
    const hasParts = this.#take('(')
    if (!hasParts && this.#plainPseudo(compound, name)) return
    if (hasParts && this.#pseudoWithParts(compound, name)) return
    this.#at = from
    this.#refuse(`is not known; known are :${KNOWN.join(' :')}`)
  }

  #plainPseudo(compound: Compound, name: string): boolean {
    const places = Object.hasOwn(PLACES, name) ? PLACES[name] : undefined
    if (places !== undefined) compound.places.push(...places)
    else if (name === 'root') compound.isRoot = true
    else if (name === 'empty') compound.isEmpty = true
    else return false
    return true
  }

  #pseudoWithParts(compound: Compound, name: string): boolean {
    // Also not in a :not or :is in it, as in CSS.
    if (name === 'has' && this.#isInHas) this.#refuse('is in a :has in a :has')
    this.#nesting++
    if (this.#nesting > MAX_NESTING) this.#refuse('is nested too deeply')
    this.#skipSpace()
    const nth = Object.hasOwn(NTH, name) ? NTH[name] : undefined
    if (nth !== undefined) compound.places.push(this.#place(...nth))
    else if (name === 'not') compound.not.push(this.#alternatives())
    else if (name === 'is' || name === 'where') compound.any.push(this.#alternatives())
    else if (name === 'has') compound.has.push(this.#relatives())
    else if (name === 'contains') compound.contains.push(this.#contained())
    else return false
    this.#skipSpace()
    if (!this.#take(')')) {
      this.#refuse('is where a ) should be; combinators are not read in parentheses')
    }
    this.#nesting--
    return true
  }

  #alternatives(): readonly Compound[] {
    const compounds: Compound[] = []
    do {
      this.#skipSpace()
      compounds.push(this.#compound())
      this.#skipSpace()
    } while (this.#take(','))
    return compounds
  }

  #relatives(): readonly HasTest[] {
    const relatives: HasTest[] = []
    this.#isInHas = true
    do {
      this.#skipSpace()
      const combinator = this.#combinator() ?? ' '
      this.#skipSpace()
      relatives.push({ combinator, compound: this.#compound() })
      this.#skipSpace()
    } while (this.#take(','))
    this.#isInHas = false
    return relatives
  }

  #contained(): string {
    const written = this.#isQuote() ? this.#string() : this.#untilBracket()
    const text = written.replace(/\s+/g, ' ').trim()
    return text === '' ? this.#refuse('is where a text should be') : text
  }

  #untilBracket(): string {
    const found = this.#text.indexOf(')', this.#at)
    const to = found < 0 ? this.#text.length : found
    const part = this.#text.slice(this.#at, to)
    this.#at = to
    return part
  }

  #place(fromEnd: boolean, ofType: boolean): PlaceTest {
    const from = this.#at
    const written = this.#untilBracket().trim().toLowerCase()
    const form = (Object.hasOwn(NTH_WORDS, written) && NTH_WORDS[written]) || nthOf(written)
    if (form !== null) return place(...form, fromEnd, ofType)
    this.#at = from
    return this.#refuse('is not a place such as 2, odd or 3n+1')
  }

  #startsName(): boolean {
    return /^(?:-?(?:[_a-z\u0080-\uffff]|\\[^\n])|--)/i.test(
      this.#text.slice(this.#at, this.#at + 3),
    )
  }

  #name(): string {
    const match = NAME.exec(this.#text.slice(this.#at))
    if (match === null) return this.#refuse('is where a name should be')
    this.#at += match[0].length
    return unescaped(match[0])
  }

  #isQuote(): boolean {
    const sign = this.#text[this.#at]
    return sign === '"' || sign === "'"
  }

  #string(): string {
    const quote = this.#text[this.#at] ?? ''
    const from = this.#at
    for (let at = from + 1; at < this.#text.length; at++) {
      if (this.#text[at] === '\\') at++
      else if (this.#text[at] === quote) {
        this.#at = at + 1
        return unescaped(this.#text.slice(from + 1, at))
      }
    }
    return this.#refuse('begins a text that has no end')
  }

  #skipSpace(): boolean {
    const from = this.#at
    while (/[ \t\n\r\f]/.test(this.#text[this.#at] ?? '')) this.#at++
    return this.#at > from
  }

  #take(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#at)) return false
    this.#at += sign.length
    return true
  }

  #refuse(problem: string): never {
    const rest = this.#text.slice(this.#at)
    const what = rest === '' ? 'the end' : shown(rest.length > 24 ? `${rest.slice(0, 24)}…` : rest)
    throw new Refused(`${what} at character ${this.#at + 1} ${problem}`)
  }
}

const NAME = /^(?:[-_a-zA-Z0-9\u0080-\uffff]|\\[0-9a-fA-F]{1,6}[ \t\n\r\f]?|\\[^\n])+/
const NTH_WORDS: Readonly<Record<string, readonly [number, number]>> = {
  odd: [2, 1],
  even: [2, 0],
}

function nthOf(written: string): readonly [number, number] | null {
  const plain = /^[+-]?\d{1,7}$/.exec(written)
  if (plain !== null) return [0, Number(written)]
  const form = /^([+-]?\d{0,7})n(?:\s*([+-])\s*(\d{1,7}))?$/.exec(written)
  if (form === null) return null
  const [, a = '', sign = '+', b = '0'] = form
  const step = a === '' || a === '+' ? 1 : a === '-' ? -1 : Number(a)
  const start = Number(b) * (sign === '-' ? -1 : 1)
  return Math.abs(step) <= MAX_PLACE && Math.abs(start) <= MAX_PLACE ? [step, start] : null
}

function place(a: number, b: number, fromEnd: boolean, ofType: boolean): PlaceTest {
  return { a, b, fromEnd, ofType }
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(
    /\\(?:([0-9a-f]{1,6})[ \t\n\r\f]?|(.)|\n)/gis,
    (_, hex?: string, sign = '') =>
      hex === undefined ? sign : characterOf(Number.parseInt(hex, 16)),
  )
}

function characterOf(code: number): string {
  const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
  return isNone ? '\ufffd' : String.fromCodePoint(code)
}

function emptyCompound(): Compound {
  return {
    ...{ name: null, ids: [], classes: [], attributes: [], places: [] },
    ...{ isRoot: false, isEmpty: false, not: [], any: [], has: [], contains: [] },
  }
}
