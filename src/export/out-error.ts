// Errors of export files, with messages that say what to do.
import { CrawlerError, InvalidInput } from '../core/errors.ts'

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG']

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Translates system errors; returns all others unchanged. */
function outError(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (error instanceof CrawlerError || error instanceof InvalidInput || code === '') return error
  if (FULL.includes(code)) {
    const message =
      `there is no room for ${path} (${code}). ` +
      'What is written so far stays: the same command goes on with it once there is.'
    return new CrawlerError('disk-full', message, { cause: error })
  }
  // The reader closed the pipe; the caller handles that.
  if (code === 'EPIPE') return error
  if (!/^E[A-Z0-9]+$/.test(code)) return error
  return new InvalidInput('--out', `${path} cannot be written: ${code}`)
}

export async function orOutError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw outError(error, path)
  }
}
