// Why a job failed, for HTTP clients: in words, without a stack, a path of this machine or the address of
// another.
import { tmpdir } from 'node:os'
import { CrawlerError, type CrawlerErrorCode, firstError, InvalidInput } from '../core/errors.ts'
import {
  isServerUrl,
  shownWorkspace,
  type WorkspaceUrl,
  withoutPassword,
} from '../core/workspace-url.ts'
import type { JobEnd } from '../crawl/job-run.ts'
import { asCrawlerError } from '../db/sqlite-errors.ts'
import { safeText } from '../lib/terminal.ts'
import { messageOf } from '../options/bad-options.ts'
import { fieldName } from '../options/option.ts'

const MAX_LENGTH = 2000
/** At the start of a word: an address may contain two dashes. */
const FLAG = /(?<=^|\s)--([a-z][a-z0-9-]*)/gm

/** The drivers of servers word their errors in ways nobody can foresee. */
const WORDS: Partial<Record<CrawlerErrorCode, string>> = {
  'store-unreachable': 'a store could not be reached',
  'store-newer': 'a store or another machine is of a newer version of Jelajah',
  'store-older': 'a store is of an earlier version of Jelajah',
  'store-damaged': 'something is missing or broken in a store',
  'store-busy': 'something in a store is in use by another process',
  'disk-full': 'a disk is full',
}

const LOST_FRONTIER =
  "its frontier is lost: run 'jelajah doctor --rebuild-frontier', then resume it"

export function noteOfError(error: unknown, workspace: WorkspaceUrl): string {
  if (error instanceof InvalidInput) {
    const message = error.message.replaceAll(FLAG, (_, option: string) => fieldName(option))
    return shortened(message, workspace)
  }
  if (!(error instanceof CrawlerError)) return 'something went wrong inside; the log says more'
  if (isServerUrl(workspace.data) && isLostFrontier(error)) return LOST_FRONTIER
  const words = isServerUrl(workspace.data) ? WORDS[error.code] : undefined
  if (words !== undefined) return `${words}; the log says more`
  // If a process broke, the rest is its stack.
  const [first = ''] = error.message.split('\n')
  return shortened(error.code === 'process-died' ? first : error.message, workspace)
}

/** The error for a lost or incomplete frontier says how to repair it. */
function isLostFrontier({ code, message }: CrawlerError): boolean {
  return code === 'store-damaged' && message.includes('doctor --rebuild-frontier')
}

function shortened(message: string, workspace: WorkspaceUrl): string {
  const { data, frontier } = workspace
  const isFolder = !isServerUrl(data)
  const text = message
    .replaceAll(isFolder ? `${data}/` : data, '')
    .replaceAll(shownWorkspace(workspace), isFolder ? 'the data folder' : 'the database')
    .replaceAll(`${tmpdir()}/`, '')
  const called =
    frontier === null ? text : text.replaceAll(withoutPassword(frontier), 'the frontier')
  return called.slice(0, MAX_LENGTH)
}

/**
 * The end of a job with an error. The client gets a note; the operator of the server gets the whole error.
 */
export function endOfError(crawlId: number, thrown: unknown, workspace: WorkspaceUrl): JobEnd {
  const error = asCrawlerError(firstError(thrown))
  if (!(error instanceof InvalidInput)) {
    for (const line of messageOf(error).split('\n')) {
      process.stderr.write(`jelajah: crawl ${crawlId}: ${safeText(line)}\n`)
    }
  }
  const note = noteOfError(error, workspace)
  // A missing folder ends the job. Servers come back, and then the job continues.
  const isAway = error instanceof CrawlerError && error.code === 'store-unreachable'
  if (isAway && isServerUrl(workspace.data)) return { outcome: 'unreachable', note }
  return { outcome: 'rested', status: 'failed', note }
}
