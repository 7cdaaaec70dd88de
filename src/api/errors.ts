// Turns every error into an answer. The client is told what it can correct; internal errors have an id, and
// their details are in the log.
import { randomUUID } from 'node:crypto'
import { CrawlerError, type CrawlerErrorCode, InvalidInput } from '../core/errors.ts'
import { BadOptions } from '../options/bad-options.ts'
import type { ApiError } from './shapes/error.ts'

/** An expected refusal of a request. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    options: { readonly code?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = options.code ?? CODES[status] ?? 'error'
    this.headers = options.headers ?? {}
  }
}

/** All fields that cannot be accepted. */
export class BadFields extends InvalidInput {
  readonly problems: readonly FieldProblem[]

  constructor(problems: readonly [FieldProblem, ...FieldProblem[]]) {
    super(problems[0].at, problems.map(({ at, message }) => `${at}: ${message}`).join('\n'))
    this.name = 'BadFields'
    this.problems = problems
  }
}

type ErrorAnswer = {
  readonly status: number
  readonly body: ApiError
  readonly headers: Readonly<Record<string, string>>
}

const CODES: Readonly<Record<number, string>> = {
  400: 'bad-request',
  401: 'unauthorised',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'too-slow',
  409: 'conflict',
  413: 'too-large',
  414: 'too-large',
  415: 'unsupported-type',
  421: 'misdirected',
  429: 'too-many',
  431: 'too-large',
  500: 'internal',
  503: 'unavailable',
}

/** Messages for internal errors, without a path of this machine. */
const BROKEN: Readonly<Record<CrawlerErrorCode, string>> = {
  'store-unreachable': 'the store cannot be reached',
  'store-newer': 'the store was written by a newer version',
  'store-older': 'the store was written by an older version',
  'store-damaged': 'the store is damaged',
  'store-busy': 'the store is busy; try again in a moment',
  'disk-full': 'the disk is full',
  'wire-broken': 'a part of the server could not be reached; try again in a moment',
  'process-died': 'a part of the server had to be started again; try again in a moment',
}

/** An answer lists no more than this. */
const MAX_PROBLEMS = 100
/** Characters: a message may quote the input, however long that is. */
const MAX_PLACE = 120
const MAX_MESSAGE = 1000

/** The answer to a request that ended in this error. `log`: for internal errors. */
export function answerTo(error: unknown, log: (text: string) => void): ErrorAnswer {
  if (error instanceof Refusal) return answer(error.status, error)
  if (error instanceof BadFields || error instanceof BadOptions) return refused(error.problems)
  if (error instanceof InvalidInput) return refused([error])
  const fault = faultOf(error)
  if (fault !== null) return fault
  const id = randomUUID()
  log(`request failed (${id}): ${textOf(error)}`)
  if (error instanceof CrawlerError) {
    const message = `${BROKEN[error.code]} (${id})`
    return answer(503, { code: error.code, message, headers: { 'retry-after': '5' } })
  }
  return answer(500, { message: `something went wrong here; the log has it as ${id}` })
}

/** An error that Fastify itself found in a request; null if it was something else. */
function faultOf(error: unknown): ErrorAnswer | null {
  if (!(error instanceof Error)) return null
  const { statusCode, validation, validationContext }: FastifyFault = { ...Object(error) }
  if (Array.isArray(validation))
    return refused(validation.map((one) => problemOf(one, String(validationContext ?? ''))))
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return null
  return answer(statusCode, { message: WORDS[statusCode] ?? error.message })
}

type FastifyFault = {
  readonly statusCode?: unknown
  readonly validation?: unknown
  readonly validationContext?: unknown
}

const WORDS: Readonly<Record<number, string>> = {
  413: 'the body is larger than 1 MiB',
  414: 'the address is too long',
  415: 'the body must be application/json',
}

function refused(found: readonly FieldProblem[]): ErrorAnswer {
  const problems = found.slice(0, MAX_PROBLEMS).map(({ at, message }) => ({
    at: cut(at),
    message: cut(message, MAX_MESSAGE),
  }))
  const [first] = problems
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : ''
  const message =
    first === undefined ? 'the request is wrong' : `${first.at}: ${first.message}${more}`
  return answer(400, { message, problems })
}

function cut(text: string, most = MAX_PLACE): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

function answer(
  status: number,
  said: {
    readonly code?: string
    readonly message: string
    readonly problems?: readonly FieldProblem[]
    readonly headers?: Readonly<Record<string, string>>
  },
): ErrorAnswer {
  const { code = CODES[status] ?? 'bad-request', message, problems, headers = {} } = said
  const error = { code, message, ...(problems === undefined ? {} : { problems: [...problems] }) }
  return { status, body: { error }, headers }
}

/** With a stack only for internal errors. */
function textOf(error: unknown): string {
  if (error instanceof CrawlerError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

export type FieldProblem = { readonly at: string; readonly message: string }

/**
 * Describes a schema's finding in the words of the other messages. `context`: the part of the request, if
 * the finding names no field.
 */
export function problemOf(found: unknown, context: string): FieldProblem {
  const finding: Finding = { ...Object(found) }
  const params: Params = { ...Object(finding.params) }
  const path = String(finding.instancePath ?? '')
    .slice(1)
    .replaceAll('/', '.')
  const named = String(params.additionalProperty ?? params.missingProperty ?? '')
  return { at: named || path || context, message: wordsFor(finding, params) }
}

function wordsFor({ keyword, message = '', parentSchema }: Finding, params: Params): string {
  const { limit, type, allowedValues } = params
  switch (keyword) {
    case 'additionalProperties':
      return 'there is no such field'
    case 'required':
      return 'is missing'
    case 'enum':
      return `needs one of ${Array.isArray(allowedValues) ? allowedValues.join(', ') : ''}`
    case 'minimum':
      return `needs at least ${limit}`
    case 'maximum':
      return `needs at most ${limit}`
    case 'minLength':
      return `needs at least ${limit} characters`
    case 'maxLength':
      return `needs at most ${limit} characters`
    case 'type':
      return TYPES[String(type)] ?? String(message)
    case 'pattern':
      return patternWords(parentSchema)
    default:
      return String(message)
  }
}

const TYPES: Readonly<Record<string, string>> = {
  integer: 'needs a whole number',
  number: 'needs a number',
  boolean: 'is true or false',
  string: 'needs a text',
  object: 'needs a JSON object',
}

/** A pattern says little to people, and only ids have one. */
function patternWords(schema: unknown): string {
  const { examples }: { readonly examples?: unknown } = { ...Object(schema) }
  const [example] = Array.isArray(examples) ? examples : []
  return example === undefined ? 'has not the right form' : `needs an id such as ${example}`
}

type Finding = {
  readonly keyword?: unknown
  readonly instancePath?: unknown
  readonly message?: unknown
  readonly params?: unknown
  readonly parentSchema?: unknown
}
type Params = {
  readonly additionalProperty?: unknown
  readonly missingProperty?: unknown
  readonly allowedValues?: unknown
  readonly limit?: unknown
  readonly type?: unknown
}
