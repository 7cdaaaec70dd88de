// Facts about the page's subject from its JSON-LD. A page may contain many nodes, some for the site, its
// logo and its menu. The subject is picked by type, and the next nodes fill in what it lacks.
import { truncate } from '../html/text-sink.ts'
import { collapseWhiteSpace } from './clean-text.ts'
import {
  bareType,
  isNode,
  type JsonNode,
  listOf,
  parseJsonLd,
  textOf,
  typeRank,
} from './json-ld-text.ts'

export type JsonLdProduct = {
  readonly name: string
  readonly brand: string
  readonly sku: string
  readonly price: string
  readonly currency: string
  /** `InStock`, `OutOfStock` and the like. */
  readonly availability: string
  readonly rating: string
  /** The number of ratings or reviews. */
  readonly reviews: string
}

/** '' and [] for missing facts. */
export type JsonLd = {
  /** All top-level types in page order, without `schema.org/`. */
  readonly types: readonly string[]
  readonly headline: string
  readonly description: string
  readonly keywords: string
  readonly authors: readonly string[]
  readonly published: string
  readonly modified: string
  readonly publisher: string
  readonly language: string
  readonly product: JsonLdProduct | null
}

const MAX_TEXTS = 24
const MAX_TOTAL = 384 * 1024
const MAX_NODES = 400
const MAX_SUBJECTS = 40
const MAX_TYPES = 16
const MAX_AUTHORS = 12
const MAX_FIELD = 2048
/** For the name and the price of a product. */
const MAX_BRIEF = 256
/** Nodes contain nodes: a graph in an array, a question in a page. */
const MAX_DEPTH = 4

export const NO_JSON_LD: JsonLd = {
  types: [],
  headline: '',
  description: '',
  keywords: '',
  authors: [],
  published: '',
  modified: '',
  publisher: '',
  language: '',
  product: null,
}

/** Reads the page's JSON-LD texts; the URL chooses among equal nodes. */
export function readJsonLd(texts: readonly string[], pageUrl: string): JsonLd {
  const collected = new Collected()
  let total = 0
  for (const text of texts.slice(0, MAX_TEXTS)) {
    total += text.length
    if (total > MAX_TOTAL) break
    if (text.includes('"@') || text.includes('@type')) collected.add(parseJsonLd(text))
  }
  return collected.subjects.length === 0 ? NO_JSON_LD : collected.facts(pageUrl)
}

type Subject = { readonly node: JsonNode; readonly types: readonly string[]; rank: number }

class Collected {
  readonly subjects: Subject[] = []
  readonly #byId = new Map<string, JsonNode>()
  #nodes = 0

  add(root: unknown): void {
    const queue: [value: unknown, depth: number][] = [[root, 0]]
    for (const [value, depth] of queue) {
      if (++this.#nodes > MAX_NODES) return
      if (Array.isArray(value)) {
        if (depth < MAX_DEPTH) {
          for (const part of value.slice(0, MAX_NODES)) queue.push([part, depth + 1])
        }
      } else if (isNode(value)) {
        this.#take(value)
        if (depth >= MAX_DEPTH) continue
        for (const key of ['@graph', 'mainEntity', 'mainEntityOfPage']) {
          if (typeof value[key] === 'object') queue.push([value[key], depth + 1])
        }
      }
    }
  }

  facts(pageUrl: string): JsonLd {
    const subjects = this.#ranked(pageUrl)
    const first = (...keys: readonly string[]): string => firstText(subjects, keys)
    const types = new Set(this.subjects.flatMap((subject) => subject.types))
    return {
      types: [...types].slice(0, MAX_TYPES),
      headline: first('headline', 'name'),
      description: first('description'),
      keywords: this.#keywords(subjects),
      authors: this.#authors(subjects),
      published: first('datePublished', 'dateCreated', 'uploadDate', 'datePosted'),
      modified: first('dateModified'),
      publisher: this.#publisher(subjects),
      language: first('inLanguage'),
      product: productOf(subjects),
    }
  }

  #take(node: JsonNode): void {
    const id = textOf(node['@id'])
    if (id !== '') {
      const known = this.#byId.get(id)
      if (known === undefined || !('name' in known)) this.#byId.set(id, node)
    }
    const types = listOf(node['@type'])
      .filter(isString)
      .slice(0, 4)
      .map(bareType)
      .map(collapseWhiteSpace)
    if (types.length === 0 || this.subjects.length >= MAX_SUBJECTS) return
    this.subjects.push({ node, types, rank: typeRank(types) })
  }

  /** The nodes that may be the page's subject, the likeliest first. */
  #ranked(pageUrl: string): readonly Subject[] {
    const subjects = this.subjects.filter((subject) => subject.rank > 0)
    for (const subject of subjects) if (isAbout(subject.node, pageUrl)) subject.rank += 0.5
    return subjects.sort((a, b) => b.rank - a.rank)
  }

  #authors(subjects: readonly Subject[]): readonly string[] {
    for (const { node } of subjects) {
      for (const key of ['author', 'creator']) {
        const names = this.#names(node[key])
        if (names.length > 0) return names
      }
    }
    return []
  }

  #names(value: unknown): readonly string[] {
    const people: string[] = []
    const others: string[] = []
    for (const one of listOf(value).slice(0, MAX_AUTHORS)) {
      const node = this.#resolved(one)
      const name = brief(isNode(node) ? node.name : node)
      if (name === '') continue
      const isPerson = !isNode(node) || listOf(node['@type']).includes('Person')
      if (isPerson) people.push(name)
      else others.push(name)
    }
    return people.length > 0 ? people : others
  }

  #publisher(subjects: readonly Subject[]): string {
    for (const { node } of subjects) {
      const name = this.#names(node.publisher)[0]
      if (name !== undefined) return name
    }
    const site = this.subjects.find(({ types }) => types.includes('WebSite'))
    return site === undefined ? '' : brief(site.node.name)
  }

  #keywords(subjects: readonly Subject[]): string {
    for (const { node } of subjects) {
      const words = listOf(node.keywords).filter(isString).slice(0, 64)
      if (words.length > 0) return brief(words.join(', '))
    }
    return ''
  }

  /** Replaces a node that only refers to another by its id. */
  #resolved(value: unknown): unknown {
    if (!isNode(value) || 'name' in value) return value
    return this.#byId.get(textOf(value['@id'])) ?? value
  }
}

function firstText(subjects: readonly Subject[], keys: readonly string[]): string {
  for (const { node } of subjects) {
    for (const key of keys) {
      const text = key in node ? brief(node[key]) : ''
      if (text !== '') return text
    }
  }
  return ''
}

function productOf(subjects: readonly Subject[]): JsonLdProduct | null {
  const subject = subjects.find(({ types }) => types.some((type) => type.startsWith('Product')))
  if (subject === undefined) return null
  const { node } = subject
  const offer = offerOf(node)
  const rating = listOf(node.aggregateRating).find(isNode)
  const brand = listOf(node.brand)[0]
  const short = (value: unknown): string => brief(value, MAX_BRIEF)
  return {
    name: short(node.name),
    brand: short(isNode(brand) ? brand.name : brand),
    sku: short(node.sku ?? offer?.sku ?? node.mpn),
    price: short(offer?.lowPrice ?? offer?.price),
    currency: short(offer?.priceCurrency),
    availability: bareType(short(offer?.availability)),
    rating: short(rating?.ratingValue),
    reviews: short(rating?.reviewCount ?? rating?.ratingCount),
  }
}

/** When an aggregate offer lacks facts, the first of its offers supplies them. */
function offerOf(product: JsonNode): JsonNode | undefined {
  const offer = listOf(product.offers).find(isNode)
  const inner = listOf(offer?.offers).find(isNode)
  return inner === undefined ? offer : { ...inner, ...offer }
}

function brief(value: unknown, maxLength = MAX_FIELD): string {
  return collapseWhiteSpace(truncate(textOf(value), maxLength))
}

function isAbout(node: JsonNode, pageUrl: string): boolean {
  const place = node.mainEntityOfPage
  const named = [node.url, node['@id'], isNode(place) ? place['@id'] : place]
  return named.some((name) => {
    const url = textOf(name)
    return url !== '' && pathOf(url) === pathOf(pageUrl)
  })
}

/** Scheme, query and fragment often differ between two URLs of one page. */
function pathOf(url: string): string {
  const bare = url.slice(0, MAX_FIELD).replace(/^https?:\/\//, '')
  const end = bare.search(/[?#]/)
  const path = end < 0 ? bare : bare.slice(0, end)
  return path.endsWith('/') ? path.slice(0, -1) : path
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}
