// Describes network failures: the code, whether a retry can help, and whether the host rather than this URL
// is the cause.
import { isIPv4 } from 'node:net'
import type { Failure } from '../core/visit.ts'

export type Fault = {
  readonly reason: string
  readonly transient: boolean
  readonly hostFault: boolean
}

/** The progress of a request. */
export type Stage = 'connecting' | 'waiting' | 'body'

/** Carries a fault through code that only knows errors. */
export class FaultError extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.reason)
    this.name = 'FaultError'
    this.fault = fault
  }
}

/** The host has a temporary problem. */
export function unwell(code: Failure, detail: string): Fault {
  return { reason: `${code}: ${detail}`, transient: true, hostFault: true }
}

/** This response is broken, and a retry would bring the same. */
export function broken(code: Failure, detail: string): Fault {
  return { reason: `${code}: ${detail}`, transient: false, hostFault: false }
}

/** Our own problem: a proxy of ours, a shutdown. */
export function ours(detail: string): Fault {
  return { reason: `connect: ${detail}`, transient: true, hostFault: false }
}

/** This machine has run out of resources; the host is not the cause. */
const CROWDED = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])

/** The code of such an error; null for any other. */
export function crowdedCode(error: unknown): string | null {
  const code = codeOf(error)
  if (CROWDED.has(code)) return code
  // No local port is free. For IPv6 it may also mean that this machine has no IPv6.
  const address = error instanceof Error && 'address' in error ? String(error.address) : ''
  return code === 'EADDRNOTAVAIL' && isIPv4(address) ? code : null
}

const RESETS = new Set(['ECONNRESET', 'EPIPE'])

export function faultOf(error: unknown, stage: Stage): Fault {
  if (error instanceof FaultError) return error.fault
  const code = codeOf(error)
  if (isTlsCode(code)) return { ...broken('tls', code), hostFault: true }
  if (stage === 'connecting') return connectFault(error, code)
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_')) return answerFault(error, code, stage)
  if (code.startsWith('ERR_HTTP2_')) return unwell('protocol', code)
  if (isSystemCode(code)) return unwell('connect', code)
  return broken('protocol', code)
}

function connectFault(error: unknown, code: string): Fault {
  if (code.startsWith('UND_ERR_')) return ours('closed')
  // Node reports a connection lost during a handshake without a system call.
  const inHandshake = error instanceof Error && !('syscall' in error) && RESETS.has(code)
  return unwell(inHandshake ? 'tls' : 'connect', code)
}

function answerFault(error: unknown, code: string, stage: Stage): Fault {
  switch (code) {
    case 'HPE_INVALID_EOF_STATE':
      return unwell('protocol', 'closed within the answer')
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      // undici reports this for any broken response with a length, even if it breaks in the headers.
      if (stage === 'waiting') return broken('protocol', 'headers')
      return unwell('protocol', 'body and Content-Length differ')
    case 'UND_ERR_HEADERS_OVERFLOW':
      return broken('protocol', 'headers over 16 KiB')
    case 'UND_ERR_SOCKET':
      return socketFault(error)
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
    case 'UND_ERR_ABORTED':
      return ours('closed')
    default:
      return broken('protocol', code)
  }
}

function socketFault(error: unknown): Fault {
  const message = error instanceof Error ? error.message : ''
  if (message === 'bad upgrade') return broken('protocol', 'switches protocols unasked')
  if (message === 'bad response') return broken('protocol', 'answer out of turn')
  return unwell('protocol', 'closed within the answer')
}

/** True for a connection that was closed, as idle ones are. */
export function isGone(error: unknown): boolean {
  const code = codeOf(error)
  if (code === 'UND_ERR_SOCKET') return socketFault(error).transient
  return RESETS.has(code)
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'EFAIL'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

function isSystemCode(code: string): boolean {
  return /^E[A-Z0-9]+$/.test(code) && code !== 'EPROTO'
}

/** OpenSSL's own codes, Node's, and the names of X.509 verification results. */
function isTlsCode(code: string): boolean {
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return true
  return /(?:CERT|CRL|SIGNATURE|ISSUER|CHAIN|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH)/.test(code)
}
