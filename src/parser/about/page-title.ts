// The title of a page: the text of `<title>` without the site name that every page carries, in the
// words of the page's heading where both mean the same.
import { lettersAndDigits, similarity, wordSet, wordSimilarity } from './clean-text.ts'

export type Heading = {
  readonly text: string
  /** Offset in the visible text. */
  readonly at: number
  /** 1 to 6. */
  readonly level: number
}

export type TitleSources = {
  readonly titleTag: string
  readonly ogTitle: string
  /** The page's heading; '' without one. */
  readonly heading: string
  /** There is no other first-level heading. */
  readonly isOnlyHeading: boolean
  readonly isTopHeading: boolean
  /** The name of the page's subject in JSON-LD; '' without one. */
  readonly headline: string
  readonly isArticle: boolean
  /** The declared name of the site; '' without one. */
  readonly siteName: string
  readonly host: string
  /** The front page is named after the site, so there the site name is the title. */
  readonly isFrontPage: boolean
}

const MAX_TITLE = 1024
const MAX_PARTS = 8
const MAX_HEADINGS = 40
/** Separates a title from the site name. */
const SEPARATOR =
  /\s+(?:[|•·»«›‹–—:/~⋅<>-]|::|--|\|\|)\s+|\s*[|»•]\s*|(?<=[A-Za-z\u00aa-\uffff]{3}): /
/** `2. ` and `1.3 `; a bare number may be part of a title. */
const SECTION = /^(?:\d{1,3}\.){1,6}\d{0,3}\s/
/** Similarity thresholds: the same thing, one thing in two wordings, and clearly so. */
const SAME = 0.8
const SIMILAR = 0.5
const CLEAR = 0.66
/** Bonus of a first-level heading over one that is worded more alike. */
const LEVEL_ONE = 0.25
/** Factor for a heading that is like the start of the title. */
const OPENING = 1.1
/** Factor for a heading that is only like the end of the title. */
const CLOSING = 0.7
/** Fewer words may be the name of a section. */
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
  const run = similarRun(tag, og)
  return cleaned(run === '' ? tag : run, sources)
}

/** Whether the heading says the same as the title; one of several headings must be more similar. */
function isTitle(heading: string, tag: string, sources: TitleSources): boolean {
  if (heading === '' || isSection(heading, tag)) return false
  if (heading.length > 2 * tag.length && !heading.startsWith(tag)) return false
  if (similarRun(tag, heading) !== '' || similarity(heading, sources.ogTitle) >= SAME) return true
  if (sources.isFrontPage) return false
  if (isHeadline(sources)) return true
  const enough = sources.isOnlyHeading ? SIMILAR : CLEAR
  return [cleaned(tag, sources), openingOf(tag)].some((text) => similarity(heading, text) >= enough)
}

/**
 * Whether readers of an article see the heading as its title although `<title>` is worded for
 * search engines. Learned from 1,571 pages: this is right where the heading is the only one and the
 * page declares an article, and wrong on other kinds of pages, where such a heading is a slogan.
 */
function isHeadline(sources: TitleSources): boolean {
  const { heading, headline, isOnlyHeading, isTopHeading, isArticle } = sources
  if (!isOnlyHeading || !isTopHeading) return false
  if (similarity(heading, headline) >= SAME) return true
  return isArticle && wordSet(heading).size >= MIN_HEADLINE
}

/** The text is only the name of the site, which is not the title of one of its pages. */
function isSiteName(text: string, { siteName, host, isFrontPage }: TitleSources): boolean {
  if (isFrontPage) return false
  const letters = lettersAndDigits(text)
  if (letters.length < 3) return false
  return letters === lettersAndDigits(siteName) || lettersAndDigits(host).includes(letters)
}

/** A number that the title does not start with belongs to one section of many. */
function isSection(heading: string, titleTag: string): boolean {
  const number = SECTION.exec(heading)?.[0]
  return number !== undefined && !titleTag.includes(number)
}

/**
 * The heading that says the same as the title; otherwise the first of the first level. A title
 * starts with the page and ends with the site, so among equals the heading at its start wins.
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
    const likeness = mostSimilar(heading.text, wordings, isFirst)
    if (likeness < (isFirst ? SIMILAR : SAME)) continue
    const worth = heading === banner && isApart(heading.text, opening) ? CLOSING : 1
    const score = likeness * worth + (isFirst ? LEVEL_ONE : 0)
    if (score <= bestScore) continue
    best = heading
    bestScore = score
  }
  return best ?? tops[0] ?? null
}

/** It shares no word with the start of the title: it may be on top of every page of the site. */
function isApart(text: string, opening: ReadonlySet<string>): boolean {
  return wordSet(text).isDisjointFrom(opening)
}

/** A possible wording of the title. */
type Wording = {
  readonly length: number
  readonly words: ReadonlySet<string>
  readonly worth: number
}

function wordingsOf(titleTag: string, ogTitle: string): readonly Wording[] {
  const opening = openingOf(titleTag)
  const wordings = [{ length: opening.length, words: wordSet(opening), worth: OPENING }]
  for (const title of new Set([titleTag, ogTitle])) {
    if (title === '' || title === opening) continue
    wordings.push({ length: title.length, words: wordSet(title), worth: 1 })
  }
  return wordings
}

/** Texts of very different length cannot be the same, so they are not compared by words. */
function mostSimilar(text: string, wordings: readonly Wording[], isFirst: boolean): number {
  const { length } = text
  const near = isFirst
    ? wordings
    : wordings.filter((wording) => length < 2 * wording.length && wording.length < 2 * length)
  if (near.length === 0) return 0
  const words = wordSet(text)
  return Math.max(...near.map((wording) => wordSimilarity(words, wording.words) * wording.worth))
}

/** The start of a title, which is usually the page's part. */
export function openingOf(title: string): string {
  return title.split(SEPARATOR, 1)[0] ?? ''
}

/** The part at the start or the end of a title that is worded like another text. */
function similarRun(title: string, text: string): string {
  if (text === '') return ''
  if (title === text) return title
  const parts = title.split(SEPARATOR).slice(0, MAX_PARTS)
  const words = wordSet(text)
  let best = ''
  let bestLikeness = 0
  for (const run of runsOf(title, parts)) {
    const likeness = wordSimilarity(wordSet(run), words)
    if (likeness < SAME || likeness <= bestLikeness) continue
    best = run
    bestLikeness = likeness
  }
  return best
}

function runsOf(title: string, parts: readonly string[]): readonly string[] {
  const runs = [title]
  for (let cut = 1; cut < parts.length; cut++) {
    runs.push(joinParts(title, parts, 0, cut), joinParts(title, parts, cut, parts.length))
  }
  return runs
}

/** The title without a site name at the start, or from some separator to the end. */
function cleaned(title: string, sources: TitleSources): string {
  const parts = title.split(SEPARATOR).slice(0, MAX_PARTS)
  if (parts.length === 1 || sources.isFrontPage) return title
  const named = parts.map((part) => namesSite(part, sources))
  const from = named[0] === true ? 1 : 0
  const end = named.indexOf(true, from + 1)
  const rest = joinParts(title, parts, from, end < 0 ? parts.length : end)
  return isEnough(rest, sources) ? rest : title
}

/** A single remaining word says little, unless the page also uses it elsewhere as its name. */
function isEnough(rest: string, { heading, ogTitle }: TitleSources): boolean {
  if (wordSet(rest).size > 1) return true
  return rest !== '' && (similarity(rest, heading) >= SAME || similarity(rest, ogTitle) >= SAME)
}

/** The title from one part to before another, with the separators between them. */
function joinParts(title: string, parts: readonly string[], from: number, to: number): string {
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
  if (siteName !== '' && sharesName(wordSet(part), wordSet(siteName))) return true
  const letters = lettersAndDigits(part)
  if (letters.length >= 3 && lettersAndDigits(host).includes(letters)) return true
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
