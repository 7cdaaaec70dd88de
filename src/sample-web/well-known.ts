// robots.txt and sitemaps.
import { factsOf } from './facts.ts'
import { pathOf } from './path.ts'
import { LISTED_SITEMAP_PATH, SITEMAP_INDEX_PATH } from './resource.ts'
import { originAt, type Site, type SiteHost } from './site.ts'

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
