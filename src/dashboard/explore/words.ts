// Names of kinds and languages as people say them.
import { language, messageFor } from '../i18n/i18n.ts'
import { visible } from '../web-text.ts'

export const KINDS = [
  'article',
  'thread',
  'listing',
  'product',
  'documentation',
  'front-page',
  'other',
] as const

/** Also a kind that this dashboard has not heard of yet. */
export function kindName(kind: string): string {
  return messageFor('kind', kind) ?? visible(kind, 40)
}

export function stateName(state: string): string {
  return messageFor('state', state) ?? visible(state, 40)
}

/** Those offered first; any other can come with an address. */
export const LANGUAGES_OFFERED = ['id', 'en', 'ms', 'jv', 'su', 'nl', 'de', 'fr', 'es', 'pt', 'ar']

/** `Indonesian (id)`; the code alone where it has no name; '' for ''. */
export function languageName(code: string): string {
  if (code === '') return ''
  const shown = visible(code, 20)
  try {
    const names = new Intl.DisplayNames(language.value, { type: 'language', fallback: 'none' })
    const name = names.of(code)
    return name === undefined ? shown : `${name} (${shown})`
  } catch {
    // A page may call its language anything; what is no code has no name.
    return shown
  }
}
