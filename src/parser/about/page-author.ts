// Finds the author of a page: the declared one, otherwise the names in the byline near the heading.
import { lettersAndDigits } from './clean-text.ts'
import { DATE_LIKE } from './written-date.ts'

/** The text of an element that is marked as naming the author. */
export type Byline = {
  readonly text: string
  /** Offset in the visible text. */
  readonly at: number
  /** By `rel=author` or itemprop, not by a class or by its words. */
  readonly isDeclared: boolean
}

type Signed = { readonly bylines: readonly Byline[] }

export type AuthorSources = {
  /** From `<meta name=author>` and similar names, the most reliable first. */
  readonly metaAuthors: readonly string[]
  readonly ldAuthors: readonly string[]
  /** From `<meta itemprop=author>`. */
  readonly itemAuthors: readonly string[]
  /** In page order; used only when no person is declared. */
  readonly surroundings: { readonly near: Signed }
  readonly siteName: string
  readonly host: string
  /** Offset of the page's heading; -1 without one. */
  readonly headingAt: number
}

const MAX_NAMES = 8
const MAX_BYLINES = 60
/** The names, joined by a comma; '' when there is none. */
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

function shownAuthor({ surroundings, headingAt }: AuthorSources, isPerson: Judge): string {
  // The heading itself may read like a byline: `Von der Leyen in Jakarta`.
  const near = surroundings.near.bylines.filter(({ at }) => at !== headingAt).slice(0, MAX_BYLINES)
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
      const letters = lettersAndDigits(name)
      if (!names.has(letters) && accepts(name)) names.set(letters, name)
    }
  }
  return [...names.values()].slice(0, MAX_NAMES).join(', ')
}

/**
 * An element with an author class is often a box about the author, so only text written like a name counts.
 */
function isFullName(name: string): boolean {
  const words = name.split(' ')
  if (words.length > 5 || /\d{2}|[_*:;/\\]/.test(name)) return false
  const small = words.filter((word) => /^\p{Ll}/u.test(word)).length
  return words.length === 1 || small <= words.length - 2
}

function isSite(name: string, { siteName, host }: AuthorSources): boolean {
  const letters = lettersAndDigits(name)
  if (siteName !== '' && letters === lettersAndDigits(siteName)) return true
  return letters.length > 3 && lettersAndDigits(host).includes(letters)
}

const MAX_BYLINE = 320
const MAX_NAME = 60
const MAX_WORDS = 7

/** Announces a name anywhere in the line; `byJane` is two words run together. */
const BY = /(?:^|[\s|·•,/–—-])(?:[Bb]y|BY)(?:\s?:\s?|\s+|(?=[A-Z][a-z]))/
const LABEL =
  /(?:^|\s)(?:oleh|ditulis oleh|penulis|pewarta|reporter|autor(?:in|en|es|a)?|authors?|auteur|autore|yazar|автор|texte?|tekst|testo|von|par|por) ?: ?/i
/** Announces a name only at the start: within a line these words are parts of names. */
const BEGUN =
  /^(?:written|posted|published|oleh|ditulis oleh|von|veröffentlicht von|geschrieben von|ein beitrag von|artikel von|gespeichert von|par|publié par|por|publicado por|escrito por|door|geschreven door|av|skriven av|af|skrevet af|skrevet av|autor(?:in|en)?|authors?|yazan|автор|tekst)(?=[\s:])[\s:]*/i
/** Ends the names in a byline. */
const BEHIND =
  /\s[|•·–—/⋅-]\s|[|•·([{<\n]|:\s|\s(?:on|am|at|updated|published|posted|veröffentlicht|follow|pada)\s|,?\s(?:senior|staff|editor|contributor|reporter|redakteur|correspondent|contributing|associate|managing|journalist|columnist)\b|,\s(?:ph\.?d|m\.?d|r\.?n|mba|dvm|ms|ma|bsc|cpa)\b/i
const BETWEEN =
  /\s*[,;]\s*(?:(?:and|und|dan|et|y|e)\s+)?|\s+(?:&|and|und|dan|et|y|e|en|och|og|i)\s+/i
const URL_LIKE = /https?:|www\.|^[/@#]|\w@\w|\.(?:html?|php)\b/i
const NOT_NAME =
  /\b(?:cookies?|subscribe|newsletter|comments?|read more|follow|share|sign (?:up|in|out)|log ?in|minutes?|min read|(?:view|see|more) (?:all|from|posts)|about the|ago|hours?|privacy|posts?|members?|joined|messages|reactions?|badges?|skip to|copyright|all rights)\b|[{}<>=$%?!*]/i
const NOBODY = new Set(
  (
    'admin administrator wordpressadmin author authors autor editor editors staff guest gast unknown ' +
    'anonymous anonym webmaster user username name default by redaktion redaksi team none null ' +
    'undefined about contact posted published publiziert stand datum date written updated ' +
    'developer moderator member datum quelle source veröffentlicht erstellt artikel'
  ).split(' '),
)
const NOBODY_AT_ALL = /^(?:no author|publi[a-z]* am|posted on|written by|artikel von|von|by)$/i
const EDGES = /^[\s,.:;|•·–—-]+|[\s,:;|•·–—-]+$/g

/**
 * The names in a byline such as `By Jane Doe and John Roe | 12 January 2026` or `Oleh: Budi Santoso`,
 * without the text around them; empty when there is none.
 */
export function namesIn(byline: string): readonly string[] {
  const text = byline.slice(0, MAX_BYLINE).replace(EDGES, '')
  const announced = BY.exec(text) ?? LABEL.exec(text)
  const bare = announced === null ? text.replace(BEGUN, '') : afterOf(text, announced)
  const date = DATE_LIKE.exec(bare)
  const undated = date === null ? bare : bare.slice(0, date.index)
  const end = undated.search(BEHIND)
  const plain = end > 1 ? undated.slice(0, end) : undated
  if (URL_LIKE.test(plain)) return []
  return plain
    .split(BETWEEN)
    .map((name) => name.replace(EDGES, ''))
    .filter(isName)
}

function afterOf(text: string, match: RegExpExecArray): string {
  return text.slice(match.index + match[0].length)
}

function isName(name: string): boolean {
  if (name.length < 2 || name.length > MAX_NAME) return false
  if (name.split(' ').length > MAX_WORDS || !/\p{L}{2}/u.test(name)) return false
  return !NOBODY.has(name.toLowerCase()) && !NOBODY_AT_ALL.test(name) && !NOT_NAME.test(name)
}

const LABELLED =
  /^(?:by|von|oleh|par|por|door|av|penulis|pewarta|reporter|autor(?:in)?|authors?|auteur|written by|posted by|article by|text|автор)[\s:]/i

export function isByline(line: string): boolean {
  return LABELLED.test(line)
}
