// The frame around every view: header, navigation, preferences, and the place for the view itself.
import type { FunctionComponent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Failure, post, signInNeeded } from './api.ts'
import { Button, ButtonLink } from './components/button.tsx'
import { TextField } from './components/field.tsx'
import { EmptyState, failureText, Notice } from './components/notice.tsx'
import { formatTime } from './format.ts'
import { Header } from './header.tsx'
import { t } from './i18n/i18n.ts'
import { JobFrame } from './job/job-frame.tsx'
import {
  hrefTo,
  JOB_VIEWS,
  type Route,
  route,
  useTitle,
  type ViewName,
  type ViewProps,
} from './router.ts'
import { fleet, returned, storesAway } from './state/fleet.ts'

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
  compare: async () => (await import('./views/compare-view.tsx')).CompareView,
  api: async () => (await import('./views/api-view.tsx')).ApiView,
  unknown: async () => UnknownView,
}

/** The view; null when its file cannot be had, because the server is gone or was replaced. */
async function loadView(name: ViewName): Promise<View | null> {
  try {
    return await LOADERS[name]()
  } catch {
    return null
  }
}

/** A reader who waits longer for a view has begun to do something else. */
const PATIENCE_MS = 10_000

/**
 * A new place begins at its heading, for the eye and for a screen reader. The heading may come a moment
 * after the place: until then the focus waits at the top of the content. The first place is left out: there
 * the browser knows where to begin.
 */
function useFocusOnChange(place: string): void {
  const first = useRef(true)
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    const main = document.querySelector<HTMLElement>('#main')
    if (main === null) return
    window.scrollTo(0, 0)
    main.focus({ preventScroll: true })
    return focusWhenThere(main)
  }, [place])
}

/** Gives up when the reader goes elsewhere meanwhile. Returns how to stop waiting. */
function focusWhenThere(main: HTMLElement): () => void {
  const watch = new MutationObserver(() => look())
  const timer = setTimeout(() => stop(), PATIENCE_MS)
  const stop = (): void => {
    watch.disconnect()
    clearTimeout(timer)
  }
  const look = (): void => {
    const { activeElement } = document
    const isElsewhere = activeElement !== main && activeElement !== document.body
    const heading = isElsewhere ? null : headingIn(main)
    if (isElsewhere || heading !== null) stop()
    if (heading === null) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  watch.observe(main, { childList: true, subtree: true })
  look()
  return stop
}

/** That of the view, or else of what it is part of; null while the view is on its way. */
function headingIn(main: HTMLElement): HTMLElement | null {
  if (main.querySelector('.view-loading') !== null) return null
  for (const heading of ['[data-heading]', 'h1', 'h2']) {
    const found = main.querySelector<HTMLElement>(heading)
    if (found !== null) return found
  }
  return null
}

/** Asks for the token of a server that is open to more than this machine. */
function SignIn() {
  useTitle(t('session.title'))
  const [token, setToken] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const enter = async (): Promise<void> => {
    const answer = await post('/login', { token })
    setFailure(answer.ok ? null : answer.failure)
    if (answer.ok) signInNeeded.value = false
    else document.querySelector<HTMLElement>('#token')?.focus()
  }
  const wrong = failure?.status === 401 ? t('session.wrong') : failure && failureText(failure)
  return (
    <form
      class="card stack sign-in"
      onSubmit={(event) => {
        event.preventDefault()
        void enter()
      }}
    >
      <h1>{t('session.title')}</h1>
      <TextField
        id="token"
        secret
        autoComplete="current-password"
        label={t('session.token')}
        help={t('session.help')}
        error={wrong ?? undefined}
        value={token}
        onChange={setToken}
      />
      <div>
        <Button submits look="primary">
          {t('session.enter')}
        </Button>
      </div>
    </form>
  )
}

/** An address that leads nowhere. */
function UnknownView() {
  useTitle(t('unknown.title'))
  return (
    <EmptyState title={t('unknown.title')}>
      <p>{t('unknown.text')}</p>
      <ButtonLink href={hrefTo('jobs')}>{t('unknown.back')}</ButtonLink>
    </EmptyState>
  )
}
