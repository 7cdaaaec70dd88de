// The languages of the dashboard, of saved maps and of reports. English has every message; what another
// language lacks is shown in English and listed by `scripts/missing-words.ts`. Numbers and times are
// written as the language does.
import { signal } from '@preact/signals'
import { LANGUAGES, type Language } from '../../core/reader-languages.ts'
import { en, type MessageKey } from './en.ts'
import { id } from './id.ts'
import type { Message, Translated } from './message.ts'

export { LANGUAGES, type Language } from '../../core/reader-languages.ts'
export type { MessageKey } from './en.ts'
export type Params = Readonly<Record<string, string | number>>

const MESSAGES: Readonly<Record<Language, Translated<typeof en>>> = { en, id }

export const language = signal<Language>('en')

/** The message in the current language. `{name}` stands for a parameter; `n` chooses the number. */
export function t(key: MessageKey, params: Params = {}): string {
  return write(language.value, key, params)
}

export function write(chosen: Language, key: MessageKey, params: Params = {}): string {
  const translated = MESSAGES[chosen][key]
  return translated === undefined
    ? filled('en', en[key], params)
    : filled(chosen, translated, params)
}

/** Messages that exist in English only. */
export function missingWords(chosen: Language): readonly string[] {
  return Object.keys(en).filter((key) => !(key in MESSAGES[chosen]))
}

function filled(chosen: Language, message: Message, params: Params): string {
  const form = typeof message === 'string' ? message : message[formOf(chosen, params.n)]
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? numberFormat(chosen).format(value) : value
  })
}

function formOf(chosen: Language, n: string | number | undefined): 'one' | 'other' {
  return typeof n === 'number' && new Intl.PluralRules(chosen).select(n) === 'one' ? 'one' : 'other'
}

const formats = new Map<Language, Intl.NumberFormat>()
function numberFormat(chosen: Language): Intl.NumberFormat {
  const known = formats.get(chosen) ?? new Intl.NumberFormat(chosen)
  formats.set(chosen, known)
  return known
}

/** The first language the reader prefers that we speak. */
export function preferredLanguage(wanted: readonly string[]): Language {
  const codes = wanted.map((tag) => tag.toLowerCase().split('-')[0])
  // `in` is the code of Indonesian before 1989, which some systems still use. Malay readers read
  // Indonesian more easily than English.
  const known = codes.map((code) => (code === 'in' || code === 'ms' ? 'id' : code))
  return known.flatMap((code) => LANGUAGES.filter((ours) => ours === code))[0] ?? 'en'
}
