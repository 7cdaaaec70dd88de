// Long texts in Redis, whose memory is dear: deflated, in base64, after a letter that no JSON begins with.
import { deflateRawSync, inflateRawSync } from 'node:zlib'

const PACKED = 'z'
/** Shorter ones would hardly get shorter. */
const WORTH_CHARS = 200
/** Nothing that is kept so is longer; what says it is was not written by this program. */
const MAX_BYTES = 64 * 1024 * 1024

export function packText(text: string): string {
  if (text.length < WORTH_CHARS) return text
  return PACKED + deflateRawSync(text).toString('base64')
}

export function unpackText(packed: string): string {
  if (!packed.startsWith(PACKED)) return packed
  const bytes = Buffer.from(packed.slice(PACKED.length), 'base64')
  return inflateRawSync(bytes, { maxOutputLength: MAX_BYTES }).toString()
}
