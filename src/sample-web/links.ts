// The links of a page, in document order. The page is rendered from this list and the oracle walks it, so the
// two cannot disagree.
import { present } from '../lib/present.ts'
import { factsOf } from './facts.ts'
import {
  ancestorsOf,
  childrenOf,
  depthOf,
  levelStart,
  parentOf,
  pathOf,
  sectionOf,
} from './path.ts'
import { mix, Stream } from './random.ts'
import { pageKey, type Site, type SiteHost } from './site.ts'
import { type SpecialKind, specialOf } from './special.ts'

const PLACES = ['nav', 'trail', 'child', 'inline', 'aside', 'turn', 'partner'] as const
export type Place = (typeof PLACES)[number] | 'special'

export type SiteLink = {
  readonly host: SiteHost
  readonly path: string
  /** The page it leads to; null for a special. */
  readonly index: number | null
  readonly place: Place
  readonly special: SpecialKind | null
  /** rel=nofollow on the link itself. */
  readonly nofollow: boolean
}

/** Sections in the navigation of every page; the front page has all of them. */
const NAV_SECTIONS = 8

export function linksOf(site: Site, host: SiteHost, index: number): SiteLink[] {
  const stream = new Stream(mix(host.key, index ^ 0x7a11))
  const links: SiteLink[] = []
  const add = (place: Place, target: number, on = host) => {
    links.push({
      host: on,
      path: pathOf(on, target),
      index: target,
      place,
      special: null,
      nofollow: false,
    })
  }
  const sections = Math.min(NAV_SECTIONS, host.fanout, host.pages - 1)
  for (let section = 0; section <= sections; section++) add('nav', section)
  if (index >= host.pages) return links
  for (const ancestor of ancestorsOf(host.fanout, index)) add('trail', ancestor)
  const { from, to } = childrenOf(host.fanout, host.pages, index)
  for (let child = from; child < to; child++) add('child', child)
  for (const near of nearby(stream, host, index, 2)) add('inline', near)
  for (const near of nearby(stream, host, index, 4 + stream.below(4))) add('aside', near)
  for (const turn of siblings(host, index)) add('turn', turn)
  for (const [on, target] of partners(stream, site, host, index)) add('partner', target, on)
  const since = site.later.edited.get(pageKey(host, index)) ?? null
  if (since !== null) add('aside', since)
  const special = specialLink(site, host, index)
  return special ? [...links, special] : links
}

/** True if the page asks crawlers to follow none of its links. */
export function followsNone(site: Site, host: SiteHost, index: number): boolean {
  return factsOf(site, host, index).nofollow
}

/** Mostly of the same section, some of them much more often than others. */
function nearby(stream: Stream, host: SiteHost, index: number, count: number): number[] {
  const depth = depthOf(host.fanout, index)
  const section = sectionOf(host.fanout, index)
  return Array.from({ length: count }, () => {
    const anywhere = section === 0 || stream.chance(0.3)
    return anywhere ? pickWithin(stream, host, depth) : pickInSection(stream, host, section, depth)
  })
}

/** Any page at most one level further down; low numbers are popular. */
function pickWithin(stream: Stream, host: SiteHost, depth: number): number {
  const limit = Math.min(host.pages, levelStart(host.fanout, depth + 2))
  return Math.floor(stream.next() * stream.next() * limit)
}

function pickInSection(stream: Stream, host: SiteHost, section: number, depth: number): number {
  let level = 1 + stream.below(depth + 1)
  for (;;) {
    const width = host.fanout ** (level - 1)
    const first = levelStart(host.fanout, level) + (section - 1) * width
    const index = first + Math.floor(stream.next() * stream.next() * width)
    if (index < host.pages) return index
    level--
  }
}

/** Previous and next among the children of the same parent. */
function siblings(host: SiteHost, index: number): number[] {
  if (index === 0) return []
  const { from, to } = childrenOf(host.fanout, host.pages, parentOf(host.fanout, index))
  return [index - 1, index + 1].filter((turn) => turn >= from && turn < to)
}

type Elsewhere = readonly [SiteHost, number]

/**
 * Front pages link to their own subdomains and two more hosts, so that each host is reachable from the first.
 * A third of the other pages link to another host, larger ones more often.
 */
function partners(stream: Stream, site: Site, host: SiteHost, index: number): Elsewhere[] {
  const { hosts } = site
  if (index === 0) {
    const next = hosts.slice(host.id * 2 + 1, host.id * 2 + 3)
    const below = hosts.filter((other) => other.parent === host.id)
    return [...new Set([...next, ...below])].map((other) => [other, 0] as const)
  }
  if (!stream.chance(0.35)) return []
  const other = present(hosts[Math.floor(stream.next() * stream.next() * hosts.length)])
  if (other === host) return []
  const target = stream.chance(0.6) ? 0 : pickWithin(stream, other, depthOf(host.fanout, index))
  return [[other, target]]
}

function specialLink(site: Site, host: SiteHost, index: number): SiteLink | null {
  const special = specialOf(site, host, index)
  if (special === null) return null
  const { kind, path } = special
  return { host, path, index: null, place: 'special', special: kind, nofollow: kind === 'login' }
}
