// One option of a command: its name, its help, and how a raw value becomes a checked one. Raw values are
// strings (flags, environment) or JSON (config file, HTTP); `read` takes both.
import { InvalidInput, Refused, shown } from '../core/errors.ts'
import { nearest } from '../lib/edit-steps.ts'

export const OPTION_KINDS = ['number', 'bytes', 'text', 'choice', 'list', 'flag'] as const
type OptionKind = (typeof OPTION_KINDS)[number]

export type OptionInfo = {
  /** Kebab-case: `--name` as a flag; snake_case over HTTP. */
  readonly name: string
  readonly aliases?: readonly string[]
  /** A variable that help names; every option is also read from `JELAJAH_` and its name. */
  readonly env?: string
  /** False: no variable counts, only the flag. */
  readonly fromEnvironment?: boolean
  /** False: a variable counts, but not one that only a `.env` file sets. */
  readonly fromDotenv?: boolean
  /** True for the value of a variable that is meant for another command with an option of this name. */
  readonly ignoresVariable?: (text: string) => boolean
  /** What stands between the entries of a list in a variable; left out: commas and spaces. */
  readonly separator?: RegExp
  readonly kind: OptionKind
  /** The placeholder of the value in help; '' for flags. */
  readonly value: string
  readonly help: string
  /** The default as help shows it; '' when there is none. */
  readonly default?: string
  readonly min?: number
  readonly max?: number
  /** A number that need not be whole. */
  readonly fraction?: boolean
  readonly choices?: readonly string[]
  /** A list that may be given several times, one entry each. */
  readonly repeatable?: boolean
  /** A flag that is on by default: the flag that matters is `--no-name`. */
  readonly on?: boolean
  /** A flag that also takes values: true for a next word that can only be one; others come after `=`. */
  readonly takesWord?: (word: string) => boolean
  /** Accepted, but not in help: it has no effect there. */
  readonly hidden?: boolean
  /** Sends requests or data elsewhere, or opens doors: a command says when a file sets it. */
  readonly weighty?: boolean
}

/** An option and what its value becomes. */
export type Reader<R> = OptionInfo & {
  /** InvalidInput at `at` when the value is not acceptable. */
  readonly read: (raw: unknown, at: string) => R
}

/** An option of a command, which chooses some of the command's fields. */
export type Option<T> = Reader<Partial<T>>

/** The fields that the options choose. */
export type ChosenBy<Options extends readonly unknown[]> = (
  Options[number] extends infer One
    ? One extends Reader<infer R>
      ? (chosen: R) => void
      : never
    : never
) extends (chosen: infer All) => void
  ? Required<All>
  : never

export type About<R, V> = Omit<OptionInfo, 'kind' | 'value'> & {
  readonly value?: string
  readonly to: (value: V) => R
}

/** Without `to` an option chooses the field of its name: `minWords` for `min-words`. */
type Plain<Name extends string> = Omit<About<never, never>, 'name' | 'to'> & {
  readonly name: Name
  readonly to?: undefined
}
type FieldOf<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<FieldOf<Rest>>}`
  : Name
type InField<Name extends string, V> = { readonly [Field in FieldOf<Name>]: V }

function inField(name: string): (value: unknown) => object {
  return (value) => ({ [keyName(name)]: value })
}

type Range = { readonly min: number }

/** A whole number; `fraction` allows 0.5 too. */
export function number<R>(about: About<R, number> & Range): Reader<R>
export function number<N extends string>(about: Plain<N> & Range): Reader<InField<N, number>>
export function number<R>(about: (About<R, number> | Plain<string>) & Range): Reader<R | object> {
  const { to = inField(about.name), ...info } = about
  const { min, max = Number.MAX_SAFE_INTEGER, fraction = false } = info
  const read = (raw: unknown, at: string): R | object => {
    const value = parseNumber(raw, fraction)
    if (value !== null && value >= min && value <= max) return to(value)
    const kind = fraction ? 'a number' : 'a whole number'
    const isTooLarge = value !== null && value > max
    const hasMost = info.max !== undefined || isTooLarge
    const range = hasMost ? `from ${min} to ${max}` : `of at least ${min}`
    throw new InvalidInput(at, `needs ${kind} ${range}, not ${shown(raw)}`)
  }
  return { ...info, kind: 'number', value: info.value ?? 'N', read }
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
}

/** A size: bytes, or with a unit such as 10MB or 1MiB. */
export function bytes<R>(
  about: About<R, number> & { readonly min: number; readonly max: number },
): Reader<R> {
  const { to, ...info } = about
  const read = (raw: unknown, at: string): R => {
    const value = parseBytes(raw)
    if (value !== null && value >= info.min && value <= info.max) return to(value)
    throw new InvalidInput(
      at,
      `needs a size from ${info.min} to ${info.max} bytes, such as 500kB or 1MiB, not ${shown(raw)}`,
    )
  }
  return { ...info, kind: 'bytes', value: info.value ?? 'BYTES', read }
}

/** Any text but an empty one. `to` may refuse it with a `Refused`. */
export function text<R>(about: About<R, string>): Reader<R>
export function text<N extends string>(about: Plain<N>): Reader<InField<N, string>>
export function text<R>(about: About<R, string> | Plain<string>): Reader<R | object> {
  const { to = inField(about.name), ...info } = about
  const read = (raw: unknown, at: string): R | object => refusable(at, () => to(nonEmpty(raw, at)))
  return { ...info, kind: 'text', value: info.value ?? 'TEXT', read }
}

type Choices<C extends string> = { readonly choices: readonly C[] }

export function choice<R, C extends string>(
  about: Omit<About<R, C>, 'choices'> & Choices<C>,
): Reader<R>
export function choice<N extends string, C extends string>(
  about: Omit<Plain<N>, 'choices'> & Choices<C>,
): Reader<InField<N, C>>
export function choice<R, C extends string>(
  about: Omit<About<R, C> | Plain<string>, 'choices'> & Choices<C>,
): Reader<R | object> {
  const { to = inField(about.name), ...info } = about
  const read = (raw: unknown, at: string): R | object => {
    const chosen = info.choices.find((known) => known === raw)
    if (chosen !== undefined) return to(chosen)
    const meant = typeof raw === 'string' ? nearest(raw, info.choices) : null
    const hint = meant === null ? '' : `; did you mean ${meant}?`
    throw new InvalidInput(at, `needs one of ${info.choices.join(', ')}, not ${shown(raw)}${hint}`)
  }
  return { ...info, kind: 'choice', value: info.value ?? info.choices.join('|'), read }
}

/** Several texts: a flag given several times, or an array. */
export function list<R>(about: About<R, readonly string[]>): Reader<R> {
  const { to, ...info } = about
  const read = (raw: unknown, at: string): R => {
    const entries = Array.isArray(raw) ? raw : [raw]
    return refusable(at, () => to(entries.map((entry) => nonEmpty(entry, at))))
  }
  return { ...info, kind: 'list', value: info.value ?? 'TEXT', repeatable: true, read }
}

const TRUTH: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ...['true', '1', 'yes', 'on'].map((word): [string, boolean] => [word, true]),
  ...['false', '0', 'no', 'off'].map((word): [string, boolean] => [word, false]),
])

/** What a word of yes or no means; undefined where it is neither. */
export function truthOf(raw: unknown): boolean | undefined {
  return TRUTH.get(raw)
}

export function flag<R>(about: About<R, boolean>): Reader<R>
export function flag<N extends string>(about: Plain<N>): Reader<InField<N, boolean>>
export function flag<R>(about: About<R, boolean> | Plain<string>): Reader<R | object> {
  const { to = inField(about.name), ...info } = about
  const read = (raw: unknown, at: string): R | object => {
    const value = TRUTH.get(raw)
    if (value === undefined) throw new InvalidInput(at, `is true or false, not ${shown(raw)}`)
    return to(value)
  }
  return { ...info, kind: 'flag', value: '', read }
}

/** All, nothing, or some: `--name` alone, or `--name=VALUE` several times; true, false or an array. */
export function grant<R>(
  about: About<R, boolean | readonly string[]> & {
    readonly value: string
    readonly takesWord: (word: string) => boolean
  },
): Reader<R> {
  const { to, ...info } = about
  const read = (raw: unknown, at: string): R => {
    const truth = TRUTH.get(raw)
    if (truth !== undefined) return to(truth)
    const entries = Array.isArray(raw) ? raw : [raw]
    if (entries.some((entry) => TRUTH.get(entry) === true)) return to(true)
    return refusable(at, () => to(entries.map((entry) => nonEmpty(entry, at))))
  }
  return { ...info, kind: 'flag', read }
}

function refusable<W>(at: string, work: () => W): W {
  try {
    return work()
  } catch (error) {
    const known = error instanceof Refused || error instanceof InvalidInput
    throw known ? new InvalidInput(at, error.message) : error
  }
}

function nonEmpty(raw: unknown, at: string): string {
  if (typeof raw === 'string' && raw.trim() !== '') return raw.trim()
  throw new InvalidInput(at, `needs a text, not ${shown(raw)}`)
}

function parseNumber(raw: unknown, fraction: boolean): number | null {
  const form = fraction ? /^\d+(\.\d{1,9})?$/ : /^\d+$/
  if (typeof raw === 'string') return form.test(raw) ? Number(raw) : null
  if (typeof raw !== 'number' || !Number.isFinite(raw)) return null
  return fraction || Number.isInteger(raw) ? raw : null
}

function parseBytes(raw: unknown): number | null {
  if (typeof raw === 'number') return Number.isInteger(raw) ? raw : null
  const parts = typeof raw === 'string' ? /^(\d{1,16}(?:\.\d{1,9})?) ?([a-z]*)$/i.exec(raw) : null
  const unit = UNITS[parts?.[2]?.toLowerCase() ?? '']
  return parts === null || unit === undefined ? null : Math.round(Number(parts[1]) * unit)
}

/**
 * `max_pages` of `max-pages`. Help and messages name options as flags (`--max-pages`). Over HTTP the same
 * option is a field, so messages there must name fields.
 */
export function fieldName(option: string): string {
  return option.replaceAll('-', '_')
}

/** `maxPages` of `max-pages`. */
export function keyName(option: string): string {
  return option.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** `max-pages`, `max_pages` and `maxPages` are one key. */
export function keyOf(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase()
}

/** A text with its flags replaced by fields. Quoted parts stay: they repeat what the user gave. */
export function withFieldNames(text: string, nameOf = fieldName): string {
  return text.replaceAll(QUOTED_OR_FLAG, (whole, end?: string, option?: string) => {
    if (option !== undefined) return nameOf(option)
    // An open quote has no end: the rest of the text is searched for flags once.
    return end === '"' ? whole : whole.replaceAll(FLAG, (_, open: string) => nameOf(open))
  })
}

const QUOTED_OR_FLAG = /"(?:[^"\\]|\\.)*("?)|--([a-z][a-z0-9-]*)/gs
const FLAG = /--([a-z][a-z0-9-]*)/g
