// What is special about a page, in a word each.
import { t } from '../i18n/i18n.ts'

export type Marked = {
  readonly hot?: boolean
  readonly noindex?: boolean
  readonly truncated?: boolean
  readonly duplicate_of?: number | null
}

export function PageMarks({ page }: { readonly page: Marked }) {
  return (
    <>
      {page.hot && <span class="mark-word hot">{t('mark.hot')}</span>}
      {typeof page.duplicate_of === 'number' && (
        <span class="mark-word">{t('mark.duplicate')}</span>
      )}
      {page.noindex && <span class="mark-word">{t('mark.noindex')}</span>}
      {page.truncated && <span class="mark-word">{t('mark.truncated')}</span>}
    </>
  )
}
