// All jobs at a glance.
import { useEffect, useMemo } from 'preact/hooks'
import { Button, ButtonLink } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { FailureNotice } from '../components/notice.tsx'
import { t } from '../i18n/i18n.ts'
import { JobRow } from '../job/job-row.tsx'
import { hrefTo } from '../router.ts'
import { LiveJobs } from '../state/live-jobs.ts'
import { useNow } from '../state/now.ts'
import { useTitle } from '../state/title.ts'

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
        <ButtonLink look="primary" icon="add" href={hrefTo('new')}>
          {t('nav.new')}
        </ButtonLink>
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
