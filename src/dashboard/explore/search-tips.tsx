// Before the first search: what can be asked.
import { EmptyState } from '../components/empty-state.tsx'
import { t } from '../i18n/i18n.ts'
import { hrefTo } from '../router.ts'

export function SearchTips({ crawl }: { readonly crawl: string }) {
  const tips = [
    [t('search.exampleWords'), t('search.tipWords')],
    [t('search.examplePhrase'), t('search.tipPhrase')],
    [t('search.exampleWithout'), t('search.tipWithout')],
    [t('search.exampleEither'), t('search.tipEither')],
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
