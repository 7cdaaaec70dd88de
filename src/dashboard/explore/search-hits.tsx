// What a search found.
import type { SearchResult } from '../../api/shapes/page.ts'
import { WebLink, WebText } from '../components/web-text.tsx'
import { formatMoment } from '../format.ts'
import { hrefTo } from '../router.ts'
import { visible } from '../web-text.ts'
import { MarkedText } from './marked-text.tsx'
import { PageMarks } from './page-marks.tsx'
import { kindName, languageName } from './words.ts'

type Hit = SearchResult['hits'][number]

export function SearchHits({
  hits,
  names,
}: {
  readonly hits: readonly Hit[]
  /** Of crawls. */
  readonly names: ReadonlyMap<string, string>
}) {
  return (
    <ol class="hits">
      {hits.map((hit) => (
        <li key={`${hit.crawl} ${hit.id}`}>
          <OneHit hit={hit} crawlName={names.size > 1 ? (names.get(hit.crawl) ?? hit.crawl) : ''} />
        </li>
      ))}
    </ol>
  )
}

function OneHit({ hit, crawlName }: { readonly hit: Hit; readonly crawlName: string }) {
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
      <p class="small muted">{facts.filter((fact) => fact !== '').join(' · ')}</p>
    </article>
  )
}
