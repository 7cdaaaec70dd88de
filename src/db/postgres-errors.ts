// What PostgreSQL, its driver and the network say went wrong, in our words.
import { CrawlerError } from '../core/errors.ts'
import { errorCode } from '../lib/present.ts'

/** Codes of the network and the driver: the connection is lost, or there is none. */
const LOST = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'ENOENT',
])
/** Codes of the server: it stops, starts, is read-only, or ended a session that was idle for too long. */
const AWAY = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25006'])
/**
 * Nothing was done, and another try may well succeed: serialization, deadlock, no room on the disk or in
 * memory, too many connections, ended by somebody's hand, a lock that was not to be had.
 */
const UNLUCKY = new Set(['40001', '40P01', '53100', '53200', '53300', '57014', '55P03'])
/** Classes of what is wrong with the question: values, constraints, syntax, limits, and the server's own. */
const OF_THE_QUESTION = /^(?:0A|0L|0P|2[0-7]|2[BDF]|3[489]|3B|42|44|54|XX)[0-9A-Z]{3}$/
/** The same, of the driver. */
const OF_THE_CALL = new Set([
  'UNDEFINED_VALUE',
  'NOT_TAGGED_CALL',
  'MAX_PARAMETERS_EXCEEDED',
  'UNSAFE_TRANSACTION',
])

const FULL = new Set(['53100', '53200', '53400'])
const DAMAGED = new Set(['XX001', 'XX002', '58P01'])
/** Tables or columns that we made are not there. */
const OTHER_FORM = new Set(['42P01', '42703', '42883', '23514'])

/** Whether the connection is gone, or of no use any more. */
export function isLost(error: unknown): boolean {
  const code = errorCode(error)
  return LOST.has(code) || AWAY.has(code) || code.startsWith('08')
}

/** Whether the same may work a little later, without anybody doing anything about it here. */
export function mayPass(error: unknown): boolean {
  return isLost(error) || UNLUCKY.has(errorCode(error))
}

/**
 * The driver's error in our words. Errors that are ours already pass through, and so do those that another
 * question would not have had: they are a mistake here, and tell nothing about the server.
 */
export function asPostgresError(error: unknown, shown: string): unknown {
  if (!(error instanceof Error) || error instanceof CrawlerError) return error
  const code = errorCode(error)
  const message = messageOf(error, code, shown)
  if (message === null) return error
  return new CrawlerError(kindOf(code), message, { cause: error })
}

function kindOf(code: string): CrawlerError['code'] {
  if (FULL.has(code)) return 'disk-full'
  if (OTHER_FORM.has(code) || DAMAGED.has(code)) return 'store-damaged'
  return code === '55P03' ? 'store-busy' : 'store-unreachable'
}

/** Nobody answers at that address. */
const NOBODY_THERE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])

function messageOf(error: Error, code: string, shown: string): string | null {
  if (code === '28P01' || code === '28000') {
    return `${shown} refuses this user or password: ${error.message}`
  }
  if (code === '3D000')
    return `${shown}: ${error.message}. Create it first, for example by createdb.`
  if (code === 'ENOTFOUND') return `${shown}: there is no such host`
  if (code === '42501') {
    const advice = 'Who crawls must own the database; who only reads is allowed to'
    return `${shown}: this user may not do that (${error.message}). ${advice} as docs/MANY-MACHINES.md says.`
  }
  if (FULL.has(code)) return `${shown} has no room left: ${error.message}`
  if (DAMAGED.has(code)) return `${shown} is damaged: ${error.message}`
  if (OTHER_FORM.has(code)) {
    return `${shown} does not have the tables of Jelajah as this version makes them: ${error.message}`
  }
  if (code === '55P03') return `${shown} is in use: ${error.message}`
  const isOurs = code === '' || code.startsWith('ERR_') || OF_THE_CALL.has(code)
  if (!mayPass(error) && (isOurs || OF_THE_QUESTION.test(code))) return null
  const cure = NOBODY_THERE.has(code)
    ? '. Check that it runs there, and the address after --data.'
    : ''
  return `${shown} cannot be reached or used: ${error.message || code}${cure}`
}
