// Who may enter the queue. Every new URL is asked once; the answer is the reason that the URL
// keeps as its state. What only a fetch can tell (robots, type, address) is not decided here.
import { actionOf } from './action-link.ts'
import { nonPageExtension } from './file-type.ts'
import { compileGlob, type UrlGlob } from './glob.ts'
import type { CrawlSettings } from './job.ts'
import { pathTrap } from './path-trap.ts'
import { type CanonicalUrl, hostOf, pathOf, siteOf } from './url.ts'

/** The reason a URL may not enter (`code: detail`, see visit.ts), or null. */
export type Admission = (url: CanonicalUrl, host: string) => string | null

type AdmissionSettings = Pick<CrawlSettings, 'scope' | 'include' | 'exclude' | 'followActions'>

/** Longer ones are known but not fetched: the limit is the one sitemaps and old browsers have. */
const MAX_FETCHED_LENGTH = 2083
// Enough for the hosts that a crawl is busy with; it must not grow with the web.
const MAX_HOSTS_REMEMBERED = 20_000

/**
 * Throws `InvalidInput` on a bad glob. A seed is what the user asked for: only its length or an
 * exclude glob can keep it out.
 */
export function createAdmission(
  seeds: readonly CanonicalUrl[],
  settings: AdmissionSettings,
): Admission {
  const given: ReadonlySet<string> = new Set(seeds)
  const inScope = createScope(seeds, settings.scope)
  const include = settings.include.map((glob) => compileGlob(glob, 'include'))
  const exclude = settings.exclude.map((glob) => compileGlob(glob, 'exclude'))
  return (url, host) => {
    const isSeed = given.has(url)
    if (!isSeed && !inScope(host)) return `scope: ${host} is outside`
    if (url.length > MAX_FETCHED_LENGTH) return `length: ${url.length} characters`
    const excluded = exclude.length > 0 ? exclude.find((glob) => glob.matches(url)) : undefined
    if (excluded !== undefined) return `filter: excluded by ${excluded.pattern}`
    if (isSeed) return null
    if (include.length > 0 && !matchesAny(url, include)) return 'filter: not included'
    return shapeRefusal(url) ?? (settings.followActions ? null : actionRefusal(url))
  }
}

function actionRefusal(url: CanonicalUrl): string | null {
  const action = actionOf(pathOf(url))
  return action === null ? null : `action-link: ${action}`
}

function matchesAny(url: CanonicalUrl, globs: readonly UrlGlob[]): boolean {
  return globs.some((glob) => glob.matches(url))
}

/** What the path and query alone tell. */
function shapeRefusal(url: CanonicalUrl): string | null {
  const pathAt = url.indexOf('/', 'https://'.length)
  const queryAt = url.indexOf('?', pathAt)
  const end = queryAt < 0 ? url.length : queryAt
  const path = url.slice(pathAt, end)
  const extension = nonPageExtension(path)
  if (extension !== null) return `type: ${extension}`
  const trap = pathTrap(path, url.slice(end))
  return trap === null ? null : `trap: ${trap}`
}

/** Whether a host is within the crawl's scope, whatever the path: for sitemaps and the like. */
export function createScope(
  seeds: readonly CanonicalUrl[],
  scope: CrawlSettings['scope'],
): (host: string) => boolean {
  if (scope === 'any') return () => true
  const hosts = seeds.map(hostOf)
  if (scope === 'host') {
    const allowed = new Set(hosts)
    return (host) => allowed.has(host)
  }
  const sites = new Set(hosts.map(siteOf))
  const known = new Map<string, boolean>()
  return (host) => {
    const answer = known.get(host)
    if (answer !== undefined) return answer
    if (known.size >= MAX_HOSTS_REMEMBERED) known.clear()
    const within = sites.has(siteOf(host))
    known.set(host, within)
    return within
  }
}
