// Checks whether this process may open enough files to work.
import { CrawlerError } from '../core/errors.ts'
import { openFileLimit } from '../lib/open-files.ts'

/** With fewer, databases and processes cannot be opened; some dozens are in use before the first page. */
const NEEDED = 48
/** Files that a server needs beside the connections of its clients. */
const FOR_SERVER = 128

/** Throws one clear error instead of many failures later. */
export function refuseFewFiles(): void {
  const limit = openFileLimit()
  if (limit >= NEEDED) return
  const few = `only ${limit} files may be open at once, and ${NEEDED} are needed at least`
  throw new CrawlerError('process-died', `${few}. Raise the limit first: ulimit -n 4096.`)
}

/** Warnings for a server; empty if there are none. */
export function fileWarnings(): readonly string[] {
  const limit = openFileLimit()
  if (limit >= FOR_SERVER) return []
  const few = `only ${limit} files may be open at once, which is little for a server`
  return [`${few}: clients and jobs will wait for each other. Raise the limit: ulimit -n 4096.`]
}
