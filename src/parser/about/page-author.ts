// Who wrote a page: what it declares, else the names in the byline by its heading, told from
// everything else that stands in such places.
import { namesIn } from './byline.ts'
import { lettersOf } from './words.ts'

/** The text of an element that says that it names the author. */
export type Byline = {
  readonly text: string
  /** Where it begins in the visible text. */
  readonly at: number
  /** By `rel=author` or itemprop, rather than by a class or by its words. */
  readonly isDeclared: boolean
}

type Signed = { readonly bylines: readonly Byline[] }

export type AuthorSources = {
  /** `<meta name=author>` and its relatives, the surer first. */
  readonly metaAuthors: readonly string[]
  readonly ldAuthors: readonly string[]
  /** By `<meta itemprop=author>`. */
  readonly itemAuthors: readonly string[]
  /** In page order; only looked at when no person is declared. */
  readonly places: { readonly near: Signed }
  readonly siteName: string
  readonly host: string
  /** Where the page's heading begins; -1 without one. */
  readonly headingAt: number
}

const MAX_NAMES = 8
const MAX_BYLINES = 60
/** The names, joined by a comma; '' when nobody is named. */
export function authorOf(sources: AuthorSources): string {
  const { metaAuthors, ldAuthors, itemAuthors } = sources
  const isPerson = (name: string): boolean => !isSite(name, sources)
  return (
    named(ldAuthors, isPerson) ||
    firstNamed(metaAuthors, isPerson) ||
    firstNamed(itemAuthors, isPerson) ||
    shownAuthor(sources, isPerson) ||
    named(ldAuthors, isAnybody) ||
    firstNamed(metaAuthors, isAnybody)
  )
}

function shownAuthor({ places, headingAt }: AuthorSources, isPerson: Judge): string {
  // The heading itself may read like a byline: `Von der Leyen in Jakarta`.
  const near = places.near.bylines.filter(({ at }) => at !== headingAt).slice(0, MAX_BYLINES)
  return (
    firstNamed(textsOf(near, true), isPerson) ||
    firstNamed(textsOf(near, false), (name) => isPerson(name) && isFullName(name))
  )
}

type Judge = (name: string) => boolean

function isAnybody(): boolean {
  return true
}

function textsOf(bylines: readonly Byline[], isDeclared: boolean): readonly string[] {
  return bylines.filter((byline) => byline.isDeclared === isDeclared).map(({ text }) => text)
}

function firstNamed(texts: readonly string[], accepts: Judge): string {
  for (const text of texts) {
    const names = named([text], accepts)
    if (names !== '') return names
  }
  return ''
}

function named(texts: readonly string[], accepts: Judge): string {
  const names = new Map<string, string>()
  for (const text of texts.slice(0, MAX_NAMES)) {
    for (const name of namesIn(text)) {
      const letters = lettersOf(name)
      if (!names.has(letters) && accepts(name)) names.set(letters, name)
    }
  }
  return [...names.values()].slice(0, MAX_NAMES).join(', ')
}

/** What a class calls an author is often a box about one: only what is written like a name counts. */
function isFullName(name: string): boolean {
  const words = name.split(' ')
  if (words.length > 5 || /\d{2}|[_*:;/\\]/.test(name)) return false
  const small = words.filter((word) => /^\p{Ll}/u.test(word)).length
  return words.length === 1 || small <= words.length - 2
}

function isSite(name: string, { siteName, host }: AuthorSources): boolean {
  const letters = lettersOf(name)
  if (siteName !== '' && letters === lettersOf(siteName)) return true
  return letters.length > 3 && lettersOf(host).includes(letters)
}
