// A page's blocks as numbers, one column per feature: what the forests judge. The order of FEATURES is
// the order a trained forest knows, so whoever changes it trains anew (training/README.md).
import { ELEMENT } from '../html/html-names.ts'
import type { BlockShapes } from './block-shapes.ts'
import { type ContainerFacts, HIDDEN_BIT, PATH_ELEMENTS } from './container-facts.ts'
import { HINT_GROUPS } from './hint-words.ts'
import type { Outline } from './outline.ts'

/** Containers around a block that are looked at, each holding more blocks than the one before. */
const LEVELS = 4
const SHARES = [0.4, 0.75] as const

export const FEATURES: readonly string[] = [
  'words',
  'bytes',
  'word-length',
  'ends',
  'end-density',
  'commas',
  'digits',
  'capitals',
  'names',
  'ends-sentence',
  'ends-colon',
  'link-density',
  'links',
  'signs',
  'lines',
  'cells',
  'small-words',
  'lexicon',
  'known-words',
  'title-share',
  'title-cover',
  'twins',
  'is-p',
  'is-li',
  'heading',
  'is-cell',
  'is-div',
  'is-pre',
  'is-quote',
  'is-caption',
  'is-term',
  'is-control',
  'depth',
  ...PATH_ELEMENTS.map((name) => `in-${name}`),
  ...HINT_GROUPS.map((name) => `hint-${name}`),
  'hidden',
  'own-content',
  'own-noise',
  'hint-near',
  'hint-sum',
  'hint-min',
  'hint-max',
  ...Array.from({ length: LEVELS }, (_, level) =>
    ['words', 'link-density', 'good-share', 'block-words', 'page-share', 'place', 'hint'].map(
      (name) => `up${level}-${name}`,
    ),
  ).flat(),
  ...SHARES.flatMap((_, at) =>
    ['in', 'from-start', 'from-end'].map((name) => `dominant${at}-${name}`),
  ),
  'group-count',
  'group-words',
  'group-share',
  'group-good',
  'path-count',
  'path-words',
  'path-links',
  'path-share',
  'path-twins',
  ...[-2, -1, 1, 2].flatMap((step) =>
    ['words', 'link-density', 'ends', 'heading', 'like'].map((name) => `next${step}-${name}`),
  ),
  'since-good',
  'until-good',
  'since-heading',
  'until-heading',
  'last-heading',
  'since-h1',
  'near-words',
  'near-links',
  'place',
  'text-place',
  'good-place',
  'page-words',
  'page-blocks',
  'page-links',
  'page-good',
]
const F = Object.fromEntries(FEATURES.map((name, at) => [name, at]))
function column(name: string): number {
  const at = F[name]
  if (at === undefined) throw new Error(`no feature ${name}`)
  return at
}

const NOISE_HINTS = hintMask(
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
const CONTENT_HINTS = hintMask('content', 'post')
const GOOD_WORDS = 12
const GOOD_LINKS = 0.3

export class FeatureTable {
  /** One per feature, and room for more behind them; only the first `count` rows count. */
  columns: Float32Array[] = []
  count = 0
  #rows = 0
  readonly #extra: number

  /** `extra` columns are left for whoever knows more than the outline tells. */
  constructor(extra: number) {
    this.#extra = extra
  }

  read(outline: Outline, shapes: BlockShapes, facts: ContainerFacts, titleWords: number): void {
    this.count = outline.blocks.count
    if (this.#rows < this.count || this.columns.length === 0) this.#grow()
    this.#texts(outline, shapes, titleWords)
    this.#elements(outline)
    this.#paths(outline, facts)
    this.#levels(outline, facts)
    this.#dominants(outline, facts)
    this.#neighbours(outline)
    this.#distances(outline, shapes)
    this.#places(outline, facts)
  }

  get(name: string): Float32Array {
    return this.columns[column(name)] ?? new Float32Array(0)
  }

  #texts({ blocks }: Outline, shapes: BlockShapes, titleWords: number): void {
    const words = this.get('words')
    const bytes = this.get('bytes')
    const wordLength = this.get('word-length')
    const ends = this.get('ends')
    const endDensity = this.get('end-density')
    const commas = this.get('commas')
    const digits = this.get('digits')
    const capitals = this.get('capitals')
    const names = this.get('names')
    const endsSentence = this.get('ends-sentence')
    const endsColon = this.get('ends-colon')
    const linkDensity = this.get('link-density')
    const links = this.get('links')
    const signs = this.get('signs')
    const lines = this.get('lines')
    const cells = this.get('cells')
    const small = this.get('small-words')
    const lexicon = this.get('lexicon')
    const known = this.get('known-words')
    const titleShare = this.get('title-share')
    const titleCover = this.get('title-cover')
    for (let row = 0; row < blocks.count; row++) {
      const count = shapes.words[row] ?? 0
      const length = (blocks.textTo[row] ?? 0) - (blocks.textFrom[row] ?? 0)
      const letters = shapes.letters[row] ?? 0
      const divisor = Math.max(1, count)
      const last = shapes.last[row] ?? 0
      words[row] = count
      bytes[row] = length
      wordLength[row] = letters / divisor
      ends[row] = shapes.ends[row] ?? 0
      endDensity[row] = (shapes.ends[row] ?? 0) / divisor
      commas[row] = (shapes.commas[row] ?? 0) / divisor
      digits[row] = (shapes.digits[row] ?? 0) / length
      capitals[row] = (shapes.capitals[row] ?? 0) / Math.max(1, letters)
      names[row] = (shapes.names[row] ?? 0) / divisor
      // Behind the point there may be a quote or a bracket.
      endsSentence[row] = (shapes.ends[row] ?? 0) > 0 && !isLetterOrDigit(last) ? 1 : 0
      endsColon[row] = last === 58 ? 1 : 0
      linkDensity[row] = (blocks.linkBytes[row] ?? 0) / length
      links[row] = blocks.links[row] ?? 0
      signs[row] = (shapes.signs[row] ?? 0) / length
      lines[row] = shapes.lines[row] ?? 0
      cells[row] = shapes.cells[row] ?? 0
      small[row] = (shapes.small[row] ?? 0) / Math.min(40, divisor)
      lexicon[row] = (shapes.lexicon[row] ?? 0) / Math.max(1, shapes.known[row] ?? 0)
      known[row] = (shapes.known[row] ?? 0) / Math.min(40, divisor)
      titleShare[row] = (shapes.titled[row] ?? 0) / Math.min(40, divisor)
      titleCover[row] = Math.min(1, (shapes.titled[row] ?? 0) / Math.max(1, titleWords))
    }
    this.#twins(blocks.count, shapes)
  }

  /** Text that stands on the page more than once is rarely what the page is about. */
  #twins(count: number, { hash }: BlockShapes): void {
    const twins = this.get('twins')
    const seen = new Map<number, number>()
    for (let row = 0; row < count; row++) {
      const key = hash[row] ?? 0
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }
    for (let row = 0; row < count; row++) twins[row] = seen.get(hash[row] ?? 0) ?? 1
  }

  #elements({ blocks, containers }: Outline): void {
    const kinds = ELEMENT_FEATURES.map((name) => this.get(name))
    const heading = this.get('heading')
    for (let row = 0; row < blocks.count; row++) {
      const element = containers.element[blocks.container[row] ?? 0] ?? 0
      const kind = ELEMENT_FEATURE[element] ?? 0
      for (let at = 0; at < kinds.length; at++) {
        const values = kinds[at]
        if (values !== undefined) values[row] = kind === at + 1 ? 1 : 0
      }
      const level = element - ELEMENT.h1 + 1
      heading[row] = level >= 1 && level <= 6 ? level : 0
    }
  }

  #paths({ blocks }: Outline, facts: ContainerFacts): void {
    const depth = this.get('depth')
    const hidden = this.get('hidden')
    const ownContent = this.get('own-content')
    const ownNoise = this.get('own-noise')
    const near = this.get('hint-near')
    const sum = this.get('hint-sum')
    const min = this.get('hint-min')
    const max = this.get('hint-max')
    const firstElement = column(`in-${PATH_ELEMENTS[0]}`)
    const firstHint = column(`hint-${HINT_GROUPS[0]}`)
    for (let row = 0; row < blocks.count; row++) {
      const at = blocks.container[row] ?? 0
      depth[row] = facts.depth[at] ?? 0
      hidden[row] = ((facts.hints[at] ?? 0) & HIDDEN_BIT) !== 0 ? 1 : 0
      ownContent[row] = ((facts.ownHints[at] ?? 0) & CONTENT_HINTS) !== 0 ? 1 : 0
      ownNoise[row] = ((facts.ownHints[at] ?? 0) & NOISE_HINTS) !== 0 ? 1 : 0
      near[row] = facts.nearScore[at] ?? 0
      sum[row] = facts.sumScore[at] ?? 0
      min[row] = facts.minScore[at] ?? 0
      max[row] = facts.maxScore[at] ?? 0
    }
    this.#bits(blocks, facts.elements, firstElement, PATH_ELEMENTS.length)
    this.#bits(blocks, facts.hints, firstHint, HINT_GROUPS.length)
  }

  #bits(
    { container, count }: Outline['blocks'],
    bits: Int32Array,
    first: number,
    size: number,
  ): void {
    for (let bit = 0; bit < size; bit++) {
      const values = this.columns[first + bit]
      if (values === undefined) continue
      for (let row = 0; row < count; row++)
        values[row] = ((bits[container[row] ?? 0] ?? 0) >>> bit) & 1
    }
  }

  #levels(outline: Outline, facts: ContainerFacts): void {
    const { blocks, containers } = outline
    const first = column('up0-words')
    const pageWords = Math.max(1, facts.words[blocks.count] ?? 0)
    // Blocks of one container share all of this: it is looked up once per container.
    let lastContainer = -1
    for (let row = 0; row < blocks.count; row++) {
      const own = blocks.container[row] ?? 0
      const isSame = own === lastContainer
      lastContainer = own
      let at = own
      for (let level = 0; level < LEVELS; level++) {
        const base = first + level * 7
        const from = containers.blockFrom[at] ?? 0
        const to = containers.blockTo[at] ?? 0
        const place = this.columns[base + 5]
        if (place !== undefined) place[row] = to > from ? (row - from) / (to - from) : 0
        if (isSame) {
          for (let offset = 0; offset < 7; offset++) {
            const values = this.columns[base + offset]
            if (offset !== 5 && values !== undefined) values[row] = values[row - 1] ?? 0
          }
        } else {
          const words = facts.over(facts.words, outline, at)
          const bytes = Math.max(1, facts.over(facts.bytes, outline, at))
          this.#set(base, row, words)
          this.#set(base + 1, row, facts.over(facts.linkBytes, outline, at) / bytes)
          this.#set(base + 2, row, facts.over(facts.goodWords, outline, at) / Math.max(1, words))
          this.#set(base + 3, row, words / Math.max(1, to - from))
          this.#set(base + 4, row, words / pageWords)
          this.#set(base + 6, row, facts.nearScore[at] ?? 0)
        }
        at = larger(outline, at)
      }
    }
  }

  #set(at: number, row: number, value: number): void {
    const values = this.columns[at]
    if (values !== undefined) values[row] = value
  }

  #dominants(outline: Outline, facts: ContainerFacts): void {
    const { blocks, containers } = outline
    for (const [index, share] of SHARES.entries()) {
      const row = facts.dominant(outline, share)
      const from = containers.blockFrom[row] ?? 0
      const to = containers.blockTo[row] ?? 0
      const isIn = this.get(`dominant${index}-in`)
      const fromStart = this.get(`dominant${index}-from-start`)
      const fromEnd = this.get(`dominant${index}-from-end`)
      for (let at = 0; at < blocks.count; at++) {
        isIn[at] = at >= from && at < to ? 1 : 0
        fromStart[at] = at - from
        fromEnd[at] = to - 1 - at
      }
    }
    this.#groups(outline, facts)
    this.#likes(outline, facts)
  }

  #groups({ blocks }: Outline, facts: ContainerFacts): void {
    const count = this.get('group-count')
    const words = this.get('group-words')
    const share = this.get('group-share')
    const good = this.get('group-good')
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

  /** Blocks that stand in containers named alike, all over the page: all signatures, all prices. */
  #likes({ blocks, containers }: Outline, facts: ContainerFacts): void {
    const names = ['path-count', 'path-words', 'path-links', 'path-share', 'path-twins']
    const [count, words, links, share, twins] = names.map((name) => this.get(name))
    if (!count || !words || !links || !share || !twins) return
    const own = this.get('words')
    const linkDensity = this.get('link-density')
    const ownTwins = this.get('twins')
    const pageWords = Math.max(1, facts.words[blocks.count] ?? 0)
    const firsts = new Map<number, number>()
    const first = new Int32Array(blocks.count)
    for (let row = 0; row < blocks.count; row++) {
      const container = blocks.container[row] ?? 0
      const parent = Math.max(0, containers.parent[container] ?? 0)
      const around = Math.max(0, containers.parent[parent] ?? 0)
      const key =
        (Math.imul(containers.signature[container] ?? 0, 31) ^
          Math.imul(containers.signature[parent] ?? 0, 0x9e3779b1)) +
        Math.imul(containers.signature[around] ?? 0, 0x85ebca6b)
      const at = firsts.get(key | 0) ?? row
      if (at === row) {
        firsts.set(key | 0, row)
        count[row] = words[row] = links[row] = twins[row] = 0
      }
      first[row] = at
      count[at] = (count[at] ?? 0) + 1
      words[at] = (words[at] ?? 0) + (own[row] ?? 0)
      links[at] = (links[at] ?? 0) + (linkDensity[row] ?? 0)
      twins[at] = (twins[at] ?? 0) + ((ownTwins[row] ?? 0) > 1 ? 1 : 0)
    }
    for (let row = blocks.count - 1; row >= 0; row--) {
      const at = first[row] ?? 0
      const size = count[at] ?? 1
      share[row] = (words[at] ?? 0) / pageWords
      words[row] = (words[at] ?? 0) / (at === row ? size : 1)
      links[row] = (links[at] ?? 0) / (at === row ? size : 1)
      twins[row] = (twins[at] ?? 0) / (at === row ? size : 1)
      count[row] = size
    }
    for (let row = 0; row < blocks.count; row++) {
      const at = first[row] ?? 0
      words[row] = words[at] ?? 0
      links[row] = links[at] ?? 0
      twins[row] = twins[at] ?? 0
    }
  }

  #neighbours({ blocks, containers }: Outline): void {
    const { count } = blocks
    const words = this.get('words')
    const linkDensity = this.get('link-density')
    const ends = this.get('ends')
    const heading = this.get('heading')
    for (const step of [-2, -1, 1, 2]) {
      const toWords = this.get(`next${step}-words`)
      const toLinks = this.get(`next${step}-link-density`)
      const toEnds = this.get(`next${step}-ends`)
      const toHeading = this.get(`next${step}-heading`)
      const toLike = this.get(`next${step}-like`)
      for (let row = 0; row < count; row++) {
        const other = row + step
        const exists = other >= 0 && other < count
        toWords[row] = exists ? (words[other] ?? 0) : -1
        toLinks[row] = exists ? (linkDensity[other] ?? 0) : -1
        toEnds[row] = exists ? (ends[other] ?? 0) : -1
        toHeading[row] = exists ? (heading[other] ?? 0) : -1
        const own = blocks.container[row] ?? 0
        const theirs = blocks.container[other] ?? 0
        const isLike = exists && containers.signature[own] === containers.signature[theirs]
        toLike[row] = !isLike ? 0 : containers.parent[own] === containers.parent[theirs] ? 2 : 1
      }
    }
  }

  #distances({ blocks }: Outline, shapes: BlockShapes): void {
    const { count } = blocks
    const linkDensity = this.get('link-density')
    const heading = this.get('heading')
    const isGood = (row: number): boolean =>
      (shapes.words[row] ?? 0) >= GOOD_WORDS && (linkDensity[row] ?? 0) < GOOD_LINKS
    const sinceGood = this.get('since-good')
    const sinceHeading = this.get('since-heading')
    const lastHeading = this.get('last-heading')
    const sinceH1 = this.get('since-h1')
    let good = -1000
    let headed = -1000
    let level = 0
    let h1 = -1000
    for (let row = 0; row < count; row++) {
      sinceGood[row] = Math.min(row - good, 100)
      sinceHeading[row] = Math.min(row - headed, 100)
      lastHeading[row] = level
      if (isGood(row)) good = row
      if ((heading[row] ?? 0) > 0) {
        headed = row
        level = heading[row] ?? 0
      }
      if (heading[row] === 1) h1 = row
      sinceH1[row] = Math.min(row - h1, 1000)
    }
    const untilGood = this.get('until-good')
    const untilHeading = this.get('until-heading')
    good = headed = count + 1000
    for (let row = count - 1; row >= 0; row--) {
      untilGood[row] = Math.min(good - row, 100)
      untilHeading[row] = Math.min(headed - row, 100)
      if (isGood(row)) good = row
      if ((heading[row] ?? 0) > 0) headed = row
    }
  }

  #places({ blocks }: Outline, facts: ContainerFacts): void {
    const { count } = blocks
    const place = this.get('place')
    const textPlace = this.get('text-place')
    const goodPlace = this.get('good-place')
    const nearWords = this.get('near-words')
    const nearLinks = this.get('near-links')
    const words = facts.words[count] ?? 0
    const good = facts.goodWords[count] ?? 0
    const bytes = Math.max(1, facts.bytes[count] ?? 0)
    const links = (facts.linkBytes[count] ?? 0) / bytes
    const pageWords = this.get('page-words')
    const pageBlocks = this.get('page-blocks')
    const pageLinks = this.get('page-links')
    const pageGood = this.get('page-good')
    for (let row = 0; row < count; row++) {
      place[row] = row / count
      textPlace[row] = (facts.words[row] ?? 0) / Math.max(1, words)
      goodPlace[row] = (facts.goodWords[row] ?? 0) / Math.max(1, good)
      const from = Math.max(0, row - 5)
      const to = Math.min(count, row + 6)
      const nearBytes = Math.max(1, (facts.bytes[to] ?? 0) - (facts.bytes[from] ?? 0))
      nearWords[row] = ((facts.words[to] ?? 0) - (facts.words[from] ?? 0)) / (to - from)
      nearLinks[row] = ((facts.linkBytes[to] ?? 0) - (facts.linkBytes[from] ?? 0)) / nearBytes
      pageWords[row] = words
      pageBlocks[row] = count
      pageLinks[row] = links
      pageGood[row] = good / Math.max(1, words)
    }
  }

  #grow(): void {
    this.#rows = 2 ** Math.ceil(Math.log2(Math.max(this.count, 512)))
    this.columns = Array.from(
      { length: FEATURES.length + this.#extra },
      () => new Float32Array(this.#rows),
    )
  }
}

/** The next container around that holds more blocks. */
export function larger({ containers }: Outline, row: number): number {
  const size = (containers.blockTo[row] ?? 0) - (containers.blockFrom[row] ?? 0)
  let at = row
  while (at > 0) {
    at = containers.parent[at] ?? 0
    if ((containers.blockTo[at] ?? 0) - (containers.blockFrom[at] ?? 0) > size) return at
  }
  return 0
}

const ELEMENT_FEATURES = [
  'is-p',
  'is-li',
  'is-cell',
  'is-div',
  'is-pre',
  'is-quote',
  'is-caption',
  'is-term',
  'is-control',
]
const ELEMENT_FEATURE = elementFeatures()

function elementFeatures(): Uint8Array {
  const list = new Uint8Array(256)
  const groups: readonly (readonly number[])[] = [
    [ELEMENT.p],
    [ELEMENT.li],
    [ELEMENT.td, ELEMENT.th, ELEMENT.tr],
    [ELEMENT.div],
    [ELEMENT.pre, ELEMENT.listing],
    [ELEMENT.blockquote],
    [ELEMENT.figcaption, ELEMENT.caption, ELEMENT.figure],
    [ELEMENT.dt, ELEMENT.dd],
    [ELEMENT.button, ELEMENT.label, ELEMENT.option, ELEMENT.select, ELEMENT.legend],
  ]
  for (const [at, group] of groups.entries()) for (const element of group) list[element] = at + 1
  return list
}

function hintMask(...names: string[]): number {
  return names.reduce((mask, name) => mask | (1 << HINT_GROUPS.indexOf(name)), 0)
}

function isLetterOrDigit(byte: number): boolean {
  const lower = byte | 32
  return (byte >= 48 && byte <= 57) || (lower >= 97 && lower <= 122)
}
