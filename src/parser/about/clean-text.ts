// Short texts of a page: cleaned of white space and markup, and compared by their words.
import { decodeHTML } from 'entities/decode'

/** Runs of white space, and single line ends and control characters. */
const BLANKS = /[\s\0-\x1f\x7f-\x9f]{2,}|[\0-\x1f\x7f-\x9f\u2028\u2029]/g
const TAG = /<(\/?)([a-z][^\s<>/]{0,40})([^<>]{0,400})>/gi
/** Elements that people write into titles and descriptions for their looks. */
const LOOKS =
  /^(a|abbr|b|big|br|center|cite|code|del|div|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|nobr|ol|p|q|s|small|span|strike|strong|sub|sup|tt|u|ul|var|wbr)$/
const BREAK = /^(br|hr|wbr)$/
const WORD_BEGINS = /^[\p{L}\p{N}]/u
const UNSEEN = /[\u00ad\u200b\ufeff]/g
const NO_BREAK = '\u00a0'

const SPACE = 32
const AMPERSAND = 38
const LESS = 60
const LAST_PRINTED = 126

/** Most texts: printed ASCII with single spaces between words, and without markup. */
function isClean(text: string): boolean {
  let last = SPACE
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < SPACE || code > LAST_PRINTED || code === AMPERSAND || code === LESS) return false
    if (code === SPACE && last === SPACE) return false
    last = code
  }
  return last !== SPACE
}

/** Collapses white space, trims the ends and repairs lone surrogates, which JSON may contain. */
export function collapseWhiteSpace(text: string): string {
  if (text === '' || isClean(text)) return text
  return text.replace(BLANKS, ' ').trim().toWellFormed()
}

/** Like collapseWhiteSpace(), without the characters that nobody sees. */
export function plainText(text: string): string {
  if (text === '' || isClean(text)) return text
  return collapseWhiteSpace(text.replace(UNSEEN, '').replaceAll(NO_BREAK, ' '))
}

/** Without anything in angle brackets: a name may be followed by an address for mail. */
export function withoutBrackets(text: string): string {
  if (text === '' || isClean(text)) return text
  const read = decoded(text)
  return plainText(read.includes('<') ? read.replace(TAG, ' ') : read)
}

/**
 * A text that should be plain, such as a title, and may yet contain markup and character references. What only
 * looks like a tag is what the page is about: `<video>: an element`, `Vec<T> in Rust`.
 */
export function withoutMarkup(text: string): string {
  if (text === '' || isClean(text)) return text
  const read = decoded(text)
  return plainText(read.includes('<') ? withoutTags(read) : read)
}

function decoded(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text
}

/** Without tags that have their partner, and those that can only be meant for their looks. */
function withoutTags(text: string): string {
  const begun = new Set<string>()
  const ended = new Set<string>()
  for (const [, slash, name = ''] of text.matchAll(TAG)) {
    ;(slash === '/' ? ended : begun).add(name.toLowerCase())
  }
  return text.replace(TAG, (tag, slash: string, written: string, rest: string, at: number) => {
    const name = written.toLowerCase()
    if ((slash === '/' ? begun : ended).has(name)) return ' '
    if (!LOOKS.test(name)) return tag
    const isMeant = slash === '/' || rest !== '' || (BREAK.test(name) && at > 0)
    return isMeant || WORD_BEGINS.test(text.slice(at + tag.length)) ? ' ' : tag
  })
}

const WORD = /[\p{L}\p{N}]+/gu
const NO_LETTER = /[^\p{L}\p{N}]+/gu
/** The same for most texts, and several times as quick. */
const ASCII = /^[\0-\x7f]*$/
const ASCII_WORD = /[a-z0-9]+/g
const NO_ASCII_LETTER = /[^a-z0-9]+/g

/** The distinct words of a text, in lower case. */
export function wordSet(text: string): Set<string> {
  return new Set(text.toLowerCase().match(ASCII.test(text) ? ASCII_WORD : WORD) ?? [])
}

/** The letters and digits of a text, in lower case. */
export function lettersAndDigits(text: string): string {
  return text.toLowerCase().replace(ASCII.test(text) ? NO_ASCII_LETTER : NO_LETTER, '')
}

/** Similarity of two texts, 0 to 1: the harmonic mean of the shares of common words. */
export function similarity(a: string, b: string): number {
  return a === '' || b === '' ? 0 : wordSimilarity(wordSet(a), wordSet(b))
}

/** The same for sets of words. */
export function wordSimilarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  let both = 0
  for (const word of a) if (b.has(word)) both++
  return (2 * both) / (a.size + b.size)
}
