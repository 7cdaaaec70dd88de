// A job that several machines share: its workers, what each holds, and where the frontier is kept.
import type { ComponentChildren } from 'preact'
import type { JobLeases } from '../../api/shapes/worker.ts'
import { WebText } from '../components/web-text.tsx'
import { formatCount, formatTime } from '../format.ts'
import { type MessageKey, t } from '../i18n/i18n.ts'
import { hrefTo } from '../router.ts'
import { fleet } from '../state/fleet.ts'
import type { LiveJob } from '../state/live-job.ts'
import { type JobWorker, workersOfJob } from './workers-of-job.ts'

const LEASES_SHOWN = 30
const HOSTS_SHOWN = 30

export function WorkerCards({ live }: { readonly live: LiveJob }) {
  const told = fleet.value
  const isRunning = live.job.value?.status === 'running'
  const leases = live.leases.value
  if (told === null || !told.shared) return null
  return (
    <>
      {isRunning && <Workers rows={workersOfJob(live.id, told.workers, leases?.sessions ?? [])} />}
      {isRunning && leases !== null && <Held leases={leases} />}
      {leases !== null && leases.shards.length > 0 && <Partitions partitions={leases.shards} />}
    </>
  )
}

function Workers({ rows }: { readonly rows: readonly JobWorker[] }) {
  return (
    <section class="card flush job-workers" aria-labelledby="workers-title">
      <div class="card-head">
        <h2 id="workers-title">
          <a href={hrefTo('workers')}>{t('workers.title')}</a>
        </h2>
      </div>
      {rows.length === 0 ? (
        <p class="muted card-text">{t('workers.noneHere')}</p>
      ) : (
        <Table
          heads={[
            ['workers.worker', false],
            ['workers.pairs', true],
            ['stat.stored', true],
            ['workers.leases', true],
            ['hosts.title', true],
          ]}
        >
          {rows.map((row) => (
            <tr key={row.key}>
              <td class="worker-name">
                <WebText text={row.name} most={60} />
                <span class="small muted">
                  <WebText text={row.machine} most={60} /> ·{' '}
                  {t('processes.pid', { pid: String(row.pid) })}
                </span>
                {row.trouble !== '' && (
                  <span class="small">
                    <WebText text={row.trouble} most={200} />
                  </span>
                )}
              </td>
              <td class="number">{row.pairs === 0 ? '–' : formatCount(row.pairs)}</td>
              <td class="number">{row.stored === null ? '–' : formatCount(row.stored)}</td>
              <td class="number">{formatCount(row.leases)}</td>
              <td class="number">{formatCount(row.hosts)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}

/** Folded: it changes many times a second, and only a search for a fault needs it. */
function Held({ leases }: { readonly leases: JobLeases }) {
  return (
    <section class="card job-leases" aria-labelledby="leases-title">
      <details>
        <summary>
          <h2 id="leases-title">{t('leases.title', { n: leases.total })}</h2>
        </summary>
        <ul class="plain-list small">
          {leases.leases.slice(0, LEASES_SHOWN).map((lease, at) => (
            <li key={`${lease.host} ${lease.url} ${at}`}>
              <WebText text={lease.url === '' ? `${lease.host} (${lease.kind})` : lease.url} />{' '}
              <span class="muted">
                <WebText text={lease.name} most={60} />
                {lease.started_at !== null && ` · ${formatTime(lease.started_at)}`}
              </span>
            </li>
          ))}
        </ul>
        {leases.hosts.length > 0 && <h3>{t('leases.hosts')}</h3>}
        <ul class="plain-list small">
          {leases.hosts.slice(0, HOSTS_SHOWN).map(({ host, name, until }) => (
            <li key={host}>
              <WebText text={host} most={80} />{' '}
              <span class="muted">
                <WebText text={name} most={60} /> · {t('leases.until', { time: formatTime(until) })}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}

function Partitions({ partitions }: { readonly partitions: JobLeases['shards'] }) {
  return (
    <section class="card flush" aria-labelledby="partitions-title">
      <div class="card-head">
        <h2 id="partitions-title">{t('partitions.title')}</h2>
      </div>
      <Table
        heads={[
          ['partitions.keys', false],
          ['partitions.urls', true],
          ['stat.queued', true],
          ['partitions.leased', true],
          ['hosts.title', true],
        ]}
      >
        {partitions.map(({ shard, keys, urls, queued, leased, hosts }) => (
          <tr key={shard}>
            <td>
              <WebText text={keys === '' ? String(shard) : keys} most={80} />
            </td>
            <td class="number">{formatCount(urls)}</td>
            <td class="number">{formatCount(queued)}</td>
            <td class="number">{formatCount(leased)}</td>
            <td class="number">{formatCount(hosts)}</td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

function Table({
  heads,
  children,
}: {
  readonly heads: readonly (readonly [key: MessageKey, isNumber: boolean])[]
  readonly children: ComponentChildren
}) {
  return (
    <div class="table-scroll">
      <table class="table">
        <thead>
          <tr>
            {heads.map(([key, isNumber]) => (
              <th key={key} scope="col" class={isNumber ? 'number' : undefined}>
                {t(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
