// Why a job failed, for those who asked for it over HTTP: in words, without a stack, without a path of
// this machine.
import { CrawlerError, InvalidInput } from '../core/errors.ts'

const MAX_LENGTH = 2000

export function noteOfError(error: unknown, dataDir: string): string {
  if (error instanceof InvalidInput) return shortened(error.message, dataDir)
  if (!(error instanceof CrawlerError)) return 'something went wrong inside; the log says more'
  // Of a process that broke, the rest is its stack.
  const [first = ''] = error.message.split('\n')
  return shortened(error.code === 'process-died' ? first : error.message, dataDir)
}

function shortened(message: string, dataDir: string): string {
  const text = message.replaceAll(`${dataDir}/`, '').replaceAll(dataDir, 'the data folder')
  return text.slice(0, MAX_LENGTH)
}
