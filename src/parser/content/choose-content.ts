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
/** Shorter lines may stand in an article twice: a name before each answer, a heading. */
const MIN_COPY_WORDS = 2
const MIN_COPY_WORDS_ARTICLE = 8

/** Sets `chosen`; the probabilities are changed on the way. */
export function chooseContent(page: JudgedPage): void {
  const { probabilities, words, outline, columns, classes, count, chosen } = page
  const isManual = (classes[DOCUMENTATION] ?? 0) >= MAYBE
  if ((classes[LISTING] ?? 0) + (classes[COLLECTION] ?? 0) > SHELF) liftShelves(page)
  leaveOutSideParts(page, outline, classes)
  takeInEmbeddedPosts(page, outline)
  // Posts come in lists, too, and beside each stands what is not wanted.
  if ((classes[FORUM] ?? 0) < MAYBE) evenOut(probabilities, words, outline)
  else evenOutPosts(probabilities, words, outline)
  // Manuals say the same of many things: types of arguments, values, "returns nothing".
  if (!isManual) {
    const isArticle = (classes[ARTICLE] ?? 0) > LIKELY
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
