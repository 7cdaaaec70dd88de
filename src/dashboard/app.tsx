// The frame around every view: header, navigation, preferences, and the place for the view itself.
import { useEffect, useState } from 'preact/hooks'
import { signInNeeded } from './api.ts'
import { Button } from './components/button.tsx'
import { Notice } from './components/notice.tsx'
import { useFocusOnChange } from './focus-heading.ts'
import { Header } from './header.tsx'
import { t } from './i18n/i18n.ts'
import { JobFrame } from './job/job-frame.tsx'
import { JOB_VIEWS, type Route, route } from './router.ts'
import { SignIn } from './sign-in.tsx'
import { StoreBanner } from './store-banner.tsx'
import { loadView, type View } from './views/loaded.ts'

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
