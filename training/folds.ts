// Pages to folds for cross-validation. Pages of one site look alike, so a site is in one fold as a
// whole; so are pages with almost the same text, whatever site shows it. Otherwise the figures would
// praise a forest for what it has seen.
import { getDomain } from 'tldts'
import { wordsOf } from '../bench/extraction/words.ts'
import { seededRandom } from './random.ts'

export type FoldPage = {
  /** Its own within all pages; stands for the site where there is no URL. */
  readonly id: string
  readonly url: string | null
  /** Every fold gets its part of each kind. */
  readonly kind: string
  readonly text: string | null
}

/** The fold of each page, 0 to `folds - 1`. The same pages and seed give the same folds. */
export function foldsOf(pages: readonly FoldPage[], folds: number, seed: number): Uint8Array {
  const random = seededRandom(seed)
  const groups = groupsOf(pages)
    .map((members) => ({ members, turn: random() }))
    // Large groups first, while there is room to balance them.
    .sort((a, b) => b.members.length - a.members.length || a.turn - b.turn)
  const foldOf = new Uint8Array(pages.length)
  const sizes = Array.from({ length: folds }, () => new Map<string, number>())
  for (const { members } of groups) {
    const kinds = countsOf(members.map((page) => pages[page]?.kind ?? ''))
    const fold = lightest(sizes, kinds)
    for (const page of members) foldOf[page] = fold
    const size = sizes[fold] ?? new Map()
    for (const [kind, count] of kinds) size.set(kind, (size.get(kind) ?? 0) + count)
  }
  return foldOf
}

/** The fold that has least of these kinds, and least of all where that is equal. */
function lightest(
  sizes: readonly ReadonlyMap<string, number>[],
  kinds: ReadonlyMap<string, number>,
): number {
  const loads = sizes.map((size) => {
    let own = 0
    for (const [kind, count] of kinds) own += count * (size.get(kind) ?? 0)
    return [own, size.values().reduce((sum, count) => sum + count, 0)] as const
  })
  let best = 0
  loads.forEach(([own, all], fold) => {
    const [bestOwn, bestAll] = loads[best] ?? [0, 0]
    if (own < bestOwn || (own === bestOwn && all < bestAll)) best = fold
  })
  return best
}

function countsOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** Pages that must stay together, as lists of their places. */
function groupsOf(pages: readonly FoldPage[]): number[][] {
  const parent = pages.map((_, i) => i)
  const rootOf = (page: number): number => {
    let root = page
    while (parent[root] !== root) root = parent[root] ?? root
    parent[page] = root
    return root
  }
  const first = new Map<string, number>()
  pages.forEach((page, i) => {
    for (const key of [siteOf(page), ...sketchOf(page.text ?? '')]) {
      const other = first.get(key)
      if (other === undefined) first.set(key, i)
      else parent[rootOf(i)] = rootOf(other)
    }
  })
  return [...Map.groupBy(pages.keys(), rootOf).values()]
}

function siteOf({ id, url }: FoldPage): string {
  const host = url === null ? null : (getDomain(url) ?? URL.parse(url)?.hostname)
  return host ? `site ${host}` : `page ${id}`
}

/** Shorter texts are alike by chance. */
const MIN_WORDS = 30
const SKETCH_WORDS = 5
const BANDS = 4
const ROWS = 3

/**
 * Keys that almost equal texts are likely to share: each joins the least of three hashes over all
 * five words in a row. Texts that share nine tenths of them meet with 99 in 100, those that share
 * a third with 14, those that share a tenth with none.
 */
function sketchOf(text: string): string[] {
  const words = wordsOf(text.toLowerCase())
  if (words.length < MIN_WORDS) return []
  const least = new Uint32Array(BANDS * ROWS).fill(0xffffffff)
  for (let at = 0; at + SKETCH_WORDS <= words.length; at++) {
    const hash = hashOf(words.slice(at, at + SKETCH_WORDS).join(' '))
    for (let i = 0; i < least.length; i++) {
      const stirred = Math.imul(hash ^ (hash >>> 15) ^ Math.imul(i, 0x9e3779b1), 0x85ebca6b) >>> 0
      const mixed = Math.imul(stirred ^ (stirred >>> 13), 0xc2b2ae35) >>> 0
      if (mixed < (least[i] ?? 0)) least[i] = mixed
    }
  }
  return Array.from({ length: BANDS }, (_, band) => {
    const rows = least.subarray(band * ROWS, (band + 1) * ROWS)
    return `text ${band} ${rows.join(' ')}`
  })
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
