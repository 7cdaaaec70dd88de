// A body of plain text as it is stored.

/** Whatever ends a line somewhere, and all that is not to be seen: no store and no reader wants it. */
const ODD = /\r\n?|[\0-\x08\x0b\f\x0e-\x1f\x7f-\x9f\u2028\u2029]/g
const LINE_ENDS = new Set(['\r', '\r\n', '\v', '\f', '\x85', '\u2028', '\u2029'])

/** The text with plain line ends and without control characters. */
export function plainText(utf8: Buffer): string {
  return utf8.toString('utf8').replace(ODD, (odd) => (LINE_ENDS.has(odd) ? '\n' : ''))
}
