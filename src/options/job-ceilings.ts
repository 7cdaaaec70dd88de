// The most that jobs over HTTP may ask for, set by the operator of the server. A job that asks for more is
// refused; it never gets less than it asked for. A job that does not say gets the default, or the ceiling
// where that is lower.

export type JobCeilings = {
  /** Jobs keep at least this gap between requests to one host. */
  readonly minDelayMs: number
  readonly maxBodyBytes: number
  readonly maxPages: number
  readonly maxConcurrency: number
  readonly maxPerHost: number
  /** Null: a job may run for as long as it takes. */
  readonly maxDurationMs: number | null
}

/** Far above what a crawl needs; a server for strangers should have lower ones. */
export const DEFAULT_CEILINGS: JobCeilings = {
  minDelayMs: 0,
  maxBodyBytes: 256 * 2 ** 20,
  maxPages: 10_000_000,
  maxConcurrency: 4096,
  maxPerHost: 64,
  maxDurationMs: null,
}
