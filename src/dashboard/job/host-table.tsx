// The hosts of a job and what each is doing.
import { useState } from 'preact/hooks'
import type { JobHost } from '../../reads/shapes/job.ts'
import { Button } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { WebText } from '../components/web-text.tsx'
import { formatCount, formatRate } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { useAsked } from '../state/asked.ts'
import type { LiveJob } from '../state/live-job.ts'
import { now } from '../state/now.ts'
import { hostIcon, hostWords } from './reason-words.ts'

const SHOWN_AT_FIRST = 12

export function HostTable({ live }: { readonly live: LiveJob }) {
  const running = live.progress.value
  const [all, setAll] = useState(false)
  const { status, stored, elsewhere = false } = live.job.value ?? {}
  // A job at rest is asked about once, and when its status is another; what another program runs, as it goes on.
  const moment = elsewhere ? `${status} ${stored}` : status
  const path = running === null ? `/crawl/${live.id}/hosts` : null
  const asked = useAsked<{ hosts: readonly JobHost[] }>(path, { limit: 500 }, moment)
  const hosts = running?.hosts ?? asked.value?.hosts ?? []
  const shown = all ? hosts : hosts.slice(0, SHOWN_AT_FIRST)
  return (
    <section class="card flush" aria-labelledby="hosts-title">
      <div class="card-head">
        <h2 id="hosts-title">{t('hosts.title')}</h2>
      </div>
      {hosts.length === 0 ? (
        <p class="muted card-text">{t('hosts.none')}</p>
      ) : (
        <div class="table-scroll">
          <table class="table stacking hosts">
            <thead>
              <tr>
                <th scope="col">{t('hosts.host')}</th>
                <th scope="col">{t('hosts.condition')}</th>
                <th scope="col" class="number">
                  {t('hosts.stored')}
                </th>
                <th scope="col" class="number">
                  {t('hosts.queued')}
                </th>
                <th scope="col" class="number">
                  {t('hosts.delay')}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((host) => (
                <HostRow key={host.host} host={host} running={running !== null || elsewhere} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hosts.length > shown.length && (
        <p class="card-text">
          {t('hosts.more', { n: hosts.length - shown.length })}{' '}
          <Button small look="quiet" onClick={() => setAll(true)}>
            {t('hosts.all')}
          </Button>
        </p>
      )}
    </section>
  )
}

function HostRow({ host, running }: { readonly host: JobHost; readonly running: boolean }) {
  return (
    <tr>
      <td>
        <WebText text={host.host} most={80} />
      </td>
      <td data-label={t('hosts.condition')}>
        <span class={`condition ${host.condition}`}>
          <Icon name={hostIcon(host, now.value, running)} />{' '}
          <span>{hostWords(host, now.value, running)}</span>
        </span>
      </td>
      <td data-label={t('hosts.stored')} class="number">
        {formatCount(host.stored)}
      </td>
      <td data-label={t('hosts.queued')} class="number">
        {formatCount(host.queued)}
      </td>
      <td data-label={t('hosts.delay')} class="number">
        {t('hosts.seconds', { seconds: formatRate(host.delay_ms / 1000) })}
      </td>
    </tr>
  )
}
