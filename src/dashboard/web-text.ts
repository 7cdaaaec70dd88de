// Texts and addresses that came from the web, made fit to be shown. Preact writes them as text, so no
// markup in them lives; what is left are tricks on the reader and sheer size.

const SHOWN_AT_MOST = 300

/**
 * At most `most` characters, in one line, with nothing in it that cannot be seen: control characters
 * as their pictures (␀), marks that turn the direction of writing or take no room as `�`.
 */
export function visible(text: string, most = SHOWN_AT_MOST): string {
  // Twice as much is looked at: white space shrinks.
  const flat = text.slice(0, most * 2).replace(/[\t\n\r\f\v \u00a0\u2028\u2029]+/g, ' ')
  const cut = flat.length > most || text.length > most * 2
  return `${shownCharacters(cut ? wholeCharacters(flat, most) : flat)}${cut ? '…' : ''}`
}

/** As `visible`, but lines and indents stay. */
export function visibleLines(text: string, most: number): string {
  const cut = text.length > most
  const kept = cut ? wholeCharacters(text, most) : text
  return `${kept.replace(/\r\n?/g, '\n').split('\n').map(shownCharacters).join('\n')}${cut ? '…' : ''}`
}

function shownCharacters(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (found) =>
      String.fromCharCode(0x2400 + found.charCodeAt(0)),
    )
    .replace(
      /[\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
      '\ufffd',
    )
}

/** Not half of a character that takes two units. */
function wholeCharacters(text: string, most: number): string {
  const last = text.charCodeAt(most - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
}

/** The address, when a click on it opens a page of the web and nothing else; else null. */
export function safeHref(url: string): string | null {
  if (url.length > 8192) return null
  const parsed = URL.parse(url)
  return parsed !== null && (parsed.protocol === 'http:' || parsed.protocol === 'https:')
    ? parsed.href
    : null
}
