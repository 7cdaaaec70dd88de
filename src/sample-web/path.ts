// Paths of pages, in both directions without a table. A page's index is shuffled within 24 bits and spelled
// with four words of six bits each; the words also form its title, so path and title agree and both are
// unique on a host.
import { present } from '../lib/present.ts'
import { fraction, mix } from './random.ts'
import type { Section, SiteHost } from './site.ts'

const MASK = 0xffffff
const FACTOR_1 = 0x9e3779
const FACTOR_2 = 0x85ebcb
const INVERSE_1 = inverseOf(FACTOR_1)
const INVERSE_2 = inverseOf(FACTOR_2)

/** The four words of a page and its topic noun. */
type Spelling = {
  readonly noun: string
  readonly words: readonly [string, string, string, string]
}

export function sectionAt(host: SiteHost, index: number): Section {
  return present(host.sections[index < host.pages ? sectionOf(host.fanout, index) : 0])
}

export function spellingOf(host: SiteHost, index: number): Spelling {
  const code = shuffle(index, host.key)
  const { adjectives, nouns } = host.words
  const topicNouns = sectionAt(host, index).topic.nouns
  return {
    noun: present(topicNouns[mix(host.key, index) % topicNouns.length]),
    words: [
      present(adjectives[code >>> 18]),
      present(nouns[(code >>> 12) & 63]),
      present(adjectives[(code >>> 6) & 63]),
      present(nouns[code & 63]),
    ],
  }
}

/** `night-train-quiet-harbour-long-road`; Indonesian puts the noun first. */
export function slugOf(host: SiteHost, index: number): string {
  const { noun, words } = spellingOf(host, index)
  const [a, n, b, m] = words
  const four = host.words.language === 'id' ? `${n}-${a}-${m}-${b}` : `${a}-${n}-${b}-${m}`
  return `${noun.replaceAll(' ', '-')}-${four}`
}

export function pathOf(host: SiteHost, index: number): string {
  if (index >= host.pages) return `/${host.words.folders.orphan}/${slugOf(host, index)}`
  if (index <= host.fanout) return present(host.sections[index]).path
  const { slug: section } = sectionAt(host, index)
  const slug = slugOf(host, index)
  const folder =
    depthOf(host.fanout, index) === 2
      ? `/${section}`
      : `/${section}/${spellingOf(host, parentOf(host.fanout, index)).words[1]}`
  const { from, to } = childrenOf(host.fanout, host.pages, index)
  return from < to ? `${folder}/${slug}/` : `${folder}${leafName(slug, host.key, index)}`
}

/**
 * Mostly plain slugs. Numbers and queries stay rare and spread over folders, so that no guard against endless
 * templates is triggered.
 */
function leafName(slug: string, key: number, index: number): string {
  const hash = mix(key, index ^ 0x51ed)
  const draw = fraction(hash)
  const id = 1000 + (hash % 90_000)
  if (draw < 0.03) return `/${id}-${slug}`
  if (draw < 0.06) return `/read?id=${id}&t=${slug}`
  if (draw < 0.2) return `/${slug}.html`
  if (draw < 0.3) return `/${slug}/`
  return `/${slug}`
}

/** The index whose four words a path or query contains, if any; the caller compares the whole path. */
export function indexSpelledIn(host: SiteHost, path: string): number | null {
  for (const piece of path.split(/[/?&=.]/).reverse()) {
    const four = piece.split('-').slice(-4)
    if (four.length < 4) continue
    const code = codeOf(host, four)
    return code < 0 ? null : unshuffle(code, host.key)
  }
  return null
}

function codeOf(host: SiteHost, four: readonly string[]): number {
  const { adjectives, nouns } = numbersOf(host)
  const [a = '', n = '', b = '', m = ''] =
    host.words.language === 'id' ? [four[1], four[0], four[3], four[2]] : [...four]
  const parts = [adjectives.get(a), nouns.get(n), adjectives.get(b), nouns.get(m)]
  return parts.reduce<number>(
    (code, part) => (code < 0 || part === undefined ? -1 : code * 64 + part),
    0,
  )
}

type Numbers = {
  readonly adjectives: ReadonlyMap<string, number>
  readonly nouns: ReadonlyMap<string, number>
}
const numbersByWords = new WeakMap<object, Numbers>()

function numbersOf(host: SiteHost): Numbers {
  const known = numbersByWords.get(host.words)
  if (known) return known
  const number = (list: readonly string[]) => new Map(list.map((word, at) => [word, at]))
  const made = { adjectives: number(host.words.adjectives), nouns: number(host.words.nouns) }
  numbersByWords.set(host.words, made)
  return made
}

/** A permutation of 24 bits: each step is reversible, and neighbours end far apart. */
export function shuffle(index: number, key: number): number {
  let x = (index ^ key) & MASK
  x = Math.imul(x, FACTOR_1) & MASK
  x ^= x >>> 12
  x = Math.imul(x, FACTOR_2) & MASK
  return x ^ (x >>> 12)
}

export function unshuffle(code: number, key: number): number {
  let x = code ^ (code >>> 12)
  x = Math.imul(x, INVERSE_2) & MASK
  x ^= x >>> 12
  x = Math.imul(x, INVERSE_1) & MASK
  return (x ^ key) & MASK
}

/** The inverse of an odd number modulo 2^24, by Newton's steps: each doubles the correct bits. */
function inverseOf(odd: number): number {
  let x = odd
  for (let step = 0; step < 5; step++) x = Math.imul(x, 2 - Math.imul(odd, x)) & MASK
  return x
}

/**
 * The tree that makes every page of a host reachable: page i's children are the next `fanout` indexes in
 * heap order, so parents, levels and whole subtrees are computed, never stored.
 */
export function parentOf(fanout: number, index: number): number {
  return Math.floor((index - 1) / fanout)
}

/** Links from the front page in the tree; no other path is shorter. */
export function depthOf(fanout: number, index: number): number {
  let depth = 0
  for (let at = index; at > 0; at = parentOf(fanout, at)) depth++
  return depth
}

/** The child of the front page above `index`; 0 for the front page itself. */
export function sectionOf(fanout: number, index: number): number {
  let at = index
  while (at > fanout) at = parentOf(fanout, at)
  return at
}

/** From the parent to the section, nearest first; without the front page. */
export function ancestorsOf(fanout: number, index: number): number[] {
  const found: number[] = []
  for (let at = index; at > fanout; ) {
    at = parentOf(fanout, at)
    found.push(at)
  }
  return found
}

/** The first index of a level. */
export function levelStart(fanout: number, depth: number): number {
  return (fanout ** depth - 1) / (fanout - 1)
}

/** The children of a page as a half-open range, empty for a leaf. */
export function childrenOf(
  fanout: number,
  size: number,
  index: number,
): { readonly from: number; readonly to: number } {
  const from = Math.min(size, fanout * index + 1)
  return { from, to: Math.min(size, from + fanout) }
}
