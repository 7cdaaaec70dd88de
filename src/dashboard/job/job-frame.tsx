// What all views of a job share: its name, its status, what can be done with it, and the way to the
// other views.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { JobSummary } from '../../reads/shapes/job.ts'
import { ButtonLink } from '../components/button.tsx'
import { StatusBadge } from '../components/icon.tsx'
import { EmptyState, FailureNotice } from '../components/notice.tsx'
import { Tabs } from '../components/tabs.tsx'
import { WebText } from '../components/web-text.tsx'
import { t } from '../i18n/i18n.ts'
import { hrefTo, type ViewName } from '../router.ts'
import { JobContext, LiveJob } from '../state/live-job.ts'
import { JobActions } from './job-actions.tsx'
import { jobNote } from './job-words.ts'

export function JobFrame({
  jobId,
  view,
  children,
}: {
  readonly jobId: string
  readonly view: ViewName
  readonly children: ComponentChildren
}) {
  const live = useMemo(() => new LiveJob(jobId), [jobId])
  useEffect(() => () => live.close(), [live])
  return (
    <JobContext.Provider value={live}>
      <Lost live={live} />
      <Framed live={live} view={view}>
        {children}
      </Framed>
    </JobContext.Provider>
  )
}

/** A crawl that does not exist sends no events; that is no fault of the server. */
function Lost({ live }: { readonly live: LiveJob }) {
  const hasAnswer = live.job.value !== null || live.failure.value !== null
  if (live.link.value !== 'lost' || live.gone || !hasAnswer) return null
  return (
    <p class="lost" role="status">
      {t('shell.lost')}
    </p>
  )
}

function Framed({
  live,
  view,
  children,
}: {
  readonly live: LiveJob
  readonly view: ViewName
  readonly children: ComponentChildren
}) {
  const job = live.job.value
  const failure = live.failure.value
  if (live.gone) {
    return (
      <EmptyState title={t('job.gone')}>
        <p>{t('job.goneText', { id: live.id })}</p>
        <ButtonLink href={hrefTo('jobs')}>{t('unknown.back')}</ButtonLink>
      </EmptyState>
    )
  }
  if (job === null) {
    if (failure === null) return <p class="view-loading">{t('shell.loading')}</p>
    return <FailureNotice failure={failure} onRetry={() => void live.refresh()} />
  }
  return (
    <>
      <JobHead job={job} live={live} />
      <Tabs label={t('job.views')} tabs={tabsOf(job.id, view)} />
      <ViewHeading view={view} />
      {children}
    </>
  )
}

/** The tab says what is shown to those who see it. */
function ViewHeading({ view }: { readonly view: ViewName }) {
  if (view !== 'pages' && view !== 'map' && view !== 'sites') return null
  return (
    <h2 class="unseen" data-heading>
      {t(`tab.${view}`)}
    </h2>
  )
}

function JobHead({ job, live }: { readonly job: JobSummary; readonly live: LiveJob }) {
  const note = jobNote(job)
  return (
    <div class="view-head">
      <div class="job-title">
        <p class="small">
          <a href={hrefTo('jobs')}>{t('nav.jobs')}</a> / {job.id}
        </p>
        <h1>
          <WebText text={job.name} most={120} />
        </h1>
        <p class="job-state">
          <StatusBadge status={job.status} /> {note !== '' && <WebText text={note} most={400} />}
        </p>
      </div>
      <LiveActions job={job} live={live} />
    </div>
  )
}

/** What is asked before something is done names the figures of now. */
function LiveActions({ job, live }: { readonly job: JobSummary; readonly live: LiveJob }) {
  const { stored, queued } = live.progress.value ?? job
  return <JobActions job={{ ...job, stored, queued }} onDone={() => void live.refresh()} />
}

function tabsOf(jobId: string, view: ViewName) {
  const shown = view === 'page' ? 'pages' : view
  const names = ['job', 'pages', 'map', 'sites'] as const
  const tabs = names.map((name) => ({
    href: hrefTo(name, { jobId }),
    label: t(`tab.${name}`),
    current: shown === name,
  }))
  const search = hrefTo('search', { query: { crawl: jobId } })
  return [...tabs, { href: search, label: t('tab.search'), current: false }]
}
