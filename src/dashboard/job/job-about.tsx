// How a job was asked for: its seeds and its options.
import type { JobOverview } from '../../reads/shapes/job.ts'
import { WebLink, WebText } from '../components/web-text.tsx'
import { formatMoment } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { optionWords } from '../i18n/option-words.ts'
import type { LiveJob } from '../state/live-job.ts'

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

export function optionText(value: JobOverview['options'][string]): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(optionText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
