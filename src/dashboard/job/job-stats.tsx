// The figures of a job: as they are now while it runs, as they came out when it is done.
import type { JobGlance, JobProgress } from '../../reads/shapes/job.ts'
import { Stat, Stats } from '../components/stat.tsx'
import { formatBytes, formatCount, formatDuration, formatRate, formatShare } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import type { LiveJob } from '../state/live-job.ts'
import { now, useNow } from '../state/now.ts'
import { seedSites } from './job-words.ts'

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

type Figures = { readonly job: JobGlance; readonly progress: JobProgress | null }

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
