// Elements without page text: controls, and line numbers of code. They occur within headings and
// code, where nothing else tells them apart.
import { ATTRIBUTE, ELEMENT } from './html-names.ts'
import type { HtmlScanner } from './html-scanner.ts'

const SMALL_L = 108
const SMALL_M = 109
const LINE_NUMBER = /^(?:linenos?|line-?numbers?|lnt|ln)(?=[\s"'>]|$)/
/** Of a whole block: a column of numbers. The other names mean that the lines of the block have numbers. */
const NUMBER_COLUMN = /^linenos?(?=[\s"'>]|$)/
/** A tag or a reference may also follow. */
const NUMBER_AHEAD = /^\s*(?:[\d<&]|$)/
const MAX_NAME = 16

/** In preformatted text: a copy button, or a line number. */
export function isCodeControl(tag: HtmlScanner): boolean {
  if (tag.element === ELEMENT.button) return true
  if (!tag.has(ATTRIBUTE.class)) return false
  const from = tag.valueFrom[ATTRIBUTE.class] ?? 0
  if (tag.bytes[from] !== SMALL_L) return false
  const isBlock = tag.element === ELEMENT.pre || tag.element === ELEMENT.code
  const name = tag.latin1.slice(from, Math.min(from + MAX_NAME, tag.length))
  return (isBlock ? NUMBER_COLUMN : LINE_NUMBER).test(name) && mayHoldNumber(tag)
}

/** The lines themselves have the same class names. */
function mayHoldNumber({ latin1, at }: HtmlScanner): boolean {
  return NUMBER_AHEAD.test(latin1.slice(at, at + MAX_NAME))
}

/** The links of a wiki to edit a section. The tag has a class. */
export function isEditLink({ bytes, latin1, valueFrom }: HtmlScanner): boolean {
  const from = valueFrom[ATTRIBUTE.class] ?? 0
  return bytes[from] === SMALL_M && latin1.startsWith('mw-editsection', from)
}
