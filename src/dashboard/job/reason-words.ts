// Why a URL was refused or failed, in words, by the code of the reason.
import type { JobHost } from '../../reads/shapes/job.ts'
import type { Reasons } from '../../reads/shapes/page.ts'
import type { IconName } from '../components/icon.tsx'
import { formatTime } from '../format.ts'
import { messageFor, t } from '../i18n/i18n.ts'
import { visible } from '../web-text.ts'

/** Left out by what the user asked for. */
const OUTSIDE: ReadonlySet<string> = new Set(['scope', 'filter', 'depth'])

/** The code itself where we have no words for it. */
export function reasonWords(code: string): string {
  const status = /^http-(\d{3})$/.exec(code)?.[1]
  if (status === undefined) return messageFor('reason', code) ?? code
  const name = STATUS_CODES.get(Number(status))
  return t('reason.http-status', { status: name === undefined ? status : `${status} ${name}` })
}

/** How URLs with this reason are counted. */
export function endOf({
  state,
  code,
}: Pick<Reasons['reasons'][number], 'state' | 'code'>): 'failed' | 'outside' | 'refused' {
  if (state === 'failed') return 'failed'
  return OUTSIDE.has(code) ? 'outside' : 'refused'
}

// Names of HTTP statuses that crawls meet, as servers write them.
const STATUS_CODES: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [402, 'Payment Required'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [408, 'Request Timeout'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [414, 'URI Too Long'],
  [418, "I'm a Teapot"],
  [421, 'Misdirected Request'],
  [429, 'Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
  [451, 'Unavailable For Legal Reasons'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
  [520, 'Unknown Error'],
])

/** What a host is doing, in words. `running`: of a job at rest no host is asked, whatever its clock says. */
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
      return slowWords(host, later ? time : '')
    case 'blocked':
      return blockedWords(host)
    case 'troubled':
      return host.trouble === ''
        ? t('host.troubled')
        : t('host.troubledBy', { trouble: troubleWords(host.trouble) })
    case 'done':
      return t('host.done')
  }
}

/** `time`: '' when it rests no longer. */
function slowWords({ trouble }: JobHost, time: string): string {
  if (time === '') return t('host.slowNow')
  if (trouble === '') return t('host.slow', { time })
  return t('host.slowBy', { time, trouble: troubleWords(trouble) })
}

function blockedWords({ trouble }: JobHost): string {
  if (/^(?:robots(?::|$)|$)/.test(trouble)) return t('host.blocked')
  const why = /^robots-unreachable(?:: *(.*))?$/s.exec(trouble)?.[1]
  if (why !== undefined && why !== '') return t('host.robotsBy', { trouble: troubleWords(why) })
  return trouble.startsWith('robots-unreachable')
    ? t('host.robotsUnreachable')
    : t('host.blockedBy', { trouble: troubleWords(trouble) })
}

/** `dns: ENOTFOUND` in words, with what the server says beside the code. */
function troubleWords(trouble: string): string {
  const [, code = '', more = ''] = /^([a-z0-9-]+)(?:: *(.*))?$/s.exec(trouble) ?? []
  const words = code === '' ? code : reasonWords(code)
  if (words === code) return visible(trouble, 120)
  return more === '' ? words : `${words} (${visible(more, 100)})`
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
