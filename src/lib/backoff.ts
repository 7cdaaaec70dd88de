// How long to wait after a repeated failure.

const HOUR_MS = 3_600_000

type BackoffOptions = {
  /**
   * Returns a number in [0, 1); seeded by the caller, so that a run can be repeated. Without it there is no
   * jitter.
   */
  readonly random?: () => number
  /** The wait after the first failure. */
  readonly baseMs?: number
  readonly capMs?: number
}

/**
 * Doubles with each failure up to the cap, then subtracts up to half of it at random, so that clients that
 * failed together do not come back together.
 */
export function backoffMs(
  failures: number,
  { random = () => 0, baseMs = 1000, capMs = HOUR_MS }: BackoffOptions = {},
): number {
  if (failures <= 0) return 0
  const full = Math.min(baseMs * 2 ** (failures - 1), capMs)
  return Math.round(full * (1 - random() / 2))
}
