// What links say about the page that they lead to. A page is found by the words of these texts, too, though it may
// not have them itself.
//
// The same text on many pages of a host is one text, so that a menu counts once. A text of another host counts
// three times as much as one of the page's own. Everything has a limit: the texts that a page gives, those that
// a host gives to a page, and the hosts. What is left over is chosen by a hash of the host, so that nobody can
// take all the places.
import type { Link } from '../core/link.ts'
import type { SearchedPage } from '../core/page.ts'
import { type CanonicalUrl, hostOf } from '../core/url.ts'
import { isStopWord } from '../text/stop-words.ts'
import { hashText } from '../text/text.ts'
import type { StemWords } from './stem-words.ts'
import { urlKey, wordsIn, wordsOf } from './words.ts'

/** Texts that one page may give to others. */
const MAX_GIVEN = 256
/** UTF-16 units of a text; a link around a whole teaser has more. */
const MAX_CHARS = 120
/** Texts of one host about one page. */
export const TEXTS_PER_HOST = 8
/** Hosts beside the page's own. */
export const MAX_HOSTS = 32
/** How often a text of another host counts. */
const OTHER_HOST = 3
/** Occurrences of one word in the texts about a page. */
const MAX_EACH = 250

/** A text that a page gives to another. */
export type GivenText = {
  /** `linkKey` of the other page. */
  readonly target: number
  readonly text: string
}

/** A text about a page. */
export type LinkText = {
  /** `hostKey` of the host that says so. */
  readonly from: number
  readonly text: string
}

/**
 * The same for URLs that differ in what usually leads to the same page: the scheme, "www." and a last slash. What
 * one crawl says is not heard in another, which others may be allowed to search.
 */
export function linkKey({ crawlId, url }: Pick<SearchedPage, 'crawlId' | 'url'>): number {
  return urlKey(`${crawlId} ${url.replace(BEFORE_HOST, '').replace(/\/$/, '')}`)
}

export function hostKey(host: string): number {
  return hashText(host.replace(/^www\./, '')) >>> 0
}

const BEFORE_HOST = /^https?:\/\/(?:www\.)?/

/** The texts of a page's links that say something, without links to itself, and without those it does not vouch for. */
export function givenTexts(
  page: Pick<SearchedPage, 'crawlId' | 'url'>,
  links: readonly Link[],
): readonly GivenText[] {
  const { crawlId } = page
  const own = linkKey(page)
  const given = new Map<string, GivenText>()
  for (const link of links) {
    if (given.size === MAX_GIVEN) break
    const text = link.rel !== '' && UNVOUCHED.test(link.rel) ? '' : textOf(link.anchor)
    if (text === '') continue
    const target = linkKey({ crawlId, url: link.url })
    if (target !== own) given.set(`${target} ${text}`, { target, text })
  }
  return [...given.values()]
}

const UNVOUCHED = /(?:^|\s)(?:nofollow|ugc|sponsored)(?:\s|$)/
const ADDRESS = /:\/\/|^www\.|^\S+@\S+$/
const LETTERS = /\p{L}/u

/** '' if it says nothing. */
function textOf(anchor: string): string {
  const known = KNOWN.get(anchor)
  if (known !== undefined) return known
  const text = anchor.trim().replace(/\s+/g, ' ').slice(0, MAX_CHARS).toWellFormed()
  const says = LETTERS.test(text) && !ADDRESS.test(text) && !wordsOf(text).every(isStopWord)
  const kept = says ? text.replaceAll('\0', '\ufffd') : ''
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear()
  KNOWN.set(anchor, kept)
  return kept
}

/** Menus repeat: most texts were looked at before. */
const KNOWN = new Map<string, string>()
const MAX_KNOWN = 20_000

export type LinkWords = {
  /** '' between texts, so that no phrase goes from one to the next. */
  readonly words: readonly string[]
  readonly stems: readonly string[]
  /** How much all texts weigh together; a word counts by its share. */
  readonly weight: number
}

/** The words of the texts about a page. */
export function linkWords(
  texts: readonly LinkText[],
  page: { readonly host: string; readonly language: string },
  stems: StemWords,
): LinkWords {
  const own = hostKey(page.host)
  const [words, forms] = [new Limited(), new Limited()]
  let weight = 0
  const seen = new Set<string>()
  for (const { from, text } of texts) {
    const { folded, written } = wordsIn(text)
    const key = `${from} ${folded.join(' ')}`
    if (seen.has(key)) continue
    seen.add(key)
    const times = from === own ? 1 : OTHER_HOST
    weight += times
    const stemmed = stems.of(written, page.language)
    for (let nth = 0; nth < times; nth++) {
      words.add(folded)
      forms.add(stemmed)
    }
  }
  return { words: words.all, stems: forms.all, weight }
}

/** Words of all texts. */
const MAX_ALL = 16_000

class Limited {
  readonly all: string[] = []
  readonly #counts = new Map<string, number>()

  add(words: readonly string[]): void {
    if (this.all.length + words.length > MAX_ALL) return
    for (const word of words) {
      const count = this.#counts.get(word) ?? 0
      this.#counts.set(word, count + 1)
      this.all.push(count < MAX_EACH ? word : '')
    }
    this.all.push('')
  }
}

/** Texts to show: each once, those of other hosts first. */
export function distinctTexts(texts: readonly LinkText[], url: CanonicalUrl): readonly string[] {
  const own = hostKey(hostOf(url))
  const others = texts.filter(({ from }) => from !== own)
  const all = [...others, ...texts.filter(({ from }) => from === own)]
  return [...new Set(all.map(({ text }) => text))]
}

/** How much the texts of links add, beside the text and the head of a page; docs/SEARCH.md says how it was chosen. */
export const LINK_SHARE = 0.2
/** A word is worth `count / (count + LINK_FIXED + LINK_PER_WEIGHT * weight)`. */
export const LINK_FIXED = 3
export const LINK_PER_WEIGHT = 0.25
