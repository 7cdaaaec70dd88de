// The template of a URL: what remains when the parts that vary from page to page are taken out.
// An endless space (a calendar, a faceted search, a session in the path) shows as one template
// with very many pages; the frontier gives each template of a host a budget.
//
//   /p/123               /p/N        digits
//   /2024/05/12/         /D/         a date, whole; it has a letter of its own so that a calendar
//                                    and a numbered list never share a budget
//   /d/3f2504e04f89      /d/H        a long hexadecimal or random token, or a UUID
//   /12/how-to-cook      /N/S        a title of three words or more, beside another variable
//   /a;jsessionid=1F0    /a;sid      a session
//   /x?b=1&a=2           /x?a&b      the names of the query's keys, sorted
import { type CanonicalUrl, pathOf } from './url.ts'

export type UrlTemplate = {
  /** Within its host. */
  readonly key: string
  /**
   * True for what is endless as a rule: a query, a date with nothing after it, a session. It gets
   * the hard budget. False for numbered pages, which are only closed when they are all alike.
   */
  readonly strict: boolean
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
// Braces never stand in a canonical URL, so this cannot be mistaken for a letter of the path.
const DATE = '{D}'
const ENDS_WITH_DATE = /\{D\}(?:\.[a-z]+)?(?:\/(?:index\.[a-z]+)?)?$/i
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const RUN = /%[0-9A-F]{2}|[0-9A-Za-z]+/g
const SESSION = /;?\b(?:jsessionid|phpsessid|aspsessionid[a-z]*|session_?id|sid)=[^/;]*/gi
// ASP.NET puts it in a folder of its own: /(S(lit3py55t21z5v55vlm25s55))/page
const SESSION_FOLDER = /\/\(S\([^/()]*\)\)(?=\/)/gi
const WORDS_OF_TITLE = 3

/** null for a URL that has neither a query nor a variable part: it needs no budget. */
export function templateOf(url: CanonicalUrl): UrlTemplate | null {
  const whole = pathOf(url)
  if (!VARIABLE.test(whole)) return null
  const queryAt = whole.indexOf('?')
  const path = queryAt < 0 ? whole : whole.slice(0, queryAt)
  const steady = /[=(]/.test(path) ? withoutSession(path) : path
  const segments = templateSegments(steady.split('/'))
  const key = segments.join('/')
  const shown = key.replaceAll(DATE, 'D')
  if (queryAt >= 0) return { key: `${shown}?${keysOf(whole.slice(queryAt + 1))}`, strict: true }
  if (key === path) return null
  if (steady !== path || ENDS_WITH_DATE.test(key)) return { key: shown, strict: true }
  return { key: segments.map(withoutTitle).join('/').replaceAll(DATE, 'D'), strict: false }
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

/** How many segments from here on are year, month and perhaps day: 0, 2 or 3. */
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
  // The digits of an escape are no number.
  if (run.startsWith('%')) return run
  return isToken(run) ? 'H' : run.replace(/[0-9]+/g, 'N')
}

/** Long and hexadecimal, or letters and digits so mixed that it is neither a word nor a number. */
function isToken(run: string): boolean {
  const changes = run.match(/[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])/g)?.length ?? 0
  return changes > 0 && ((run.length >= 12 && /^[0-9a-f]+$/i.test(run)) || changes >= 4)
}

/** Else every article of a site with dates or numbers would be a template of its own. */
function withoutTitle(segment: string): string {
  const words = segment.match(/(?:[a-z]|%[0-9A-F]{2}){2,}/gi)?.length ?? 0
  return words >= WORDS_OF_TITLE ? 'S' : segment
}

function keysOf(query: string): string {
  const keys = query.split('&').map((pair) => pair.split('=', 1)[0] ?? '')
  const templates = keys.map((key) => (/[0-9]/.test(key) ? key.replace(RUN, templateOfRun) : key))
  return [...new Set(templates)].sort().join('&')
}
