// The newest pages as they are stored. Not read out by itself: it would never stop.
import { useState } from 'preact/hooks'
import type { PageRow } from '../../reads/shapes/page.ts'
import { Button } from '../components/button.tsx'
import { WebText } from '../components/web-text.tsx'
import { formatShare, formatTime } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { hrefTo } from '../router.ts'
import type { LiveJob } from '../state/live-job.ts'

const SHOWN = 12

export function NewestPages({ live }: { readonly live: LiveJob }) {
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
