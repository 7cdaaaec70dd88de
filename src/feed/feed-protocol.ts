// Reports page changes to other programs over a Unix socket, as lines of JSON. docs/FEED.md is for the
// authors of such programs.
//
// The server only reads the store's change log (store/change-feed.ts) and keeps no state about listeners;
// each listener keeps its own cursor. So a change may be sent twice, but is never lost, and a slow listener
// costs nothing: less is read for it.
//
// Pages themselves are not sent. A listener reads a page's text from the store by its id.
import { chmodSync, lstatSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import type { Server } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { isOwnFolder, makeTemporaryFolder, temporaryFolder } from '../lib/own-files.ts'
import { errorCode, isObject } from '../lib/present.ts'
import { CHANGES, type Change, type PageChange } from '../store/change-feed.ts'

/** The request of a listener. */
export type FeedRequest = {
  /** Continue after this cursor. */
  readonly after: number
  /**
   * The store that the cursor belongs to; null if not given. A request that has it, even '', gets a greeting.
   */
  readonly store: string | null
}

/** A message as a listener reads it. */
export type FeedMessage = {
  readonly cursor: number
  readonly change: Change
  readonly id: number | null
  readonly url: string | null
  readonly crawl: number
}

/** A request has some dozen bytes. */
export const MAX_REQUEST_BYTES = 4096
/** Limit of a message: a URL has at most 2,083 characters. */
export const MAX_MESSAGE_BYTES = 64 * 1024

/** No store reaches this cursor. Larger numbers are not exact. */
const MAX_CURSOR = Number.MAX_SAFE_INTEGER

/** One line, with its line end. */
export function lineOf(change: PageChange): string {
  const { cursor, change: what, pageId, url, crawlId, duplicateOf, noindex, reason } = change
  const line: Record<string, string | number | boolean | null> = {
    ...{ cursor, change: what, id: pageId, url, crawl: crawlId },
    ...(duplicateOf === null ? {} : { duplicate_of: duplicateOf }),
    ...(noindex ? { noindex } : {}),
    ...(reason === '' ? {} : { reason }),
  }
  return `${JSON.stringify(line)}\n`
}

/** The greeting for a request that names a store: this store, the position, and the last cursor. */
export function greetingOf(store: string, cursor: number, last: number): string {
  return `${JSON.stringify({ store, cursor, last })}\n`
}

export const NOT_UNDERSTOOD = `${JSON.stringify({
  error: 'not understood; a request is one line such as {"after":0}',
})}\n`

/** Null if the line is no request. */
export function decodeRequest(line: string): FeedRequest | null {
  const asked = objectFrom(line)
  const after = asked?.after
  const store = asked?.store ?? null
  if (typeof after !== 'number' || !Number.isInteger(after)) return null
  if (after < 0 || after > MAX_CURSOR) return null
  if (store !== null && typeof store !== 'string') return null
  return { after, store }
}

/** Null if the line is no change. */
export function decodeMessage(line: string): FeedMessage | null {
  const { cursor, change, id = null, url = null, crawl } = objectFrom(line) ?? {}
  const what = CHANGES.find((known) => known === change)
  if (what === undefined || typeof cursor !== 'number' || typeof crawl !== 'number') return null
  if (id !== null && typeof id !== 'number') return null
  if (url !== null && typeof url !== 'string') return null
  return { cursor, change: what, id, url, crawl }
}

function objectFrom(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const LINE_FEED = 0x0a

/** Splits a stream of bytes into lines of limited length. */
export class LineCutter {
  readonly #maxBytes: number
  #pieces: Buffer[] = []
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * The lines that are complete now, without line ends. Null for a line that is too long; nothing follows it.
   */
  *push(bytes: Buffer): Generator<string | null> {
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      if (!this.#keep(bytes.subarray(start, end))) return yield null
      start = end + 1
      yield this.#take()
    }
    // Copied: the buffer belongs to the caller.
    if (!this.#keep(Buffer.from(bytes.subarray(start)))) yield null
  }

  #keep(piece: Buffer): boolean {
    this.#length += piece.length
    if (this.#length > this.#maxBytes) return false
    this.#pieces.push(piece)
    return true
  }

  #take(): string {
    const line = Buffer.concat(this.#pieces).toString('utf8')
    this.#pieces = []
    this.#length = 0
    return line
  }
}

/** The limit of Linux; other systems have four bytes less. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103
const PREFIX = 'jelajah-feed-'
const OWNER_ONLY = 0o600

/**
 * Makes a server listen at the path and replaces what a killed process left there. The caller holds a lock,
 * so no other process listens there. Disposing removes the path, not the server. A socket path has at most
 * 107 bytes. If it would be longer, a link at that path leads to a socket in a private folder below the
 * system's temporary folder.
 */
export async function listenAt(server: Server, path: string): Promise<AsyncDisposable> {
  removeFeedSocket(path)
  const isLong = Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES
  const socketPath = isLong ? join(makeTemporaryFolder(PREFIX), basename(path)) : path
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(socketPath, () => listening.resolve())
  // Must happen before anybody can connect.
  if (server.listening) chmodSync(socketPath, OWNER_ONLY)
  await listening.promise
  server.off('error', listening.reject)
  if (isLong) symlinkSync(socketPath, path)
  return {
    async [Symbol.asyncDispose]() {
      removeFeedSocket(path)
    },
  }
}

/**
 * The path to connect to. Throws if a link leads to a folder that is not private to its owner: the server is
 * gone, and somebody else may listen there.
 */
export function feedSocketAt(path: string): string {
  const target = linkAt(path)
  if (target === null) return path
  if (isOwnFolder(dirname(target), lstatSync(path).uid)) return target
  throw new Error(`${path} leads to a folder that others can write`)
}

function removeFeedSocket(path: string): void {
  const target = linkAt(path)
  try {
    unlinkSync(path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  // A link to anything else is not ours to remove.
  const folder = target === null ? '' : dirname(target)
  if (basename(folder).startsWith(PREFIX) && dirname(folder) === temporaryFolder()) {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Null if there is no link. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
