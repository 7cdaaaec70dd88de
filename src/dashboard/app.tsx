// The frame around every view: header, navigation, preferences, and the place for the view itself.
import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { signInNeeded } from './api.ts'
import { Button } from './components/button.tsx'
import { Notice } from './components/notice.tsx'
import { useFocusOnChange } from './focus-heading.ts'
import { formatTime } from './format.ts'
import { Header } from './header.tsx'
import { t } from './i18n/i18n.ts'
import { JobFrame } from './job/job-frame.tsx'
import { JOB_VIEWS, type Route, route, type ViewName } from './router.ts'
import { SignIn } from './sign-in.tsx'
import { fleet, returned, storesAway } from './state/fleet.ts'
import type { ViewProps } from './views/view-props.ts'

export function App() {
  const { view, jobId, pageId } = route.value
  useFocusOnChange(`${view} ${jobId} ${pageId}`)
  return (
    <>
      <button
        type="button"
        class="skip-link"
        onClick={() => document.querySelector<HTMLElement>('#main')?.focus()}
      >
        {t('shell.skip')}
      </button>
      <Header />
      <StoreBanner />
      <main class="main" id="main" tabIndex={-1}>
        {signInNeeded.value ? <SignIn /> : <Place route={route.value} />}
      </main>
    </>
  )
}

function Place({ route: now }: { readonly route: Route }) {
  const view = <LoadedView route={now} />
  if (!JOB_VIEWS.some((name) => name === now.view)) return view
  return (
    <JobFrame key={now.jobId} jobId={now.jobId} view={now.view}>
      {view}
    </JobFrame>
  )
}

function LoadedView({ route: now }: { readonly route: Route }) {
  const [loaded, setLoaded] = useState<{ name: string; view: View | null } | null>(null)
  useEffect(() => {
    let current = true
    void loadView(now.view).then((view) => {
      if (current) setLoaded({ name: now.view, view })
    })
    return () => {
      current = false
    }
  }, [now.view])
  if (loaded === null || loaded.name !== now.view) {
    return <p class="view-loading">{t('shell.loading')}</p>
  }
  if (loaded.view === null) {
    return (
      <Notice tone="error" urgent title={t('shell.viewFailed')}>
        <p>
          <Button small onClick={() => location.reload()}>
            {t('action.reload')}
          </Button>
        </p>
      </Notice>
    )
  }
  const { view: Loaded } = loaded
  const { jobId, pageId, query } = now
  return <Loaded jobId={jobId} pageId={pageId} query={query} />
}

const STORE_NAMES = { postgres: 'PostgreSQL', redis: 'Redis' } as const

/** Which store is away, since when, and what happens next; then that it is back. */
function StoreBanner() {
  const away = storesAway(fleet.value)
  const back = returned.value
  // The element is always there: a screen reader only announces changes inside it.
  return (
    <div role="status" class="stores">
      {away.map(({ store, since, gives_up_at }) => (
        <p key={store} class="store-away">
          <strong>
            {t('stores.away', { store: STORE_NAMES[store], time: formatTime(since) })}
          </strong>{' '}
          {t('stores.rest')}{' '}
          {gives_up_at !== null && t('stores.givesUp', { time: formatTime(gives_up_at) })}
        </p>
      ))}
      {away.length === 0 && back !== null && (
        <p class="store-back">{t('stores.back', { store: STORE_NAMES[back.store] })}</p>
      )}
    </div>
  )
}

// Views, each loaded when it is first opened: maps and charts bring large libraries along.
type View = FunctionComponent<ViewProps>

const LOADERS: Readonly<Record<ViewName, () => Promise<View>>> = {
  jobs: async () => (await import('./views/jobs-view.tsx')).JobsView,
  new: async () => (await import('./views/new-job-view.tsx')).NewJobView,
  job: async () => (await import('./views/job-view.tsx')).JobView,
  pages: async () => (await import('./views/pages-view.tsx')).PagesView,
  page: async () => (await import('./views/page-view.tsx')).PageView,
  map: async () => (await import('./views/page-map-view.tsx')).PageMapView,
  sites: async () => (await import('./views/site-map-view.tsx')).SiteMapView,
  workers: async () => (await import('./views/workers-view.tsx')).WorkersView,
  search: async () => (await import('./views/search-view.tsx')).SearchView,
  api: async () => (await import('./views/api-view.tsx')).ApiView,
  unknown: async () => (await import('./views/unknown-view.tsx')).UnknownView,
}

/** The view; null when its file cannot be had, because the server is gone or was replaced. */
async function loadView(name: ViewName): Promise<View | null> {
  try {
    return await LOADERS[name]()
  } catch {
    return null
  }
}
