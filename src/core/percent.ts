// Percent-encoding in one spelling (RFC 3986 6.2.2.2): an escaped unreserved character is written
// plainly, every other escape in capitals, and what no URI may contain is escaped. Reserved
// characters stay as they are: `%2F` and `/` are different names to a server.

const ESCAPE = /%([0-9A-Fa-f]{2})/g
const STRAY_PERCENT = /%(?![0-9A-Fa-f]{2})/
const NEVER_IN_URI = /[^!-~]+|["<>[\\\]^`{|}]/gu
const NEEDS_WORK = /[^!-~]|["%<>[\\\]^`{|}]/

/** Path or query text in its one spelling. Doing it twice changes nothing more. */
export function normalisePercent(text: string): string {
  if (!NEEDS_WORK.test(text)) return text
  // After a stray percent sign, what we unescape could complete a new escape: only capitals then.
  const tidied = STRAY_PERCENT.test(text)
    ? text.replace(ESCAPE, (triplet) => triplet.toUpperCase())
    : text.replace(ESCAPE, unescapeUnreserved)
  return tidied.replace(NEVER_IN_URI, escapeText)
}

function unescapeUnreserved(triplet: string, hex: string): string {
  const code = Number.parseInt(hex, 16)
  return isUnreserved(code) ? String.fromCharCode(code) : triplet.toUpperCase()
}

function isUnreserved(code: number): boolean {
  if (code < 0x41) return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e
  if (code > 0x5a) return (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === 0x7e
  return true
}

function escapeText(text: string): string {
  // A lone surrogate has no UTF-8 form; as everywhere on the web it becomes U+FFFD.
  return encodeURIComponent(text.toWellFormed())
}
