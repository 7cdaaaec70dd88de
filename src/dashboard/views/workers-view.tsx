// All workers at a glance: where they are, what they do, what they take.
import { useEffect } from 'preact/hooks'
import type { WorkerShown } from '../../api/shapes/worker.ts'
import { Icon, type IconName } from '../components/icon.tsx'
import { EmptyState } from '../components/notice.tsx'
import { Stat, Stats } from '../components/stat.tsx'
import { WebText } from '../components/web-text.tsx'
import { EventLink } from '../events.ts'
import { formatBytes, formatCount, formatMoment, formatRate, formatShare } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { hrefTo, useTitle } from '../router.ts'
import { fleet } from '../state/fleet.ts'

const ICONS: Readonly<Record<WorkerShown['condition'], IconName>> = {
  working: 'running',
  waiting: 'started',
  leaving: 'stopped',
  gone: 'failed',
}

export function WorkersView() {
  useTitle(t('workers.title'))
  useEffect(() => {
    // Every stream tells of workers.
    const link = new EventLink({ path: '/events', listeners: {}, onReturn: () => {} })
    return () => link.close()
  }, [])
  const told = fleet.value
  return (
    <>
      <div class="view-head">
        <h1>{t('workers.title')}</h1>
      </div>
      {told === null ? (
        <p class="view-loading">{t('shell.loading')}</p>
      ) : (
        <WorkersShown workers={told} />
      )}
    </>
  )
}

function WorkersShown({ workers: told }: { readonly workers: NonNullable<typeof fleet.value> }) {
  const { workers, total, shared } = told
  if (!shared) return <EmptyState title={t('workers.alone')}>{t('workers.aloneText')}</EmptyState>
  return (
    <div class="stack">
      {total === 0 && <NoWorkers />}
      {total > 0 && <Sums workers={workers} total={total} />}
      {workers.length > 0 && <WorkerTable workers={workers} />}
    </div>
  )
}

function NoWorkers() {
  return (
    <div class="card">
      <EmptyState title={t('workers.none')}>
        <p>{t('workers.noneText')}</p>
        <pre class="code">jelajah worker --data postgres://… --frontier redis://…</pre>
      </EmptyState>
    </div>
  )
}

function Sums({
  workers,
  total,
}: {
  readonly workers: readonly WorkerShown[]
  readonly total: number
}) {
  const here = workers.filter(({ condition }) => condition !== 'gone')
  const sum = (of: (worker: WorkerShown) => number) => here.reduce((all, one) => all + of(one), 0)
  return (
    <Stats>
      <Stat name={t('workers.title')} value={formatCount(total)} />
      <Stat name={t('workers.pairs')} value={formatCount(sum(({ pairs }) => pairs))} />
      <Stat
        name={t('stat.speed')}
        value={formatRate(sum(({ pages_per_second }) => pages_per_second))}
      />
      <Stat name={t('workers.leases')} value={formatCount(sum(({ leases }) => leases))} />
      <Stat name={t('workers.cores')} value={formatRate(sum(({ cpu }) => cpu))} />
      <Stat name={t('processes.memory')} value={formatBytes(sum(({ rss_bytes }) => rss_bytes))} />
    </Stats>
  )
}

function WorkerTable({ workers }: { readonly workers: readonly WorkerShown[] }) {
  const numbers = ['pairs', 'cpu', 'memory', 'speed', 'leases'] as const
  return (
    <div class="card flush">
      <div class="table-scroll">
        <table class="table stacking workers">
          <caption class="unseen">{t('workers.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('workers.worker')}</th>
              <th scope="col">{t('workers.condition')}</th>
              <th scope="col">{t('workers.crawls')}</th>
              {numbers.map((name) => (
                <th key={name} scope="col" class="number">
                  {t(`workers.${name}`)}
                </th>
              ))}
              <th scope="col">{t('workers.since')}</th>
            </tr>
          </thead>
          <tbody>
            {workers.map((worker) => (
              <WorkerRow key={worker.id} worker={worker} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function WorkerRow({ worker }: { readonly worker: WorkerShown }) {
  const { condition, machine, pid, version } = worker
  const isGone = condition === 'gone'
  return (
    <tr class={isGone ? 'gone' : undefined}>
      <td class="worker-name">
        <WebText text={worker.name} most={60} />
        <span class="small muted">
          <WebText text={machine} most={60} /> · {t('processes.pid', { pid: String(pid) })} ·{' '}
          <WebText text={version} most={20} />
        </span>
      </td>
      <td data-label={t('workers.condition')}>
        <span class={`condition ${condition}`}>
          <Icon name={ICONS[condition]} /> <span>{conditionWords(worker)}</span>
        </span>
      </td>
      <td data-label={t('workers.crawls')}>
        <Crawls worker={worker} />
      </td>
      <td data-label={t('workers.pairs')} class="number">
        {formatCount(worker.pairs)}
      </td>
      <td data-label={t('workers.cpu')} class="number">
        {isGone ? '–' : formatShare(worker.cpu)}
      </td>
      <td data-label={t('workers.memory')} class="number">
        {isGone ? '–' : formatBytes(worker.rss_bytes)}
      </td>
      <td data-label={t('workers.speed')} class="number">
        {isGone ? '–' : formatRate(worker.pages_per_second)}
      </td>
      <td data-label={t('workers.leases')} class="number">
        {isGone ? '–' : formatCount(worker.leases)}
      </td>
      <td data-label={t('workers.since')} class="moment">
        {formatMoment(worker.since)}
      </td>
    </tr>
  )
}

function conditionWords({ condition, gone_at }: WorkerShown): string {
  if (condition !== 'gone') return t(`worker.${condition}`)
  return t('worker.gone', { time: formatMoment(gone_at ?? 0) })
}

function Crawls({ worker: { crawls, declined, condition } }: { readonly worker: WorkerShown }) {
  if (condition === 'gone' || crawls.length + declined.length === 0) return <>–</>
  return (
    <ul class="plain-list">
      {crawls.map(({ id, pairs, trouble }) => (
        <li key={id}>
          <a href={hrefTo('job', { jobId: id })}>{id}</a> ({t('workers.pairCount', { n: pairs })})
          {trouble !== '' && (
            <span class="small muted">
              {' '}
              <WebText text={trouble} most={200} />
            </span>
          )}
        </li>
      ))}
      {declined.map(({ id, why }) => (
        <li key={id} class="small muted">
          {t('workers.declined', { id })} <WebText text={why} most={200} />
        </li>
      ))}
    </ul>
  )
}
