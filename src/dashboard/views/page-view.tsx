// One page in full.
import { useState } from 'preact/hooks'
import type { PageInFull } from '../../reads/shapes/page.ts'
import { addressOf } from '../api.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { EmptyState, FailureNotice, Notice } from '../components/notice.tsx'
import { WebLink, WebText } from '../components/web-text.tsx'
import { Fold } from '../explore/fold.tsx'
import { PageFacts, PageMarks, PageWhy } from '../explore/page-facts.tsx'
import { LinksIn, LinksOut } from '../explore/page-links.tsx'
import { PageParts } from '../explore/page-part-views.tsx'
import { t } from '../i18n/i18n.ts'
import { hrefTo, useTitle, type ViewProps } from '../router.ts'
import { useAsked } from '../state/asked.ts'
import { visible, visibleLines } from '../web-text.ts'

export function PageView({ jobId, pageId }: ViewProps) {
  // Another page is another view: nothing of the one before stays.
  return <OnePage key={`${jobId} ${pageId}`} jobId={jobId} pageId={pageId} />
}

function OnePage({ jobId, pageId }: { readonly jobId: string; readonly pageId: number }) {
  const { value, failure, again } = useAsked<PageInFull>(`/crawl/${jobId}/pages/${pageId}`)
  const title = value === null ? '' : value.title.trim() || value.url
  useTitle(visible(title, 120))
  if (failure?.status === 404) {
    return (
      <EmptyState title={t('page.gone')}>
        <p>{t('page.goneText')}</p>
        <ButtonLink href={hrefTo('pages', { jobId })}>{t('page.back')}</ButtonLink>
      </EmptyState>
    )
  }
  if (failure !== null) return <FailureNotice failure={failure} onRetry={again} />
  if (value === null) return <p class="view-loading">{t('shell.loading')}</p>
  return (
    <article class="stack page">
      <PageHead page={value} title={title} />
      {value.noindex && <Notice title={t('page.noindex')} />}
      {value.truncated && <Notice title={t('page.truncated')} />}
      <div class="page-columns">
        <div class="stack">
          <section class="card">
            <h3 class="card-head">{t('page.text')}</h3>
            <PageText text={value.content_text} />
          </section>
          {value.markdown !== '' && (
            <Fold title={t('page.markdown')}>{() => <PageText text={value.markdown} />}</Fold>
          )}
          {value.links !== null && (
            <Fold title={t('page.linksOut')} count={value.links.length}>
              {() => <LinksOut jobId={jobId} links={value.links ?? []} />}
            </Fold>
          )}
          <Fold title={t('page.linksIn')} count={value.links_in.total}>
            {() => <LinksIn jobId={jobId} linksIn={value.links_in} />}
          </Fold>
          <PageParts page={value} />
        </div>
        <div class="stack">
          <section class="card">
            <h3 class="card-head">{t('page.facts')}</h3>
            <PageFacts page={value} />
          </section>
          <section class="card">
            <h3 class="card-head">{t('page.why')}</h3>
            <PageWhy jobId={jobId} url={value.url} />
          </section>
        </div>
      </div>
    </article>
  )
}

function PageHead({ page, title }: { readonly page: PageInFull; readonly title: string }) {
  const { crawl: jobId, id, host } = page
  return (
    <header class="page-head">
      <p class="small">
        <a href={hrefTo('pages', { jobId })}>{t('page.back')}</a> / {id}
      </p>
      <h2 data-heading>
        <WebText text={title} /> <PageMarks page={page} />
      </h2>
      <p>
        <WebLink url={page.url} most={400} />
      </p>
      <div class="row">
        <ButtonLink small href={hrefTo('map', { jobId, query: { host } })}>
          {t('page.inMap')}
        </ButtonLink>
        {page.has_html && (
          <ButtonLink small href={addressOf(`/crawl/${jobId}/pages/${id}/html`)}>
            {t('page.html')}
          </ButtonLink>
        )}
      </div>
    </header>
  )
}

// The text of a page, as it was read out of it.
const AT_FIRST = 4_000
/** A text of a megabyte would hold up the browser; no reader gets that far here. */
const AT_MOST = 200_000

function PageText({ text }: { readonly text: string }) {
  const [most, setMost] = useState(AT_FIRST)
  if (text.trim() === '') return <p class="muted">{t('page.noText')}</p>
  return (
    <>
      <p class="page-text" dir="auto">
        {visibleLines(text, most)}
      </p>
      {text.length > most && most < AT_MOST && (
        <p class="fold-more">
          <Button small onClick={() => setMost(AT_MOST)}>
            {t('page.showAll')}
          </Button>
        </p>
      )}
      {text.length > most && most === AT_MOST && <p class="muted">{t('page.cut')}</p>}
    </>
  )
}
