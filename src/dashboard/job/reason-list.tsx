// What was refused and what failed, by reason; the first URLs of each on demand.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Reasons, UrlRows } from '../../reads/shapes/page.ts'
import { FailureNotice } from '../components/notice.tsx'
import { Bar } from '../components/stat.tsx'
import { WebLink, WebText } from '../components/web-text.tsx'
import { formatCount } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { useAsked } from '../state/asked.ts'
import type { LiveJob } from '../state/live-job.ts'
import { endOf, reasonWords } from './reason-words.ts'

type Reason = Reasons['reasons'][number]

/** The counts above change twice a second; the reasons follow a little behind. */
const ASK_EVERY_MS = 2000
const URLS_SHOWN = 20

export function ReasonList({ live }: { readonly live: LiveJob }) {
  const status = live.job.value?.status
  const counts = live.progress.value ?? live.job.value
  const total = (counts?.refused ?? 0) + (counts?.outside ?? 0) + (counts?.failed ?? 0)
  const moment = usePaced(`${status} ${total}`, ASK_EVERY_MS)
  const { value, failure, again } = useAsked<Reasons>(`/crawl/${live.id}/reasons`, {}, moment)
  const reasons = (value?.reasons ?? []).filter(
    ({ state }) => state === 'refused' || state === 'failed',
  )
  const most = reasons.reduce((largest, { count }) => Math.max(largest, count), 1)
  return (
    <section class="card" aria-labelledby="reasons-title">
      <div class="card-head">
        <h2 id="reasons-title">{t('reasons.title')}</h2>
      </div>
      {failure && <FailureNotice failure={failure} onRetry={again} />}
      {value && reasons.length === 0 && (
        <p class="muted">{t(total === 0 ? 'reasons.none' : 'reasons.soon')}</p>
      )}
      {reasons.map((reason) => (
        <ReasonEntry
          key={`${reason.state} ${reason.code}`}
          jobId={live.id}
          reason={reason}
          share={reason.count / most}
        />
      ))}
    </section>
  )
}

function ReasonEntry({
  jobId,
  reason,
  share,
}: {
  readonly jobId: string
  readonly reason: Reason
  readonly share: number
}) {
  const [open, setOpen] = useState(false)
  return (
    <details class="reason" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="reason-words">
          <WebText text={reasonWords(reason.code)} most={80} />
        </span>
        <span class="small muted">{t(`stat.${endOf(reason)}`)}</span>
        <span class="number reason-count">{formatCount(reason.count)}</span>
        <Bar share={share} />
      </summary>
      {open && <ReasonUrls jobId={jobId} reason={reason} />}
    </details>
  )
}

function ReasonUrls({ jobId, reason }: { readonly jobId: string; readonly reason: Reason }) {
  const { state, code } = reason
  const query = { state, code, limit: URLS_SHOWN }
  const { value, failure, again } = useAsked<UrlRows>(`/crawl/${jobId}/urls`, query)
  if (failure) return <FailureNotice failure={failure} onRetry={again} />
  if (value === null) return <p class="muted small">{t('reasons.loading')}</p>
  if (value.urls.length === 0) return <p class="muted small">{t('reasons.empty')}</p>
  return (
    <>
      {value.next !== null && (
        <p class="muted small">{t('reasons.first', { n: value.urls.length })}</p>
      )}
      <ul class="reason-urls small">
        {value.urls.map((row) => (
          <li key={row.position}>
            <WebLink url={row.url} most={140} />
            {row.reason !== code && (
              <span class="muted">
                <WebText text={row.reason} most={200} />
              </span>
            )}
            {row.found_on !== null && (
              <span class="muted">
                {t('reasons.foundOn')} <WebText text={row.found_on} most={120} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** The value as it was at most `everyMs` ago; the last one always comes through. */
function usePaced<T>(value: T, everyMs: number): T {
  const [taken, setTaken] = useState(value)
  const takenAt = useRef(0)
  useEffect(() => {
    if (Object.is(value, taken)) return
    const waitMs = Math.max(0, takenAt.current + everyMs - performance.now())
    const timer = setTimeout(() => {
      takenAt.current = performance.now()
      setTaken(value)
    }, waitMs)
    return () => clearTimeout(timer)
  }, [value, taken, everyMs])
  return taken
}
