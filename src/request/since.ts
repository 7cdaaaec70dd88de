// A moment in the past, as people write it: a day, a time, or how long ago.
import { InvalidInput } from '../core/errors.ts'
import { shown } from '../core/option.ts'

const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}
const AGO = /^(\d{1,6})([mhdw])$/
/** Without a zone it is UTC, for a day as for a time: the same everywhere. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** Epoch ms; InvalidInput at `at`. `2026-11-01`, `2026-11-01T08:00Z`, `7d`, `12h`, `30m`, `2w`. */
export function sinceMoment(text: string, at: string, now: number): number {
  const [, count, unit = ''] = AGO.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (UNITS_MS[unit] ?? 0)
  const [, time, , , zone] = MOMENT.exec(text) ?? []
  const isBare = time !== undefined && zone === undefined
  const moment = MOMENT.test(text) ? Date.parse(isBare ? `${text}Z` : text) : Number.NaN
  if (Number.isFinite(moment)) return moment
  throw new InvalidInput(
    at,
    `needs a day such as 2026-11-01, a time such as 2026-11-01T08:00Z, or how long ago, such as ` +
      `7d, 12h or 30m, not ${shown(text)}`,
  )
}
