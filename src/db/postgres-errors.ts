// What PostgreSQL, its driver and the network say went wrong, in our words.
import { CrawlerError } from '../core/errors.ts'

/** Of the network and the driver: the connection is gone, or there is none. */
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
/** Of the server: it goes down, comes up, has no room, or ended what stood still for too long. */
const AWAY = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25P03', '25006'])
/** Nothing was done, and another try may well succeed: serialization, deadlock. */
const UNLUCKY = new Set(['40001', '40P01'])

const FULL = new Set(['53100', '53200', '53400'])
const DAMAGED = new Set(['XX001', 'XX002', '58P01'])
/** Tables or columns that we made are not there. */
const OTHER_FORM = new Set(['42P01', '42703', '42883', '23514'])

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Whether the connection is gone, or of no use any more. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  return LOST.has(code) || AWAY.has(code) || code.startsWith('08')
}

/** Whether the same may work a little later, without anybody doing anything about it here. */
export function mayPass(error: unknown): boolean {
  return isLost(error) || UNLUCKY.has(codeOf(error))
}

/** The driver's error in our words; errors that are ours already pass through. */
export function asPostgresError(error: unknown, shown: string): unknown {
  if (!(error instanceof Error) || error instanceof CrawlerError) return error
  const code = codeOf(error)
  const message = messageOf(error, code, shown)
  if (message === null) return error
  return new CrawlerError(kindOf(code), message, { cause: error })
}

function kindOf(code: string): CrawlerError['code'] {
  if (FULL.has(code)) return 'disk-full'
  if (OTHER_FORM.has(code) || DAMAGED.has(code)) return 'store-damaged'
  return code === '55P03' ? 'store-busy' : 'store-unreachable'
}

function messageOf(error: Error, code: string, shown: string): string | null {
  if (code === '28P01' || code === '28000') {
    return `${shown} refuses this user or password: ${error.message}`
  }
  if (code === '3D000')
    return `${shown}: ${error.message}. Create it first, for example by createdb.`
  if (code === 'ENOTFOUND') return `${shown}: there is no such host`
  if (code === '42501') {
    return `${shown}: this user may not do that (${error.message}). Let it own the database.`
  }
  if (FULL.has(code)) return `${shown} has no room left: ${error.message}`
  if (DAMAGED.has(code)) return `${shown} is damaged: ${error.message}`
  if (OTHER_FORM.has(code)) {
    return `${shown} does not have the tables of Jelajah as this version makes them: ${error.message}`
  }
  if (code === '55P03') return `${shown} is in use: ${error.message}`
  if (mayPass(error) || /^[0-9A-Z]{5}$/.test(code) || code !== '') {
    return `${shown} cannot be reached or used: ${error.message || code}`
  }
  return null
}
