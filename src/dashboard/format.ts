// Figures, times and sizes as people read them, in the language of the dashboard.
import { language } from './i18n/i18n.ts'

const cached = new Map<string, { format: (value: number) => string }>()

function numbers(options: Intl.NumberFormatOptions): { format: (value: number) => string } {
  return kept(`n${JSON.stringify(options)}`, () => new Intl.NumberFormat(language.value, options))
}

function times(options: Intl.DateTimeFormatOptions): { format: (value: number) => string } {
  return kept(`t${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(language.value, options))
}

// Making an Intl format takes about as long as a thousand uses of it.
function kept<F extends { format: (value: number) => string }>(key: string, make: () => F) {
  const full = `${language.value} ${key}`
  const known = cached.get(full) ?? make()
  cached.set(full, known)
  return known
}

export function formatCount(value: number): string {
  return numbers({ maximumFractionDigits: 0 }).format(value)
}

/** Two or three significant digits: `0.25`, `3.5`, `120`. */
export function formatRate(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return numbers({ maximumFractionDigits: digits }).format(value)
}

export function formatShare(value: number, digits = value < 0.1 ? 1 : 0): string {
  return numbers({ style: 'percent', maximumFractionDigits: digits }).format(value)
}

/** With so many decimals; a dash for what was not measured. */
export function formatDecimal(value: number | null, digits: number): string {
  if (value === null) return '–'
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return numbers(options).format(value).replace('-', '−')
}

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

export function formatBytes(bytes: number): string {
  let at = 0
  let value = Math.max(0, bytes)
  while (value >= 999.5 && at < BYTE_UNITS.length - 1) {
    value /= 1000
    at++
  }
  // The formats know no sign for it, only a word that has no plural.
  if (at === 0) return `${formatCount(value)} B`
  const unit = BYTE_UNITS[at] ?? 'byte'
  const digits = value >= 100 ? 0 : 1
  const options = {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  } as const
  return numbers(options).format(value)
}

/** `12s`, `3m 5s`, `2h 14m`, `3d 4h`; the two largest units. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const units: readonly (readonly ['second' | 'minute' | 'hour' | 'day', number])[] = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ]
  const first = units.findIndex(([, size]) => seconds >= size)
  if (first === -1) return unitText(0, 'second')
  let left = seconds
  const parts: string[] = []
  for (const [unit, size] of units.slice(first, first + 2)) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0 || parts.length === 0) parts.push(unitText(count, unit))
  }
  return parts.join(' ')
}

function unitText(value: number, unit: 'second' | 'minute' | 'hour' | 'day'): string {
  return numbers({ style: 'unit', unit, unitDisplay: 'narrow' }).format(value)
}

/** `12:03:04`. */
export function formatTime(at: number): string {
  return times({ timeStyle: 'medium', hourCycle: 'h23' }).format(at)
}

/** `3 Feb, 12:03`; with the year where it is not this one. */
export function formatMoment(at: number): string {
  const thisYear = new Date(at).getFullYear() === new Date().getFullYear()
  const year = thisYear ? {} : ({ year: 'numeric' } as const)
  return times({ day: 'numeric', month: 'short', ...year, ...CLOCK }).format(at)
}

/** `12 Jan 2026`, of a day as a page writes it: the same wherever it is read. */
export function formatDay(day: string): string {
  return times({ dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day))
}

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** `12:03`, with seconds where they are not all the same. */
export function formatAxisTime(at: number): string {
  return times({ timeStyle: at % 60_000 === 0 ? 'short' : 'medium', hourCycle: 'h23' }).format(at)
}
