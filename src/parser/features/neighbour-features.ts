// Neighbourhood of a block: the distance to prose and headings, and similar blocks on the whole page.
import type { BlockView, FeatureGroup } from './block-view.ts'

/** Shortest block that reads like prose. */
const GOOD_WORDS = 12
const GOOD_LINKS = 0.3
/** Larger distances are all the same. */
const FAR = 100
const VERY_FAR = 1000

export const neighbourFeatures: FeatureGroup = {
  names: [
    'group-count',
    'group-words',
    'group-share',
    'group-good',
    'path-count',
    'path-words',
    'path-links',
    'path-share',
    'path-twins',
    'since-good',
    'until-good',
    'since-heading',
    'until-heading',
    'last-heading',
    'since-h1',
  ],
  fill(view) {
    groups(view)
    namedAlike(view)
    since(view)
    until(view)
  },
}

/** The group of similar siblings that contains the block or one of its ancestors. */
function groups({ outline: { blocks }, facts, column }: BlockView): void {
  const count = column('group-count')
  const words = column('group-words')
  const share = column('group-share')
  const good = column('group-good')
  const pageWords = Math.max(1, facts.words[blocks.count] ?? 0)
  for (let row = 0; row < blocks.count; row++) {
    const group = facts.group[blocks.container[row] ?? 0] ?? -1
    const members = group < 0 ? 0 : (facts.groupCount[group] ?? 0)
    const all = group < 0 ? 0 : (facts.groupWords[group] ?? 0)
    count[row] = members
    words[row] = all / Math.max(1, members)
    share[row] = all / pageWords
    good[row] = group < 0 ? 0 : (facts.groupGoodWords[group] ?? 0) / Math.max(1, all)
  }
}

/** Blocks in containers of the same name on the whole page: all signatures, all prices. */
function namedAlike({ outline: { blocks, containers }, facts, column }: BlockView): void {
  const words = column('words')
  const links = column('link-density')
  const twins = column('twins')
  const kinds = new Map<number, { count: number; words: number; links: number; twins: number }>()
  const keys = new Int32Array(blocks.count)
  for (let row = 0; row < blocks.count; row++) {
    const container = blocks.container[row] ?? 0
    const parent = Math.max(0, containers.parent[container] ?? 0)
    const around = Math.max(0, containers.parent[parent] ?? 0)
    const inner =
      Math.imul(containers.signature[container] ?? 0, 31) ^
      Math.imul(containers.signature[parent] ?? 0, 0x9e3779b1)
    const key = (inner + Math.imul(containers.signature[around] ?? 0, 0x85ebca6b)) | 0
    keys[row] = key
    let kind = kinds.get(key)
    if (kind === undefined) {
      kind = { count: 0, words: 0, links: 0, twins: 0 }
      kinds.set(key, kind)
    }
    kind.count++
    kind.words += words[row] ?? 0
    kind.links += links[row] ?? 0
    if ((twins[row] ?? 0) > 1) kind.twins++
  }
  const [count, mean, linkDensity, share, twinShare] = [
    column('path-count'),
    column('path-words'),
    column('path-links'),
    column('path-share'),
    column('path-twins'),
  ]
  const pageWords = Math.max(1, facts.words[blocks.count] ?? 0)
  for (let row = 0; row < blocks.count; row++) {
    const kind = kinds.get(keys[row] ?? 0)
    if (kind === undefined) continue
    count[row] = kind.count
    mean[row] = kind.words / kind.count
    linkDensity[row] = kind.links / kind.count
    share[row] = kind.words / pageWords
    twinShare[row] = kind.twins / kind.count
  }
}

function since({ outline: { blocks }, column }: BlockView): void {
  const words = column('words')
  const links = column('link-density')
  const heading = column('heading')
  const sinceGood = column('since-good')
  const sinceHeading = column('since-heading')
  const lastHeading = column('last-heading')
  const sinceH1 = column('since-h1')
  let good = -VERY_FAR
  let headed = -VERY_FAR
  let h1 = -VERY_FAR
  let level = 0
  for (let row = 0; row < blocks.count; row++) {
    sinceGood[row] = Math.min(row - good, FAR)
    sinceHeading[row] = Math.min(row - headed, FAR)
    lastHeading[row] = level
    if ((words[row] ?? 0) >= GOOD_WORDS && (links[row] ?? 0) < GOOD_LINKS) good = row
    if ((heading[row] ?? 0) > 0) {
      headed = row
      level = heading[row] ?? 0
      if (level === 1) h1 = row
    }
    sinceH1[row] = Math.min(row - h1, VERY_FAR)
  }
}

function until({ outline: { blocks }, column }: BlockView): void {
  const words = column('words')
  const links = column('link-density')
  const heading = column('heading')
  const untilGood = column('until-good')
  const untilHeading = column('until-heading')
  let good = blocks.count + VERY_FAR
  let headed = good
  for (let row = blocks.count - 1; row >= 0; row--) {
    untilGood[row] = Math.min(good - row, FAR)
    untilHeading[row] = Math.min(headed - row, FAR)
    if ((words[row] ?? 0) >= GOOD_WORDS && (links[row] ?? 0) < GOOD_LINKS) good = row
    if ((heading[row] ?? 0) > 0) headed = row
  }
}
