// Percent-encoding in one spelling (RFC 3986 6.2.2.2): an escaped unreserved character is written
// plainly, every other escape in capitals, and what no URI may contain is escaped. Reserved
// characters stay as they are: `%2F` and `/` are different names to a server.

const ESCAPE = /%([0-9A-Fa-f]{2})/g
const STRAY_PERCENT = /%(?![0-9A-Fa-f]{2})/
const NEVER_IN_URI = /[^!-~]+|["<>[\\\]^`{|}]/g
const UNRESERVED = /^[A-Za-z0-9\-._~]$/
const PERCENT_SIGN = 0x25

/** By byte: its escape, or the character itself where it needs none. */
const TIDY: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte)
  return UNRESERVED.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
})
/** By ASCII code: 1 where the character may stand in a URI as it is. */
const LEGAL = Uint8Array.from({ length: 128 }, (_, code) =>
  String.fromCharCode(code).search(NEVER_IN_URI) < 0 ? 1 : 0,
)
/** By ASCII code: the value of a hex digit in its one spelling, 255 for anything else. */
const HEX = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = '0123456789ABCDEF'.indexOf(String.fromCharCode(code))
  return value < 0 ? 255 : value
})

/** Path or query text in its one spelling. Doing it twice changes nothing more. */
export function normalisePercent(text: string): string {
  if (isTidy(text)) return text
  const legal = text.replace(NEVER_IN_URI, escapeText)
  if (!legal.includes('%')) return legal
  // Behind a stray percent sign, what we unescape could complete a new escape: only capitals then.
  return STRAY_PERCENT.test(legal)
    ? legal.replace(ESCAPE, (triplet) => triplet.toUpperCase())
    : legal.replace(ESCAPE, (_, hex: string) => TIDY[Number.parseInt(hex, 16)] ?? '')
}

// Nearly every link is tidy, so this is the path that counts: a loop over codes is several times
// faster here than a pattern.
function isTidy(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === PERCENT_SIGN) {
      if (!isTidyEscape(text, i)) return false
    } else if (LEGAL[code] !== 1) return false
  }
  return true
}

function isTidyEscape(text: string, at: number): boolean {
  const high = HEX[text.charCodeAt(at + 1)] ?? 255
  const low = HEX[text.charCodeAt(at + 2)] ?? 255
  return high < 16 && low < 16 && TIDY[high * 16 + low]?.length === 3
}

function escapeText(text: string): string {
  const code = text.charCodeAt(0)
  if (text.length === 1 && code < 128) return TIDY[code] ?? ''
  // A lone surrogate has no UTF-8 form; as everywhere on the web it becomes U+FFFD.
  return encodeURIComponent(text.toWellFormed())
}
