// What a host is doing, in words.
import type { JobHost } from '../../api/shapes/job.ts'
import type { IconName } from '../components/icon.tsx'
import { formatTime } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { visible } from '../web-text.ts'

/** `running`: of a job at rest no host is asked, whatever its clock says. */
export function hostWords(host: JobHost, at: number, running: boolean): string {
  if (!running && hasRest(host)) return host.queued > 0 ? t('host.rest') : t('host.done')
  const time = formatTime(host.rests_until)
  const later = host.rests_until > at
  switch (host.condition) {
    case 'busy':
      return t('host.busy', { n: Math.max(1, host.in_flight) })
    case 'ready':
      return t('host.ready')
    case 'waiting':
      return later ? t('host.waiting', { time }) : t('host.ready')
    case 'slow':
      return later ? t('host.slow', { time }) : t('host.slowNow')
    case 'blocked':
      return /unreachable/.test(host.trouble) ? t('host.robotsUnreachable') : t('host.blocked')
    case 'troubled':
      return host.trouble === ''
        ? t('host.troubled')
        : t('host.troubledBy', { trouble: visible(host.trouble, 120) })
    case 'done':
      return t('host.done')
  }
}

function hasRest({ condition }: JobHost): boolean {
  return condition === 'busy' || condition === 'ready' || condition === 'waiting'
}

const ICONS: Readonly<Record<JobHost['condition'], IconName>> = {
  busy: 'running',
  ready: 'running',
  waiting: 'started',
  slow: 'warning',
  blocked: 'failed',
  troubled: 'warning',
  done: 'completed',
}

export function hostIcon(host: JobHost, at: number, running: boolean): IconName {
  if (running && host.condition === 'waiting' && host.rests_until <= at) return ICONS.ready
  if (running || !hasRest(host)) return ICONS[host.condition]
  return host.queued > 0 ? 'stopped' : 'completed'
}
