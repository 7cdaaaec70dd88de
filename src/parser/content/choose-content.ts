// From what the forests say of a page's blocks to the ones that are kept: nothing twice, nothing that only
// stands beside the content, lists as wholes, a threshold for this page, and in manuals no holes. One
// place, so that training measures what the parser does.
import { FEATURES } from '../features/block-features.ts'
import { ELEMENT } from '../html/html-names.ts'
import { type Choice, chooseBlocks, fillGaps, takeInTables } from './choose-blocks.ts'
import { evenOut, evenOutPosts } from './even-out.ts'
import { hintHash, WordTable } from './hints.ts'
import type { Outline } from './outline.ts'
import type { PageClaim } from './page-kinds.ts'
import { CLASSES } from './page-kinds.ts'
import { leaveOutSideParts } from './side-parts.ts'

export type JudgedPage = Choice & {
  readonly outline: Outline
  /** The text the blocks lie in. */
  readonly bytes: Uint8Array
  /** The columns of its blocks (features/block-features.ts). */
  readonly columns: readonly Float32Array[]
  /** How likely it is of each class, in the order of CLASSES. */
  readonly classes: ArrayLike<number>
  /** What it claims to be. */
  readonly claim: PageClaim
}

const HEADING = FEATURES.indexOf('heading')
const ARTICLE = CLASSES.indexOf('article')
const DOCUMENTATION = CLASSES.indexOf('documentation')
const FORUM = CLASSES.indexOf('forum')
const LISTING = CLASSES.indexOf('listing')
const COLLECTION = CLASSES.indexOf('collection')
/** Of the probability of a class. */
const MAYBE = 0.3
const LIKELY = 0.6
const SHELF = 0.4
/** On shelves log-odds are this much nearer to nothing, and then higher. */
const SHELF_SLOPE = 0.6
const SHELF_LIFT = 0.2
/** Words of content below which a page is small, and how fast log-odds grow the smaller it is. */
const SMALL = 300
const SMALL_LIFT = 0.7
const SMALLEST = 20
/** What is less likely is noise there, too. */
const LEAST_LIKELY = 0.05
/** Shorter lines may stand in an article twice: a name before each answer, a heading. */
const MIN_COPY_WORDS = 2
const MIN_COPY_WORDS_ARTICLE = 8

/** Sets `chosen`; the probabilities are changed on the way. */
export function chooseContent(page: JudgedPage): void {
  const { probabilities, words, outline, columns, classes, count, chosen } = page
  const isManual = (classes[DOCUMENTATION] ?? 0) >= MAYBE
  const isArticle = (classes[ARTICLE] ?? 0) > LIKELY
  const isThread = (classes[FORUM] ?? 0) >= MAYBE
  const shelf = (classes[LISTING] ?? 0) + (classes[COLLECTION] ?? 0)
  if (shelf > Math.max(SHELF, classes[FORUM] ?? 0)) liftShelves(page)
  else if (!isThread && !isArticle && !isManual) liftSmall(page)
  leaveOutSideParts(page, outline, page)
  takeInEmbeddedPosts(page, outline)
  // Posts come in lists, too, and beside each stands what is not wanted.
  if (isThread) evenOutPosts(probabilities, words, outline)
  else evenOut(probabilities, words, outline)
  // Manuals say the same of many things: types of arguments, values, "returns nothing".
  if (!isManual) {
    leaveOutCopies(page, page, isArticle ? MIN_COPY_WORDS_ARTICLE : MIN_COPY_WORDS)
  }
  chooseBlocks(page)
  // There is nothing else that could be meant.
  if (count === 1) chosen[0] = 1
  if (!isManual) return
  takeInTables(page, outline)
  fillGaps(page, columns[HEADING]?.subarray(0, count).indexOf(1) ?? -1)
}

/**
 * Most of what the forest learned from are long texts, and beside one the tables and short lines of a small
 * page look like noise: of what it gives one chance in seven there, two words in five are content.
 */
function liftSmall({ probabilities, words, count }: Choice): void {
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
 * The entries of a listing stand or fall together, so where the forest errs it errs on all of them, and is
 * less sure than it says. Short lines with a link are noise on most pages: on these it takes too many for it.
 */
function liftShelves({ probabilities, count }: Choice): void {
  const lift = Math.exp(-SHELF_LIFT)
  for (let row = 0; row < count; row++) {
    const likely = probabilities[row] ?? 0
    const odds = (likely / Math.max(1e-6, 1 - likely)) ** SHELF_SLOPE
    probabilities[row] = odds / (odds + lift)
  }
}

// Text that stands on a page more than once: the article again for programs that read it, a name of a
// product for the picture, the link and the screen reader, a post quoted by the next one. A reader wants it
// once. Of equal blocks the likeliest is kept, and the first of those that are as likely.

/** What is less likely is hardly chosen; looking at it costs time. */
const LEAST_LIKELY_COPY = 0.05
/** A later one has to be more likely by this much: then the first was the copy. */
const MARGIN = 0.1
const PRIME = 0x01000193
const OTHER_PRIME = 0x85ebca6b
const CASE_BIT = 32
/** Per byte: what it is to a comparison, 0 for blanks and signs. Capitals are like small letters. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isDigit = byte >= 48 && byte <= 57
  const isLetter = (byte | CASE_BIT) >= 97 && (byte | CASE_BIT) <= 122
  if (byte >= 128 || isDigit) return byte
  return isLetter ? byte | CASE_BIT : 0
})

/** Makes copies of blocks of at least so many words unlikely. */
export function leaveOutCopies(
  { probabilities, words, count }: Choice,
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
    if (other === undefined || isBeside(outline, row, other)) kept.set(key, row)
    else if (likely > (probabilities[other] ?? 0) + MARGIN) {
      probabilities[other] = 0
      kept.set(key, row)
    } else probabilities[row] = 0
  }
}

/** Whether they are like paragraphs of one text: who says a thing twice in it means to. */
function isBeside({ blocks, containers }: Outline, row: number, other: number): boolean {
  const own = blocks.container[row] ?? 0
  const its = blocks.container[other] ?? 0
  const isLike = containers.signature[own] === containers.signature[its]
  return own !== its && isLike && containers.parent[own] === containers.parent[its]
}

/** Equal for equal letters and digits, whatever is between them; of 53 bits, so that no chance makes it so. */
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

// Posts of other sites that a text brings along to speak of them. What they stand in says social media, which
// is what buttons for sharing stand in, too, and they are short: so the forest takes them for noise. They
// are as likely as the likelier text beside them.

/** In the class of the quote that its site hands out to be embedded. */
const SITES = new WordTable(
  ['tweet', 'twitter', 'instagram', 'tiktok', 'bluesky', 'mastodon'].map((word) => [
    hintHash(word),
    1,
  ]),
)

export function takeInEmbeddedPosts(
  { probabilities }: Choice,
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
