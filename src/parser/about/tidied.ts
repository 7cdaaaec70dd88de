import { decodeHTML } from 'entities/decode'

/** Several, and what is none but should be: a line end or a control character. */
const BLANKS = /[\s\0-\x1f\x7f-\x9f]{2,}|[\0-\x1f\x7f-\x9f\u2028\u2029]/g
const TAG = /<\/?[a-z][^<>]{0,400}>/gi
const UNSEEN = /[\u00ad\u200b\ufeff]/g
const NO_BREAK = '\u00a0'

/** White space collapsed and none at the ends; halves of characters, which JSON can hold, made whole. */
export function tidied(text: string): string {
  return text.replace(BLANKS, ' ').trim().toWellFormed()
}

/** The same for a text that was meant for a page and may hold its markup. */
export function plain(text: string): string {
  const decoded = text.includes('&') ? decodeHTML(text) : text
  const bare = decoded.includes('<') ? decoded.replace(TAG, ' ') : decoded
  return tidied(bare.replace(UNSEEN, '').replaceAll(NO_BREAK, ' '))
}
