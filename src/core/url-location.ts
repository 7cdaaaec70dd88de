// Importance by location (the IL of Cho, Garcia-Molina and Page): judged by the URL alone. The front page of
// a site is most important, and each step into the site makes a page less important: few slashes, no query, a
// site's main host, an institution's domain are good.
import { type CanonicalUrl, hostOf, pathOf, siteOf } from './url.ts'

const SLASH = 47
const QUESTION_MARK = 63
/** A query counts as one step below its page. */
const QUERY_LEVELS = 1
/** A subdomain is half a step away from the site's main host. */
const SUBDOMAIN_LEVELS = 0.5
/** A segment that starts with a tilde is a personal home page. */
const HOME_LEVELS = 0.5
/** A tie-break: never worth as much as a step near the front page. */
const NO_INSTITUTION = 0.95

/** File names, without extension, of a folder's front page. */
const FRONT_PAGES: ReadonlySet<string> = new Set(['index', 'default', 'home', 'welcome'])
/** Restricted domains, below the root and below a country. */
const INSTITUTIONS = /^(?:edu|gov|int|mil|(?:ac|edu|go|gov|mil)\.[a-z]{2})$/

/** From 0 to 1, higher is more important; a pure function of the URL. */
export function locationOf(url: CanonicalUrl): number {
  const host = hostOf(url)
  const site = siteOf(host)
  const levels = pathLevels(pathOf(url)) + SUBDOMAIN_LEVELS * subdomains(host, site)
  const institution = INSTITUTIONS.test(site.slice(site.indexOf('.') + 1))
  return (institution ? 1 : NO_INSTITUTION) / (1 + levels)
}

/** Steps from the front page of its host. */
function pathLevels(path: string): number {
  let levels = 0
  let start = 1
  for (let at = 1; at <= path.length; at++) {
    const code = at < path.length ? path.charCodeAt(at) : QUESTION_MARK
    if (code !== SLASH && code !== QUESTION_MARK) continue
    if (at > start) levels += segmentLevels(path.slice(start, at), code !== SLASH)
    if (code === QUESTION_MARK) return levels + (at < path.length - 1 ? QUERY_LEVELS : 0)
    start = at + 1
  }
  return levels
}

function segmentLevels(segment: string, last: boolean): number {
  if (segment.startsWith('~')) return HOME_LEVELS
  if (!last) return 1
  const dot = segment.indexOf('.')
  const name = (dot < 0 ? segment : segment.slice(0, dot)).toLowerCase()
  return FRONT_PAGES.has(name) ? 0 : 1
}

/** Number of labels before the site's own name; `www` does not count. */
function subdomains(host: string, site: string): number {
  const extra = host.lastIndexOf(site)
  if (extra <= 0) return 0
  let labels = 0
  for (let at = host.startsWith('www.') ? 4 : 0; at < extra; at++) {
    if (host.charCodeAt(at) === 46) labels++
  }
  return labels
}
