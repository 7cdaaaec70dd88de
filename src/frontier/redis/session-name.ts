// What sessions are called. The first letters are the mark of the program they work for, so that whoever
// looks can tell who holds a lease; the rest is random.
import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

export type SessionProgram = { readonly machine: string; readonly pid: number }

/** 30 bits tell programs apart; the name of a session is in every lease, so each letter counts. */
const MARK_LETTERS = 5
const RANDOM_LETTERS = 7

export function programMark({ machine, pid }: SessionProgram): string {
  const hash = createHash('sha256').update(`${pid} ${machine}`)
  return hash.digest('base64url').slice(0, MARK_LETTERS)
}

export function markOf(session: string): string {
  return session.slice(0, MARK_LETTERS)
}

/** A frontier is opened by a child of the program that people know. */
export function newSession(
  program: SessionProgram = { machine: hostname(), pid: process.ppid },
): string {
  return programMark(program) + randomBytes(9).toString('base64url').slice(0, RANDOM_LETTERS)
}
