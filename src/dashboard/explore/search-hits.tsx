// What a search found.

import type { SearchResult } from '../../reads/shapes/page.ts'
import { WebLink, WebText } from '../components/web-text.tsx'
import { formatMoment } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import { hrefTo } from '../router.ts'
import { visible } from '../web-text.ts'
import { markedPieces } from './marked-pieces.ts'
import { PageMarks } from './page-facts.tsx'
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
        <WebLink url={hit.url} most={140} />
      </p>
      {hit.snippet !== '' && (
        <p>
          <MarkedText text={hit.snippet} marks={hit.snippet_marks} />
        </p>
      )}
      <p class="small muted">
        {facts.filter((fact) => fact !== '').join(' · ')}
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
