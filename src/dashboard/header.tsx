// Brand, navigation and preferences.
import { useEffect, useState } from 'preact/hooks'
import { checkSession, post, type Session, signInNeeded } from './api.ts'
import { Button } from './components/button.tsx'
import { LANGUAGES, language, t } from './i18n/i18n.ts'
import icon from './icon.svg'
import { hrefTo, JOB_VIEWS, route, type ViewName } from './router.ts'
import { fleet } from './state/fleet.ts'
import { THEMES, theme } from './state/preferences.ts'

const LANGUAGE_NAMES = { en: 'English', id: 'Indonesia' } as const

export function Header() {
  return (
    <header class="header">
      <div class="header-row">
        <a class="brand" href={hrefTo('jobs')}>
          <img src={icon} alt="" width="24" height="24" />
          Jelajah
        </a>
        <Navigation />
        <div class="preferences">
          <select
            aria-label={t('shell.language')}
            value={language.value}
            onChange={(event) => {
              const { value } = event.currentTarget
              language.value = LANGUAGES.find((known) => known === value) ?? 'en'
            }}
          >
            {LANGUAGES.map((code) => (
              <option key={code} value={code} lang={code}>
                {LANGUAGE_NAMES[code]}
              </option>
            ))}
          </select>
          <select
            aria-label={t('shell.theme')}
            value={theme.value}
            onChange={(event) => {
              const { value } = event.currentTarget
              theme.value = THEMES.find((known) => known === value) ?? 'system'
            }}
          >
            {THEMES.map((name) => (
              <option key={name} value={name}>
                {t(`theme.${name}`)}
              </option>
            ))}
          </select>
          <SignOut />
        </div>
      </div>
    </header>
  )
}

function Navigation() {
  const { view } = route.value
  const isJob = JOB_VIEWS.some((name) => name === view)
  const places: readonly (readonly [ViewName, string])[] = [
    ['jobs', t('nav.jobs')],
    ['new', t('nav.new')],
    // Where everything is done on one machine there are none.
    ...(fleet.value?.shared ? [['workers', t('nav.workers')] as const] : []),
    ['search', t('nav.search')],
    ['api', t('nav.api')],
  ]
  return (
    <nav class="nav" aria-label={t('nav.label')}>
      {places.map(([name, label]) => {
        const inside = name === 'jobs' && isJob ? ('true' as const) : undefined
        return (
          <a key={name} href={hrefTo(name)} aria-current={view === name ? 'page' : inside}>
            {label}
          </a>
        )
      })}
    </nav>
  )
}

/** Also finds out, once, whether a token is needed at all. */
function SignOut() {
  const [session, setSession] = useState<Session | null>(null)
  const needed = signInNeeded.value
  useEffect(() => {
    void checkSession().then(setSession)
  }, [needed])
  if (session === null || !session.token_needed || !session.signed_in) return null
  const leave = async (): Promise<void> => {
    await post('/logout')
    signInNeeded.value = true
  }
  return (
    <Button small onClick={() => void leave()}>
      {t('session.signOut')}
    </Button>
  )
}
