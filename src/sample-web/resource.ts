// The resource at a path of a host.
import { factsOf } from './facts.ts'
import { indexSpelledIn, pathOf } from './path.ts'
import { originAt, pageKey, type Site, type SiteHost } from './site.ts'
import { destinationOf, type Special, specialOf } from './special.ts'

export type Resource =
  /** An ordinary page, or an exact copy of one under another path. */
  | { readonly type: 'page'; readonly index: number; readonly copy: boolean }
  | { readonly type: 'moved'; readonly status: 301 | 302; readonly to: Address }
  | { readonly type: 'missing'; readonly status: 404 | 410 }
  /** A page that no crawler should request: robots.txt or nofollow protects it. */
  | { readonly type: 'guarded'; readonly by: 'robots' | 'nofollow'; readonly index: number }
  /** `plain`: the path's extension shows that it is no page. */
  | { readonly type: 'file'; readonly mediaType: string; readonly plain: boolean }
  | { readonly type: 'robots' }
  /** `index`: a sitemap that only names the other one. */
  | { readonly type: 'sitemap'; readonly index: boolean }

export type Address = { readonly host: SiteHost; readonly path: string }

const SITEMAP_PATH = '/sitemap.xml'
const SITEMAP_INDEX_PATH = '/site-index.xml'
const LISTED_SITEMAP_PATH = '/sitemap-pages.xml'

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  zip: 'application/zip',
  mp4: 'video/mp4',
}
const NOT_FOUND: Resource = { type: 'missing', status: 404 }
/** Guarded pages get their text from indexes that no other page has. */
const GUARDED_FROM = 1 << 23

export function resolve(site: Site, host: SiteHost, path: string): Resource {
  const wellKnown = resolveWellKnown(host, path)
  if (wellKnown) return wellKnown
  const query = path.indexOf('?')
  const folder = query < 0 ? path : path.slice(0, query)
  const section = host.sections.findIndex((one) => one.path === folder)
  const index = section < 0 ? indexSpelledIn(host, path) : section
  if (index === null || index >= host.pages + host.orphans + host.late) return NOT_FOUND
  if (site.later.removed.has(pageKey(host, index))) return NOT_FOUND
  if (path === pathOf(host, index)) return { type: 'page', index, copy: false }
  return resolveNear(site, host, index, path)
}

function resolveWellKnown(host: SiteHost, path: string): Resource | null {
  if (path === '/robots.txt') return host.robots === 'absent' ? NOT_FOUND : { type: 'robots' }
  if (path === SITEMAP_PATH && host.sitemap === 'plain') return { type: 'sitemap', index: false }
  if (host.sitemap !== 'listed') return null
  if (path === SITEMAP_INDEX_PATH) return { type: 'sitemap', index: true }
  if (path === LISTED_SITEMAP_PATH) return { type: 'sitemap', index: false }
  return null
}

function resolveNear(site: Site, host: SiteHost, index: number, path: string): Resource {
  const special = specialOf(site, host, index)
  if (special === null) return NOT_FOUND
  if (path === special.path) return resolveSpecial(site, host, index)
  // The second hop of a chain is the same path without its query.
  if (special.kind === 'moved-twice' && `${path}?v=1` === special.path) {
    return movedTo(destinationOf(site, host, index, special), special)
  }
  return NOT_FOUND
}

function resolveSpecial(site: Site, host: SiteHost, index: number): Resource {
  const special = specialOf(site, host, index)
  if (special === null) return NOT_FOUND
  switch (special.kind) {
    case 'moved':
    case 'moved-away':
      return movedTo(destinationOf(site, host, index, special), special)
    case 'moved-twice':
      return movedTo({ host, path: special.path.slice(0, -'?v=1'.length) }, special)
    case 'missing':
      return NOT_FOUND
    case 'gone':
      return { type: 'missing', status: 410 }
    case 'copy':
      return { type: 'page', index, copy: true }
    case 'private':
      return { type: 'guarded', by: 'robots', index: GUARDED_FROM + index }
    case 'login':
      return { type: 'guarded', by: 'nofollow', index: GUARDED_FROM + index }
    case 'file':
      return fileAt(special.path)
    case 'data':
      return { type: 'file', mediaType: 'application/json', plain: false }
  }
}

function movedTo(to: Address, special: Special): Resource {
  return { type: 'moved', status: special.hash % 2 === 0 ? 301 : 302, to }
}

function fileAt(path: string): Resource {
  const ending = path.slice(path.lastIndexOf('.') + 1)
  return { type: 'file', mediaType: MEDIA_TYPES[ending] ?? 'application/zip', plain: true }
}

/** robots.txt and sitemaps. */
export function robotsTxt(host: SiteHost, port: number): string {
  const { folders } = host.words
  const lines = ['# Robots are welcome here', 'User-agent: *']
  if (host.robots === 'rules') {
    // The folder of sign-in pages stays allowed: only nofollow keeps crawlers out of it.
    lines.push(
      `Disallow: /${folders.private}/`,
      'Disallow: /*?preview=',
      `Allow: /${folders.login}/`,
    )
  } else lines.push('Disallow:')
  if (host.crawlDelaySeconds > 0) lines.push(`Crawl-delay: ${host.crawlDelaySeconds}`)
  lines.push('', 'User-agent: GreedyBot', 'Disallow: /', '')
  if (host.sitemap === 'listed') {
    lines.push(`Sitemap: ${originAt(host, port)}${SITEMAP_INDEX_PATH}`, '')
  }
  return lines.join('\n')
}

/** The pages in a sitemap: the front page, the sections, and the pages without links to them. */
export function listedPages(host: SiteHost): number[] {
  if (host.sitemap === 'none') return []
  const sections = Math.min(host.pages, 1 + host.fanout)
  const orphans = Array.from({ length: host.orphans }, (_, nth) => host.pages + nth)
  return [...Array.from({ length: sections }, (_, index) => index), ...orphans]
}

export function sitemapXml(site: Site, host: SiteHost, port: number): string {
  const entries = listedPages(host).map((index) => {
    const at = originAt(host, port) + pathOf(host, index).replaceAll('&', '&amp;')
    const day = new Date(factsOf(site, host, index).publishedAt).toISOString().slice(0, 10)
    return `<url><loc>${at}</loc><lastmod>${day}</lastmod></url>`
  })
  return sitemapOf('urlset', entries)
}

export function sitemapIndexXml(host: SiteHost, port: number): string {
  return sitemapOf('sitemapindex', [
    `<sitemap><loc>${originAt(host, port)}${LISTED_SITEMAP_PATH}</loc></sitemap>`,
  ])
}

function sitemapOf(root: string, entries: readonly string[]): string {
  const open = `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${open}\n${entries.join('\n')}\n</${root}>\n`
}
