// What `Retry-After` asks for, as a wait.

/** Nobody makes us wait longer than this with one header. */
const LONGEST_MS = 24 * 60 * 60 * 1000
const SECONDS = /^\d+$/
/** The three date forms of RFC 9110 all begin with the name of a day. */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i

/**
 * Milliseconds to wait, between 0 and a day; null when there is no wait we can make out. A date
 * counts from the `Date` of the same answer, since a server's clock may be wrong while its
 * differences are not; from `now` (epoch milliseconds) where there is none.
 */
export function retryAfterMs(
  value: string | null,
  date: string | null,
  now: number,
): number | null {
  const text = value?.trim() ?? ''
  if (SECONDS.test(text)) return Math.min(Number(text) * 1000, LONGEST_MS)
  const until = parseHttpDate(text)
  if (until === null) return null
  const from = (date === null ? null : parseHttpDate(date.trim())) ?? now
  return Math.min(Math.max(until - from, 0), LONGEST_MS)
}

function parseHttpDate(text: string): number | null {
  if (!HTTP_DATE.test(text)) return null
  // The oldest form (asctime) names no zone, and would be read as local time.
  const time = Date.parse(/ GMT$/i.test(text) ? text : `${text} GMT`)
  return Number.isNaN(time) ? null : time
}
