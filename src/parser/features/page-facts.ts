// A whole page as numbers: the input of the forests that classify it. Shares of words by element
// and class name, their distribution, and signs in the URL and the head.
import { addressOf } from '../address.ts'
import type { Outline } from '../content/outline.ts'
import { ELEMENT } from '../html/html-names.ts'
import type { BlockShapes } from './block-shapes.ts'
import { type ContainerFacts, PATH_ELEMENTS } from './container-facts.ts'
import { HINT_GROUPS } from './hint-words.ts'

/** Facts about a page besides its outline; '' and [] when missing. */
export type PageSigns = {
  readonly url: string
  readonly openGraphType: string
  readonly jsonLdTypes: readonly string[]
  readonly generator: string
}

/** Words in the path of a URL; a year stands for an article, too. */
const PATH_WORDS = {
  product: 'product products item items dp sku buy shop store p',
  thread:
    'thread threads topic topics t showthread viewtopic discussion discussions question questions comments forum forums community communities post posts board boards message messages answer answers',
  docs: 'doc docs documentation api reference manual guide guides wiki help tutorial tutorials learn support kb man',
  listing:
    'category categories collection collections tag tags archive archives listing listings list lists search shop catalog browse all page events jobs blog news resources',
  article: 'blog blogs news article articles story stories post posts berita read opinion',
  service:
    'service services about solution solutions pricing contact company features platform home location locations area areas landing',
}
const PATH_KINDS = Object.keys(PATH_WORDS)
const ARTICLE_BIT = 1 << PATH_KINDS.indexOf('article')
/** By word: one bit for each kind of page it stands for. */
const PATH_BITS = new Map<string, number>()
for (const [at, words] of Object.values(PATH_WORDS).entries()) {
  for (const word of words.split(' ')) PATH_BITS.set(word, (PATH_BITS.get(word) ?? 0) | (1 << at))
}
const YEAR = /^(?:19|20)\d\d$/

/** The kinds that the words of a path stand for, one bit each. */
function pathBits(path: string): number {
  let bits = 0
  for (const word of path.split(/\W+/)) {
    bits |= PATH_BITS.get(word) ?? 0
    if (word.length === 4 && YEAR.test(word)) bits |= ARTICLE_BIT
  }
  return bits
}
const TYPES = {
  article: /Article|Posting$|Report/,
  thread: /^(?:DiscussionForumPosting|QAPage|Question|Answer|Comment|SocialMediaPosting)$/,
  product: /^(?:Product|ProductGroup|Offer|AggregateOffer|Book|SoftwareApplication|Vehicle)$/,
  listing: /^(?:CollectionPage|ItemList|SearchResultsPage|Blog|OfferCatalog|ProductCollection)$/,
  docs: /^(?:TechArticle|APIReference|HowTo|FAQPage)$/,
  service:
    /Business$|^(?:Service|Organization|Corporation|ProfessionalService|AboutPage|ContactPage)$/,
  page: /^WebPage$/,
}
const GENERATORS = {
  forum:
    /discourse|vbulletin|phpbb|xenforo|mybb|simple machines|invision|flarum|vanilla|nodebb|smf/i,
  blog: /wordpress|blogger|ghost|medium|hugo|jekyll|wix|squarespace/i,
  docs: /sphinx|mkdocs|docusaurus|gitbook|vitepress|doxygen|javadoc|asciidoctor|docutils|docfx|mediawiki|read the docs/i,
  shop: /woocommerce|shopify|magento|prestashop|opencart|bigcommerce/i,
}

export const PAGE_FEATURES: readonly string[] = [
  'words',
  'blocks',
  'containers',
  'good-share',
  'link-density',
  'good-blocks',
  'good-block-words',
  'block-words',
  'ends',
  'digits',
  'signs',
  'h1',
  'h2',
  'h3',
  'h4',
  'li-share',
  'cell-share',
  'p-share',
  'pre-share',
  'div-share',
  'dominant-share',
  'dominant-blocks',
  'group-count',
  'group-words',
  'group-share',
  'large-groups',
  ...PATH_ELEMENTS.map((name) => `in-${name}`),
  ...HINT_GROUPS.map((name) => `hint-${name}`),
  'url-depth',
  'url-length',
  'url-digits',
  'url-hyphens',
  'url-query',
  'url-root',
  'url-extension',
  ...PATH_KINDS.map((name) => `path-${name}`),
  'host-docs',
  'host-forum',
  'og-article',
  'og-product',
  'og-website',
  ...Object.keys(TYPES).map((name) => `type-${name}`),
  ...Object.keys(GENERATORS).map((name) => `generator-${name}`),
]

/** One row with the columns of PAGE_FEATURES. */
export class PageFacts {
  readonly columns: readonly Float32Array[] = PAGE_FEATURES.map(() => new Float32Array(1))
  #at = 0

  read(outline: Outline, shapes: BlockShapes, facts: ContainerFacts, signs: PageSigns): void {
    this.#at = 0
    this.#text(outline, shapes, facts)
    this.#spread(outline, facts)
    this.#shares(outline, shapes, facts.elements, PATH_ELEMENTS.length)
    this.#shares(outline, shapes, facts.hints, HINT_GROUPS.length)
    for (const sign of signsOf(signs)) this.#put(sign)
  }

  #put(value: number): void {
    const column = this.columns[this.#at++]
    if (column !== undefined) column[0] = value
  }

  #text({ blocks, containers }: Outline, shapes: BlockShapes, facts: ContainerFacts): void {
    const { count } = blocks
    const words = facts.words[count] ?? 0
    const divisor = Math.max(1, words)
    let goodBlocks = 0
    let ends = 0
    let digits = 0
    let signs = 0
    const headings = [0, 0, 0, 0]
    const inside = new Float64Array(256)
    for (let row = 0; row < count; row++) {
      const element = containers.element[blocks.container[row] ?? 0] ?? 0
      if ((facts.goodWords[row + 1] ?? 0) > (facts.goodWords[row] ?? 0)) goodBlocks++
      ends += shapes.ends[row] ?? 0
      digits += shapes.digits[row] ?? 0
      signs += shapes.signs[row] ?? 0
      inside[element] = (inside[element] ?? 0) + (shapes.words[row] ?? 0)
      const level = element - ELEMENT.h1
      if (level >= 0 && level < 4) headings[level] = (headings[level] ?? 0) + 1
    }
    const good = facts.goodWords[count] ?? 0
    this.#put(words)
    this.#put(count)
    this.#put(containers.count)
    this.#put(good / divisor)
    this.#put((facts.linkBytes[count] ?? 0) / Math.max(1, facts.bytes[count] ?? 0))
    this.#put(goodBlocks)
    this.#put(good / Math.max(1, goodBlocks))
    this.#put(words / Math.max(1, count))
    this.#put(ends / divisor)
    this.#put(digits / divisor)
    this.#put(signs / divisor)
    for (const number of headings) this.#put(number)
    this.#put((inside[ELEMENT.li] ?? 0) / divisor)
    this.#put(((inside[ELEMENT.td] ?? 0) + (inside[ELEMENT.th] ?? 0)) / divisor)
    this.#put((inside[ELEMENT.p] ?? 0) / divisor)
    this.#put((inside[ELEMENT.pre] ?? 0) / divisor)
    this.#put((inside[ELEMENT.div] ?? 0) / divisor)
  }

  #spread(outline: Outline, facts: ContainerFacts): void {
    const { containers, blocks } = outline
    const words = Math.max(1, facts.words[blocks.count] ?? 0)
    const dominant = facts.dominant(outline, 0.75)
    this.#put(facts.over(facts.words, outline, dominant) / words)
    this.#put((containers.blockTo[dominant] ?? 0) - (containers.blockFrom[dominant] ?? 0))
    let best = -1
    let large = 0
    for (let group = 0; group < facts.groups; group++) {
      if ((facts.groupCount[group] ?? 0) < 3) continue
      if ((facts.groupCount[group] ?? 0) >= 6) large++
      if (best < 0 || (facts.groupWords[group] ?? 0) > (facts.groupWords[best] ?? 0)) best = group
    }
    const members = best < 0 ? 0 : (facts.groupCount[best] ?? 0)
    const all = best < 0 ? 0 : (facts.groupWords[best] ?? 0)
    this.#put(members)
    this.#put(all / Math.max(1, members))
    this.#put(all / words)
    this.#put(large)
  }

  /** The share of words that has each bit. */
  #shares({ blocks }: Outline, shapes: BlockShapes, bits: Int32Array, size: number): void {
    const sums = new Float64Array(size)
    let words = 0
    for (let row = 0; row < blocks.count; row++) {
      const count = shapes.words[row] ?? 0
      let rest = (bits[blocks.container[row] ?? 0] ?? 0) & ((1 << size) - 1)
      words += count
      while (rest !== 0) {
        const bit = 31 - Math.clz32(rest)
        sums[bit] = (sums[bit] ?? 0) + count
        rest ^= 1 << bit
      }
    }
    for (const sum of sums) this.#put(sum / Math.max(1, words))
  }
}

/** The signs are the last features: they follow those of the outline. */
export const SIGNS_FROM = PAGE_FEATURES.indexOf('url-depth')

/** Writes what the URL and the head say into the row of a page. */
export function writeSigns(signs: PageSigns, row: Float32Array): void {
  row.set(signsOf(signs), SIGNS_FROM)
}

function signsOf(signs: PageSigns): number[] {
  return [...addressSigns(signs.url), ...headSigns(signs)]
}

const MAX_PATH = 300
const HYPHEN = 45
const SLASH = 47

function addressSigns(address: string): number[] {
  const parts = addressOf(address)
  const path = (parts?.path ?? '/').toLowerCase().slice(0, MAX_PATH).replaceAll('_', '-')
  const bits = pathBits(path)
  let segments = 0
  let digits = 0
  let hyphens = 0
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at)
    if (code !== SLASH && (at === 0 || path.charCodeAt(at - 1) === SLASH)) segments++
    if (code === HYPHEN) hyphens++
    else if (code >= 48 && code <= 57) digits++
  }
  const { docs, forum } = hostSigns(parts?.host ?? '')
  return [
    ...[segments, path.length, digits, hyphens, parts?.query === '' ? 0 : 1],
    path === '/' || /^\/(?:index|home|default)[^/]*$/.test(path) ? 1 : 0,
    /\.(?:html?|php|aspx?|jsp)$/.test(path) ? 1 : 0,
    ...PATH_KINDS.map((_, at) => (bits >> at) & 1),
    ...[docs, forum],
  ]
}

type HostSigns = { readonly host: string; readonly docs: number; readonly forum: number }
/** Pages of one host come in rows. */
let lastSigns: HostSigns = { host: '', docs: 0, forum: 0 }

function hostSigns(host: string): HostSigns {
  if (host === lastSigns.host) return lastSigns
  const isDocs = /^(?:docs?|developers?|api|help|support|wiki|learn)\.|docs|readthedocs/.test(host)
  const isForum = /^(?:forums?|community|discuss|talk|boards?|answers|ask)\.|forum|community/.test(
    host,
  )
  lastSigns = { host, docs: isDocs ? 1 : 0, forum: isForum ? 1 : 0 }
  return lastSigns
}

const TYPE_PATTERNS = Object.values(TYPES)
const GENERATOR_PATTERNS = Object.values(GENERATORS)
const NO_HEAD_SIGNS = Array.from(
  { length: 3 + TYPE_PATTERNS.length + GENERATOR_PATTERNS.length },
  () => 0,
)

function headSigns({ openGraphType, jsonLdTypes, generator }: PageSigns): readonly number[] {
  if (openGraphType === '' && jsonLdTypes.length === 0 && generator === '') return NO_HEAD_SIGNS
  return [
    /^article/i.test(openGraphType) ? 1 : 0,
    /product/i.test(openGraphType) ? 1 : 0,
    /^website/i.test(openGraphType) ? 1 : 0,
    ...TYPE_PATTERNS.map((pattern) => (jsonLdTypes.some((type) => pattern.test(type)) ? 1 : 0)),
    ...GENERATOR_PATTERNS.map((pattern) => (pattern.test(generator) ? 1 : 0)),
  ]
}
