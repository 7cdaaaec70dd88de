// Text from the web inside XML: what XML cannot hold is dropped, what it would read is escaped.
import { safeText } from '../lib/terminal.ts'

/** Neither these nor half a surrogate pair can be in XML 1.0, not even escaped. */
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
  // In an attribute a reader would make a space of these.
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
])

/** The text as it is, for an element or a quoted attribute. */
export function xmlText(text: string): string {
  return text
    .replace(FORBIDDEN, '')
    .replace(LONE, '\ufffd')
    .replace(/[&<>"'\t\n\r]/g, (char) => ESCAPED.get(char) ?? '')
}

/** The same for what is shown: without marks that hide or turn round what follows them. */
export function shownXml(text: string): string {
  return xmlText(safeText(text))
}
