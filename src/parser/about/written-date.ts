// Finds dates in a short text, in many languages and formats.
//
// A day without a time is stored as midnight in UTC, and a time without a zone is read as UTC: then
// the stored day is the day that readers saw. With a zone the moment is exact, and the day in that
// zone is kept as well.

export type WrittenDate = {
  /** The moment, in epoch milliseconds. */
  readonly at: number
  /** UTC midnight of the day as written. */
  readonly dayAt: number
  /** The time is given in UTC, so the local day of the page may be another one. */
  readonly inUtc?: true
}

type FoundDate = WrittenDate & {
  /** Offsets in the text. */
  readonly from: number
  readonly to: number
}

export type DateOrder = {
  /** Whether `3/4/2025` is March 4th; otherwise it is the 3rd of April. */
  readonly monthFirst: boolean
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Longer texts are prose; their dates are not dates of the page. */
const MAX_TEXT = 400
const MAX_FOUND = 8

/** Roughly the letters of any script: an exact class would take long to compile. */
const LETTER = '[A-Za-z\\u00aa-\\uffff]'
/** A capitalised month may follow a word directly: a line is joined from several elements. */
const MONTH = `(?:(?<!${LETTER})|(?<=[a-z])(?=[A-Z]))(${LETTER}{3,12})[.,]{0,2}`
const YEAR = '((?:19|20)\\d\\d)(?!\\d)'
const YEAR_FIRST = /(?<![\d.])((?:19|20)\d\d) ?[-/.年년] ?(\d{1,2}) ?[-/.月월] ?(\d{1,2})(?!\d)/g
const YEAR_LAST =
  /(?<![\d./-])(\d{1,2}) ?([-/.|]) ?(\d{1,2}) ?\2 ?((?:19|20)\d\d|\d\d)(?![\d/-]|\.\d)/g
const DAY_FIRST = new RegExp(
  `(?<!\\d)(\\d{1,2})(?:st|nd|rd|th|er|º|ª|\\.)?[ -]{0,2}(?:de |of |d['’])?${MONTH}[ -]?(?:del? )?${YEAR}`,
  'g',
)
/** Also `Jan 12 09:30:00 +0700 2026`, as some programs print it. */
const MONTH_FIRST = new RegExp(
  `${MONTH} ?(\\d{1,2})(?:st|nd|rd|th|\\.)?(?:,? ?| \\d\\d:\\d\\d:\\d\\d(?: [+-]\\d{4})? )${YEAR}`,
  'g',
)
const NAMED_YEAR_FIRST = new RegExp(
  `(?<!\\d)((?:19|20)\\d\\d)[.,]? (?:m\\. )?${MONTH} (\\d{1,2})(?!\\d)`,
  'g',
)
const VIETNAMESE = /(?<!\d)(\d{1,2}) tháng (\d{1,2}),? (?:năm )?((?:19|20)\d\d)(?!\d)/g
const COMPACT =
  /^((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?(\d\d)(\d\d)(\d\d)?)?(?!\d)/
const EPOCH = /^(\d{10}|\d{13})$/
const TIME =
  /^[T ,;|·•@–-]{0,4}(?:(?:at|um|à|às|kl|kl\.|pukul|jam|alle|ore|las|a las|в|klo|o) )?(\d{1,2})[:.h](\d\d)(?:[:.](\d\d))?(?:[.,]\d{1,9})?/
const AFTERNOON = /^ ?([ap])\.?m\b/i
const OFFSET = /^ ?(?:(?:GMT|UTC) ?)?([+-])(\d\d):?(\d\d)?(?!\d)/
const IN_UTC = /^ ?(?:Z|(?:GMT|UTC)(?: ?[+-]00:?00)?|[+-]00:?00)(?![A-Za-z\d]| ?[+-]\d)/
const ZONE = /^ ?\(?([A-Z]{1,5})\b/
/** A text without one of these has no date. */
const MAY_DATE = /(?:19|20)\d\d|\d[./-] ?\d{1,2}[./-] ?\d\d/

/** The date in a machine-readable value; null without one. */
export function readDate(value: string, habits: DateOrder): WrittenDate | null {
  const text = value.trim().slice(0, 80)
  const epoch = EPOCH.exec(text)
  if (epoch !== null) return ofMoment(Number(text) * (text.length === 10 ? 1000 : 1))
  const compact = COMPACT.exec(text)
  if (compact !== null) return ofCompact(compact)
  return findDates(text, habits)[0] ?? null
}

/** All dates in a text, in order; with `shortYears` also those like `3.4.25`. */
export function findDates(text: string, habits: DateOrder, shortYears = false): FoundDate[] {
  if (text.length > MAX_TEXT || !MAY_DATE.test(text)) return []
  const found: FoundDate[] = []
  const add = (match: RegExpExecArray, day: number | null): void => {
    const from = match.index
    const to = from + match[0].length
    if (day === null || found.some((other) => from < other.to && other.from < to)) return
    found.push({ ...withTime(text.slice(to, to + 40), day), from, to })
  }
  for (const [pattern, dayOf] of PATTERNS) {
    for (const match of matchesOf(pattern, text)) add(match, dayOf(match))
  }
  for (const match of matchesOf(YEAR_LAST, text)) add(match, yearLast(match, habits, shortYears))
  return found.sort((a, b) => a.from - b.from)
}

const NO_MATCHES: readonly RegExpExecArray[] = []

/** Like `matchAll`, without a copy of the pattern: this runs on every line. */
function matchesOf(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  pattern.lastIndex = 0
  let match = pattern.exec(text)
  if (match === null) return NO_MATCHES
  const matches: RegExpExecArray[] = []
  while (match !== null && matches.length < MAX_FOUND) {
    matches.push(match)
    match = pattern.exec(text)
  }
  return matches
}

type DayOf = (match: RegExpExecArray) => number | null

const PATTERNS: readonly (readonly [RegExp, DayOf])[] = [
  [YEAR_FIRST, ([, year, month, day]) => midnight(Number(year), Number(month), Number(day))],
  [
    DAY_FIRST,
    ([, day, month = '', year]) => midnight(Number(year), monthNumber(month), Number(day)),
  ],
  [
    MONTH_FIRST,
    ([, month = '', day, year]) => midnight(Number(year), monthNumber(month), Number(day)),
  ],
  [
    NAMED_YEAR_FIRST,
    ([, year, month = '', day]) => midnight(Number(year), monthNumber(month), Number(day)),
  ],
  [VIETNAMESE, ([, day, month, year]) => midnight(Number(year), Number(month), Number(day))],
]

/** The day of a numeric match with the year at the end; a date with dots is never American. */
function yearLast(match: RegExpExecArray, habits: DateOrder, shortYears: boolean): number | null {
  const [, first, separator, second, yearText = ''] = match
  if (yearText.length === 2 && !shortYears) return null
  const year = yearText.length === 2 ? 2000 + Number(yearText) : Number(yearText)
  const a = Number(first)
  const b = Number(second)
  if (a > 12 || b > 12) return midnight(year, Math.min(a, b), Math.max(a, b))
  return separator !== '.' && habits.monthFirst ? midnight(year, a, b) : midnight(year, b, a)
}

/** Whether a date in the text that has only one reading puts the month first; null without such a date. */
export function showsMonthFirst(text: string): boolean | null {
  for (const [, first, separator, second] of matchesOf(YEAR_LAST, text)) {
    if (separator === '.') continue
    if (Number(first) > 12 && Number(second) <= 12) return false
    if (Number(second) > 12 && Number(first) <= 12) return true
  }
  return null
}

/** UTC midnight of a day; null when there is no such day. */
export function midnight(year: number, month: number, day: number): number | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null
  const at = Date.UTC(year, month - 1, day)
  return new Date(at).getUTCDate() === day ? at : null
}

function ofMoment(at: number): WrittenDate {
  return { at, dayAt: at - (at % DAY_MS), inUtc: true }
}

function ofCompact([, year, month, day, hour, minute]: RegExpExecArray): WrittenDate | null {
  const dayAt = midnight(Number(year), Number(month), Number(day))
  if (dayAt === null) return null
  const minutes = Number(hour ?? 0) * 60 + Number(minute ?? 0)
  return { at: dayAt + (minutes < 1440 ? minutes * MINUTE_MS : 0), dayAt }
}

/** Adds the time and the zone that may follow a day. */
function withTime(rest: string, dayAt: number): WrittenDate {
  const time = TIME.exec(rest)
  if (time === null) return dayOnly(dayAt)
  const behind = rest.slice(time[0].length)
  const half = AFTERNOON.exec(behind)
  const seconds = secondsOf(time, half?.[1])
  if (seconds === null) return dayOnly(dayAt)
  const zone = half === null ? behind : behind.slice(half[0].length)
  const at = dayAt + seconds * 1000 - zoneMinutes(zone) * MINUTE_MS
  return IN_UTC.test(zone) ? { at, dayAt, inUtc: true } : { at, dayAt }
}

export function dayOnly(dayAt: number): WrittenDate {
  return { at: dayAt, dayAt }
}

function secondsOf(time: RegExpExecArray, half: string | undefined): number | null {
  const [, hourText, minute, second] = time
  let hour = Number(hourText)
  if (half !== undefined) hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (hour > 24 || Number(minute) > 59) return null
  return hour * 3600 + Number(minute) * 60 + Math.min(59, Number(second ?? 0))
}

/** Minutes ahead of UTC; 0 without a zone. */
function zoneMinutes(rest: string): number {
  const offset = OFFSET.exec(rest)
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0)
    if (minutes > 14 * 60) return 0
    return offset[1] === '-' ? -minutes : minutes
  }
  return ZONE_MINUTES.get(ZONE.exec(rest)?.[1] ?? '') ?? 0
}

/** The start of something that looks like a date, to cut it off a text that is not a date. */
export const DATE_LIKE = new RegExp(
  `\\s?\\d{1,2}(?:st|nd|rd|th|\\.)?[ ,./-]{1,2}(?:(?:de )?${LETTER}{3,12}[.,]{0,2}|\\d{1,2}[./-]) ?(?:de )?\\d{2,4}|\\d{4}[-/.年]\\d{1,2}|\\s${LETTER}{3,12}\\.? \\d{1,2},? \\d{4}`,
)

type Lines = { readonly lines: readonly { readonly text: string }[] }

const MAX_LINES = 120

/**
 * Whether the month or the day comes first in the numeric dates of a page. Unambiguous dates on the page
 * count before its language and country.
 */
export class PageDateOrder implements DateOrder {
  readonly #usual: boolean
  readonly #surroundings: { readonly near: Lines; readonly far: Lines }
  #monthFirst: boolean | null = null

  constructor(usual: boolean, surroundings: { readonly near: Lines; readonly far: Lines }) {
    this.#usual = usual
    this.#surroundings = surroundings
  }

  get monthFirst(): boolean {
    this.#monthFirst ??= this.#shown() ?? this.#usual
    return this.#monthFirst
  }

  #shown(): boolean | null {
    const { near, far } = this.#surroundings
    for (const line of [...near.lines, ...far.lines].slice(0, MAX_LINES)) {
      const shown = showsMonthFirst(line.text)
      if (shown !== null) return shown
    }
    return null
  }
}

const DAY_FIRST_LANDS = new Set(
  'uk au nz ie in za sg my ke ng gh pk bd lk hk mt cy eu ae il'.split(' '),
)
const DAY_FIRST_REGIONS = new Set('gb au nz ie in za sg my ke ng gh pk bd lk hk mt'.split(' '))

/**
 * Only Americans put the month first; English without a region is American unless the host says otherwise.
 */
export function isMonthFirst(language: string, host: string): boolean {
  const [base = '', region = ''] = language.split('-')
  if (base !== 'en' && base !== '') return false
  if (DAY_FIRST_REGIONS.has(region)) return false
  if (region === 'us') return true
  const land = host.slice(host.lastIndexOf('.') + 1)
  return !(DAY_FIRST_LANDS.has(land) || (base === '' && land.length === 2))
}

const NAMES: readonly string[] = [
  // en, de, nl, da, no, sv; id, ms; fr; es; pt; it; pl; cs, sk; tr; ro; hu; fi; ru, uk; el; vi
  'january jan januar jänner januari jänn janv janvier enero ene janeiro gennaio gen ' +
    'stycznia styczeń sty stycz ledna leden januára ocak oca ianuarie ian január tammikuuta ' +
    'января янв январь січня січ ιανουαρίου ιαν',
  'february feb februar feber februari febr pebruari februarie février fevrier févr fev fév febrero ' +
    'fevereiro febbraio lutego luty lut února únor februára şubat şub subat február helmikuuta ' +
    'февраля фев февр февраль лютого лют φεβρουαρίου φεβ',
  'march mar märz mrz maerz mär maart mrt marts mars maret mac marzo março marca marzec martie ' +
    'března březen mart március márc maaliskuuta марта мар март березня бер μαρτίου μαρ',
  'april apr avril avr abril abr aprile kwietnia kwiecień kwi dubna duben apríla nisan nis aprilie ' +
    'április ápr huhtikuuta апреля апр апрель квітня квіт απριλίου απρ',
  'may mai mei maj mayo maio maggio mag maja května květen mája mayıs mayis május máj toukokuuta ' +
    'мая май травня трав μαΐου μαΐ μαϊου',
  'june jun juni juin junio junho giugno giu czerwca czerwiec cze června červen júna haziran haz ' +
    'iunie iun június jún kesäkuuta июня июн июнь червня черв ιουνίου ιουν',
  'july jul juli juillet juil julio julho luglio lug lipca lipiec lip července červenec júla ' +
    'temmuz tem iulie iul július júl heinäkuuta июля июл июль липня лип ιουλίου ιουλ julai',
  'august aug augustus augusti agustus agu agt ags agst ogos août aout agosto ago sierpnia sierpień ' +
    'sie srpna srpen augusta ağustos ağu agustos augusztus elokuuta августа авг август серпня ' +
    'серп αυγούστου αυγ',
  'september sep sept septembre septiembre setiembre setembro set settembre sett września wrzesień ' +
    'wrz září zář septembra eylül eyl eylul septembrie szeptember szept syyskuuta сентября сен сент ' +
    'сентябрь вересня вер σεπτεμβρίου σεπ',
  'october oct oktober okt octobre octubre outubro out ottobre ott października październik ' +
    'paź října říjen októbra ekim eki octombrie október lokakuuta октября окт октябрь жовтня жовт ' +
    'οκτωβρίου οκτ',
  'november nov novembre noviembre novembro listopada listopad lis listopadu novembra kasım kas ' +
    'kasim noiembrie noi marraskuuta ноября ноя нояб ноябрь листопада лист νοεμβρίου νοε nopember',
  'december dec dezember dez desember des decembre décembre déc diciembre dic dezembro dicembre ' +
    'disember dis grudnia grudzień gru prosince prosinec decembra aralık ara aralik decembrie ' +
    'joulukuuta декабря дек декабрь грудня груд δεκεμβρίου δεκ',
]

const MONTHS = new Map<string, number>()
for (const [index, names] of NAMES.entries()) {
  for (const name of names.split(' ')) MONTHS.set(name, index + 1)
}

/**
 * 1 to 12; 0 when the word is not a month. Pages write month names in full, inflected as beside a day, and
 * short. Lower case. A word that means different months in two languages has the meaning of the language
 * with more pages.
 */
export function monthNumber(word: string): number {
  return MONTHS.get(word.toLowerCase()) ?? 0
}

/**
 * Abbreviations of time zones that pages print after a time, as minutes ahead of UTC. An ambiguous name
 * means the zone that news pages mean.
 */
const ZONE_MINUTES: ReadonlyMap<string, number> = new Map([
  ['Z', 0],
  ['UTC', 0],
  ['GMT', 0],
  ['WET', 0],
  ['WEST', 60],
  ['BST', 60],
  ['CET', 60],
  ['MEZ', 60],
  ['CEST', 120],
  ['MESZ', 120],
  ['EET', 120],
  ['EEST', 180],
  ['MSK', 180],
  ['IST', 330],
  ['WIB', 420],
  ['WITA', 480],
  ['SGT', 480],
  ['MYT', 480],
  ['HKT', 480],
  ['WIT', 540],
  ['JST', 540],
  ['KST', 540],
  ['AEST', 600],
  ['AEDT', 660],
  ['NZST', 720],
  ['NZDT', 780],
  ['BRT', -180],
  ['ART', -180],
  ['AST', -240],
  ['EDT', -240],
  ['EST', -300],
  ['CDT', -300],
  ['CST', -360],
  ['MDT', -360],
  ['MST', -420],
  ['PDT', -420],
  ['PST', -480],
])

export type DateUse = 'published' | 'modified' | ''

const CHANGED =
  /updated|last update|last change|modifi|edited|revised|changed|reviewed|diperbarui|diubah|dimutakhirkan|aktualisiert|geändert|änderung|bearbeitet|zuletzt|mise? à jour|actualiza|atualiza|aggiorna|bijgewerkt|gewijzigd|aktualiz|zmodyfik|güncel|uppdaterad|opdateret|oppdatert|обновл|изменен|更新|수정/i
const PUBLISHED =
  /publi[sckq]|posted|written|created|date\b|datum|veröffentlicht|erschienen|erstellt|gepostet|diterbitkan|terbit|dipublikasi|tayang|tanggal|diposting|yayın|publicad|pubblicat|geplaatst|gepubliceerd|opublikowan|dodano|publicerad|publiceret|publisert|zveřejněno|vydáno|опубликован|дата|発表|公開|발행|입력|发布/i
/** Limits of a label on a line of its own; more words are a sentence, or a name after `reviewed by`. */
const MAX_LABEL = 32
const MAX_LABEL_WORDS = 3

/** What a date is the date of, by the words before it; '' when they say nothing. */
export function dateUseOf(words: string): DateUse {
  if (CHANGED.test(words)) return 'modified'
  return PUBLISHED.test(words) ? 'published' : ''
}

/** By a line that may be the label of the next line. */
export function dateUseOfLabel(line: string): DateUse {
  if (line.length > MAX_LABEL || line.split(' ').length > MAX_LABEL_WORDS) return ''
  return dateUseOf(line)
}
