// Chooses the blocks to keep from the probabilities of the forests: no copies, no side parts, lists
// as wholes, a threshold for this page, and no gaps in manuals. All steps are here, so that
// training measures the same as the parser does.
import { ELEMENT } from '../html/html-names.ts'
import {
  addTables,
  type BlockChoice,
  chooseBlocks,
  fillGaps,
  removeSideParts,
} from './choose-blocks.ts'
import { hintHash, WordTable } from './hints.ts'
import type { Outline } from './outline.ts'
import { CLASSES, type PageClaim } from './page-kinds.ts'

export type ScoredPage = BlockChoice & {
  readonly outline: Outline
  /** The text of the blocks. */
  readonly bytes: Uint8Array
  /** Per block the level of its heading, 0 for none. */
  readonly heading: Float32Array
  /** The probability of each class, in the order of CLASSES. */
  readonly classes: ArrayLike<number>
  /** The kind of page its URL and head claim. */
  readonly claim: PageClaim
}

const ARTICLE = CLASSES.indexOf('article')
const DOCUMENTATION = CLASSES.indexOf('documentation')
const FORUM = CLASSES.indexOf('forum')
const LISTING = CLASSES.indexOf('listing')
const COLLECTION = CLASSES.indexOf('collection')
/** Thresholds for the probability of a class. */
const MAYBE = 0.3
const LIKELY = 0.6
const MIN_LISTING = 0.4
/** On listings log-odds are multiplied by this, and then raised. */
const LISTING_SLOPE = 0.6
const LISTING_LIFT = 0.2
/** A page with fewer words of content is small; log-odds grow with this exponent the smaller it is. */
const SMALL = 300
const SMALL_LIFT = 0.7
const SMALLEST = 20
/** Less likely blocks are noise there, too. */
const LEAST_LIKELY = 0.05
/** Shorter lines may repeat in an article: a name before each answer, a heading. */
const MIN_COPY_WORDS = 2
const MIN_COPY_WORDS_ARTICLE = 8

/** Sets `chosen`, and changes the probabilities. */
export function chooseContent(page: ScoredPage): void {
  const { probabilities, words, outline, heading, classes, count, chosen } = page
  const isManual = (classes[DOCUMENTATION] ?? 0) >= MAYBE
  const isArticle = (classes[ARTICLE] ?? 0) > LIKELY
  const isThread = (classes[FORUM] ?? 0) >= MAYBE
  const listing = (classes[LISTING] ?? 0) + (classes[COLLECTION] ?? 0)
  if (listing > Math.max(MIN_LISTING, classes[FORUM] ?? 0)) raiseListings(page)
  else if (!isThread && !isArticle && !isManual) raiseSmallPages(page)
  removeSideParts(page, outline, page)
  raiseEmbeddedPosts(page, outline)
  // Posts are in lists, too, with unwanted blocks beside each.
  if (isThread) smoothPosts(probabilities, words, outline)
  else smoothLists(probabilities, words, outline)
  // Manuals repeat themselves: types of arguments, values, "returns nothing".
  if (!isManual) {
    removeCopies(page, page, isArticle ? MIN_COPY_WORDS_ARTICLE : MIN_COPY_WORDS)
  }
  chooseBlocks(page)
  // A single block must be the content.
  if (count === 1) chosen[0] = 1
  if (!isManual) return
  addTables(page, outline)
  fillGaps(page, heading.subarray(0, count).indexOf(1))
}

/**
 * The forest mostly learned from long texts, and beside those the tables and short lines of a small page
 * look like noise: where it gives a probability of one in seven there, two words in five are content.
 */
function raiseSmallPages({ probabilities, words, count }: BlockChoice): void {
  let expected = 0
  for (let row = 0; row < count; row++) expected += (probabilities[row] ?? 0) * (words[row] ?? 0)
  if (expected >= SMALL) return
  const lift = (SMALL / Math.max(expected, SMALLEST)) ** SMALL_LIFT
  for (let row = 0; row < count; row++) {
    const likely = probabilities[row] ?? 0
    if (likely >= LEAST_LIKELY) probabilities[row] = (likely * lift) / (1 + likely * (lift - 1))
  }
}

/**
 * The entries of a listing are kept or dropped together, so an error of the forest affects all of
 * them, and it is less sure than it says. Short lines with a link are noise on most pages, so it
 * drops too many of them on listings.
 */
function raiseListings({ probabilities, count }: BlockChoice): void {
  const lift = Math.exp(-LISTING_LIFT)
  for (let row = 0; row < count; row++) {
    const likely = probabilities[row] ?? 0
    const odds = (likely / Math.max(1e-6, 1 - likely)) ** LISTING_SLOPE
    probabilities[row] = odds / (odds + lift)
  }
}

/** Less likely blocks are hardly ever chosen, and comparing them costs time. */
const LEAST_LIKELY_COPY = 0.05
/** A later copy must be more likely by this much to replace the first one. */
const MARGIN = 0.1
const PRIME = 0x01000193
const OTHER_PRIME = 0x85ebca6b
const CASE_BIT = 32
/** Per byte: its value in the comparison, 0 for white space and signs. Case is ignored. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isDigit = byte >= 48 && byte <= 57
  const isLetter = (byte | CASE_BIT) >= 97 && (byte | CASE_BIT) <= 122
  if (byte >= 128 || isDigit) return byte
  return isLetter ? byte | CASE_BIT : 0
})

/**
 * Removes text that occurs on a page more than once: the article again in machine-readable form, the name
 * of a product for the image, the link and the screen reader, a post quoted by the next one. The likeliest
 * of equal blocks is kept, and the first of equally likely ones. Makes copies of blocks with at least
 * `minWords` words unlikely.
 */
export function removeCopies(
  { probabilities, words, count }: BlockChoice,
  { outline, bytes }: { readonly outline: Outline; readonly bytes: Uint8Array },
  minWords: number,
): void {
  const { blocks } = outline
  const kept = new Map<number, number>()
  for (let row = 0; row < count; row++) {
    const likely = probabilities[row] ?? 0
    if ((words[row] ?? 0) < minWords || likely < LEAST_LIKELY_COPY) continue
    const key = keyOf(bytes, blocks.textFrom[row] ?? 0, blocks.textTo[row] ?? 0)
    const other = kept.get(key)
    if (other === undefined || areSimilarSiblings(outline, row, other)) kept.set(key, row)
    else if (likely > (probabilities[other] ?? 0) + MARGIN) {
      probabilities[other] = 0
      kept.set(key, row)
    } else probabilities[row] = 0
  }
}

/** Whether both are similar siblings, like paragraphs of one text, where a repetition is intended. */
function areSimilarSiblings({ blocks, containers }: Outline, row: number, other: number): boolean {
  const own = blocks.container[row] ?? 0
  const its = blocks.container[other] ?? 0
  const isLike = containers.signature[own] === containers.signature[its]
  return own !== its && isLike && containers.parent[own] === containers.parent[its]
}

/**
 * Equal for equal letters and digits, whatever is between them. 53 bits make accidental equality unlikely.
 */
function keyOf(bytes: Uint8Array, from: number, to: number): number {
  let low = 0x811c9dc5
  let high = 0
  for (let at = from; at < to; at++) {
    const letter = LETTERS[bytes[at] ?? 0] ?? 0
    if (letter === 0) continue
    low = Math.imul(low ^ letter, PRIME)
    high = Math.imul(high + letter, OTHER_PRIME) ^ (high >>> 15)
  }
  return (low >>> 0) * 2 ** 21 + (high >>> 11)
}

/** Class names of the quotes that these sites provide for embedding. */
const SITES = new WordTable(
  ['tweet', 'twitter', 'instagram', 'tiktok', 'bluesky', 'mastodon'].map((word) => [
    hintHash(word),
    1,
  ]),
)

/**
 * Embedded posts of other sites. Their class names say social media, like those of share buttons, and they
 * are short, so the forest takes them for noise. They get the probability of the likelier text beside them.
 */
export function raiseEmbeddedPosts(
  { probabilities }: BlockChoice,
  { blocks, containers }: Outline,
): void {
  const { element, blockFrom, blockTo } = containers
  for (let row = 1; row < containers.count; row++) {
    if (element[row] !== ELEMENT.blockquote || !isEmbedded(containers, row)) continue
    const from = blockFrom[row] ?? 0
    const to = Math.min(blockTo[row] ?? 0, blocks.count)
    const before = from > 0 ? (probabilities[from - 1] ?? 0) : 0
    const behind = to < blocks.count ? (probabilities[to] ?? 0) : 0
    const likely = Math.max(before, behind)
    for (let block = from; block < to; block++) {
      probabilities[block] = Math.max(probabilities[block] ?? 0, likely)
    }
  }
}

function isEmbedded({ wordFrom, wordTo, words }: Outline['containers'], row: number): boolean {
  for (let at = wordFrom[row] ?? 0; at < (wordTo[row] ?? 0); at++) {
    if (SITES.get(words[at] ?? 0) !== 0) return true
  }
  return false
}

const WHOLES = new Set([ELEMENT.ul, ELEMENT.ol, ELEMENT.dl, ELEMENT.table, ELEMENT.blockquote])
/** Larger ones are not lists in a text but the structure of the page: its posts, its entries. */
const MAX_BLOCKS = 40
const MAX_WORDS_PER_BLOCK = 30
/** How far a block is drawn, 0 to 1. */
const DRAWN = 0.75
/**
 * The same for blocks at the same place of each post, and the number of containers that identify a place.
 */
const DRAWN_IN_POSTS = 0.6
const LEVELS = 3
const MAX_WEIGHT = 40

/**
 * Lists, tables and quotes are more or less kept or dropped as wholes: a list without its first entry is
 * worse than none. So the probability of each of their blocks is drawn towards their average.
 */
export function smoothLists(
  probabilities: Float32Array,
  words: Float32Array,
  outline: Outline,
): void {
  const { blocks } = outline
  const isLayout = layouts(outline)
  let row = 0
  while (row < blocks.count) {
    const whole = wholeAround(outline, row)
    if (whole < 0 || isLayout[whole] === 1) {
      row++
      continue
    }
    // A nested whole is separate: only the blocks before and after it belong to this one.
    const from = row
    row++
    while (row < blocks.count && wholeAround(outline, row) === whole) row++
    draw(probabilities, words, from, row)
  }
}

/** 1 for layout containers: they contain text with a heading. */
function layouts({ containers }: Outline): Uint8Array {
  const { element, parent, count } = containers
  const isLayout = new Uint8Array(count)
  for (let row = 1; row < count; row++) {
    const own = element[row] ?? 0
    if (own < ELEMENT.h1 || own > ELEMENT.h6) continue
    for (let up = parent[row] ?? 0; up > 0 && isLayout[up] === 0; up = parent[up] ?? 0) {
      isLayout[up] = 1
    }
  }
  return isLayout
}

/** The innermost list, table or quote around a block; -1 for none. */
function wholeAround({ blocks, containers }: Outline, row: number): number {
  let at = blocks.container[row] ?? 0
  while (at > 0) {
    if (WHOLES.has(containers.element[at] ?? 0)) return at
    at = containers.parent[at] ?? 0
  }
  return -1
}

function draw(probabilities: Float32Array, words: Float32Array, from: number, to: number): void {
  let sum = 0
  let all = 0
  for (let row = from; row < to; row++) {
    const weight = (words[row] ?? 0) + 1
    sum += weight * (probabilities[row] ?? 0)
    all += weight
  }
  if (to - from > MAX_BLOCKS || all > (MAX_WORDS_PER_BLOCK + 1) * (to - from)) return
  for (let row = from; row < to; row++) {
    probabilities[row] = (1 - DRAWN) * (probabilities[row] ?? 0) + DRAWN * (sum / all)
  }
}

/**
 * Blocks at the same place of each post of a thread are more or less kept or dropped together: a short
 * answer is part of a post like a long one, and a user's rank is not, though it may read like a sentence.
 */
export function smoothPosts(
  probabilities: Float32Array,
  words: Float32Array,
  outline: Outline,
): void {
  const { count } = outline.blocks
  const places = new Map<number, { count: number; sum: number; all: number }>()
  for (let row = 0; row < count; row++) {
    const key = placeOf(outline, row)
    const place = places.get(key) ?? { count: 0, sum: 0, all: 0 }
    const weight = Math.min(words[row] ?? 0, MAX_WEIGHT) + 1
    places.set(key, place)
    place.count++
    place.sum += weight * (probabilities[row] ?? 0)
    place.all += weight
  }
  for (let row = 0; row < count; row++) {
    const place = places.get(placeOf(outline, row))
    if (place === undefined || place.count < 2) continue
    const mean = place.sum / place.all
    probabilities[row] = (1 - DRAWN_IN_POSTS) * (probabilities[row] ?? 0) + DRAWN_IN_POSTS * mean
  }
}

/** Equal for blocks in containers of the same names. */
function placeOf({ blocks, containers }: Outline, row: number): number {
  let at = blocks.container[row] ?? 0
  let key = 0
  for (let level = 0; level < LEVELS && at > 0; level++) {
    key = (Math.imul(key, 31) + Math.imul(containers.signature[at] ?? 0, 0x9e3779b1)) | 0
    at = containers.parent[at] ?? 0
  }
  return key
}
