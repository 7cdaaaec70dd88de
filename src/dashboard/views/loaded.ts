// Views, each loaded when it is first opened: maps and charts bring large libraries along.
import type { FunctionComponent } from 'preact'
import type { ViewName } from '../router.ts'
import type { ViewProps } from './view-props.ts'

export type View = FunctionComponent<ViewProps>

const LOADERS: Readonly<Record<ViewName, () => Promise<View>>> = {
  jobs: async () => (await import('./jobs-view.tsx')).JobsView,
  new: async () => (await import('./new-job-view.tsx')).NewJobView,
  job: async () => (await import('./job-view.tsx')).JobView,
  pages: async () => (await import('./pages-view.tsx')).PagesView,
  page: async () => (await import('./page-view.tsx')).PageView,
  map: async () => (await import('./page-map-view.tsx')).PageMapView,
  sites: async () => (await import('./site-map-view.tsx')).SiteMapView,
  workers: async () => (await import('./workers-view.tsx')).WorkersView,
  search: async () => (await import('./search-view.tsx')).SearchView,
  api: async () => (await import('./api-view.tsx')).ApiView,
  unknown: async () => (await import('./unknown-view.tsx')).UnknownView,
}

/** The view; null when its file cannot be had, because the server is gone or was replaced. */
export async function loadView(name: ViewName): Promise<View | null> {
  try {
    return await LOADERS[name]()
  } catch {
    return null
  }
}
