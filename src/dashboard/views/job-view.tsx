// One job: live while it runs, what came out when it is done.
import { useState } from 'preact/hooks'
import type { PageRow } from '../../reads/shapes/page.ts'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/notice.tsx'
import { WebText } from '../components/web-text.tsx'
import { formatBytes, formatShare, formatTime } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { HostTable } from '../job/host-table.tsx'
import { JobAbout, JobStats } from '../job/job-about.tsx'
import { JobChart } from '../job/job-chart.tsx'
import { refreshWords, revisitsWords, waitsForWorkers, whyNoneJoins } from '../job/job-words.ts'
import { ReasonList } from '../job/reason-list.tsx'
import { WorkerCards } from '../job/worker-cards.tsx'
import { hrefTo, useTitle } from '../router.ts'
import { type LiveJob, useLiveJob } from '../state/live-job.ts'
import { visible } from '../web-text.ts'

export function JobView() {
  const live = useLiveJob()
  const job = live.job.value
  useTitle(job === null ? live.id : t('job.documentTitle', { name: visible(job.name, 60) }))
  return (
    <div class="stack job-view">
      <Busy live={live} />
      <JobStats live={live} />
      <Refreshed live={live} />
      <JobChart live={live} />
      <div class="job-columns">
        <div class="stack">
          <WorkerCards live={live} />
          <HostTable live={live} />
          <NewestPages live={live} />
        </div>
        <div class="stack">
          <ReasonList live={live} />
          <ProcessTable live={live} />
          <JobAbout live={live} />
          <Notices live={live} />
        </div>
      </div>
    </div>
  )
}

/** What is done while no page is fetched. */
function Busy({ live }: { readonly live: LiveJob }) {
  const busy = live.progress.value?.busy ?? ''
  if (!waitsForWorkers(busy)) return busy === '' ? null : <Notice>{visible(busy, 200)}</Notice>
  const why = whyNoneJoins(busy)
  return (
    <Notice tone="warning" title={t('waiting.title')}>
      <p>{t('waiting.text')}</p>
      {why !== '' && <p>{visible(why, 400)}</p>}
    </Notice>
  )
}

/** What came of looking again. */
function Refreshed({ live }: { readonly live: LiveJob }) {
  const refresh = live.job.value?.refresh
  if (refresh === undefined) return null
  const left = live.progress.value?.revisits
  return (
    <Notice>
      {left === undefined ? refreshWords(refresh) : revisitsWords(refresh.round, left)}
    </Notice>
  )
}

function Notices({ live }: { readonly live: LiveJob }) {
  const notices = live.notices.value
  if (notices.length === 0) return null
  return (
    <section class="card" aria-labelledby="notices-title">
      <div class="card-head">
        <h2 id="notices-title">{t('notices.title')}</h2>
      </div>
      <ul class="plain-list small">
        {notices.map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            <span class="muted number">{formatTime(at)}</span> <WebText text={text} />
          </li>
        ))}
      </ul>
    </section>
  )
}

// Memory and CPU of the processes of a running job.
const ROLES = ['scouter', 'parser', 'server'] as const

function ProcessTable({ live }: { readonly live: LiveJob }) {
  const processes = live.progress.value?.processes ?? []
  if (processes.length === 0) return null
  return (
    <section class="card flush" aria-labelledby="processes-title">
      <div class="card-head">
        <h2 id="processes-title">{t('processes.title')}</h2>
      </div>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t('processes.role')}</th>
            <th scope="col" class="number">
              {t('processes.memory')}
            </th>
            <th scope="col" class="number">
              {t('processes.cpu')}
            </th>
          </tr>
        </thead>
        <tbody>
          {processes.map(({ role, pid, rss_bytes, cpu }) => (
            <tr key={role}>
              <td>
                {roleName(role)}{' '}
                <span class="small muted">{t('processes.pid', { pid: String(pid) })}</span>
              </td>
              <td class="number">{formatBytes(rss_bytes)}</td>
              <td class="number">{formatShare(cpu)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function roleName(role: string): string {
  const known = ROLES.find((name) => name === role)
  return known === undefined ? role : t(`role.${known}`)
}

const SHOWN = 12

/** The newest pages as they are stored. Not read out by itself: it would never stop. */
function NewestPages({ live }: { readonly live: LiveJob }) {
  /** What was shown when the reader held it; null: it flows. */
  const [held, setHeld] = useState<readonly PageRow[] | null>(null)
  const newest = live.newest.value
  const pages = held ?? newest
  const job = live.job.value
  const running = job?.status === 'running'
  return (
    <section class="card flush" aria-labelledby="newest-title">
      <div class="card-head">
        <h2 id="newest-title">{t('newest.title')}</h2>
        <div class="row small">
          {held !== null && <Since pages={newest} held={held} />}
          {(running || held !== null) && (
            <Button small pressed={held !== null} onClick={() => setHeld(held ? null : newest)}>
              {held === null ? t('newest.hold') : t('newest.go')}
            </Button>
          )}
          <a href={hrefTo('pages', { jobId: live.id })}>{t('newest.all')}</a>
        </div>
      </div>
      {pages.length === 0 ? (
        <p class="muted card-text">
          {t(job?.stored ? 'shell.loading' : running ? 'newest.none' : 'newest.noneDone')}
        </p>
      ) : (
        <ol class="newest">
          {pages.slice(0, SHOWN).map((page) => (
            <NewPage key={page.id} page={page} jobId={live.id} />
          ))}
        </ol>
      )}
    </section>
  )
}

/** Pages have rising ids: those above the newest held one came since. */
function Since({
  pages,
  held,
}: {
  readonly pages: readonly PageRow[]
  readonly held: readonly PageRow[]
}) {
  const last = held[0]?.id ?? 0
  const count = pages.filter(({ id }) => id > last).length
  return count === 0 ? null : <span class="muted">{t('newest.held', { n: count })}</span>
}

function NewPage({ page, jobId }: { readonly page: PageRow; readonly jobId: string }) {
  return (
    <li>
      <a class="newest-title" href={hrefTo('page', { jobId, pageId: page.id })}>
        <WebText text={page.title.trim() === '' ? t('newest.untitled') : page.title} most={110} />
      </a>
      <span class="newest-more small muted">
        <span class="newest-url">
          <WebText text={page.url} most={120} />
        </span>
        {page.relevance !== null && (
          <span class={page.hot ? 'hot' : undefined}>
            {page.hot && `${t('newest.hot')} `}
            {formatShare(page.relevance)}
          </span>
        )}
        <span class="number">{formatTime(page.fetched_at)}</span>
      </span>
    </li>
  )
}
