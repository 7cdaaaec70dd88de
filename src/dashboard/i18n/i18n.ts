// The languages of the dashboard, of saved maps and of reports. en.json has every message; what another
// language lacks is shown in English and listed by `scripts/missing-words.ts`. Numbers and times are
// written as the language does.
import { signal } from '@preact/signals'
import { LANGUAGES, type Language } from '../../core/languages.ts'
import en from './en.json' with { type: 'json' }
import id from './id.json' with { type: 'json' }

export { LANGUAGES, type Language } from '../../core/languages.ts'
export type MessageKey = keyof typeof en
type Params = Readonly<Record<string, string | number>>
/** A message, or one per grammatical number where the language has more than one. */
export type Message = string | { readonly one: string; readonly other: string }

type Messages = { readonly [Key in MessageKey]?: Message }
const MESSAGES: Readonly<Record<Language, Messages>> = { en, id }

export const language = signal<Language>('en')

/** The message in the current language. `{name}` stands for a parameter; `n` chooses the number. */
export function t(key: MessageKey, params: Params = {}): string {
  return write(language.value, key, params)
}

/** The message for a name that the server says, such as a code of a reason; null where there is none. */
export function messageFor(group: 'kind' | 'reason' | 'state' | 'why.via', name: string) {
  const key = `${group}.${name}`
  return isKey(key) ? t(key) : null
}

function isKey(text: string): text is MessageKey {
  return Object.hasOwn(en, text)
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
