// What owners are called. The first letters are the mark of the program they work for, so that people can be
// told who owns a partition; the rest is random.
import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

type OwnerProgram = { readonly machine: string; readonly pid: number }

const MARK_LETTERS = 5
const RANDOM_LETTERS = 7

export function programMark({ machine, pid }: OwnerProgram): string {
  const hash = createHash('sha256').update(`${pid} ${machine}`)
  return hash.digest('base64url').slice(0, MARK_LETTERS)
}

export function markOf(owner: string): string {
  return owner.slice(0, MARK_LETTERS)
}

/** A frontier is opened by a child of the program that people know. */
export function newOwner(
  program: OwnerProgram = { machine: hostname(), pid: process.ppid },
): string {
  return programMark(program) + randomBytes(9).toString('base64url').slice(0, RANDOM_LETTERS)
}
