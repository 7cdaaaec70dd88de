// What the start tag of a hidden element says about why it is hidden. A panel of tabs or the answer
// below a question waits for a click and belongs to the page; a menu or a cookie notice does not.
import { ATTRIBUTE, ELEMENT, TRAIT, TRAITS } from './html-names.ts'
import type { HtmlScanner } from './html-scanner.ts'

export const HIDDEN = {
  /** No part of the page's text: a menu, a dialog, something a script needs. */
  apart: 0,
  /** Its tag does not tell; what is in it may. */
  unclear: 1,
  /** Opened by a click on what stands above it. */
  panel: 2,
} as const
export type HiddenKind = (typeof HIDDEN)[keyof typeof HIDDEN]

/** Of class and id together; utility classes can go on for kilobytes. */
const MAX_NAMES = 240
const APART =
  /modal|dialog|pop-?up|overlay|lightbox|drawer|cookie|consent|gdpr|banner|tooltip|toast|flash|alert|menu|nav(?![a-z])|navigation|sidebar|search|share|login|cart|newsletter|subscri|template|disclaimer/i
const PANEL = /accordion|collaps|expand|toggle|panel|faq|answer|(?:^|[^a-z])tabs?(?![a-z])/i
const ROLES = new Set(['', 'tabpanel', 'region', 'group', 'article', 'presentation', 'none'])
const APART_ELEMENTS = new Set([
  ELEMENT.aside,
  ELEMENT.dialog,
  ELEMENT.fieldset,
  ELEMENT.footer,
  ELEMENT.form,
  ELEMENT.header,
  ELEMENT.legend,
  ELEMENT.menu,
  ELEMENT.nav,
  ELEMENT.option,
  ELEMENT.search,
])

export function hiddenKind(tag: HtmlScanner): HiddenKind {
  if (((TRAITS[tag.element] ?? 0) & TRAIT.block) === 0 || APART_ELEMENTS.has(tag.element)) {
    return HIDDEN.apart
  }
  const role = tag.value(ATTRIBUTE.role)
  const names = `${namesOf(tag, ATTRIBUTE.class)} ${namesOf(tag, ATTRIBUTE.id)}`
  if (!ROLES.has(role) || APART.test(names)) return HIDDEN.apart
  const isLabelled = role === 'tabpanel' || tag.has(ATTRIBUTE['aria-labelledby'])
  return isLabelled || PANEL.test(names) ? HIDDEN.panel : HIDDEN.unclear
}

function namesOf(tag: HtmlScanner, attribute: number): string {
  if (!tag.has(attribute)) return ''
  const from = tag.valueFrom[attribute] ?? 0
  return tag.latin1.slice(from, Math.min(tag.valueTo[attribute] ?? 0, from + MAX_NAMES))
}
