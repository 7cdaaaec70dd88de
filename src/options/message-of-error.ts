// Error messages for people.
import { CrawlerError, InvalidInput } from '../core/errors.ts'
import { BadOptions } from './bad-options.ts'

const TOO_MANY_FILES =
  'too many files are open: this machine allows no more. Raise the limit (ulimit -n 4096), or ask for ' +
  'less at once (--concurrency).'

/** The message of an error; with a stack only where it is a bug of ours. */
export function messageOf(error: unknown): string {
  if (error instanceof BadOptions) return error.message
  if (error instanceof InvalidInput) return `${error.at}: ${error.message}`
  if (error instanceof CrawlerError) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'EMFILE' || code === 'ENFILE') return TOO_MANY_FILES
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `this is a bug in Jelajah, please report it:\n${what}`
}
