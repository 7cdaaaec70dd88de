// The attributes of one start tag, read when a selector or a field asks for them.
import { decodeHTMLAttribute } from 'entities/decode'
import { flagsOf } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import type { ElementTable } from './element-table.ts'

/** More attributes of a tag are not looked at, nor more of a value. */
const MAX_ATTRIBUTES = 500
const MAX_VALUE_BYTES = 64 * 1024
const SPACE = /[ \t\n\f\r]+/
const EQUALS = 61
const QUOTE = 34
const APOSTROPHE = 39
const SPACES = flagsOf([...Buffer.from(' \t\n\f\r')])
const BETWEEN = flagsOf([...Buffer.from(' \t\n\f\r/')])
const ENDS_NAME = flagsOf([...Buffer.from(' \t\n\f\r/>')])
const ENDS_ATTRIBUTE = flagsOf([...Buffer.from(' \t\n\f\r/>=')])

export class TagAttributes {
  readonly #table: ElementTable
  readonly #scanner: HtmlScanner
  #element = -1
  readonly #names: string[] = []
  readonly #from: number[] = []
  readonly #to: number[] = []
  #classes: ReadonlySet<string> | null = null

  constructor(table: ElementTable, scanner: HtmlScanner) {
    this.#table = table
    this.#scanner = scanner
  }

  /** Another page is in the table. */
  forget(): void {
    this.#element = -1
  }

  /** The value with references decoded; null without such an attribute. */
  value(element: number, name: string): string | null {
    this.#read(element)
    const at = this.#names.indexOf(name)
    if (at < 0) return null
    const from = this.#from[at] ?? 0
    const text = this.#scanner.slice(from, Math.min(this.#to[at] ?? 0, from + MAX_VALUE_BYTES))
    return text.includes('&') ? decodeHTMLAttribute(text) : text
  }

  hasClass(element: number, name: string): boolean {
    this.#read(element)
    this.#classes ??= new Set((this.value(element, 'class') ?? '').split(SPACE))
    return this.#classes.has(name)
  }

  #read(element: number): void {
    if (this.#element === element) return
    this.#element = element
    this.#classes = null
    this.#names.length = this.#from.length = this.#to.length = 0
    // From behind the `<` to the `>`.
    const to = (this.#table.tagTo[element] ?? 0) - 1
    let at = (this.#table.tagFrom[element] ?? 0) + 1
    while (at < to && !this.#isOne(at, ENDS_NAME)) at++
    while (at < to && this.#names.length < MAX_ATTRIBUTES) at = this.#attribute(at, to)
  }

  /** Reads one attribute as the scanner does; returns the place behind it. */
  #attribute(from: number, to: number): number {
    let at = from
    while (at < to && this.#isOne(at, BETWEEN)) at++
    if (at >= to) return to
    const nameFrom = at++
    while (at < to && !this.#isOne(at, ENDS_ATTRIBUTE)) at++
    const { latin1, bytes } = this.#scanner
    const name = latin1.slice(nameFrom, at).toLowerCase()
    while (at < to && this.#isOne(at, SPACES)) at++
    let [valueFrom, valueTo] = [at, at]
    if (at < to && bytes[at] === EQUALS) {
      at++
      while (at < to && this.#isOne(at, SPACES)) at++
      const quote = bytes[at] === QUOTE ? '"' : bytes[at] === APOSTROPHE ? "'" : ''
      valueFrom = quote === '' ? at : at + 1
      if (quote === '') while (at < to && !this.#isOne(at, SPACES)) at++
      else at = Math.min(to, (latin1.indexOf(quote, valueFrom) + 1 || to + 1) - 1)
      valueTo = at
      if (quote !== '') at++
    }
    this.#names.push(name)
    this.#from.push(valueFrom)
    this.#to.push(valueTo)
    return at
  }

  #isOne(at: number, list: Uint8Array): boolean {
    return list[this.#scanner.bytes[at] ?? 0] === 1
  }
}
