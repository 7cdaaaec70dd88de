// What is written in the form, and the request it becomes. A draft holds texts only, as they stand in
// the fields: nothing that was written is lost by being no number, and the server judges the rest.
import type { Problem } from '../api.ts'
import { t } from '../i18n/i18n.ts'
import type { KnownOption, KnownOptions } from './known-options.ts'

/** By name of the field; `ordering_option.NAME` for options of the ordering. */
export type Draft = Readonly<Record<string, string>>

export const ORDERING_OPTION = 'ordering_option.'
/** Rules of the ordering, NAME=VALUE in each line. */
export const ORDERING_RULES = 'ordering_rules'

/** The field of a flag holds one of these; '' stands for the default. */
export const ON = 'true'
export const OFF = 'false'

/** The body of `POST /crawl`: only what was changed. */
export function bodyOf(draft: Draft, { options }: KnownOptions): Record<string, unknown> {
  const body: Record<string, unknown> = { urls: lines(draft.seeds ?? '') }
  if ((draft.name ?? '').trim() !== '') body.name = (draft.name ?? '').trim()
  for (const option of options) {
    const value = sentValue(option, draft[option.name] ?? '')
    if (value !== undefined) body[option.name] = value
  }
  const pairs = Object.entries(draft)
    .filter(([name, text]) => name.startsWith(ORDERING_OPTION) && text.trim() !== '')
    .map(([name, text]) => [name.slice(ORDERING_OPTION.length), numberOr(text)])
  for (const line of lines(draft[ORDERING_RULES] ?? '')) pairs.push(ruleOf(line))
  if (pairs.length > 0) body.ordering_option = Object.fromEntries(pairs)
  return body
}

/** Without a value the server says what is wrong. */
function ruleOf(line: string): [name: string, value: number | string] {
  const equals = line.lastIndexOf('=')
  if (equals <= 0) return [line, '']
  return [line.slice(0, equals).trim(), numberOr(line.slice(equals + 1))]
}

/** Undefined: as it would be without. */
function sentValue(option: KnownOption, text: string): unknown {
  if (text.trim() === '') return undefined
  if (option.kind === 'flag') return (text === ON) === isOn(option) ? undefined : text === ON
  if (option.carries === 'model' || option.carries === 'rules') return parsed(text)
  if (option.carries === 'examples' || option.carries === 'words') return text
  if (option.kind === 'list') return lines(text)
  return option.kind === 'number' ? numberOr(text) : text.trim()
}

export function isOn(option: KnownOption): boolean {
  return option.default === ON
}

/** What is no number stays as it is: the server says what is wrong with it. */
function numberOr(text: string): number | string {
  const value = Number(text.trim())
  return text.trim() === '' || !Number.isFinite(value) ? text.trim() : value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function lines(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** How many fields of these were changed. */
export function changedOf(draft: Draft, options: readonly KnownOption[]): number {
  return options.filter((option) => sentValue(option, draft[option.name] ?? '') !== undefined)
    .length
}

const SAME: Readonly<Record<string, string>> = {
  url: 'seeds',
  urls: 'seeds',
  limit: 'max_pages',
  depth: 'max_depth',
}

/** The field that a problem is about: `urls[2]` is one of `seeds`. */
export function fieldOf(at: string): string {
  const name = /^[a-z0-9_]+/.exec(at)?.[0] ?? ''
  return Object.hasOwn(SAME, name) ? (SAME[name] ?? name) : name
}

/** What is wrong, by field, as one text each. Of seeds it is said in which line. */
export function errorsOf(
  problems: readonly Problem[],
  lineWord: (line: string) => string,
): ReadonlyMap<string, string> {
  const errors = new Map<string, string>()
  for (const { at, message } of problems) {
    const field = fieldOf(at)
    const index = /^(?:urls|seeds)\[(\d+)\]/.exec(at)?.[1]
    const text =
      index === undefined ? message : `${lineWord(String(Number(index) + 1))}: ${message}`
    const before = errors.get(field)
    errors.set(field, before === undefined ? text : `${before} · ${text}`)
  }
  return errors
}

const TOPIC_FIELDS = ['topic', 'keywords', 'topic_model', 'language', 'stop_words']

/** The body of `POST /topic`. Empty where no words are given, or where examples or a model decide. */
export function questionOf(draft: Draft, known: KnownOptions): Record<string, unknown> {
  const body = bodyOf(draft, known)
  const given = [body.topic, body.keywords, body.topic_model]
  const isInWords = given.some((field) => field !== undefined)
  if (!isInWords || body.examples !== undefined || body.classifier !== undefined) return {}
  return Object.fromEntries(Object.entries(body).filter(([name]) => TOPIC_FIELDS.includes(name)))
}

/**
 * What the form itself can say is wrong, in the reader's language, before anything is sent. The server
 * checks everything again, and more.
 */
export function checkDraft(draft: Draft, known: KnownOptions): readonly Problem[] {
  const problems: Problem[] = []
  if (lines(draft.seeds ?? '').length === 0)
    problems.push({ at: 'seeds', message: t('form.noSeeds') })
  const missing = topicMissing(draft, known)
  if (missing) problems.push({ at: 'topic', message: t('form.noTopic', { ordering: missing }) })
  for (const option of known.options) {
    const message = wrongNumber(option, (draft[option.name] ?? '').trim())
    if (message !== null) problems.push({ at: option.name, message })
  }
  return problems
}

/** The ordering that wants a topic and has none; null: all is well. */
function topicMissing(draft: Draft, { orderings }: KnownOptions): string | null {
  const chosen = orderings.find(({ name }) => name === draft.ordering)
  const given = ['topic', 'keywords', 'topic_model', 'examples', 'classifier'].some(
    (name) => (draft[name] ?? '').trim() !== '',
  )
  return chosen?.focused === true && !given ? chosen.name : null
}

function wrongNumber({ kind, min, max }: KnownOption, text: string): string | null {
  if (kind !== 'number' || text === '') return null
  const value = Number(text.replace(/ ?%$/, ''))
  if (!Number.isFinite(value)) return t('form.notNumber')
  if (min !== null && value < min) return t('form.tooSmall', { min })
  if (max !== null && value > max) return t('form.tooLarge', { max })
  return null
}
