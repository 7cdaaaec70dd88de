// Position of a block: in the page, in its ancestors, and in the containers with most of the text.
import type { Outline } from '../content/outline.ts'
import { ELEMENT } from '../html/html-names.ts'
import type { BlockView, FeatureGroup } from './block-view.ts'
import { HIDDEN_BIT, PATH_ELEMENTS } from './container-facts.ts'
import { hintMask } from './hint-words.ts'

/** Number of ancestors considered, each with more blocks than the one before. */
const LEVELS = 4
const LEVEL_NAMES = Array.from({ length: LEVELS }, (_, level) =>
  ['words', 'link-density', 'good-share', 'block-words', 'page-share', 'hint'].map(
    (name) => `up${level}-${name}`,
  ),
)
/** Shares of the page's prose that make a container a dominant one. */
const SHARES = [0.4, 0.75] as const
const DOMINANT_NAMES = SHARES.map((_, at) =>
  ['in', 'from-start', 'from-end'].map((name) => `dominant${at}-${name}`),
)
/** Blocks to either side that count as near. */
const NEAR = 5

export const positionFeatures: FeatureGroup = {
  names: [
    ...LEVEL_NAMES.flat(),
    ...DOMINANT_NAMES.flat(),
    'near-links',
    'place',
    'text-place',
    'good-place',
    'page-words',
    'page-blocks',
    'page-links',
    'page-good',
  ],
  fill(view) {
    for (const [level, names] of LEVEL_NAMES.entries()) levelFacts(view, level, names)
    for (const [at, names] of DOMINANT_NAMES.entries()) dominant(view, SHARES[at] ?? 1, names)
    near(view)
    places(view)
  },
}

function levelFacts(view: BlockView, level: number, names: readonly string[]): void {
  const { outline, facts } = view
  const { blocks, containers } = outline
  const [words, links, good, blockWords, share, hint] = names.map(view.column)
  if (!words || !links || !good || !blockWords || !share || !hint) return
  const pageWords = Math.max(1, facts.words[blocks.count] ?? 0)
  let last = -1
  for (let row = 0; row < blocks.count; row++) {
    const own = blocks.container[row] ?? 0
    // All blocks of one container have the same values.
    if (own === last) {
      words[row] = words[row - 1] ?? 0
      links[row] = links[row - 1] ?? 0
      good[row] = good[row - 1] ?? 0
      blockWords[row] = blockWords[row - 1] ?? 0
      share[row] = share[row - 1] ?? 0
      hint[row] = hint[row - 1] ?? 0
    } else {
      const at = around(outline, own, level)
      const sum = facts.over(facts.words, outline, at)
      const size = (containers.blockTo[at] ?? 0) - (containers.blockFrom[at] ?? 0)
      words[row] = sum
      links[row] =
        facts.over(facts.linkBytes, outline, at) / Math.max(1, facts.over(facts.bytes, outline, at))
      good[row] = facts.over(facts.goodWords, outline, at) / Math.max(1, sum)
      blockWords[row] = sum / Math.max(1, size)
      share[row] = sum / pageWords
      hint[row] = facts.nearScore[at] ?? 0
      last = own
    }
  }
}

/** The ancestor that many levels up, each with more blocks than the one before. */
function around({ containers }: Outline, row: number, levels: number): number {
  let at = row
  for (let level = 0; level < levels && at > 0; level++) {
    const size = (containers.blockTo[at] ?? 0) - (containers.blockFrom[at] ?? 0)
    do at = containers.parent[at] ?? 0
    while (at > 0 && (containers.blockTo[at] ?? 0) - (containers.blockFrom[at] ?? 0) <= size)
  }
  return at
}

function dominant(
  { outline, facts, column }: BlockView,
  share: number,
  names: readonly string[],
): void {
  const { blocks, containers } = outline
  const row = facts.dominant(outline, share)
  const from = containers.blockFrom[row] ?? 0
  const to = containers.blockTo[row] ?? 0
  const [isIn, fromStart, fromEnd] = names.map(column)
  if (!isIn || !fromStart || !fromEnd) return
  for (let at = 0; at < blocks.count; at++) {
    isIn[at] = at >= from && at < to ? 1 : 0
    fromStart[at] = at - from
    fromEnd[at] = to - 1 - at
  }
}

function near({ outline: { blocks }, facts, column }: BlockView): void {
  const links = column('near-links')
  for (let row = 0; row < blocks.count; row++) {
    const from = Math.max(0, row - NEAR)
    const to = Math.min(blocks.count, row + NEAR + 1)
    const bytes = Math.max(1, (facts.bytes[to] ?? 0) - (facts.bytes[from] ?? 0))
    links[row] = ((facts.linkBytes[to] ?? 0) - (facts.linkBytes[from] ?? 0)) / bytes
  }
}

function places({ outline: { blocks }, facts, column }: BlockView): void {
  const { count } = blocks
  const words = Math.max(1, facts.words[count] ?? 0)
  const good = facts.goodWords[count] ?? 0
  const links = (facts.linkBytes[count] ?? 0) / Math.max(1, facts.bytes[count] ?? 0)
  const place = column('place')
  const textPlace = column('text-place')
  const goodPlace = column('good-place')
  for (let row = 0; row < count; row++) {
    place[row] = row / count
    textPlace[row] = (facts.words[row] ?? 0) / words
    goodPlace[row] = (facts.goodWords[row] ?? 0) / Math.max(1, good)
  }
  column('page-words').fill(facts.words[count] ?? 0, 0, count)
  column('page-blocks').fill(count, 0, count)
  column('page-links').fill(links, 0, count)
  column('page-good').fill(good / words, 0, count)
}

/** Elements directly around a block, grouped by their meaning. */
const OWN_ELEMENTS: readonly (readonly [feature: string, elements: readonly number[]])[] = [
  ['is-p', [ELEMENT.p]],
  ['is-li', [ELEMENT.li]],
  ['is-cell', [ELEMENT.td, ELEMENT.th, ELEMENT.tr]],
  ['is-div', [ELEMENT.div]],
  ['is-caption', [ELEMENT.figcaption, ELEMENT.caption, ELEMENT.figure]],
]
/** By element number: the position in OWN_ELEMENTS from 1, 0 for none. */
export const OWN_FEATURE = new Uint8Array(256)
for (const [at, [, elements]] of OWN_ELEMENTS.entries()) {
  for (const element of elements) OWN_FEATURE[element] = at + 1
}
const PATH = PATH_ELEMENTS.map((name) => `in-${name}`)
export const NOISE = hintMask(
  'nav',
  'footer',
  'sidebar',
  'share',
  'related',
  'promo',
  'overlay',
  'form',
  'paging',
)

export const pathFeatures: FeatureGroup = {
  names: [
    ...OWN_ELEMENTS.map(([name]) => name),
    'heading',
    'depth',
    ...PATH,
    'hidden',
    'own-noise',
    'hint-near',
    'hint-sum',
    'hint-min',
    'hint-max',
  ],
  fill(view) {
    elements(view)
    hints(view)
    bits(view, view.facts.elements, PATH)
  },
}

/** The element of a block, its ancestors, and their class names. */
function elements({ outline: { blocks, containers }, column }: BlockView): void {
  const columns = OWN_ELEMENTS.map(([name]) => column(name).fill(0, 0, blocks.count))
  const heading = column('heading')
  for (let row = 0; row < blocks.count; row++) {
    const element = containers.element[blocks.container[row] ?? 0] ?? 0
    const own = columns[(OWN_FEATURE[element] ?? 0) - 1]
    if (own !== undefined) own[row] = 1
    const level = element - ELEMENT.h1 + 1
    heading[row] = level >= 1 && level <= 6 ? level : 0
  }
}

function hints({ outline: { blocks }, facts, column }: BlockView): void {
  const depth = column('depth')
  const hidden = column('hidden')
  const ownNoise = column('own-noise')
  const near = column('hint-near')
  const sum = column('hint-sum')
  const min = column('hint-min')
  const max = column('hint-max')
  for (let row = 0; row < blocks.count; row++) {
    const at = blocks.container[row] ?? 0
    const own = facts.ownHints[at] ?? 0
    depth[row] = facts.depth[at] ?? 0
    hidden[row] = ((facts.hints[at] ?? 0) & HIDDEN_BIT) !== 0 ? 1 : 0
    ownNoise[row] = (own & NOISE) !== 0 ? 1 : 0
    near[row] = facts.nearScore[at] ?? 0
    sum[row] = facts.sumScore[at] ?? 0
    min[row] = facts.minScore[at] ?? 0
    max[row] = facts.maxScore[at] ?? 0
  }
}

/** One column per bit, in order. */
function bits(view: BlockView, bits: Int32Array, names: readonly string[]): void {
  const { container, count } = view.outline.blocks
  const columns = names.map((name) => view.column(name).fill(0, 0, count))
  const mask = (1 << names.length) - 1
  for (let row = 0; row < count; row++) {
    let rest = (bits[container[row] ?? 0] ?? 0) & mask
    while (rest !== 0) {
      const bit = 31 - Math.clz32(rest)
      const column = columns[bit]
      if (column !== undefined) column[row] = 1
      rest ^= 1 << bit
    }
  }
}
