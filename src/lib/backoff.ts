// How long to wait after failing again.

const HOUR_MS = 3_600_000

export type BackoffOptions = {
  /** In [0, 1); seeded by the caller, so that a run can be repeated. Absent: no chance in it. */
  readonly random?: () => number
  /** The wait after the first failure. */
  readonly baseMs?: number
  readonly capMs?: number
}

/**
 * Doubles with each failure up to the cap, then takes off up to half of it at random: what failed
 * together does not come back together.
 */
export function backoffMs(
  failures: number,
  { random = () => 0, baseMs = 1000, capMs = HOUR_MS }: BackoffOptions = {},
): number {
  if (failures <= 0) return 0
  const full = Math.min(baseMs * 2 ** (failures - 1), capMs)
  return Math.round(full * (1 - random() / 2))
}
