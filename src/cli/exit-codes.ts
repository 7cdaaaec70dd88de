// How a command tells the shell, and the person before it, how it went.
import { CrawlerError, type CrawlerErrorCode, InvalidInput } from '../core/errors.ts'
import { INTERRUPTED } from '../lib/stop-signals.ts'
import { BadOptions } from '../options/bad-options.ts'

export const EXIT = {
  done: 0,
  error: 1,
  usage: 2,
  configuration: 4,
  store: 8,
  interrupted: INTERRUPTED,
  incomplete: 12,
  timeLimit: 15,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

const OF_CRAWLER_ERROR: Readonly<Record<CrawlerErrorCode, ExitCode>> = {
  'store-unreachable': EXIT.store,
  'store-newer': EXIT.store,
  'store-older': EXIT.store,
  'store-damaged': EXIT.store,
  'store-busy': EXIT.store,
  'disk-full': EXIT.store,
  'wire-broken': EXIT.error,
  'process-died': EXIT.error,
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof BadOptions) return error.byFlag ? EXIT.usage : EXIT.configuration
  if (error instanceof InvalidInput) return EXIT.usage
  return error instanceof CrawlerError ? OF_CRAWLER_ERROR[error.code] : EXIT.error
}
