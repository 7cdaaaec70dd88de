// Where in the dashboard we are: the part of the address after `#`. Whatever stands there comes from
// links and bookmarks, so a route that makes no sense is `unknown`, never an error.
import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

export const JOB_VIEWS = ['job', 'pages', 'page', 'map', 'sites'] as const
const VIEWS = [
  'jobs',
  'new',
  ...JOB_VIEWS,
  'workers',
  'search',
  'compare',
  'api',
  'unknown',
] as const
export type ViewName = (typeof VIEWS)[number]

export type Route = {
  readonly view: ViewName
  /** `crawl_1`; '' outside of a job. */
  readonly jobId: string
  /** 0 outside of a page. */
  readonly pageId: number
  /** What stands after `?`: filters, a query. */
  readonly query: Readonly<Record<string, string>>
}

const JOB_ID = /^crawl_[1-9][0-9]{0,14}$/
const PAGE_ID = /^[1-9][0-9]{0,14}$/
const PLAIN: Readonly<Record<string, ViewName>> = {
  '': 'jobs',
  new: 'new',
  workers: 'workers',
  search: 'search',
  compare: 'compare',
  api: 'api',
}
const OF_JOB: Readonly<Record<string, ViewName>> = {
  '': 'job',
  pages: 'pages',
  map: 'map',
  sites: 'sites',
}

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s)
  const query = Object.fromEntries(new URLSearchParams(search))
  const [first = '', jobId = '', part = '', page = '', ...more] = path.replace(/\/$/, '').split('/')
  const route = (view: ViewName, at: Partial<Route> = {}): Route => ({
    view,
    jobId: '',
    pageId: 0,
    query,
    ...at,
  })
  if (first !== 'job') {
    const view = jobId === '' && Object.hasOwn(PLAIN, first) ? PLAIN[first] : undefined
    return route(view ?? 'unknown')
  }
  if (!JOB_ID.test(jobId) || more.length > 0) return route('unknown')
  if (part === 'page' && PAGE_ID.test(page)) return route('page', { jobId, pageId: Number(page) })
  const view = page === '' && Object.hasOwn(OF_JOB, part) ? OF_JOB[part] : undefined
  return view === undefined ? route('unknown') : route(view, { jobId })
}

/** The address of a view, for `href`. Empty values of the query are left out. */
export function hrefTo(
  view: ViewName,
  at: { jobId?: string; pageId?: number; query?: Readonly<Record<string, string>> } = {},
): string {
  const { jobId = '', pageId = 0, query = {} } = at
  const params = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''))
  return `#/${pathOf(view, jobId, pageId)}${params.size === 0 ? '' : `?${params}`}`
}

function pathOf(view: ViewName, jobId: string, pageId: number): string {
  if (view === 'page') return `job/${jobId}/page/${pageId}`
  if (view === 'job') return `job/${jobId}`
  if (JOB_VIEWS.some((name) => name === view)) return `job/${jobId}/${view}`
  return view === 'jobs' || view === 'unknown' ? '' : view
}

/** The route now; `watchRoute` keeps it current. */
export const route = signal<Route>(parseRoute(''))

export function watchRoute(): void {
  const read = (): void => {
    route.value = parseRoute(location.hash)
  }
  window.addEventListener('hashchange', read)
  read()
}

export function goTo(href: string): void {
  location.hash = href
}

/** Changes what stands after `?` without a step in the browser's history. */
export function replaceQuery(query: Readonly<Record<string, string>>): void {
  const { view, jobId, pageId } = route.value
  history.replaceState(null, '', hrefTo(view, { jobId, pageId, query }))
  route.value = parseRoute(location.hash)
}

/** Where a view is asked to show something. */
export type ViewProps = {
  /** `crawl_1`; '' outside of a job. */
  readonly jobId: string
  /** 0 outside of a page. */
  readonly pageId: number
  /** What stands after `?` in the address. */
  readonly query: Readonly<Record<string, string>>
}

/**
 * The document's title: what the view is called, then the product. It changes together with what the view
 * shows, so that a screen reader never reads out the title of the view before.
 */
export function useTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = title === '' ? 'Jelajah' : `${title} · Jelajah`
  }, [title])
}
