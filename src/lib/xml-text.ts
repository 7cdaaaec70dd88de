// Escapes text from the web for XML. Characters that XML cannot hold are dropped.
import { safeText } from './terminal.ts'

/** XML 1.0 allows neither these nor lone surrogates, not even escaped. */
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
  // In an attribute, a parser would turn these into spaces.
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
])

/** The text for an element or a quoted attribute. */
export function xmlText(text: string): string {
  return text
    .replace(FORBIDDEN, '')
    .replace(LONE, '\ufffd')
    .replace(/[&<>"'\t\n\r]/g, (char) => ESCAPED.get(char) ?? '')
}

/** The same for display: without characters that hide or reverse what follows. */
export function shownXml(text: string): string {
  return xmlText(safeText(text))
}
