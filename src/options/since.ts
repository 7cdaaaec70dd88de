// A moment in the past as people write it: a day, a time, or how long ago.
import { Refused, shown } from '../core/errors.ts'

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}
const AGO = /^(\d{1,6})([mhdw])$/
const TIME =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Epoch ms. A day begins at midnight UTC, and a time without a zone is one of UTC. */
export function sinceTime(written: string, now: number): number {
  const [, count = '', unit = ''] = AGO.exec(written) ?? []
  const unitMs = UNITS[unit]
  if (unitMs !== undefined) return Math.max(0, now - Number(count) * unitMs)
  const at = TIME.test(written) ? Date.parse(inUtc(written)) : Number.NaN
  if (!Number.isNaN(at) && isOnCalendar(written)) return at
  throw new Refused(`needs a day (2026-11-01), a time or an age such as 7d, not ${shown(written)}`)
}

function inUtc(written: string): string {
  const text = written.replace(' ', 'T')
  return /T/.test(text) && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text
}

/** Some dates that are none, such as the 31st of June, would count as days after it. */
function isOnCalendar(written: string): boolean {
  const day = written.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
