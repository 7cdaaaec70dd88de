// The properties of a page apart from its text: its kind, its language's topic, its directives for robots.
import { present } from '../lib/present.ts'
import { childrenOf } from './path.ts'
import { fraction, mix } from './random.ts'
import type { HostStyle, Site, SiteHost } from './site.ts'

const SHAPES = ['front-page', 'listing', 'article', 'thread', 'documentation', 'product'] as const
export type Shape = (typeof SHAPES)[number]

export type PageFacts = {
  readonly shape: Shape
  readonly noindex: 'no' | 'meta' | 'header'
  /** The whole page asks crawlers not to follow its links; only leaves do. */
  readonly nofollow: boolean
  readonly charset: 'utf-8' | 'windows-1252'
  /** Where the charset is declared. */
  readonly declared: 'header' | 'meta'
  /** Names another page as the canonical one although the two have nothing in common. */
  readonly strayCanonical: boolean
  /** Epoch ms; between 2023 and 2026. */
  readonly publishedAt: number
}

const LEAF_SHAPES: Readonly<Record<HostStyle, readonly Shape[]>> = {
  news: ['article'],
  blog: ['article'],
  forum: ['thread', 'thread', 'thread', 'article'],
  docs: ['documentation'],
  shop: ['product', 'product', 'article'],
}

const FIRST_DAY = Date.UTC(2023, 0, 1)
const THREE_YEARS_IN_MINUTES = 3 * 365 * 24 * 60

export function factsOf(site: Site, host: SiteHost, index: number): PageFacts {
  const hash = mix(host.key, index ^ 0x2f00)
  const leaf = isLeaf(host, index)
  const draw = fraction(mix(hash, 1)) / (site.specials || Number.MIN_VALUE)
  const ordinary = index === 0 || index >= host.pages
  const within = (from: number, to: number) => !ordinary && draw >= from && draw < to
  return {
    shape: shapeOf(host, index, leaf, hash),
    noindex: within(0, 0.005) ? 'meta' : within(0.005, 0.01) ? 'header' : 'no',
    nofollow: leaf && within(0.01, 0.015),
    charset: within(0.015, 0.02) ? 'windows-1252' : 'utf-8',
    declared: hash % 2 === 0 ? 'header' : 'meta',
    strayCanonical: within(0.02, 0.022),
    publishedAt: FIRST_DAY + (hash % THREE_YEARS_IN_MINUTES) * 60_000,
  }
}

export function isLeaf(host: SiteHost, index: number): boolean {
  const { from, to } = childrenOf(host.fanout, host.pages, index)
  return from >= to
}

function shapeOf(host: SiteHost, index: number, leaf: boolean, hash: number): Shape {
  if (index === 0) return 'front-page'
  if (!leaf) return host.style === 'docs' ? 'documentation' : 'listing'
  const shapes = LEAF_SHAPES[host.style]
  return present(shapes[mix(hash, 3) % shapes.length])
}
