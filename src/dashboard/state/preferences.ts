// What the reader chose about the dashboard itself: language and theme. Kept in this browser where it
// lets us; everything works where it does not.
import { effect, signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { LANGUAGES, type Language, language, preferredLanguage } from '../i18n/i18n.ts'

export const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

export const theme = signal<Theme>('system')
/** What is drawn: the theme, or what the system says. */
export const shownTheme = signal<'light' | 'dark'>('light')

/** What the reader chose before, else what the system says; a later choice is kept. */
export function keepPreferences(): void {
  theme.value = THEMES.find((known) => known === stored('theme')) ?? 'system'
  const chosen = LANGUAGES.find((known) => known === stored('language'))
  followSystem(chosen)
  effect(() => store('theme', theme.value))
  effect(() => store('language', language.value))
}

/** Language and theme as the system has them; nothing is kept. */
export function followSystem(chosen?: Language): void {
  language.value = chosen ?? preferredLanguage(navigator.languages)
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const systemDark = signal(dark.matches)
  dark.addEventListener('change', (event) => {
    systemDark.value = event.matches
  })
  effect(() => {
    const shown = theme.value === 'system' ? (systemDark.value ? 'dark' : 'light') : theme.value
    shownTheme.value = shown
    document.documentElement.dataset.theme = shown
  })
  effect(() => {
    document.documentElement.lang = language.value
  })
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(`jelajah.${name}`)
  } catch {
    return null
  }
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(`jelajah.${name}`, value)
  } catch {
    // Storage is switched off: the choice lasts as long as the page.
  }
}

/** Whether a media query holds, now and whenever that changes. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => window.matchMedia(query).matches)
  useEffect(() => {
    const media = window.matchMedia(query)
    const read = (): void => setHolds(media.matches)
    read()
    media.addEventListener('change', read)
    return () => media.removeEventListener('change', read)
  }, [query])
  return holds
}

export const NARROW = '(max-width: 720px)'
export const STILL = '(prefers-reduced-motion: reduce)'
