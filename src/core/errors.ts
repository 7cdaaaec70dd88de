// Errors that callers can tell apart. Expected outcomes are values (visit.ts); only bad input and a broken
// environment are thrown.

/** The user, a client or a file gave an unacceptable value. `at` names the flag, field or line. */
export class InvalidInput extends Error {
  readonly at: string

  constructor(at: string, message: string) {
    super(message)
    this.name = 'InvalidInput'
    this.at = at
  }
}

/** A text has the wrong form; thrown where the flag or field is not known. */
export class Refused extends Error {}

/** A given value as messages show it. */
export function shown(raw: unknown): string {
  const text = textOf(raw)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

function textOf(raw: unknown): string {
  if (typeof raw === 'number' || typeof raw === 'bigint') return String(raw)
  try {
    return JSON.stringify(raw) ?? String(raw)
  } catch {
    // A program may give what is no JSON, such as an object that has itself in it.
    return typeof raw
  }
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

/** The first error, if releasing resources failed after it. */
export function firstError(error: unknown): unknown {
  return isSuppressed(error) ? firstError(error.suppressed) : error
}

/** The environment is broken: a store is gone, the disk is full, a process keeps dying. */
export class CrawlerError extends Error {
  readonly code: CrawlerErrorCode

  constructor(code: CrawlerErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'CrawlerError'
    this.code = code
  }
}

/** Checks the name: Node 22 has no `SuppressedError`, and its substitute is an ordinary error. */
function isSuppressed(error: unknown): error is Error & { readonly suppressed: unknown } {
  return error instanceof Error && error.name === 'SuppressedError' && 'suppressed' in error
}

/** `npm init` writes "type": "commonjs" into package.json, and Node then refuses `import` and `export`. */
const IN_COMMONJS = /^(?:Unexpected token 'export'|Cannot use import statement outside a module)/
const SAY_MODULE =
  'package.json makes it CommonJS: write "type": "module" there, or end its name with .mts or .mjs'

/**
 * Why a module that a user wrote cannot be loaded, in one line: with the line of the file where Node tells it, and
 * with what to do where Node takes the file for CommonJS.
 */
export function moduleProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, stack = '' } = error
  const [why = ''] = message.split('\n', 1)
  if (!(error instanceof SyntaxError)) return why
  if (IN_COMMONJS.test(why)) return `${why}: ${SAY_MODULE}`
  // Node puts file, line and source before the message; of a plain module it does not.
  const line = /^\S.*:(\d+)\n/.exec(stack)?.[1]
  if (line !== undefined) return `line ${line}: ${why}`
  return `${why} (node --check with this file shows where)`
}
