// Search in what was crawled: all of it or one crawl.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { JobList } from '../../reads/shapes/job.ts'
import type { SearchResult } from '../../reads/shapes/page.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { SelectField } from '../components/field.tsx'
import { EmptyState, FailureNotice, Notice } from '../components/notice.tsx'
import { WebLink } from '../components/web-text.tsx'
import { NewOnly, SavedSearches, SaveSearch } from '../explore/saved-searches.tsx'
import {
  lastPage,
  MAX_QUERY,
  readSearchQuery,
  type SearchQuery,
  searchQueryTexts,
  searchRequest,
} from '../explore/search-query.ts'
import { SearchFacets, SearchHits } from '../explore/search-results.tsx'
import { t } from '../i18n/i18n.ts'
import { goTo, hrefTo, useTitle, type ViewProps } from '../router.ts'
import { useAsked } from '../state/asked.ts'
import { visible } from '../web-text.ts'

const MOST_CRAWLS = 100

export function SearchView({ query: texts }: ViewProps) {
  const query = readSearchQuery(texts)
  const asks = query.q.trim() !== '' || query.like !== ''
  useTitle(asks ? `${visible(query.q, 60)} · ${t('search.title')}` : t('search.title'))
  const crawls = useAsked<JobList>('/crawl', { limit: MOST_CRAWLS })
  const names = new Map(crawls.value?.jobs.map(({ id, name }) => [id, name]) ?? [])
  const result = useAsked<SearchResult>(asks ? '/search' : null, searchRequest(query))
  const tookMs = useTimed(result.asking)
  useAgainUntilIndexed(result.value, result.again)
  // A step in the history: the way back leads to the results before.
  const show = (changed: SearchQuery): void =>
    goTo(hrefTo('search', { query: searchQueryTexts(changed) }))
  return (
    <>
      <div class="view-head">
        <h1>{t('search.title')}</h1>
      </div>
      <SearchForm query={query} names={names} onSearch={show} />
      {result.failure !== null && <FailureNotice failure={result.failure} onRetry={result.again} />}
      {!asks && <SearchTips crawl={query.crawl} />}
      {!asks && <SavedSearches />}
      {asks && query.after !== '' && result.value !== null && (
        <NewOnly query={query} cursor={result.value.cursor} />
      )}
      {asks && result.value === null && result.failure === null && (
        <p class="view-loading">{t('shell.loading')}</p>
      )}
      {asks && result.value !== null && (
        <Found
          query={query}
          result={result.value}
          names={names}
          tookMs={tookMs}
          asking={result.asking}
          onShow={show}
        />
      )}
      {query.q.trim() !== '' && query.after === '' && <SaveSearch query={query} />}
    </>
  )
}

function SearchForm({
  query,
  names,
  onSearch,
}: {
  readonly query: SearchQuery
  readonly names: ReadonlyMap<string, string>
  readonly onSearch: (query: SearchQuery) => void
}) {
  const [typed, setTyped] = useState(query.q)
  const asked = useRef(query.q)
  // Only another query takes the place of what is being typed.
  useEffect(() => {
    if (asked.current !== query.q) setTyped(query.q)
    asked.current = query.q
  }, [query.q])
  const offered = [...names].map(([id, name]) => ({ value: id, label: crawlLabel(id, name) }))
  if (query.crawl !== '' && !names.has(query.crawl)) {
    offered.push({ value: query.crawl, label: query.crawl })
  }
  return (
    <search>
      <form
        class="search-form"
        onSubmit={(event) => {
          event.preventDefault()
          onSearch({ ...query, q: typed.trim(), like: '', page: 1 })
        }}
      >
        <div class="field search-box">
          <label for="search-q">{t('search.label')}</label>
          <input
            id="search-q"
            class="input"
            type="search"
            value={typed}
            maxLength={MAX_QUERY}
            placeholder={t('search.placeholder')}
            autoComplete="off"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </div>
        <SelectField
          id="search-crawl"
          label={t('search.in')}
          value={query.crawl}
          choices={[{ value: '', label: t('search.allCrawls') }, ...offered]}
          onChange={(crawl) => onSearch({ ...query, q: typed.trim(), crawl, page: 1 })}
        />
        <Button look="primary" submits>
          {t('search.go')}
        </Button>
      </form>
    </search>
  )
}

const crawlLabel = (id: string, name: string): string => `${id}: ${visible(name, 60)}`

function Found({
  query,
  result,
  names,
  tookMs,
  asking,
  onShow,
}: {
  readonly query: SearchQuery
  readonly result: SearchResult
  readonly names: ReadonlyMap<string, string>
  readonly tookMs: number
  readonly asking: boolean
  readonly onShow: (query: SearchQuery) => void
}) {
  const last = lastPage(result.total)
  return (
    <div class="search-columns" aria-busy={asking}>
      <SearchFacets query={query} facets={result.facets} names={names} onShow={onShow} />
      <section class="stack" aria-label={t('search.results')}>
        <p class="muted" role="status">
          {isUnsure(result)
            ? t(`search.index.${result.index}`)
            : t('search.found', { n: result.total, ms: Math.round(tookMs) })}
          {result.pages > result.total && ` · ${t('search.folded', { n: result.pages })}`}
        </p>
        {result.whole < result.pages && (
          <p class="small">{t('search.whole', { n: result.whole })}</p>
        )}
        {query.like !== '' && (
          <p class="small">
            {t('search.likeOf')} <WebLink url={query.like} most={140} />
          </p>
        )}
        {result.cut && <Notice title={t('search.cut')} />}
        {result.typos.map(({ word, meant }) => (
          <p key={word} class="small">
            {t('search.typo', { word: visible(word, 60) })}{' '}
            <bdi>{meant.map((each) => visible(each.word, 60)).join(', ')}</bdi>
          </p>
        ))}
        {result.suggestion !== null && <DidYouMean query={query} meant={result.suggestion} />}
        {result.behind > 0 && <Notice title={t('search.behind', { n: result.behind })} />}
        {isUnsure(result) ? (
          <EmptyState title={t(`search.index.${result.index}`)}>
            <p>{t(`search.indexText.${result.index}`)}</p>
          </EmptyState>
        ) : result.hits.length === 0 ? (
          <NothingFound query={query} onShow={onShow} />
        ) : (
          <SearchHits
            hits={result.hits}
            names={names}
            allHref={hrefTo('search', {
              query: searchQueryTexts({ ...query, all: true, page: 1 }),
            })}
          />
        )}
        {last > 1 && (
          <nav class="row" aria-label={t('search.pages')}>
            <Step query={query} page={query.page - 1} last={last} text={t('search.previous')} />
            <span class="muted">{t('search.pageOf', { page: query.page, last })}</span>
            <Step query={query} page={query.page + 1} last={last} text={t('search.next')} />
          </nav>
        )}
      </section>
    </div>
  )
}

type Index = SearchResult['index']

/** Nothing was found, but not all that is stored was searched. */
function isUnsure(result: SearchResult): result is SearchResult & {
  readonly index: Exclude<Index, 'ready'>
} {
  return result.total === 0 && result.index !== 'ready'
}

const AGAIN_MS = 1500

/** The index follows by itself, and so do the results. */
function useAgainUntilIndexed(result: SearchResult | null, again: () => void): void {
  useEffect(() => {
    if (result === null || !isUnsure(result)) return
    const timer = setTimeout(again, AGAIN_MS)
    return () => clearTimeout(timer)
  }, [result])
}

function DidYouMean({ query, meant }: { readonly query: SearchQuery; readonly meant: string }) {
  const href = hrefTo('search', { query: searchQueryTexts({ ...query, q: meant, page: 1 }) })
  return (
    <p class="did-you-mean">
      {t('search.didYouMean')}{' '}
      <a href={href}>
        <bdi>{visible(meant, 200)}</bdi>
      </a>
    </p>
  )
}

function Step({
  query,
  page,
  last,
  text,
}: {
  readonly query: SearchQuery
  readonly page: number
  readonly last: number
  readonly text: string
}) {
  if (page < 1 || page > last) return null
  const href = hrefTo('search', { query: searchQueryTexts({ ...query, page }) })
  return (
    <ButtonLink small href={href}>
      {text}
    </ButtonLink>
  )
}

function NothingFound({
  query,
  onShow,
}: {
  readonly query: SearchQuery
  readonly onShow: (query: SearchQuery) => void
}) {
  const none = {
    host: '',
    language: '',
    kind: '',
    topic: '',
    since: '',
    published: '',
    hot: false,
  } as const
  const bare = { ...query, ...none, page: 1 }
  const isNarrowed = JSON.stringify(bare) !== JSON.stringify({ ...query, page: 1 })
  return (
    <EmptyState title={t('search.nothing')}>
      <p>{t('search.nothingText')}</p>
      {isNarrowed && <Button onClick={() => onShow(bare)}>{t('search.clear')}</Button>}
    </EmptyState>
  )
}

/** Milliseconds; 0 before the first answer. */
function useTimed(asking: boolean): number {
  const since = useRef(0)
  const [tookMs, setTookMs] = useState(0)
  useEffect(() => {
    if (asking) since.current = performance.now()
    else if (since.current > 0) setTookMs(performance.now() - since.current)
  }, [asking])
  return tookMs
}

// Before the first search: what can be asked.
function SearchTips({ crawl }: { readonly crawl: string }) {
  const tips = [
    [t('search.exampleWords'), t('search.tipWords')],
    [t('search.examplePhrase'), t('search.tipPhrase')],
    [t('search.exampleWithout'), t('search.tipWithout')],
    [t('search.exampleEither'), t('search.tipEither')],
    [t('search.exampleSite'), t('search.tipSite')],
  ] as const
  return (
    <EmptyState title={t('search.start')}>
      <p>{t('search.startText')}</p>
      <dl class="tips">
        {tips.map(([query, meaning]) => (
          <div key={query}>
            <dt>
              <a href={hrefTo('search', { query: { q: query, crawl } })}>
                <code>{query}</code>
              </a>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </EmptyState>
  )
}
