// One job in the list.

import { Bar } from '../components/stat.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { WebText } from '../components/web-text.tsx'
import { formatDuration, formatMoment, formatRate } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { hrefTo } from '../router.ts'
import type { ListedJob, LiveJobs } from '../state/live-jobs.ts'
import { now } from '../state/now.ts'
import { JobActions } from './job-actions.tsx'
import { hasEnded, jobNote } from './job-words.ts'

export function JobRow({ entry, live }: { readonly entry: ListedJob; readonly live: LiveJobs }) {
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
