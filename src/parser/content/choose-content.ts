// From what the forests say of a page's blocks to the ones that are kept: nothing twice, nothing that only
// stands beside the content, lists as wholes, a threshold for this page, and in manuals no holes. One
// place, so that training measures what the parser does.
import { FEATURES } from '../features/block-features.ts'
import { type Choice, chooseBlocks, fillGaps } from './choose-blocks.ts'
import { leaveOutCopies } from './copies.ts'
import { takeInEmbeddedPosts } from './embedded-posts.ts'
import { evenOut, evenOutPosts } from './even-out.ts'
import { CLASSES } from './kinds.ts'
import type { Outline } from './outline.ts'
import type { PageClaim } from './page-claim.ts'
import { leaveOutSideParts } from './side-parts.ts'
import { takeInTables } from './take-in-tables.ts'

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
