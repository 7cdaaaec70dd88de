// Checked access to JSON values; errors name the path of the wrong value.
import { InvalidInput } from '../core/errors.ts'

export function damaged(at: string, message: string): InvalidInput {
  return new InvalidInput(at, `is damaged: ${message}`)
}

export function fieldsOf(value: unknown, at: string): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw damaged(at, 'not an object')
  }
  return new Map<string, unknown>(Object.entries(value))
}

export function listOf(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value)) throw damaged(at, 'not a list')
  return value
}

export function textOf(value: unknown, at: string): string {
  if (typeof value !== 'string') throw damaged(at, 'a text is missing')
  return value
}

type Range = { readonly min?: number; readonly max?: number }

export function numberOf(value: unknown, at: string, range: Range = {}): number {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range
  if (typeof value !== 'number' || !Number.isFinite(value) || value < min || value > max) {
    throw damaged(at, 'a number is missing or out of range')
  }
  return value
}

export function numbersOf(
  value: unknown,
  at: string,
  { length, ...range }: Range & { readonly length: number },
): number[] {
  const list = listOf(value, at)
  if (list.length !== length) throw damaged(at, `there must be ${length} numbers, one per label`)
  return list.map((number) => numberOf(number, at, range))
}
