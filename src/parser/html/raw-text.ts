// Finds the end of text without markup: the content of scripts, styles, titles and the like.
import { ELEMENT, NAME_BYTE, TRAIT, TRAITS } from './html-names.ts'

/** Names by element number, for elements with raw text, whose end tag is searched. */
export const RAW_NAMES: string[] = []
for (const [name, number] of Object.entries(ELEMENT)) {
  if (((TRAITS[number] ?? 0) & (TRAIT.raw | TRAIT.escapable)) !== 0) RAW_NAMES[number] = name
}

/** The page, one character per byte. */
type Latin1 = string

/** The end of the raw text that begins at `from`: the element's end tag, or the end of the page. */
export function rawTextEnd(page: Latin1, name: string, from: number): number {
  const end = endTagOf(page, name, from)
  if (name !== 'script' || !page.slice(from, end).includes('<!--')) return end
  return guardedScriptEnd(page, from)
}

function endTagOf(page: Latin1, name: string, from: number): number {
  for (let at = page.indexOf('</', from); at >= 0; at = page.indexOf('</', at + 2)) {
    if (isName(page, name, at + 2)) return at
  }
  return page.length
}

/**
 * A script may hide its end tag: after `<!--` and then `<script` an end tag only closes that inner
 * one, until `-->`.
 */
function guardedScriptEnd(page: Latin1, from: number): number {
  let commented = false
  let inner = false
  for (let at = from; at < page.length; at++) {
    const character = page[at]
    if (character === '-' && commented && page.startsWith('-->', at)) commented = inner = false
    if (character !== '<') continue
    if (!commented && page.startsWith('!--', at + 1)) {
      commented = true
      // `<!-->` ends at once, so the scan continues inside the opener.
      at++
    } else if (page[at + 1] === '/' && isName(page, 'script', at + 2)) {
      if (!inner) return at
      inner = false
    } else if (commented && isName(page, 'script', at + 1)) {
      inner = true
    }
  }
  return page.length
}

/** Whether the whole name is here, in any case. */
function isName(page: Latin1, name: string, at: number): boolean {
  const end = at + name.length
  if (end >= page.length || NAME_BYTE[page.charCodeAt(end)] !== 0) return false
  return page.slice(at, end).toLowerCase() === name
}
