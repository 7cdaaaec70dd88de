// All jobs at a glance.
import { useEffect, useMemo } from 'preact/hooks'
import { Button, ButtonLink } from '../components/button.tsx'
import { StatusBadge } from '../components/icon.tsx'
import { EmptyState, FailureNotice } from '../components/notice.tsx'
import { Bar } from '../components/stat.tsx'
import { WebText } from '../components/web-text.tsx'
import { formatDuration, formatMoment, formatRate } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { JobActions } from '../job/job-actions.tsx'
import { hasEnded, jobNote } from '../job/job-words.ts'
import { hrefTo, useTitle } from '../router.ts'
import { type ListedJob, LiveJobs } from '../state/live-jobs.ts'
import { now, useNow } from '../state/now.ts'

export function JobsView() {
  useTitle(t('jobs.title'))
  const live = useMemo(() => new LiveJobs(), [])
  useEffect(() => () => live.close(), [live])
  const failure = live.failure.value
  return (
    <>
      {live.link.value === 'lost' && (
        <p class="lost" role="status">
          {t('shell.lost')}
        </p>
      )}
      <div class="view-head">
        <h1>{t('jobs.title')}</h1>
        <div class="view-actions">
          <ButtonLink look="primary" icon="add" href={hrefTo('new')}>
            {t('nav.new')}
          </ButtonLink>
          <ButtonLink href={hrefTo('compare')}>{t('compare.open')}</ButtonLink>
        </div>
      </div>
      {failure && <FailureNotice failure={failure} onRetry={() => void live.refresh()} />}
      <Listed live={live} />
    </>
  )
}

function Listed({ live }: { readonly live: LiveJobs }) {
  const jobs = live.jobs.value
  useNow(jobs?.some(({ job }) => job.status === 'running') ?? false)
  if (jobs === null) {
    return live.failure.value ? null : <p class="view-loading">{t('shell.loading')}</p>
  }
  if (jobs.length === 0) return <NoJobs />
  return (
    <>
      <div class="card flush">
        <div class="table-scroll">
          <table class="table stacking jobs">
            <caption class="unseen">{t('jobs.title')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('jobs.crawl')}</th>
                <th scope="col">{t('jobs.status')}</th>
                <th scope="col">{t('jobs.pages')}</th>
                <th scope="col" class="number">
                  {t('jobs.speed')}
                </th>
                <th scope="col">{t('jobs.started')}</th>
                <th scope="col" class="number">
                  {t('jobs.duration')}
                </th>
                <th scope="col">
                  <span class="unseen">{t('jobs.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {jobs.map((entry) => (
                <JobRow key={entry.job.id} entry={entry} live={live} />
              ))}
            </tbody>
          </table>
        </div>
      </div>
      {live.more.value && (
        <p class="more">
          <Button onClick={() => void live.showMore()}>{t('jobs.more')}</Button>
        </p>
      )}
    </>
  )
}

function NoJobs() {
  return (
    <div class="card">
      <EmptyState title={t('jobs.none')}>
        <p>{t('jobs.noneText')}</p>
        <ButtonLink look="primary" icon="add" href={hrefTo('new')}>
          {t('nav.new')}
        </ButtonLink>
        <p class="small">
          {t('jobs.noneCurl')} <a href={hrefTo('api')}>{t('nav.api')}</a>
        </p>
        <pre class="code">
          {`curl -H 'content-type: application/json' \\
  -d '{"url": "https://example.com", "max_pages": 10}' ${location.origin}/crawl`}
        </pre>
      </EmptyState>
    </div>
  )
}

/** One job in the list. */
function JobRow({ entry, live }: { readonly entry: ListedJob; readonly live: LiveJobs }) {
  const { job, pagesPerSecond } = entry
  const note = jobNote(job)
  return (
    <tr>
      <td class="job-name">
        <a href={hrefTo('job', { jobId: job.id })}>
          <WebText text={job.name} most={80} />
        </a>
        <span class="small muted">
          {job.id} · {job.ordering}
          {job.topic !== null && (
            <>
              {' · '}
              <WebText text={job.topic} most={60} />
            </>
          )}
        </span>
      </td>
      <td data-label={t('jobs.status')}>
        <div>
          <StatusBadge status={job.status} />
          {note !== '' && (
            <span class="small muted job-note">
              <WebText text={note} most={120} />
            </span>
          )}
        </div>
      </td>
      <td data-label={t('jobs.pages')} class="job-stored">
        <div>
          <span class="number">
            {t('jobs.storedOf', { stored: job.stored, most: job.max_pages })}
          </span>
          {!hasEnded(job) && <Bar share={job.stored / job.max_pages} />}
        </div>
      </td>
      <td data-label={t('jobs.speed')} class="number">
        {pagesPerSecond === null ? '–' : t('jobs.perSecond', { rate: formatRate(pagesPerSecond) })}
      </td>
      <td data-label={t('jobs.started')} class="moment">
        {formatMoment(job.started_at)}
      </td>
      <td data-label={t('jobs.duration')} class="number">
        {formatDuration(ranMs(entry))}
      </td>
      <td class="job-row-actions">
        <JobActions small job={job} onDone={() => void live.refresh()} />
      </td>
    </tr>
  )
}

function ranMs({ job, toldAt }: ListedJob): number {
  return job.status === 'running' ? job.ran_ms + Math.max(0, now.value - toldAt) : job.ran_ms
}
