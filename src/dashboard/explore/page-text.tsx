// The text of a page, as it was read out of it.
import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { t } from '../i18n/i18n.ts'
import { visibleLines } from '../web-text.ts'

const AT_FIRST = 4_000
/** A text of a megabyte would hold up the browser; nobody reads that far here. */
const AT_MOST = 200_000

export function PageText({ text }: { readonly text: string }) {
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
