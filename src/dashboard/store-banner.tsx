// While a store is away: which, since when, and what happens next. And that it is back.
import { formatTime } from './format.ts'
import { t } from './i18n/i18n.ts'
import { fleet, returned, storesAway } from './state/fleet.ts'

const NAMES = { postgres: 'PostgreSQL', redis: 'Redis' } as const

export function StoreBanner() {
  const away = storesAway(fleet.value)
  const back = returned.value
  // The place is always there: who listens to a page only hears what changes in it.
  return (
    <div role="status" class="stores">
      {away.map(({ store, since, gives_up_at }) => (
        <p key={store} class="store-away">
          <strong>{t('stores.away', { store: NAMES[store], time: formatTime(since) })}</strong>{' '}
          {t('stores.rest')}{' '}
          {gives_up_at !== null && t('stores.givesUp', { time: formatTime(gives_up_at) })}
        </p>
      ))}
      {away.length === 0 && back !== null && (
        <p class="store-back">{t('stores.back', { store: NAMES[back.store] })}</p>
      )}
    </div>
  )
}
