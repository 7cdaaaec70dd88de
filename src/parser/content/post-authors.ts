// Finds the authors of the posts of a thread. Forums put names beside the posts rather than into
// them: before each or after each, at the same place of the same markup. Lines with a user's name
// are grouped by place, and the place that serves most texts is the place of the authors.
import { decodeHTML } from 'entities/decode'
import { monthNumber } from '../about/written-date.ts'
import { ELEMENT } from '../html/html-names.ts'
import type { HtmlReading } from '../html/html-reader.ts'
import { hintHash } from './hints.ts'
import type { Outline } from './outline.ts'

/** Class and id words of a user's name. */
const NAMES = new Set(
  'username author user member name nickname poster displayname userinfo postprofile profile creator'
    .split(' ')
    .map(hintHash),
)
/** Number of containers around a line whose words count, and whose elements identify its place. */
const LEVELS = 3
const MAX_BYTES = 160
/** A line with more markup is not a name. */
const MAX_SOURCE_BYTES = 2048
const MAX_LINES = 4000
const MAX_POSTS = 1000

type Read = Pick<HtmlReading, 'outline' | 'source' | 'text'>
/** A line with a name; a lower level is more reliable. */
type Line = NamePiece & {
  readonly block: number
  /** Whether the block is the name and nothing else; known for chosen blocks only. */
  readonly isBare: boolean
}
type Place = { readonly lines: Line[]; level: number }

export type Posts = {
  /** The first chosen block of each post, and its author. */
  readonly starts: ReadonlyMap<number, string>
  /** Blocks that only name an author. */
  readonly bylines: ReadonlySet<number>
}

/** The distinct names in the order of the posts. */
export function postAuthors(reading: Read, chosen: Uint8Array): string[] {
  return [...new Set(postsOf(reading, chosen).starts.values())]
}

export function postsOf(reading: Read, chosen: Uint8Array): Posts {
  const places = [...placesOf(reading, chosen)]
  let starts: Map<number, Line> = new Map()
  let best: Place = { lines: [], level: LEVELS + 1 }
  for (const place of places) {
    for (const posts of [postsBehind(place, chosen), postsBefore(place, chosen)]) {
      const isSurer = posts.size === starts.size && place.level < best.level
      if (posts.size <= starts.size && !isSurer) continue
      starts = posts
      best = place
    }
  }
  const names = [...starts].map(([start, { name }]) => [start, name] as const)
  return { starts: new Map(names), bylines: bylinesOf(places, best, starts) }
}

/**
 * The lines that gave a post its author or are a mere name, and others that repeat the name within a
 * post. Text beside a name that no post took stays.
 */
function bylinesOf(
  places: readonly Place[],
  best: Place,
  starts: ReadonlyMap<number, Line>,
): Set<number> {
  const given = [...starts.values(), ...best.lines.filter(({ isBare }) => isBare)]
  const bylines = new Set(given.map(({ block }) => block))
  const lines = places.flatMap((place) => place.lines).sort((a, b) => a.block - b.block)
  const posts = [...starts].sort(([a], [b]) => a - b)
  let at = -1
  for (const { block, name } of lines) {
    while ((posts[at + 1]?.[0] ?? Number.POSITIVE_INFINITY) <= block) at++
    if (posts[at]?.[1].name === name) bylines.add(block)
  }
  return bylines
}

/** Lines with names, by their place. */
function placesOf({ outline, source, text }: Read, chosen: Uint8Array): Iterable<Place> {
  const { blocks } = outline
  const places = new Map<number, Place>()
  let count = 0
  for (let block = 0; block < blocks.count && count < MAX_LINES; block++) {
    const textFrom = blocks.textFrom[block] ?? 0
    const textTo = blocks.textTo[block] ?? 0
    if (textTo - textFrom > MAX_BYTES || isQuoted(outline, block)) continue
    const from = blocks.sourceFrom[block] ?? 0
    const to = blocks.sourceTo[block] ?? 0
    if (to - from > MAX_SOURCE_BYTES) continue
    const around = { level: levelOf(outline, block), most: LEVELS }
    const piece = nameIn(source.toString('utf8', from, to), around)
    if (piece === null || (chosen[block] === 1 && piece.level > 0)) continue
    const beside = chosen[block] === 1 ? textBeside(text.slice(textFrom, textTo), piece.name) : ''
    // A chosen block with more than a name is a sentence of a post that names somebody.
    if (!isByline(beside)) continue
    count++
    const key = placeOf(outline, block)
    const place = places.get(key) ?? { lines: [], level: LEVELS }
    places.set(key, place)
    place.lines.push({ ...piece, block, isBare: beside === '' })
    place.level = Math.min(place.level, piece.level)
  }
  return places.values()
}

/** Posts that begin after the line with their author's name. */
function postsBehind({ lines }: Place, chosen: Uint8Array): Map<number, Line> {
  const posts = new Map<number, Line>()
  for (const [at, line] of lines.entries()) {
    const start = firstChosen(chosen, line.block + 1, lines[at + 1]?.block ?? chosen.length)
    if (start >= 0 && posts.size < MAX_POSTS) posts.set(start, line)
  }
  return posts
}

/** Posts that end before it. */
function postsBefore({ lines }: Place, chosen: Uint8Array): Map<number, Line> {
  const posts = new Map<number, Line>()
  for (const [at, line] of lines.entries()) {
    const start = firstChosen(chosen, (lines[at - 1]?.block ?? -1) + 1, line.block)
    if (start >= 0 && posts.size < MAX_POSTS) posts.set(start, line)
  }
  return posts
}

/** -1 for none. */
function firstChosen(chosen: Uint8Array, from: number, to: number): number {
  const found = chosen.subarray(from, to).indexOf(1)
  return found < 0 ? -1 : from + found
}

/** Equal for lines in the same elements. */
function placeOf({ blocks, containers }: Outline, block: number): number {
  let at = blocks.container[block] ?? 0
  let key = 0
  for (let level = 0; level < LEVELS && at > 0; level++) {
    key = 256 * key + (containers.element[at] ?? 0)
    at = containers.parent[at] ?? 0
  }
  return key
}

function isQuoted({ blocks, containers }: Outline, block: number): boolean {
  let at = blocks.container[block] ?? 0
  for (; at > 0; at = containers.parent[at] ?? 0) {
    if (containers.element[at] === ELEMENT.blockquote) return true
  }
  return false
}

/** How many containers out the class names a user; LEVELS when none does. */
function levelOf({ blocks, containers }: Outline, block: number): number {
  let at = blocks.container[block] ?? 0
  for (let level = 0; level < LEVELS && at > 0; level++) {
    for (let word = containers.wordFrom[at] ?? 0; word < (containers.wordTo[at] ?? 0); word++) {
      if (NAMES.has(containers.words[word] ?? 0)) return level
    }
    at = containers.parent[at] ?? 0
  }
  return LEVELS
}

const LINK = /^\/?a(?![\w-])/i
/** Characters of a tag: the rest contains no name. */
const MAX_TAG = 240
const CALLED_A_NAME =
  /\b(?:class|itemprop|rel|id)\s*=\s*["']?[^"'>]*(?:user-?name|nick-?name|display-?name|screen-?name|\b(?:author|creator|poster|member)\b)/i
const LEADS_TO_ONE =
  /\bhref\s*=\s*["']?[^"'>\s]*(?:\/(?:users?|u|members?|profiles?|people|authors?)\b|[/?&](?:memberlist|member|profile|user|showuser)\b|[?&;](?:u|uid|user_?id)=|\/@\w)/i
/** Names somebody within a text. */
const MENTION = /\bclass\s*=\s*["']?[^"'>]*\bmention/i
const MAX_NAME = 60
/** Characters beside a name in a byline, without dates and numbers: `Posted by`, a rank. */
const MAX_BESIDE = 24
const SENTENCE_END = /[.!?…。！？]$/u
/** Dates, numbers of posts, a letter in place of an avatar. */
const NO_NAME = /\d{2}[:./]|^\d+(?: \p{L}+)?$|, (?:19|20)\d\d|:$|^.?$|^\P{L}*$/u
/** Other words in such lines. */
const NO_NAMES =
  /^(?:by|oleh|von|par|por|di|posted(?: by)?|written by|says?|said|wrote|post|posts?|quote|reply|share|report|like|likes|follow|message|messages|moderator|administrator|admin|member|guest|tamu|profile|online|offline|view (?:public )?profile|send message|author|op|original poster|thread starter|edited|joined|location|new|top|permalink|sign (?:up|in)|log ?in|log ?out|register|daftar|masuk|advertisement|sponsored|find (?:all|more) posts.*|visit .*|all posts.*)\W*$/i
const DAY_OF_MONTH = /^(?:\d{1,2}\.? (\p{L}+)|(\p{L}+)\.? \d{1,2})$/u
/** The short words of other languages are parts of names, too: `Von Neumann`, `di Maria`. */
const BY = /^(?:(?:by|oleh|posted by)[\s:]+|(?:von|par|por|di)\s?:\s*)/i

type NamePiece = {
  readonly name: string
  /** 0: the element itself is marked. Others: the distance of the marked ancestor, from 1. */
  readonly level: number
}

/**
 * Finds the name in the markup of a line of a forum; null without one. A line often contains more, with
 * nothing in between: the name and a rank, the name and a date. The markup separates them: the name is the
 * text of an element whose class names a user, or of a link to one. `around`: how many containers out a
 * class names a user, or more than are looked at.
 */
function nameIn(markup: string, around: { level: number; most: number }): NamePiece | null {
  let isNamed = false
  let isLinked = false
  let linked: string | null = null
  for (const { tag, text } of partsOf(markup)) {
    if (tag !== '') {
      const isLink = LINK.test(tag)
      if (tag.startsWith('/')) {
        isNamed = false
        if (isLink) isLinked = false
        continue
      }
      if (MENTION.test(tag)) continue
      if (isLink) isLinked = true
      if (CALLED_A_NAME.test(tag) || (isLink && LEADS_TO_ONE.test(tag))) isNamed = true
      continue
    }
    const name = nameOf(text)
    if (name === null) continue
    if (isNamed) return { name, level: 0 }
    if (isLinked) linked ??= name
  }
  return linked !== null && around.level < around.most
    ? { name: linked, level: around.level + 1 }
    : null
}

type Part = { readonly tag: string; readonly text: string }

/** Tags, without their angle brackets, and the texts between them; an unclosed tag ends the sequence. */
function* partsOf(markup: string): Generator<Part> {
  for (let at = 0; at < markup.length; ) {
    const next = markup.indexOf('<', at)
    const to = next < 0 ? markup.length : next
    if (to > at) yield { tag: '', text: markup.slice(at, to) }
    const end = next < 0 ? -1 : tagEnd(markup, next)
    if (end < 0) return
    yield { tag: markup.slice(next + 1, Math.min(end, next + MAX_TAG)), text: '' }
    at = end + 1
  }
}

/** Offset of the `>` of a tag, outside quotes; -1 without one. */
function tagEnd(markup: string, from: number): number {
  for (let at = from; at >= 0 && at < markup.length; at++) {
    const char = markup[at]
    if (char === '>') return at
    if (char !== '"' && char !== "'") continue
    at = markup.indexOf(char, at + 1)
    if (at < 0) return -1
  }
  return -1
}

function nameOf(text: string): string | null {
  const name = decodeHTML(text).replace(/\s+/g, ' ').trim().replace(BY, '')
  if (name.length > MAX_NAME || NO_NAME.test(name) || NO_NAMES.test(name)) return null
  const [, behind = '', before = behind] = DAY_OF_MONTH.exec(name) ?? []
  if (monthNumber(before) > 0) return null
  return name
}

/** What a line has beside the name, without dates and numbers. */
function textBeside(line: string, name: string): string {
  const words = line.replace(/\s+/g, ' ').replace(name, ' ').trim().replace(BY, '').split(' ')
  const others = words.filter((word) => !/\d/.test(word) && monthNumber(word) === 0)
  return others.join(' ').trim()
}

function isByline(beside: string): boolean {
  return beside.length <= MAX_BESIDE && !SENTENCE_END.test(beside)
}
