// A page's title: what `<title>` says, without the name of the site that it carries on every page,
// and in the words of the page's heading where both mean the same.
import { lettersOf, likenessOf, likenessOfWords, wordsOf } from './clean-text.ts'

export type Heading = {
  readonly text: string
  /** Where it begins in the visible text. */
  readonly at: number
  /** 1 to 6. */
  readonly level: number
}

export type TitleSources = {
  readonly titleTag: string
  readonly ogTitle: string
  /** The page's heading; '' without one. */
  readonly heading: string
  /** No other heading is of the first level. */
  readonly isOnlyHeading: boolean
  /** It is of the first level itself. */
  readonly isTopHeading: boolean
  /** What JSON-LD calls the page's subject; '' when it does not say. */
  readonly headline: string
  /** The page declares that it is an article. */
  readonly isArticle: boolean
  /** What the site calls itself; '' when it does not say. */
  readonly siteName: string
  readonly host: string
  /** The front page is named after the site: there the name is the title. */
  readonly isFrontPage: boolean
}

const MAX_TITLE = 1024
const MAX_PARTS = 8
const MAX_HEADINGS = 40
/** What stands between a title and the name of its site. */
const SEPARATOR =
  /\s+(?:[|•·»«›‹–—:/~⋅<>-]|::|--|\|\|)\s+|\s*[|»•]\s*|(?<=[A-Za-z\u00aa-\uffff]{3}): /
/** `2. ` and `1.3 `; a bare number may be part of a title. */
const SECTION = /^(?:\d{1,3}\.){1,6}\d{0,3}\s/
/** From here on two wordings are of the same thing, from here on one thing in two wordings, from here on clearly so. */
const SAME = 0.8
const SIMILAR = 0.5
const CLEAR = 0.66
/** What being the page's first-level heading is worth when another is worded more alike. */
const LEVEL_ONE = 0.25
/** And what being like the title's beginning is. */
const OPENING = 1.1
/** And what it keeps when it is like the end alone. */
const CLOSING = 0.7
/** Words of a headline; fewer may be a section's name. */
const MIN_HEADLINE = 3
const NO_WORDS: ReadonlySet<string> = new Set()

export function titleOf(sources: TitleSources): string {
  const { heading } = sources
  const tag = sources.titleTag.slice(0, MAX_TITLE)
  const og = sources.ogTitle.slice(0, MAX_TITLE)
  if (tag === '' || isSiteName(tag, sources)) {
    if (og !== '' && !isSiteName(og, sources)) return cleaned(og, sources)
    return heading || tag || og
  }
  if (isTitle(heading, tag, sources)) return heading
  const run = runLike(tag, og)
  return cleaned(run === '' ? tag : run, sources)
}

/** Whether the heading says what the title says; one of several must say it more clearly. */
function isTitle(heading: string, tag: string, sources: TitleSources): boolean {
  if (heading === '' || isSection(heading, tag)) return false
  if (heading.length > 2 * tag.length && !heading.startsWith(tag)) return false
  if (runLike(tag, heading) !== '' || likenessOf(heading, sources.ogTitle) >= SAME) return true
  if (sources.isFrontPage) return false
  if (isHeadline(sources)) return true
  const enough = sources.isOnlyHeading ? SIMILAR : CLEAR
  return [cleaned(tag, sources), openingOf(tag)].some((text) => likenessOf(heading, text) >= enough)
}

/**
 * Whether the heading is what an article's readers see as its title, though `<title>` is worded for
 * search engines. Learned from 1,571 pages: it is right where the heading stands alone and the page
 * declares an article, and wrong on other kinds of pages, where such a heading is a slogan.
 */
function isHeadline(sources: TitleSources): boolean {
  const { heading, headline, isOnlyHeading, isTopHeading, isArticle } = sources
  if (!isOnlyHeading || !isTopHeading) return false
  if (likenessOf(heading, headline) >= SAME) return true
  return isArticle && wordsOf(heading).size >= MIN_HEADLINE
}

/** It says nothing but the name of the site, which is no title of one of its pages. */
function isSiteName(text: string, { siteName, host, isFrontPage }: TitleSources): boolean {
  if (isFrontPage) return false
  const letters = lettersOf(text)
  if (letters.length < 3) return false
  return letters === lettersOf(siteName) || lettersOf(host).includes(letters)
}

/** A number that the title does not begin with is that of one section of many. */
function isSection(heading: string, titleTag: string): boolean {
  const number = SECTION.exec(heading)?.[0]
  return number !== undefined && !titleTag.includes(number)
}

/**
 * The heading that says what the title says; the first of the first level when none does. A title
 * begins with the page and ends with the site, so among equals the one that is its beginning wins.
 */
export function headingOf(
  headings: readonly Heading[],
  titleTag: string,
  ogTitle: string,
): Heading | null {
  const wordings = wordingsOf(titleTag, ogTitle)
  const opening = wordings[0]?.words ?? NO_WORDS
  const tops = headings.filter(({ level }) => level === 1)
  const banner = tops.length > 1 && ogTitle === '' ? tops[0] : null
  let best: Heading | null = null
  let bestScore = 0
  for (const heading of headings.slice(0, MAX_HEADINGS)) {
    if (isSection(heading.text, titleTag)) continue
    const isFirst = heading.level === 1
    const likeness = likestOf(heading.text, wordings, isFirst)
    if (likeness < (isFirst ? SIMILAR : SAME)) continue
    const worth = heading === banner && isApart(heading.text, opening) ? CLOSING : 1
    const score = likeness * worth + (isFirst ? LEVEL_ONE : 0)
    if (score <= bestScore) continue
    best = heading
    bestScore = score
  }
  return best ?? tops[0] ?? null
}

/** Nothing of a title's beginning is in it: it may be what all pages of the site have on top. */
function isApart(text: string, opening: ReadonlySet<string>): boolean {
  return wordsOf(text).isDisjointFrom(opening)
}

/** One of the ways in which a page may word its title. */
type Wording = {
  readonly length: number
  readonly words: ReadonlySet<string>
  readonly worth: number
}

function wordingsOf(titleTag: string, ogTitle: string): readonly Wording[] {
  const opening = openingOf(titleTag)
  const wordings = [{ length: opening.length, words: wordsOf(opening), worth: OPENING }]
  for (const title of new Set([titleTag, ogTitle])) {
    if (title === '' || title === opening) continue
    wordings.push({ length: title.length, words: wordsOf(title), worth: 1 })
  }
  return wordings
}

/** Texts of very different length cannot be the same: they are not even taken apart. */
function likestOf(text: string, wordings: readonly Wording[], isFirst: boolean): number {
  const { length } = text
  const near = isFirst
    ? wordings
    : wordings.filter((wording) => length < 2 * wording.length && wording.length < 2 * length)
  if (near.length === 0) return 0
  const words = wordsOf(text)
  return Math.max(...near.map((wording) => likenessOfWords(words, wording.words) * wording.worth))
}

/** What a title begins with: the page's part of it, as a rule. */
export function openingOf(title: string): string {
  return title.split(SEPARATOR, 1)[0] ?? ''
}

/** The stretch at the beginning or the end of a title that is worded like another text. */
function runLike(title: string, text: string): string {
  if (text === '') return ''
  if (title === text) return title
  const parts = title.split(SEPARATOR).slice(0, MAX_PARTS)
  const words = wordsOf(text)
  let best = ''
  let bestLikeness = 0
  for (const run of runsOf(title, parts)) {
    const likeness = likenessOfWords(wordsOf(run), words)
    if (likeness < SAME || likeness <= bestLikeness) continue
    best = run
    bestLikeness = likeness
  }
  return best
}

function runsOf(title: string, parts: readonly string[]): readonly string[] {
  const runs = [title]
  for (let cut = 1; cut < parts.length; cut++) {
    runs.push(stretch(title, parts, 0, cut), stretch(title, parts, cut, parts.length))
  }
  return runs
}

/** Without what only names the site, at the beginning or from somewhere to the end. */
function cleaned(title: string, sources: TitleSources): string {
  const parts = title.split(SEPARATOR).slice(0, MAX_PARTS)
  if (parts.length === 1 || sources.isFrontPage) return title
  const named = parts.map((part) => namesSite(part, sources))
  const from = named[0] === true ? 1 : 0
  const end = named.indexOf(true, from + 1)
  const rest = stretch(title, parts, from, end < 0 ? parts.length : end)
  return isEnough(rest, sources) ? rest : title
}

/** One word left alone says little, unless the page calls itself by it elsewhere too. */
function isEnough(rest: string, { heading, ogTitle }: TitleSources): boolean {
  if (wordsOf(rest).size > 1) return true
  return rest !== '' && (likenessOf(rest, heading) >= SAME || likenessOf(rest, ogTitle) >= SAME)
}

/** The title from one part to before another, with what stands between them. */
function stretch(title: string, parts: readonly string[], from: number, to: number): string {
  let at = 0
  let start = 0
  for (const [index, part] of parts.entries()) {
    const found = title.indexOf(part, at)
    if (index === from) start = found
    at = found + part.length
    if (index === to - 1) return title.slice(start, at).trim()
  }
  return title.slice(start).trim()
}

function namesSite(part: string, { siteName, host }: TitleSources): boolean {
  if (siteName !== '' && sharesName(wordsOf(part), wordsOf(siteName))) return true
  const letters = lettersOf(part)
  if (letters.length >= 3 && lettersOf(host).includes(letters)) return true
  const initials = initialsOf(part)
  return initials.length >= 3 && host.split('.').includes(initials)
}

function initialsOf(part: string): string {
  let initials = ''
  for (const word of part.toLowerCase().split(/[^\p{L}\p{N}]+/u)) initials += word.slice(0, 1)
  return initials
}

/** One is the other, give or take two words: `REI` and `REI Co-op`. */
function sharesName(part: ReadonlySet<string>, name: ReadonlySet<string>): boolean {
  const [few, many] = part.size < name.size ? [part, name] : [name, part]
  return few.size > 0 && many.size - few.size <= 2 && few.isSubsetOf(many)
}
