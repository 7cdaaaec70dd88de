// Which URLs may enter the queue. Every new URL is checked once, and a refused one keeps the reason.
// Robots rules, content type and address are checked later, when the URL is fetched.
import { compileGlob, type UrlGlob } from './glob.ts'
import type { CrawlSettings } from './job.ts'
import { type CanonicalUrl, hostOf, pathOf, siteOf } from './url.ts'

/** The reason a URL may not enter (`code: detail`, see visit.ts), or null. */
type Admission = (url: CanonicalUrl, host: string) => string | null

type AdmissionSettings = Pick<
  CrawlSettings,
  'scope' | 'include' | 'exclude' | 'followActions' | 'skipExtensions' | 'allowExtensions'
>

/** Longer URLs are recorded but not fetched. Sitemaps and old browsers have the same limit. */
const MAX_FETCHED_LENGTH = 2083
// Enough for the hosts in use. The cache must not grow with the web.
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
  const skipped = skippedExtensions(settings)
  return (url, host) => {
    const isSeed = given.has(url)
    if (!isSeed && !inScope(host)) return `scope: ${host} is outside`
    if (url.length > MAX_FETCHED_LENGTH) return `length: ${url.length} characters`
    const excluded = exclude.length > 0 ? exclude.find((glob) => glob.matches(url)) : undefined
    if (excluded !== undefined) return `filter: excluded by ${excluded.pattern}`
    if (isSeed) return null
    if (include.length > 0 && !matchesAny(url, include)) return 'filter: not included'
    return shapeRefusal(url, skipped) ?? (settings.followActions ? null : actionRefusal(url))
  }
}

function actionRefusal(url: CanonicalUrl): string | null {
  const action = actionOf(pathOf(url))
  return action === null ? null : `action-link: ${action}`
}

function matchesAny(url: CanonicalUrl, globs: readonly UrlGlob[]): boolean {
  return globs.some((glob) => glob.matches(url))
}

/** Refusals that depend on path and query only. */
function shapeRefusal(url: CanonicalUrl, skipped: Skipped): string | null {
  const pathAt = url.indexOf('/', 'https://'.length)
  const queryAt = url.indexOf('?', pathAt)
  const end = queryAt < 0 ? url.length : queryAt
  const path = url.slice(pathAt, end)
  const extension = nonPageExtension(path, skipped)
  if (extension !== null) return `type: ${extension}`
  const trap = pathTrap(path, url.slice(end))
  return trap === null ? null : `trap: ${trap}`
}

/** Tells whether a host is in scope, regardless of the path; used for sitemaps. */
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
  const known = new Map(hosts.map((host) => [host, true]))
  let sites: ReadonlySet<string> | undefined
  return (host) => {
    const answer = known.get(host)
    if (answer !== undefined) return answer
    if (known.size >= MAX_HOSTS_REMEMBERED) known.clear()
    sites ??= new Set(hosts.map(siteOf))
    const within = sites.has(siteOf(host))
    known.set(host, within)
    return within
  }
}

/** At the end of a path these words always name an action. */
const ALWAYS = new Set([
  ...['logout', 'log_out', 'log-out', 'logoff', 'log_off', 'log-off', 'signout', 'sign_out'],
  ...['sign-out', 'signoff', 'sign-off', 'unsubscribe', 'addtocart', 'add_to_cart', 'add-to-cart'],
  ...['removefromcart', 'remove_from_cart', 'remove-from-cart', 'addtowishlist'],
  ...['add_to_wishlist', 'add-to-wishlist', 'endsession', 'end-session', 'keluar'],
])
/** These words may also be titles; they name an action only together with an object. */
const WITH_OBJECT = new Set([
  ...['delete', 'destroy', 'remove', 'purge', 'trash', 'cancel', 'unfollow', 'unlike', 'upvote'],
  ...['downvote', 'ban', 'hapus'],
])
/** Query keys whose value names the action. */
const ACTION_KEYS = new Set(['action', 'do', 'act', 'cmd', 'op', 'task', 'mode'])
const KEY_IS_ACTION = new Set([
  'logout',
  'add-to-cart',
  'add_to_cart',
  'remove_item',
  'delete_item',
])
const EXTENSION = /\.(?:php\d?|aspx?|jsp|do|cgi|cfm|action|html?)$/
const PAGE_EXTENSION = /\.html?$/
// A year is no identifier: `/2024/cancel` may be a page.
const IDENTIFIER = /^(?!(?:19|20)\d\d$)(?:\d+|[0-9a-f]{8,}|[0-9a-f-]{36})$/
// A quick test, since hardly any URL contains one of the words.
const SUSPECT =
  /log[-_]?(?:out|off)|sign[-_]?(?:out|off)|unsubscribe|cart|wishlist|end-?session|keluar|delete|destroy|remove|purge|trash|cancel|unfollow|unlike|vote|ban\b|hapus/i

/**
 * The action that path and query trigger, such as to log out, to delete or to add to a cart; null if they
 * show a page. A crawler must not press every button it finds. A word counts only where it names the
 * action: `/logout`, but not `/blog/how-to-log-out`.
 */
export function actionOf(pathAndQuery: string): string | null {
  if (!SUSPECT.test(pathAndQuery)) return null
  const [path = '', query = ''] = pathAndQuery.toLowerCase().split('?', 2)
  const segments = path.split('/').filter((segment) => segment !== '')
  return actionInPath(segments, query) ?? actionInQuery(query)
}

function actionInPath(segments: readonly string[], query: string): string | null {
  const last = segments.at(-1) ?? ''
  const name = last.replace(EXTENSION, '')
  if (ALWAYS.has(name)) return name
  const before = segments.at(-2) ?? ''
  const beside = before.replace(EXTENSION, '')
  // `/cart/delete?id=1`, `/posts/12/delete`, `/post/delete/12`
  if (WITH_OBJECT.has(name) && !PAGE_EXTENSION.test(last)) {
    return query !== '' || IDENTIFIER.test(before) ? name : null
  }
  return (WITH_OBJECT.has(beside) || ALWAYS.has(beside)) && IDENTIFIER.test(name) ? beside : null
}

function actionInQuery(query: string): string | null {
  for (const pair of query.split('&')) {
    const [key = '', value = ''] = pair.split('=', 2)
    if (KEY_IS_ACTION.has(key)) return key
    if (ACTION_KEYS.has(key) && (ALWAYS.has(value) || WITH_OBJECT.has(value))) return value
  }
  return null
}

const NON_PAGES: Readonly<Record<string, string>> = {
  images:
    'apng avif bmp cr2 dng eps gif heic heif icns ico jfif jpe jpeg jpg nef png psd svg svgz tga tif tiff webp xcf',
  sound: 'aac aif aiff amr flac m3u m3u8 m4a mid midi mp2 mp3 oga ogg opus pls wav weba wma',
  video: '3gp asf avi f4v flv m2ts m4v mkv mov mp4 mpeg mpg mts ogv qt rmvb swf vob webm wmv',
  fonts: 'eot otf ttc ttf woff woff2',
  archives: '7z ace bz2 cab gz jar lz lz4 lzma rar tar tbz tbz2 tgz txz war whl xz zip zst',
  programs: 'apk appimage bin deb dll dmg exe img ipa iso msi msix pkg pyc rpm vhd vmdk wasm',
  office:
    'doc docm docx dotx epub fb2 indd mobi odg odp ods odt pdf potx pps ppsx ppt pptm pptx ps rtf vsd vsdx xls xlsb xlsm xlsx xlt xps djvu djv azw azw3',
  drawings: 'blend cdr dae dwf dwg dxf fbx obj skp stl stp',
  records:
    'csv dat db dbf geojson gpx ics json json5 jsonl jsonld kml kmz mdb ndjson parquet rdf shp sqlite sqlite3 tsv vcf',
  feeds: 'atom rss xml xsd xsl xslt',
  scripts: 'cjs css js less mjs sass scss',
  others: 'asc cer crl crt crx md5 p7s pem pfx sha1 sha256 sha512 sig torrent xpi',
}
const EXTENSIONS: ReadonlySet<string> = new Set(Object.values(NON_PAGES).join(' ').split(' '))
const LONGEST = 8

/** What is skipped by default, and what the user skips. */
type Skipped = { readonly files: ReadonlySet<string>; readonly own: ReadonlySet<string> }

/**
 * Extensions of files that are never pages. The content type of the response decides what a file is; this
 * list only saves requests that could never return text. Extensions that also end names and titles are left
 * out: `.com`, `.ai`, `.app`, `.key`. An extension that is named by both settings is skipped.
 */
function skippedExtensions({ skipExtensions, allowExtensions }: AdmissionSettings): Skipped {
  const own = new Set(skipExtensions)
  if (allowExtensions.length === 0) return { files: EXTENSIONS, own }
  const allowed = new Set(allowExtensions)
  return { files: new Set([...EXTENSIONS].filter((one) => !allowed.has(one))), own }
}

// Titles that look like file names: `/wiki/Node.js`, `/tags/three.js`, `/wiki/File:Map.svg`.
const TITLE = /(?:^|\/)(?:wiki|tags?|tagged|topics?)\/[^/]*$/i
const PROPER_NAME = /^[A-Z][A-Za-z]*\.js$/

/** The extension that makes this path a file, such as `.jpg`; null if it may be a page. */
function nonPageExtension(path: string, { files, own }: Skipped): string | null {
  const dot = path.lastIndexOf('.')
  if (dot < 0 || path.length - dot > LONGEST + 1) return null
  const extension = path.slice(dot + 1).toLowerCase()
  if (own.has(extension)) return `.${extension}`
  if (!files.has(extension)) return null
  const name = path.slice(path.lastIndexOf('/') + 1)
  // In a wiki, the page about a file has a colon before the name.
  const isTitle = name.includes(':') || TITLE.test(path) || PROPER_NAME.test(name)
  return isTitle ? null : `.${extension}`
}

const MAX_SEGMENTS = 20
const MAX_QUERY_KEYS = 8
/** Repetitions in a row that make a trap; two are common (`/blog/blog`). */
const REPEATS = 3
/** Occurrences of one segment, anywhere in the path, that make a trap. */
const OCCURRENCES = 5

/**
 * Describes the trap in this path and query; null if there is none. A path grows because a site links to
 * itself in circles. Traps without repetition, such as two words in ever new orders, are found by the
 * content of their pages (template.ts).
 */
function pathTrap(path: string, query: string): string | null {
  const keys = countKeys(query)
  if (keys > MAX_QUERY_KEYS) return `${keys} query keys`
  // Most paths are too short to repeat anything three times.
  if (path.indexOf('/', path.indexOf('/', 1) + 1) < 0) return null
  const segments = path.split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  if (segments.length > MAX_SEGMENTS) return `${segments.length} path segments`
  const circle = circleIn(segments)
  if (circle !== null) return `/${circle.join('/')} again and again`
  const word = oftenIn(segments)
  return word === null ? null : `/${word} ${OCCURRENCES} times`
}

function oftenIn(segments: readonly string[]): string | null {
  if (segments.length < OCCURRENCES) return null
  const counts = new Map<string, number>()
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1
    if (count === OCCURRENCES && !/^\d*$/.test(segment)) return segment
    counts.set(segment, count)
  }
  return null
}

function countKeys(query: string): number {
  if (query.length <= 1) return 0
  let keys = 1
  for (let at = query.indexOf('&'); at >= 0; at = query.indexOf('&', at + 1)) keys += 1
  return keys
}

/** The shortest run of segments that occurs three times in a row. */
function circleIn(segments: readonly string[]): readonly string[] | null {
  for (let period = 1; period * REPEATS <= segments.length; period++) {
    const start = circleOf(segments, period)
    if (start < 0) continue
    const circle = segments.slice(start, start + period)
    // Equal numbers are common: `/1/1/1` may be a chapter and a verse, or a date. Budgets limit those.
    if (!circle.every((segment) => /^\d+$/.test(segment))) return circle
  }
  return null
}

function circleOf(segments: readonly string[], period: number): number {
  let equal = 0
  for (let i = 0; i + period < segments.length; i++) {
    equal = segments[i] === segments[i + period] ? equal + 1 : 0
    if (equal === period * (REPEATS - 1)) return i + 1 - equal
  }
  return -1
}
