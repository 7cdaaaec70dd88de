// How elements behave in an outline: which contain blocks, and which close others when they begin.
import { ELEMENT, TRAIT, TRAITS } from '../html/html-names.ts'

/** Per element: whether it is a container, and how it closes others and is closed. */
export const IS_CONTAINER = 1
export const CLOSES_P = 2
export const SCOPE = 4
export const LIST = 8
export const TABLE_PART = 16
export const HEADING = 32
export const BEHAVIOUR = behaviours()
/** A new table part closes those of the same or lower rank. */
export const TABLE_RANK = Uint8Array.from(TRAITS, () => 0)
for (const element of [ELEMENT.td, ELEMENT.th]) TABLE_RANK[element] = 1
TABLE_RANK[ELEMENT.tr] = 2
for (const element of [ELEMENT.thead, ELEMENT.tbody, ELEMENT.tfoot, ELEMENT.caption]) {
  TABLE_RANK[element] = 3
}
export const CLOSED_BY_SAME: ReadonlySet<number> = new Set([
  ELEMENT.li,
  ELEMENT.dt,
  ELEMENT.dd,
  ELEMENT.option,
  ELEMENT.optgroup,
])

/** Whether the outline handles an element. */
export function isOutlined(element: number): boolean {
  return (
    element === ELEMENT.br ||
    element === ELEMENT.hr ||
    ((BEHAVIOUR[element] ?? 0) & IS_CONTAINER) !== 0
  )
}

/** Nothing that is open in these outlives them, and nothing in them closes an element around them. */
export function isFallback(element: number): boolean {
  return element === ELEMENT.noscript || element === ELEMENT.noframes
}

export function isPre(element: number): boolean {
  return element === ELEMENT.pre || element === ELEMENT.listing
}

function behaviours(): Uint8Array {
  const list = Uint8Array.from(TRAITS, (traits) => {
    const isBlock = (traits & TRAIT.block) !== 0
    const holds = (isBlock || (traits & TRAIT.cell) !== 0) && (traits & TRAIT.empty) === 0
    return (holds ? IS_CONTAINER : 0) | (isBlock ? CLOSES_P : 0)
  })
  const add = (bits: number, ...elements: number[]): void => {
    for (const element of elements) list[element] = (list[element] ?? 0) | bits
  }
  const { table, td, th, caption, tr, thead, tbody, tfoot, ul, ol, dl, menu, dir } = ELEMENT
  // An unknown name may be a container of some library.
  add(IS_CONTAINER, 0, ELEMENT.button, ELEMENT.label, ELEMENT.select)
  add(IS_CONTAINER | SCOPE, ELEMENT.noscript, ELEMENT.noframes)
  add(SCOPE, table, td, th, caption, ELEMENT.object)
  add(LIST, ul, ol, dl, menu, dir)
  add(TABLE_PART, caption, thead, tbody, tfoot, tr, td, th)
  const { h1, h2, h3, h4, h5, h6 } = ELEMENT
  add(HEADING, h1, h2, h3, h4, h5, h6)
  return list
}
