// What a search found, and how it can be narrowed.
import type { SearchResult } from '../../reads/shapes/page.ts'
import { CheckField, SelectField } from '../components/field.tsx'
import { WebLink, WebText } from '../components/web-text.tsx'
import { formatCount, formatDay, formatMoment } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { hrefTo } from '../router.ts'
import { visible } from '../web-text.ts'
import { PageMarks } from './page-facts.tsx'
import {
  FACETS,
  type FacetField,
  markedPieces,
  type SearchQuery,
  SINCES,
  SORTED,
  toggled,
} from './search-query.ts'
import { kindName, languageName } from './words.ts'

type Hit = SearchResult['hits'][number]

export function SearchHits({
  hits,
  names,
  allHref,
}: {
  readonly hits: readonly Hit[]
  /** The same search with all that is folded away. */
  readonly allHref: string
  /** Names of crawls. */
  readonly names: ReadonlyMap<string, string>
}) {
  return (
    <ol class="hits">
      {hits.map((hit) => (
        <li key={`${hit.crawl} ${hit.id}`}>
          <OneHit
            hit={hit}
            crawlName={names.size > 1 ? (names.get(hit.crawl) ?? hit.crawl) : ''}
            allHref={allHref}
          />
        </li>
      ))}
    </ol>
  )
}

function OneHit({
  hit,
  crawlName,
  allHref,
}: {
  readonly hit: Hit
  readonly crawlName: string
  readonly allHref: string
}) {
  const facts = [
    kindName(hit.kind),
    languageName(hit.language),
    hit.published_at === null
      ? ''
      : t('search.publishedOn', { when: formatDay(dayOf(hit.published_at)) }),
    formatMoment(hit.fetched_at),
    visible(crawlName, 40),
  ]
  return (
    <article class="hit">
      <h2>
        <a href={hrefTo('page', { jobId: hit.crawl, pageId: hit.id })}>
          {hit.title.trim() === '' ? (
            <WebText text={hit.url} most={120} />
          ) : (
            <MarkedText text={hit.title} marks={hit.title_marks} />
          )}
        </a>{' '}
        <PageMarks page={hit} />
      </h2>
      <p class="hit-url small">
        {hit.url.length > 140 ? (
          <WebLink url={hit.url} most={140} />
        ) : (
          <WebLink url={hit.url} most={140}>
            <MarkedText text={hit.url} marks={hit.url_marks} />
          </WebLink>
        )}
      </p>
      {hit.snippet !== '' && (
        <p>
          <MarkedText text={hit.snippet} marks={hit.snippet_marks} />
        </p>
      )}
      {hit.link_texts.length > 0 && (
        <p class="small">
          {t('search.linkedAs')}{' '}
          {hit.link_texts.map(({ text, marks }, at) => (
            <>
              {at > 0 && ' · '}
              <MarkedText text={text} marks={marks} />
            </>
          ))}
        </p>
      )}
      <p class="small muted">
        {facts.filter((fact) => fact !== '').join(' · ')}
        {' · '}
        <a href={hrefTo('search', { query: { like: hit.url } })}>{t('search.like')}</a>
        {hit.others > 0 && (
          <>
            {' · '}
            <a href={allHref}>{t('search.similar', { n: hit.others })}</a>
          </>
        )}
      </p>
    </article>
  )
}

/** In UTC, as the server tells it. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Longer than any snippet or title that is meant to be read. */
const MOST = 600

function MarkedText({
  text,
  marks,
}: {
  readonly text: string
  readonly marks: readonly (readonly number[])[]
}) {
  const pieces = markedPieces(text.slice(0, MOST), marks)
  return (
    <bdi class="web-text">
      {pieces.map((piece, at) =>
        piece.marked ? <mark key={at}>{visible(piece.text)}</mark> : visible(piece.text, MOST),
      )}
      {text.length > MOST && '…'}
    </bdi>
  )
}

type Facets = SearchResult['facets']
const MOST_VALUES = 8

/** What the results have in common, and a click that keeps only those. */
export function SearchFacets({
  query,
  facets,
  names,
  onShow,
}: {
  readonly query: SearchQuery
  readonly facets: Facets
  /** Names of crawls. */
  readonly names: ReadonlyMap<string, string>
  readonly onShow: (query: SearchQuery) => void
}) {
  return (
    <aside class="facets" aria-label={t('search.narrow')}>
      <CheckField
        id="search-hot"
        label={t('search.hot')}
        checked={query.hot}
        onChange={(hot) => onShow({ ...query, hot, page: 1 })}
      />
      <CheckField
        id="search-all"
        label={t('search.all')}
        checked={query.all}
        onChange={(all) => onShow({ ...query, all, page: 1 })}
      />
      <SelectField
        id="search-sort"
        label={t('search.sort')}
        value={query.sort}
        choices={[
          { value: '', label: t('search.sort.relevance') },
          ...SORTED.map((value) => ({ value, label: t(`search.sort.${value}`) })),
        ]}
        onChange={(value) => {
          const sort = SORTED.find((known) => known === value) ?? ''
          onShow({ ...query, sort, page: 1 })
        }}
      />
      <SelectField
        id="search-published"
        label={t('search.published')}
        value={query.published}
        choices={[
          { value: '', label: t('search.anyTime') },
          ...SINCES.map((value) => ({ value, label: t(`search.since.${value}`) })),
        ]}
        onChange={(value) => {
          const published = SINCES.find((known) => known === value) ?? ''
          onShow({ ...query, published, page: 1 })
        }}
      />
      <SelectField
        id="search-since"
        label={t('search.since')}
        value={query.since}
        choices={[
          { value: '', label: t('search.anyTime') },
          ...SINCES.map((value) => ({ value, label: t(`search.since.${value}`) })),
        ]}
        onChange={(value) => {
          const since = SINCES.find((known) => known === value) ?? ''
          onShow({ ...query, since, page: 1 })
        }}
      />
      {FACETS.map(({ facet, field }) => (
        <Facet
          key={facet}
          title={t(`search.${facet}`)}
          values={withChosen(facets[facet], query[field])}
          chosen={query[field]}
          name={(value) => nameOf(field, value, names)}
          onToggle={(value) => onShow(toggled(query, field, value))}
        />
      ))}
    </aside>
  )
}

/** What is chosen can be taken away, also when nothing else has it. */
function withChosen(values: Facets['hosts'], chosen: string): Facets['hosts'] {
  const first = values.slice(0, MOST_VALUES)
  if (chosen === '' || first.some(({ value }) => value === chosen)) return first
  return [...first, { value: chosen, count: values.find((v) => v.value === chosen)?.count ?? 0 }]
}

function nameOf(field: FacetField, value: string, names: ReadonlyMap<string, string>): string {
  if (field === 'kind') return kindName(value)
  if (field === 'language') return value === '' ? t('search.noLanguage') : languageName(value)
  if (field === 'crawl') return visible(names.get(value) ?? value, 60)
  return visible(value, 60)
}

function Facet({
  title,
  values,
  chosen,
  name,
  onToggle,
}: {
  readonly title: string
  readonly values: Facets['hosts']
  readonly chosen: string
  readonly name: (value: string) => string
  readonly onToggle: (value: string) => void
}) {
  // One value alone narrows nothing.
  if (values.length === 0 || (values.length === 1 && chosen === '')) return null
  return (
    <section>
      <h2 class="facet-title">{title}</h2>
      <ul>
        {values.map(({ value, count }) => (
          <li key={value}>
            <button
              type="button"
              class="facet"
              aria-pressed={value === chosen}
              disabled={value === ''}
              onClick={() => onToggle(value)}
            >
              <bdi>{name(value)}</bdi>
              <span class="number facet-count">{formatCount(count)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
