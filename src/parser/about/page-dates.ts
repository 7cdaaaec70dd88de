// Finds when a page was published and last changed. Sources are tried in order of reliability; an
// impossible day (before the web, after the fetch) counts as missing.
import {
  type DateOrder,
  type DateUse,
  dateUseOf,
  dayOnly,
  findDates,
  midnight,
  monthNumber,
  PageDateOrder,
  readDate,
  type WrittenDate,
} from './written-date.ts'

/** A short visible line that may contain a date or a name. */
export type ShortLine = {
  /** White space is collapsed. */
  readonly text: string
  /** Offset in the visible text, for the distance to a heading. */
  readonly at: number
  /** The use named by a label on the line before. */
  readonly label: DateUse
  /** The line is in a `<time>`, or a class, id or itemprop of its element or parent names a date. */
  readonly dated: boolean
  /** The same for an author. */
  readonly signed: boolean
}

/** A `<time>`, or an element whose itemprop names a date. */
export type MarkedDate = {
  /** `datetime`, or `content`: the machine-readable value. */
  readonly value: string
  /** Offset in the visible text. */
  readonly at: number
  readonly use: DateUse
}

type Dated = { readonly lines: readonly ShortLine[]; readonly stamps: readonly MarkedDate[] }

export type DateSources = {
  readonly url: string
  readonly fetchedAt: number
  /** Whether `3/4/2025` is March 4th in the page's language and country. */
  readonly monthFirst: boolean
  /** From `<meta>` names of publication and of change, in page order. */
  readonly metaPublished: readonly string[]
  readonly metaModified: readonly string[]
  /** From `<meta>` names of a date without a use. */
  readonly metaDates: readonly string[]
  readonly ldPublished: string
  readonly ldModified: string
  /** From `<meta itemprop>`. */
  readonly itemPublished: readonly string[]
  readonly itemModified: readonly string[]
  /** Used only when the sources above give no date. */
  readonly surroundings: { readonly near: Dated; readonly far: Dated }
  /** Offset of the page's heading; -1 without one. */
  readonly headingAt: number
}

type PageDates = {
  readonly published: WrittenDate | null
  readonly modified: WrittenDate | null
  /** The publication date is declared for programs; otherwise it was found in the text. */
  readonly declared: boolean
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const EARLIEST = Date.UTC(1990, 0, 1)
const MAX_LINES = 60
/** Limits for the text before a date on its own line: a name and a weekday, a time. */
const MAX_BEFORE = 24
const MAX_BEHIND = 24
/** After such a word `3.4.25` is a date. */
const DATE_WORD = /\b(?:date|datum|tanggal|fecha|data)\b/i
/** Most characters before a date at the start of its line: a colon, a weekday. */
const MAX_BARE = 6

/** Words before a date that make it the date of something else. */
const OTHER_DAY =
  /copyright|©|\(c\)|all rights|joined|member since|registered|registriert|bergabung|expire|deadline|born|birth|geboren|lahir|valid|until|bis zum|hingga|s\/d|event|version|\bv\d|\bvom\b.*\bbis\b/i

/** Evidence that the date of a line is the page's own. */
const WEIGHT = { published: 3, dated: 2, signed: 1, alone: 1 }
/** Near the heading any line counts; elsewhere some evidence is needed. */
const MIN_FAR_WEIGHT = 2

export function datesOf(sources: DateSources): PageDates {
  return new DateReader(sources).read()
}

type Seen = { readonly date: WrittenDate; readonly weight: number }
type SeenDates = { published: Seen | null; modified: Seen | null }

class DateReader {
  readonly #sources: DateSources
  readonly #habits: DateOrder

  constructor(sources: DateSources) {
    this.#sources = sources
    this.#habits = new PageDateOrder(sources.monthFirst, sources.surroundings)
  }

  read(): PageDates {
    const modified = this.#declaredChange()
    const published = this.#declared()
    return published === null
      ? { ...this.#shown(modified), declared: false }
      : { published: this.#inOwnZone(published), modified, declared: true }
  }

  /** A time in UTC does not tell the page's local day; the URL may. */
  #inOwnZone(date: WrittenDate): WrittenDate {
    if (date.inUtc === undefined) return date
    const day = dateInUrl(this.#sources.url)
    return day !== null && isSameMoment(date.at, day.dayAt) ? { ...date, dayAt: day.dayAt } : date
  }

  #declared(): WrittenDate | null {
    const { metaPublished, ldPublished, itemPublished } = this.#sources
    return this.#first(metaPublished) ?? this.#read(ldPublished) ?? this.#first(itemPublished)
  }

  #declaredChange(): WrittenDate | null {
    const { metaModified, ldModified, itemModified } = this.#sources
    return this.#first(metaModified) ?? this.#read(ldModified) ?? this.#first(itemModified)
  }

  #shown(declaredChange: WrittenDate | null): Omit<PageDates, 'declared'> {
    const { surroundings, metaDates, url } = this.#sources
    const { near } = surroundings
    const seen = this.#look(near.lines)
    const published =
      this.#stamped(near, 'published') ??
      this.#stamped(near, '') ??
      seen.published?.date ??
      this.#first(metaDates) ??
      this.#credible(dateInUrl(url))
    const change = declaredChange ?? this.#stamped(near, 'modified') ?? seen.modified?.date ?? null
    return published === null ? this.#shownFar(change) : { published, modified: change }
  }

  /**
   * A date of change alone does not tell the publication date. On 12 dated pages without another
   * date it was the true day on six, so it is not used for it.
   */
  #shownFar(nearChange: WrittenDate | null): Omit<PageDates, 'declared'> {
    const { far } = this.#sources.surroundings
    const seen = this.#look(far.lines)
    const published = this.#stamped(far, 'published') ?? heavy(seen.published)
    const modified = nearChange ?? this.#stamped(far, 'modified') ?? heavy(seen.modified)
    return { published, modified }
  }

  #first(values: readonly string[]): WrittenDate | null {
    for (const value of values) {
      const date = this.#read(value)
      if (date !== null) return date
    }
    return null
  }

  #read(value: string): WrittenDate | null {
    return value === '' ? null : this.#credible(readDate(value, this.#habits))
  }

  #credible<D extends WrittenDate>(date: D | null): D | null {
    if (date === null) return null
    return date.dayAt >= EARLIEST && date.at <= this.#sources.fetchedAt + DAY_MS ? date : null
  }

  #stamped({ stamps }: Dated, use: DateUse): WrittenDate | null {
    for (const stamp of stamps) {
      const date = stamp.use === use ? this.#read(stamp.value) : null
      if (date !== null) return date
    }
    return null
  }

  /** The dates of the most likely line; the first of equals. */
  #look(lines: readonly ShortLine[]): SeenDates {
    const seen: SeenDates = { published: null, modified: null }
    for (const line of lines.slice(0, MAX_LINES)) this.#lookAt(line, seen)
    return seen
  }

  #lookAt({ text, label, dated, signed }: ShortLine, seen: SeenDates): void {
    const placed = (dated ? WEIGHT.dated : 0) + (signed ? WEIGHT.signed : 0)
    let from = 0
    for (const date of findDates(text, this.#habits, dated || DATE_WORD.test(text))) {
      const before = text.slice(from, date.from)
      const use = dateUseOf(before) || (date.from < MAX_BARE ? label : '')
      from = date.to
      if (OTHER_DAY.test(before) || this.#credible(date) === null) continue
      const named = use === '' ? 0 : WEIGHT.published
      const alone =
        before.length < MAX_BEFORE && text.length - date.to < MAX_BEHIND ? WEIGHT.alone : 0
      const found = { date, weight: placed + named + alone }
      if (use === 'modified') seen.modified = heavier(seen.modified, found)
      else seen.published = heavier(seen.published, found)
    }
  }
}

/** Whether a moment falls on a day in any time zone, from 12 hours behind UTC to 14 ahead. */
function isSameMoment(at: number, dayAt: number): boolean {
  return at >= dayAt - 14 * HOUR_MS && at < dayAt + DAY_MS + 12 * HOUR_MS
}

function heavier(a: Seen | null, b: Seen): Seen {
  return a === null || b.weight > a.weight ? b : a
}

function heavy(seen: Seen | null): WrittenDate | null {
  return seen !== null && seen.weight >= MIN_FAR_WEIGHT ? seen.date : null
}

/** `/2026/jan/12/`. */
const URL_NAMED_DAY = /[/_-]((?:19|20)\d\d)[/_-]([a-z]{3,9})[/_-](\d{1,2})(?!\d)/i
const URL_DAY = /[/_-]((?:19|20)\d\d)([/_-]?)(0?[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01]|[1-9])(?![\d])/

function namedDateIn(url: string): WrittenDate | null {
  const [, year, month = '', day] = URL_NAMED_DAY.exec(url) ?? []
  const dayAt = midnight(Number(year), monthNumber(month), Number(day))
  return dayAt === null ? null : dayOnly(dayAt)
}

/** `/2026/01/12/`, `-2026-01-12`, `/20260112`. */
export function dateInUrl(url: string): WrittenDate | null {
  const start = url.slice(0, 512)
  const match = URL_DAY.exec(start)
  if (match === null) return namedDateIn(start)
  if (match[2] === '' && match[0].length !== 9) return null
  const dayAt = midnight(Number(match[1]), Number(match[3]), Number(match[4]))
  return dayAt === null ? null : dayOnly(dayAt)
}
