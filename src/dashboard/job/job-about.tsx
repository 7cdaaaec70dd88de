// How a job was asked for, its seeds and its options, and its figures.
import type { JobOverview, JobProgress, JobSummary } from '../../reads/shapes/job.ts'
import { Stat, Stats } from '../components/stat.tsx'
import { WebLink, WebText } from '../components/web-text.tsx'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatMoment,
  formatRate,
  formatShare,
} from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { optionWords } from '../i18n/option-words.ts'
import type { LiveJob } from '../state/live-job.ts'
import { now, useNow } from '../state/now.ts'
import { seedSites } from './job-words.ts'

const SEEDS_SHOWN = 20

export function JobAbout({ live }: { readonly live: LiveJob }) {
  const overview = live.overview.value
  const job = live.job.value
  if (overview === null || job === null) return null
  return (
    <section class="card" aria-labelledby="about-title">
      <div class="card-head">
        <h2 id="about-title">{t('options.title')}</h2>
      </div>
      <dl class="facts">
        <dt>{t('options.seeds')}</dt>
        <dd>
          <ul class="plain-list">
            {job.seeds.slice(0, SEEDS_SHOWN).map((seed) => (
              <li key={seed}>
                <WebLink url={seed} most={120} />
              </li>
            ))}
          </ul>
          {job.seeds.length > SEEDS_SHOWN && `+ ${job.seeds.length - SEEDS_SHOWN}`}
        </dd>
        {job.topic !== null && (
          <>
            <dt>{t('options.topic')}</dt>
            <dd>
              <WebText text={job.topic} most={400} />
            </dd>
          </>
        )}
        <dt>{t('form.ordering')}</dt>
        <dd>{job.ordering}</dd>
        <dt>{t('options.origin')}</dt>
        <dd>{t(`origin.${job.origin}`)}</dd>
        <dt>{t('options.started')}</dt>
        <dd>{formatMoment(job.started_at)}</dd>
        {job.ended_at !== null && (
          <>
            <dt>{t('options.ended')}</dt>
            <dd>{formatMoment(job.ended_at)}</dd>
          </>
        )}
      </dl>
      <details class="all-options small">
        <summary>{t('options.all')}</summary>
        <dl class="facts">
          {Object.entries(overview.options).map(([name, value]) => (
            <Option key={name} name={name} value={value} />
          ))}
        </dl>
      </details>
    </section>
  )
}

function Option({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <dt title={name}>{optionWords({ name, help: '' }).label}</dt>
      <dd>
        <WebText text={optionText(value)} most={300} />
      </dd>
    </>
  )
}

function optionText(value: JobOverview['options'][string]): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(optionText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The figures of a job: as they are now while it runs, as they came out when it is done. */
export function JobStats({ live }: { readonly live: LiveJob }) {
  const job = live.job.value
  const progress = live.progress.value
  useNow(job?.status === 'running')
  if (job === null) return null
  const counts = progress ?? job
  const ranMs = job.status === 'running' ? live.ranMs(now.value) : job.ran_ms
  return (
    <Stats>
      <Stat
        name={t('stat.stored')}
        value={formatCount(counts.stored)}
        more={t('stat.most', { most: job.max_pages })}
      />
      <Speed job={job} progress={progress} ranMs={ranMs} />
      <Stat
        name={t('stat.queued')}
        value={formatCount(counts.queued)}
        more={progress && t('stat.inFlight', { n: progress.in_flight })}
      />
      <Stat name={t('stat.refused')} value={formatCount(counts.refused)} />
      {counts.outside > 0 && (
        <Stat
          name={t('stat.outside')}
          value={formatCount(counts.outside)}
          more={t('stat.outsideMore')}
        />
      )}
      <Stat name={t('stat.failed')} value={formatCount(counts.failed)} />
      <Stat name={t('stat.duplicates')} value={formatCount(counts.duplicates)} />
      <Harvest job={job} progress={progress} />
      {progress !== null && counts.stored > 0 && seedSites(job.seeds, progress.hosts) > 1 && (
        <Stat
          name={t('stat.fairness')}
          value={formatRate(progress.fairness)}
          more={t('stat.fairnessMore')}
        />
      )}
      <Stat name={t('stat.bytes')} value={formatBytes(counts.bytes)} />
      <Stat
        name={t('stat.ran')}
        value={formatDuration(ranMs)}
        more={progress && progress.restarts > 0 && t('stat.restarts', { n: progress.restarts })}
      />
    </Stats>
  )
}

type Figures = { readonly job: JobSummary; readonly progress: JobProgress | null }

function Speed({ job, progress, ranMs }: Figures & { readonly ranMs: number }) {
  if (progress !== null) {
    return <Stat name={t('stat.speed')} value={formatRate(progress.pages_per_second)} />
  }
  if (job.ran_ms < 1 || job.stored === 0) return null
  const mean = job.stored / (Math.max(1, ranMs) / 1000)
  return <Stat name={t('stat.speed')} value={formatRate(mean)} more={t('stat.mean')} />
}

/** Only where pages are judged. */
function Harvest({ job, progress }: Figures) {
  if (progress !== null && progress.harvest_rate !== null) {
    const recent = progress.recent_harvest_rate
    return (
      <Stat
        name={t('stat.harvest')}
        value={formatShare(progress.harvest_rate)}
        more={recent !== null && t('stat.harvestMore', { rate: formatShare(recent) })}
      />
    )
  }
  const { hot, judged } = job
  if (hot === null || judged === null || judged === 0) return null
  return (
    <Stat
      name={t('stat.harvest')}
      value={formatShare(hot / judged)}
      more={t('stat.hotMore', { hot, judged })}
    />
  )
}
