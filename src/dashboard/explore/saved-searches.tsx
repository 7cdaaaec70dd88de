// Searches that were kept under a name: listed, asked again or for what is new, and removed.
import { useState } from 'preact/hooks'
import type { SavedSearchList } from '../../reads/shapes/search-request.ts'
import { type Failure, post, put, remove } from '../api.ts'
import { Button } from '../components/button.tsx'
import { FailureNotice, Notice } from '../components/notice.tsx'
import { t } from '../i18n/i18n.ts'
import { goTo, hrefTo } from '../router.ts'
import { useAsked } from '../state/asked.ts'
import { visible } from '../web-text.ts'
import { type SearchQuery, savedBody, searchQueryTexts, searchTextsOf } from './search-query.ts'

const pathOf = (name: string): string => `/saved-searches/${encodeURIComponent(name)}`

export function SavedSearches() {
  const kept = useAsked<SavedSearchList>('/saved-searches')
  const [failure, setFailure] = useState<Failure | null>(null)
  const searches = kept.value?.searches ?? []
  if (searches.length === 0) return null
  const forget = async (name: string): Promise<void> => {
    const answer = await remove(pathOf(name))
    setFailure(answer.ok ? null : answer.failure)
    kept.again()
  }
  return (
    <section>
      <h2>{t('search.savedTitle')}</h2>
      {failure !== null && <FailureNotice failure={failure} />}
      <ul>
        {searches.map(({ name, request, seen }) => {
          const texts = searchTextsOf(request)
          const news = { ...texts, after: String(seen), saved: name }
          return (
            <li key={name}>
              <a href={hrefTo('search', { query: texts })}>{visible(name, 80)}</a>{' '}
              <a href={hrefTo('search', { query: news })}>{t('search.savedNew')}</a>{' '}
              <Button look="quiet" onClick={() => void forget(name)}>
                {t('search.savedForget', { name: visible(name, 80) })}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Keeps the search that is shown. */
export function SaveSearch({ query }: { readonly query: SearchQuery }) {
  const [name, setName] = useState('')
  const [said, setSaid] = useState<Failure | 'saved' | null>(null)
  const save = async (): Promise<void> => {
    const answer = await put(pathOf(name.trim()), savedBody(query))
    setSaid(answer.ok ? 'saved' : answer.failure)
  }
  return (
    <form
      class="search-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') void save()
      }}
    >
      <div class="field">
        <label for="search-save">{t('search.saveAs')}</label>
        <input
          id="search-save"
          class="input"
          value={name}
          maxLength={80}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <Button submits>{t('search.save')}</Button>
      <span role="status">{said === 'saved' ? t('search.savedDone') : ''}</span>
      {said !== null && said !== 'saved' && <FailureNotice failure={said} />}
    </form>
  )
}

/** Above what is new in a saved search. */
export function NewOnly({
  query,
  cursor,
}: {
  readonly query: SearchQuery
  readonly cursor: number
}) {
  const see = async (): Promise<void> => {
    await post(`${pathOf(query.saved)}/seen`, { cursor })
    goTo(hrefTo('search', { query: searchQueryTexts({ ...query, after: '', saved: '', page: 1 }) }))
  }
  return (
    <Notice>
      {t('search.newOnly', { name: visible(query.saved, 80) })}{' '}
      <Button onClick={() => void see()}>{t('search.seen')}</Button>
    </Notice>
  )
}
