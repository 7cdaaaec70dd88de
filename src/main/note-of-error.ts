// Why a job failed, for those who asked for it over HTTP: in words, without a stack, without a path of
// this machine.
import { tmpdir } from 'node:os'
import { CrawlerError, InvalidInput } from '../core/errors.ts'
import { fieldName } from '../request/field-names.ts'

const MAX_LENGTH = 2000
/** Where a word begins: an address may have two dashes in it. */
const FLAG = /(?<=^|\s)--([a-z][a-z0-9-]*)/gm

export function noteOfError(error: unknown, dataDir: string): string {
  if (error instanceof InvalidInput) {
    const message = error.message.replaceAll(FLAG, (_, option: string) => fieldName(option))
    return shortened(message, dataDir)
  }
  if (!(error instanceof CrawlerError)) return 'something went wrong inside; the log says more'
  // Of a process that broke, the rest is its stack.
  const [first = ''] = error.message.split('\n')
  return shortened(error.code === 'process-died' ? first : error.message, dataDir)
}

function shortened(message: string, dataDir: string): string {
  const text = message
    .replaceAll(`${dataDir}/`, '')
    .replaceAll(dataDir, 'the data folder')
    .replaceAll(`${tmpdir()}/`, '')
  return text.slice(0, MAX_LENGTH)
}
