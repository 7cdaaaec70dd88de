// Which bodies are read, and as what. A type is believed unless the bytes plainly say otherwise.
import { computedMIMEType } from 'whatwg-mimetype'

export type Reading = 'html' | 'xhtml' | 'text'

/** How a body will be read, or which type it has that nobody here reads. */
export type Judged =
  | { readonly reading: Reading; readonly type: string }
  | { readonly reading: null; readonly type: string }

/** What the MIME Sniffing Standard looks at. */
const SNIFF_BYTES = 1445
/** Text has none of these; a page of another charset or a slip of the keyboard has a few. */
const MAX_CONTROL_SHARE = 0.05
const MIN_CONTROLS = 8
const CONTROL = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27 ? 1 : 0,
)
/** In which any byte may be half of a letter. */
const UTF_16 = /^\s*utf-16/i
const LESS = 60
const HTML_TYPES: ReadonlyMap<string, Reading> = new Map([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'xhtml'],
])

/** Judges by the declared type (essence, '' for none) and charset, and by the bytes. */
export function judgeType(declared: string, body: Uint8Array, charset = ''): Judged {
  if (declared === '' || declared === '*/*' || declared === 'unknown/unknown') {
    return judgeBytes(body)
  }
  const reading = HTML_TYPES.get(declared) ?? (declared.startsWith('text/') ? 'text' : null)
  if (reading === null) return { reading, type: declared }
  const disguised = disguisedType(body, UTF_16.test(charset))
  return disguised === null ? { reading, type: declared } : { reading: null, type: disguised }
}

function judgeBytes(body: Uint8Array): Judged {
  const type = computedMIMEType(body.subarray(0, SNIFF_BYTES)).essence
  if (type === 'text/html') return { reading: 'html', type }
  return { reading: type === 'text/plain' ? 'text' : null, type }
}

/** The true type of a body that only claims to be text; null when it may well be text. */
function disguisedType(body: Uint8Array, isUtf16: boolean): string | null {
  const head = body.subarray(0, SNIFF_BYTES)
  let controls = 0
  for (let at = 0; at < head.byteLength; at++) controls += CONTROL[head[at] ?? 0] ?? 0
  const isBinary = controls > tolerated(head) && !isUtf16 && !isWide(head)
  if (!isBinary && beginsLikeText(head)) return null
  const type = computedMIMEType(head).essence
  if (isMedia(type)) return type
  return isBinary ? 'application/octet-stream' : null
}

function tolerated(head: Uint8Array): number {
  return Math.max(MIN_CONTROLS, MAX_CONTROL_SHARE * head.byteLength)
}

function beginsLikeText(head: Uint8Array): boolean {
  const [first = LESS] = head
  return first === LESS || first === 32 || (first >= 9 && first <= 13)
}

function isMedia(type: string): boolean {
  return !type.startsWith('text/') && type !== 'application/octet-stream' && !type.endsWith('xml')
}

/** UTF-16: by its mark, or because every other byte is NUL and nothing else a control. */
function isWide(head: Uint8Array): boolean {
  const [first, second] = head
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  const nuls = [0, 0]
  for (let at = 0; at < head.byteLength; at++) {
    const byte = head[at] ?? 0
    if (byte === 0) nuls[at & 1] = (nuls[at & 1] ?? 0) + 1
    else if (CONTROL[byte] === 1) return false
  }
  const [even = 0, odd = 0] = nuls
  return Math.max(even, odd) > head.byteLength / 4 && Math.min(even, odd) === 0
}
