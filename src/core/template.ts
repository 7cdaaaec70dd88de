// The template of a URL: the URL without the parts that vary from page to page. An endless space (a
// calendar, a faceted search, a session id in the path) appears as one template with very many pages that
// show nothing new. The second half of this file collects that evidence.
//
//   /p/123               /p/N        digits
//   /1/2/3/4             /N+         the same variable three times and more
//   /2024/05/12/         /D/         a date, whole; it has a letter of its own so that a calendar
//                                    and a numbered list are judged apart
//   /d/3f2504e04f89      /d/H        a long hexadecimal or random token, or a UUID
//   /12/how-to-cook      /N/S        a title of three words or more, beside another variable
//   /a;jsessionid=1F0    /a;sid      a session
//   /x?b=1&a=2           /x?a&b      the names of the query's keys, sorted
//   /x?a=1&b=2&c=3       /x?*        three keys and more: any of them
//   /a/b/c               /a/b/*      the folder, where nothing varies
//   /a/b/c/d/e           /a/b/**     a deep one: whatever grows there grows in one place
import { type CanonicalUrl, pathOf } from './url.ts'

export type UrlTemplate = {
  /** Unique within its host. */
  readonly key: string
  /** True if a part varies; false for a mere folder, which gets more patience. */
  readonly isSeries: boolean
  /**
   * For a query with three or more values (page numbers excluded): a hash of each pair. A facet that was
   * combined with others before shows nothing new in another combination.
   */
  readonly pairs: readonly number[]
  /** True if the query contains a page number. */
  readonly turnsPage: boolean
}

const VARIABLE = /[0-9?=]/
const YEAR = /^(?:19|20)[0-9]{2}$/
const MONTH = /^(?:0?[1-9]|1[0-2])$/
const DAY = /^(?:0?[1-9]|[12][0-9]|3[01])$/
const EXTENSION = /(?:\.[a-z]+)?$/i
// 2024-05, 2024_5_12; not as part of a longer number.
const DATE_IN_NAME =
  /(?<![0-9])(?:19|20)[0-9]{2}([-_.])(?:0?[1-9]|1[0-2])(?:\1(?:0?[1-9]|[12][0-9]|3[01]))?(?![0-9])/g
const DATE_NUMBER = /^(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?![0-9])/
// A canonical URL contains no braces, so this cannot be confused with a letter of the path.
const DATE = '{D}'
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const RUN = /%[0-9A-F]{2}|[0-9A-Za-z]+/g
const SESSION = /;?\b(?:jsessionid|phpsessid|aspsessionid[a-z]*|session_?id|sid)=[^/;]*/gi
// The session folder of ASP.NET: /(S(lit3py55t21z5v55vlm25s55))/page
const SESSION_FOLDER = /\/\(S\([^/()]*\)\)(?=\/)/gi
const WORDS_OF_TITLE = 3

/** Query keys whose value is a page number. */
const PAGE_KEY =
  /^(?:p|pg|page|paged|pageno|page_?num(?:ber)?|offset|start|from|skip|halaman|hal|seite)$/i
/** A query with this many keys is a combination; it matters whether one value is new. */
const COMBINES = 3
/** Folders deeper than this share one template. */
const FOLDER_DEPTH = 2

export function templateOf(url: CanonicalUrl): UrlTemplate {
  const whole = pathOf(url)
  if (!VARIABLE.test(whole)) return folderOf(whole)
  const queryAt = whole.indexOf('?')
  const path = queryAt < 0 ? whole : whole.slice(0, queryAt)
  const steady = /[=(]/.test(path) ? withoutSession(path) : path
  const segments = templateSegments(steady.split('/'))
  const key = shortened(segments).join('/')
  if (queryAt >= 0) return queryTemplate(key.replaceAll(DATE, 'D'), whole.slice(queryAt + 1))
  if (key === path) return folderOf(path)
  const shown = shortened(segments.map(withoutTitle)).join('/').replaceAll(DATE, 'D')
  return { key: shown, isSeries: true, pairs: [], turnsPage: false }
}

function folderOf(path: string): UrlTemplate {
  const folders = path.split('/').slice(1, -1)
  const isDeep = folders.length > FOLDER_DEPTH
  const shown = ['', ...folders.slice(0, FOLDER_DEPTH), isDeep ? '**' : '*'].join('/')
  return { key: shown, isSeries: false, pairs: [], turnsPage: false }
}

function queryTemplate(path: string, query: string): UrlTemplate {
  const written = query.split('&').filter((pair) => pair !== '')
  const steady = written.filter((pair) => !PAGE_KEY.test(nameOf(pair)))
  const names = namesOf(written)
  const turnsPage = steady.length < written.length
  if (namesOf(steady).length < COMBINES) {
    return { key: `${path}?${names.join('&')}`, isSeries: true, pairs: [], turnsPage }
  }
  return { key: `${path}?*`, isSeries: true, pairs: steady.map(textHash), turnsPage }
}

/** `/N/N/N/N` and `/N/N/N` are one template: a path that grows by numbers. */
function shortened(segments: readonly string[]): string[] {
  const short: string[] = []
  let run = 1
  for (const [at, segment] of segments.entries()) {
    run = at > 0 && segment === segments[at - 1] && isVariable(segment) ? run + 1 : 1
    if (run < 3) short.push(segment)
    else if (run === 3) short.splice(-2, 2, `${segment}+`)
  }
  return short
}

function isVariable(segment: string): boolean {
  return segment === 'N' || segment === 'H' || segment === 'S' || segment === DATE
}

function withoutSession(path: string): string {
  return path.replace(SESSION, ';sid').replace(SESSION_FOLDER, '/;sid')
}

function templateSegments(segments: readonly string[]): string[] {
  const templates: string[] = []
  for (let i = 0; i < segments.length; i++) {
    const length = dateLength(segments, i)
    if (length > 0) i += length - 1
    const segment = segments[i] ?? ''
    if (length > 0) templates.push(DATE + (EXTENSION.exec(segment)?.[0] ?? ''))
    else templates.push(/[0-9]/.test(segment) ? templateOfSegment(segment) : segment)
  }
  return templates
}

/** The number of segments from here that are year, month and perhaps day: 0, 2 or 3. */
function dateLength(segments: readonly string[], start: number): number {
  const month = segments[start + 1] ?? ''
  if (!YEAR.test(segments[start] ?? '') || !MONTH.test(month.replace(EXTENSION, ''))) return 0
  const day = segments[start + 2] ?? ''
  return DAY.test(day.replace(EXTENSION, '')) ? 3 : 2
}

function templateOfSegment(segment: string): string {
  if (/^[0-9]+$/.test(segment)) return DATE_NUMBER.test(segment) ? DATE : 'N'
  const dateless = segment.replace(DATE_NUMBER, DATE).replace(DATE_IN_NAME, DATE)
  return dateless.replace(UUID, 'H').replace(RUN, templateOfRun)
}

function templateOfRun(run: string): string {
  // Digits of a percent escape are no number.
  if (run.startsWith('%')) return run
  return isToken(run) ? 'H' : run.replace(/[0-9]+/g, 'N')
}

/** True for long hexadecimal text, and for letters and digits mixed as in no word or number. */
function isToken(run: string): boolean {
  const changes = run.match(/[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])/g)?.length ?? 0
  return changes > 0 && ((run.length >= 12 && /^[0-9a-f]+$/i.test(run)) || changes >= 4)
}

/** Without this rule every article with a date or number would be a template of its own. */
function withoutTitle(segment: string): string {
  const words = segment.match(/(?:[a-z]|%[0-9A-F]{2}){2,}/gi)?.length ?? 0
  return words >= WORDS_OF_TITLE ? 'S' : segment
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0] ?? ''
}

function namesOf(pairs: readonly string[]): string[] {
  const templates = pairs.map((pair) => {
    const name = nameOf(pair)
    return /[0-9]/.test(name) ? name.replace(RUN, templateOfRun) : name
  })
  return [...new Set(templates)].sort()
}

/** Mutable; one for each template with visited pages. */
export type TrapEvidence = {
  /** Pages that showed nothing new minus pages that did; never below 0. */
  debt: number
  /** Copies in a row. */
  streak: number
  /** Likeness hashes of the last pages, oldest first. */
  likes: readonly number[]
  /** Recent pairs of query values, oldest first; see UrlTemplate. */
  pairs: readonly number[]
}

/** The rule that closed a template. */
export type Shown = Pick<TrapEvidence, 'debt' | 'streak' | 'pairs'>

/** The result of a visit, as evidence. */
export type Sight = {
  /** `copy`: the whole content is that of another URL. `redirect`: the page is elsewhere. */
  readonly of: 'page' | 'copy' | 'redirect'
  /** Equal for pages with the same text and for redirects to the same target; 0 if unknown. */
  readonly likeness: number
}

const REMEMBERED_LIKES = 50
const REMEMBERED_PAIRS = 256

/**
 * Evidence about the pages of one template, and the rule that makes the template a trap. Evidence is added
 * when a page is read and checked when another page is due, not when links are found: a catalogue of ten
 * thousand pages is found at once, and is no trap while its pages differ.
 */
export function noEvidence(): TrapEvidence {
  return { debt: 0, streak: 0, likes: [], pairs: [] }
}

export function weigh(evidence: TrapEvidence, template: UrlTemplate, sight: Sight): void {
  const { likeness, of } = sight
  const isAlike = of === 'copy' || (likeness !== 0 && evidence.likes.includes(likeness))
  const unseen = template.pairs.filter((pair) => !evidence.pairs.includes(pair))
  const isOld = template.pairs.length > 0 && unseen.length === 0
  if (isAlike) evidence.streak += of === 'page' ? 0 : 1
  else if (of === 'page') evidence.streak = 0
  if (isAlike || (isOld && !template.turnsPage)) evidence.debt += 1
  // Neither a redirect nor a further page of a counted list is new by itself.
  else if (of === 'page' && !isOld) evidence.debt = Math.max(0, evidence.debt - 1)
  if (likeness !== 0) evidence.likes = last(evidence.likes, likeness, REMEMBERED_LIKES)
  for (const pair of unseen) evidence.pairs = last(evidence.pairs, pair, REMEMBERED_PAIRS)
}

/** Why no more pages of a template are fetched; null while they are. */
export function trapReason(
  { key, isSeries, pairs }: UrlTemplate,
  { debt, streak, pairs: seen }: Shown,
  budget: number,
): string | null {
  if (budget === 0) return null
  if (streak >= streakLimit(isSeries, budget)) {
    return `trap: ${key} shows the same page again and again`
  }
  // Repeated combinations are no reason to refuse a value that was never seen.
  const allowed = pairs.some((pair) => !seen.includes(pair)) ? 2 * budget : budget
  return debt >= allowed ? `trap: ${key} has used its ${allowed} pages without news` : null
}

/** Copies in a row that close a template: a quarter of the budget, half of it for a mere folder. */
export function streakLimit(isSeries: boolean, budget: number): number {
  const [share, least] = isSeries ? [budget / 4, 20] : [budget / 2, 40]
  return Math.max(Math.ceil(share), Math.min(budget, least))
}

function last(kept: readonly number[], added: number, room: number): readonly number[] {
  return [...kept.slice(1 - room), added]
}

/** A small hash for telling texts apart: FNV-1a in 32 bits, never 0. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0 || 1
}
