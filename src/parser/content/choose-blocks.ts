// Chooses blocks by their probability of being main content. A threshold of one half would be right
// if blocks were judged one by one; people judge the text as a whole, by what is missing and by
// what is too much. The threshold with the best expected balance of the two (F1) is lower on pages
// the forest is unsure of, so it is computed for each page.
import { ELEMENT } from '../html/html-names.ts'
import { hintHash, WordTable } from './hints.ts'
import type { Outline } from './outline.ts'
import { CLASSES, type PageClaim } from './page-kinds.ts'

const STEPS = 128
/** Limits of the threshold for any page: below is noise, above is text. */
const LOWEST = 0.1
const HIGHEST = 0.5

/** The blocks of a page; only the first `count` rows are valid. */
export type BlockChoice = {
  readonly probabilities: Float32Array
  readonly words: Float32Array
  readonly count: number
  /** 1 for the blocks to keep, 0 for the others. */
  readonly chosen: Uint8Array
}

/** Sets `chosen`; returns the threshold. */
export function chooseBlocks({ probabilities, words, count, chosen }: BlockChoice): number {
  const threshold = thresholdOf(probabilities, words, count)
  for (let row = 0; row < count; row++) chosen[row] = (probabilities[row] ?? 0) >= threshold ? 1 : 0
  return threshold
}

/** Working memory of `thresholdOf`. */
const SIZES = new Float64Array(STEPS)
const CONTENTS = new Float64Array(STEPS)

function thresholdOf(probabilities: Float32Array, words: Float32Array, count: number): number {
  const size = SIZES.fill(0)
  const content = CONTENTS.fill(0)
  let all = 0
  for (let row = 0; row < count; row++) {
    const probability = probabilities[row] ?? 0
    const step = Math.min(STEPS - 1, Math.floor(probability * STEPS))
    size[step] = (size[step] ?? 0) + (words[row] ?? 0)
    content[step] = (content[step] ?? 0) + (words[row] ?? 0) * probability
    all += (words[row] ?? 0) * probability
  }
  let taken = 0
  let right = 0
  let best = 0
  let threshold = HIGHEST
  for (let step = STEPS - 1; step >= 0; step--) {
    taken += size[step] ?? 0
    right += content[step] ?? 0
    const balance = taken + all > 0 ? (2 * right) / (taken + all) : 0
    if (balance > best) {
      best = balance
      threshold = step / STEPS
    }
  }
  return Math.min(HIGHEST, Math.max(LOWEST, threshold))
}

/** Limits of a gap between two chosen blocks: blocks, their words, and the least probability of each. */
const MAX_GAP = 4
const MAX_GAP_WORDS = 60
const LEAST_LIKELY = 0.02

/**
 * Fills short gaps within the chosen text, and between the title (the row of its heading, -1
 * without one) and its start. Reference manuals are full of lines that do not look like prose but
 * belong to the text: signatures, names, values. On other pages gaps are mostly real.
 */
export function fillGaps(
  { probabilities, words, count, chosen }: BlockChoice,
  titleRow: number,
): void {
  let last = titleRow < 0 ? count : titleRow
  for (let row = 0; row < count; row++) {
    if (chosen[row] !== 1) continue
    if (row - last > 1 && isGap(probabilities, words, last + 1, row)) chosen.fill(1, last + 1, row)
    last = row
  }
}

function isGap(
  probabilities: Float32Array,
  words: Float32Array,
  from: number,
  to: number,
): boolean {
  if (to - from > MAX_GAP) return false
  let sum = 0
  for (let row = from; row < to; row++) {
    if ((probabilities[row] ?? 0) < LEAST_LIKELY) return false
    sum += words[row] ?? 0
  }
  return sum <= MAX_GAP_WORDS
}

const TAKEN = new Set([ELEMENT.table, ELEMENT.pre, ELEMENT.dl])
/** Share of the chosen words. */
const NEARLY_ALL = 0.9
const LEAST_LIKELY_CELL = 0.02

/**
 * In a manual the tables, code and definition lists among the text belong to it, though they do not read
 * like text. Those in the container with nearly all of the chosen text are added.
 */
export function addTables(
  { probabilities, words, count, chosen }: BlockChoice,
  outline: Outline,
): void {
  const { blocks, containers } = outline
  const around = containerOf(outline, totalsOf(words, count, chosen))
  for (
    let row = containers.blockFrom[around] ?? 0;
    row < (containers.blockTo[around] ?? 0);
    row++
  ) {
    if (chosen[row] === 1 || (probabilities[row] ?? 0) < LEAST_LIKELY_CELL) continue
    if (isInTable(outline, blocks.container[row] ?? 0, around)) chosen[row] = 1
  }
}

/** Chosen words before each block. */
function totalsOf(words: Float32Array, count: number, chosen: Uint8Array): Float64Array {
  const totals = new Float64Array(count + 1)
  for (let row = 0; row < count; row++) {
    totals[row + 1] = (totals[row] ?? 0) + (chosen[row] === 1 ? (words[row] ?? 0) : 0)
  }
  return totals
}

/** The deepest container with nearly all of the chosen words. */
function containerOf({ containers }: Outline, totals: Float64Array): number {
  const wanted = NEARLY_ALL * (totals.at(-1) ?? 0)
  let found = 0
  for (let row = 1; row < containers.count; row++) {
    if (containers.parent[row] !== found) continue
    const to = totals[containers.blockTo[row] ?? 0] ?? 0
    if (to - (totals[containers.blockFrom[row] ?? 0] ?? 0) >= wanted) found = row
  }
  return found
}

function isInTable({ containers }: Outline, row: number, around: number): boolean {
  let at = row
  while (at > around) {
    if (TAKEN.has(containers.element[at] ?? 0)) return true
    at = containers.parent[at] ?? 0
  }
  return false
}

const DOCUMENTATION = CLASSES.indexOf('documentation')
const LISTING = CLASSES.indexOf('listing')
const COLLECTION = CLASSES.indexOf('collection')
const ARTICLE = CLASSES.indexOf('article')
const FORUM = CLASSES.indexOf('forum')
const PRODUCT = CLASSES.indexOf('product')
/** Threshold for the probability of a class. */
const MAYBE = 0.3
const MAYBE_SHELF = 0.4
/** A part is the page's text when it has this many likely words, and the rest of the page has fewer. */
const MIN_TEXT = 50
/** Share of all likely words. */
const MIN_LEFT_SHARE = 0.05

type SidePart = {
  /** Class and id words of the part. */
  readonly words?: string
  readonly elements?: readonly number[]
  /** Share of all likely words: if less is left without the part, the part is the page's text. */
  readonly leastLeft?: number
  /** By default the rule applies to every page. */
  readonly isOn?: (classes: ArrayLike<number>, claim: PageClaim) => boolean
}

const { fieldset, option, select, nav, aside, footer } = ELEMENT
const PARTS: readonly SidePart[] = [
  {
    words: 'comments commentlist comment disqus respond komentar kommentare',
    isOn: (classes, claim) => {
      const forum = classes[FORUM] ?? 0
      if (forum < MAYBE || claim === 'article') return true
      return claim === '' && forum < (classes[ARTICLE] ?? 0)
    },
  },
  // Comments within a question or an answer. Threads whose posts are called comments have little else.
  { leastLeft: 0.3 },
  {
    words: 'reviews bazaarvoice ugc yotpo bv okendo judgeme ulasan rezensionen bewertungen',
    isOn: (classes) => (classes[PRODUCT] ?? 0) > MAYBE,
  },
  { words: 'onetrust cookie cookies consent gdpr cookiebot cmp ccpa cookieconsent truste' },
  {
    words:
      'related recommended recommendations recommendation recommend similar upsell crosssell recirc outbrain taboola terkait rekomendasi',
  },
  {
    words: 'popular trending mostread populer terpopuler',
    isOn: (classes) => (classes[LISTING] ?? 0) + (classes[COLLECTION] ?? 0) < MAYBE_SHELF,
  },
  { words: 'signature postprofile userinfo avatar' },
  { words: 'toc tableofcontents' },
  {
    words: 'disclaimer disclaimers copyright',
    isOn: (classes) => (classes[DOCUMENTATION] ?? 0) < MAYBE,
  },
  { elements: [fieldset, option, select] },
  { elements: [nav, aside, footer] },
]
/** `category-cookies tag-avatar`: the words after these name the subject of a post, not its kind. */
const SUBJECTS = ['category', 'tag', 'cat']
const SUBJECT = 1 << PARTS.length
const ANSWERS = ['question', 'answer']
const ANSWER = 1 << (PARTS.length + 1)
/** The first two parts. */
const COMMENTS = 1
const REMARKS = 2
const WORDS = new WordTable([
  ...PARTS.flatMap(({ words = '' }, part) =>
    words
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => [hintHash(word), 1 << part] as const),
  ),
  ...SUBJECTS.map((word) => [hintHash(word), SUBJECT] as const),
  ...ANSWERS.map((word) => [hintHash(word), ANSWER] as const),
])
const ELEMENTS = new Uint16Array(256)
for (const [part, { elements = [] }] of PARTS.entries()) {
  for (const element of elements) ELEMENTS[element] = (ELEMENTS[element] ?? 0) | (1 << part)
}

/**
 * Gives a probability of 0 to blocks of parts that are beside the content of a page whatever their words:
 * readers' comments, product reviews, cookie consent, other pages of the site, option lists, and asides.
 * Comments and reviews are prose, so the forest takes them for content; the class names around them give
 * them away. A page that has little else (a page about cookies, a thread called comments) keeps them.
 */
export function removeSideParts(
  { probabilities, words, count }: BlockChoice,
  outline: Outline,
  { classes, claim }: { readonly classes: ArrayLike<number>; readonly claim: PageClaim },
): void {
  const { container } = outline.blocks
  const parts = partsOf(outline)
  const inside = new Float64Array(PARTS.length)
  let all = 0
  for (let row = 0; row < count; row++) {
    const likely = (probabilities[row] ?? 0) * ((words[row] ?? 0) + 1)
    all += likely
    for (let rest = (parts[container[row] ?? 0] ?? 0) & ~ANSWER; rest !== 0; rest &= rest - 1) {
      const part = 31 - Math.clz32(rest & -rest)
      inside[part] = (inside[part] ?? 0) + likely
    }
  }
  const least = Math.max(MIN_TEXT, MIN_LEFT_SHARE * all)
  let gone = 0
  for (const [part, { isOn, leastLeft = 0 }] of PARTS.entries()) {
    const likely = inside[part] ?? 0
    const isText = likely >= MIN_TEXT && all - likely < Math.max(least, leastLeft * all)
    if (likely > 0 && !isText && isOn?.(classes, claim) !== false) gone |= 1 << part
  }
  if (gone === 0) return
  let left = 0
  for (let row = 0; row < count; row++) {
    const isGone = ((parts[container[row] ?? 0] ?? 0) & gone) !== 0
    if (!isGone) left += (probabilities[row] ?? 0) * ((words[row] ?? 0) + 1)
  }
  // Each alone leaves enough, but all together leave nothing: the largest is the text.
  if (left < MIN_LEFT_SHARE * all) gone &= ~largestOf(inside, gone)
  for (let row = 0; row < count; row++) {
    if (((parts[container[row] ?? 0] ?? 0) & gone) !== 0) probabilities[row] = 0
  }
}

function largestOf(inside: Float64Array, among: number): number {
  const likely = inside.map((own, part) => ((among & (1 << part)) === 0 ? 0 : own))
  return 1 << likely.indexOf(Math.max(...likely))
}

/** Per container the parts it is in, one bit each. */
function partsOf({ containers }: Outline): Uint16Array {
  const parts = new Uint16Array(containers.count)
  const { element, parent, wordFrom, wordTo, words } = containers
  for (let row = 1; row < containers.count; row++) {
    const around = parts[parent[row] ?? 0] ?? 0
    let own = ELEMENTS[element[row] ?? 0] ?? 0
    for (let at = wordFrom[row] ?? 0; at < (wordTo[row] ?? 0); at++) {
      const named = WORDS.get(words[at] ?? 0)
      if (named === SUBJECT) break
      own |= named
    }
    if ((around & ANSWER) !== 0 && (own & COMMENTS) !== 0) own |= REMARKS
    parts[row] = around | own
  }
  return parts
}
