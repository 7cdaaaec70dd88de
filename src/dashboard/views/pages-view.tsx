// The pages of a crawl: a table over all of them, however many.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { PageIds, PageRow, PageRows } from '../../reads/shapes/page.ts'
import { get } from '../api.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { EmptyState, FailureNotice, Notice } from '../components/notice.tsx'
import { PageFilters } from '../explore/page-filters.tsx'
import {
  filterCount,
  filterTexts,
  type PageQuery,
  pageQueryTexts,
  readPageQuery,
  sortedBy,
  withoutFilters,
} from '../explore/page-query.ts'
import { PageTable, type TablePlace } from '../explore/page-table.tsx'
import { RowBlocks } from '../explore/row-blocks.ts'
import { t } from '../i18n/i18n.ts'
import { hrefTo, replaceQuery, useTitle, type ViewProps } from '../router.ts'
import { useAsked } from '../state/asked.ts'
import { useLiveJob } from '../state/live-job.ts'

export function PagesView({ jobId, query: texts }: ViewProps) {
  const live = useLiveJob()
  const query = readPageQuery(texts)
  useTitle(t('pages.title'))
  const { value, failure, asking, again } = useAsked<PageIds>(`/crawl/${jobId}/page-ids`, {
    ...filterTexts(query),
    sort: query.sort,
    descending: query.descending,
  })
  const blocks = useBlocks(jobId, value)
  const arrived = useArrived(value, filterCount(query) === 0 && !query.duplicates)
  const show = (changed: PageQuery): void => replaceQuery(pageQueryTexts(changed))
  const focused = (live.job.value?.judged ?? 0) > 0
  return (
    <section class="stack" aria-busy={asking}>
      <PageFilters
        query={query}
        hosts={live.overview.value?.pages_per_host ?? {}}
        focused={focused}
        onChange={show}
      />
      {failure !== null && <FailureNotice failure={failure} onRetry={again} />}
      {value !== null && (
        <>
          <div class="table-state">
            <p role="status">
              {t(filterCount(query) > 0 ? 'pages.matches' : 'pages.all', { n: value.total })}
              {value.cut && ` ${t('pages.cut', { n: value.ids.length })}`}
            </p>
            {arrived > 0 && (
              <p role="status">
                {t('pages.arrived', { n: arrived })}{' '}
                <Button small look="quiet" onClick={again}>
                  {t('pages.show')}
                </Button>
              </p>
            )}
          </div>
          {blocks.failed && (
            <Notice tone="error" title={t('pages.rowsFailed')}>
              <Button small look="quiet" onClick={() => blocks.retry()}>
                {t('action.retry')}
              </Button>
            </Notice>
          )}
          {value.ids.length === 0 ? (
            <NoPages jobId={jobId} query={query} onClear={() => show(withoutFilters(query))} />
          ) : (
            <PageTable
              blocks={blocks}
              query={query}
              focused={focused}
              place={placeIn(`${jobId} ${JSON.stringify(pageQueryTexts(query))}`)}
              hrefOf={(pageId) => hrefTo('page', { jobId, pageId })}
              onSort={(sort) => show(sortedBy(query, sort))}
            />
          )}
        </>
      )}
      {value === null && failure === null && <p class="view-loading">{t('shell.loading')}</p>}
    </section>
  )
}

/** The rows behind the ids; the view is drawn again when some arrive. */
function useBlocks(jobId: string, pages: PageIds | null): RowBlocks<PageRow> {
  const [, setTurn] = useState(0)
  return useMemo(() => {
    const fetchRows = async (ids: readonly number[]): Promise<readonly PageRow[] | null> => {
      const answer = await get<PageRows>(`/crawl/${jobId}/pages`, { ids: ids.join(',') })
      return answer.ok ? answer.value.pages : null
    }
    const changed = (): void => setTurn((turn) => turn + 1)
    return new RowBlocks<PageRow>({ ids: pages?.ids ?? [], fetchRows, changed })
  }, [jobId, pages])
}

/** Pages that were stored since the table was asked for. */
function useArrived(pages: PageIds | null, isWhole: boolean): number {
  const live = useLiveJob()
  const stored = live.progress.value?.stored ?? live.job.value?.stored ?? 0
  const [known, setKnown] = useState(0)
  const now = useRef(stored)
  now.current = stored
  useEffect(() => {
    if (pages !== null) setKnown(isWhole ? pages.total : now.current)
  }, [pages])
  return pages === null ? 0 : Math.max(0, stored - Math.max(known, isWhole ? pages.total : 0))
}

function NoPages({
  jobId,
  query,
  onClear,
}: {
  readonly jobId: string
  readonly query: PageQuery
  readonly onClear: () => void
}) {
  const ended = useLiveJob().job.value?.ended_at ?? null
  if (filterCount(query) > 0) {
    return (
      <EmptyState title={t('pages.noMatch')}>
        <p>{t('pages.noMatchText')}</p>
        <Button onClick={onClear}>{t('pages.clear')}</Button>
      </EmptyState>
    )
  }
  return (
    <EmptyState title={t('pages.none')}>
      <p>{t(ended === null ? 'pages.noneRunning' : 'pages.noneEver')}</p>
      <ButtonLink href={hrefTo('job', { jobId })}>{t('pages.toOverview')}</ButtonLink>
    </EmptyState>
  )
}

// The position in each table, so that the way back from a page leads to the same row.
const MOST = 20
const places = new Map<string, TablePlace>()

/** The place in the table of this name, to be read and written; the top of it at first. */
function placeIn(table: string): TablePlace {
  const place = places.get(table) ?? { scrollTop: 0, active: 0 }
  places.delete(table)
  places.set(table, place)
  for (const oldest of places.keys()) {
    if (places.size <= MOST) break
    places.delete(oldest)
  }
  return place
}
