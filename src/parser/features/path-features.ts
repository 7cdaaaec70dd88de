// The element of a block, its ancestors, and their class names.
import { ELEMENT } from '../html/html-names.ts'
import type { BlockView, FeatureGroup } from './block-view.ts'
import { HIDDEN_BIT, PATH_ELEMENTS } from './container-facts.ts'
import { hintMask } from './hint-words.ts'

/** Elements directly around a block, grouped by their meaning. */
const OWN_ELEMENTS: readonly (readonly [feature: string, elements: readonly number[]])[] = [
  ['is-p', [ELEMENT.p]],
  ['is-li', [ELEMENT.li]],
  ['is-cell', [ELEMENT.td, ELEMENT.th, ELEMENT.tr]],
  ['is-div', [ELEMENT.div]],
  ['is-caption', [ELEMENT.figcaption, ELEMENT.caption, ELEMENT.figure]],
]
/** By element number: the position in OWN_ELEMENTS from 1, 0 for none. */
const OWN_FEATURE = new Uint8Array(256)
for (const [at, [, elements]] of OWN_ELEMENTS.entries()) {
  for (const element of elements) OWN_FEATURE[element] = at + 1
}
const PATH = PATH_ELEMENTS.map((name) => `in-${name}`)
const NOISE = hintMask(
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
