// What can go wrong that a caller may want to tell apart. Expected outcomes are values (see
// visit.ts); only bad input and a broken world are thrown.

/** The user, a client or a file gave something we cannot accept. `at` names where. */
export class InvalidInput extends Error {
  readonly at: string

  constructor(at: string, message: string) {
    super(message)
    this.name = 'InvalidInput'
    this.at = at
  }
}

/** A text has the wrong form, thrown where it is not known which flag or field gave it. */
export class Refused extends Error {}

/** How a message shows a value somebody gave. */
export function shown(raw: unknown): string {
  const text = JSON.stringify(raw) ?? String(raw)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

export const CRAWLER_ERRORS = [
  'store-unreachable',
  'store-newer',
  'store-older',
  'store-damaged',
  'store-busy',
  'disk-full',
  'wire-broken',
  'process-died',
] as const
export type CrawlerErrorCode = (typeof CRAWLER_ERRORS)[number]

/** What went wrong first, where letting go of resources then went wrong too. */
export function firstError(error: unknown): unknown {
  return isSuppressed(error) ? firstError(error.suppressed) : error
}

/** The world is broken: a store is gone, the disk is full, a process keeps dying. */
export class CrawlerError extends Error {
  readonly code: CrawlerErrorCode

  constructor(code: CrawlerErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'CrawlerError'
    this.code = code
  }
}

/** By name: Node 22 has no `SuppressedError`, and what stands in for it there is an ordinary error. */
function isSuppressed(error: unknown): error is Error & { readonly suppressed: unknown } {
  return error instanceof Error && error.name === 'SuppressedError' && 'suppressed' in error
}
