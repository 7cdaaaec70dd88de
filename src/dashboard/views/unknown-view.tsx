// An address that leads nowhere.
import { ButtonLink } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { t } from '../i18n/i18n.ts'
import { hrefTo } from '../router.ts'
import { useTitle } from '../state/title.ts'

export function UnknownView() {
  useTitle(t('unknown.title'))
  return (
    <EmptyState title={t('unknown.title')}>
      <p>{t('unknown.text')}</p>
      <ButtonLink href={hrefTo('jobs')}>{t('unknown.back')}</ButtonLink>
    </EmptyState>
  )
}
