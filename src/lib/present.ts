// Questions about values of which little is known: whether one is there, and what it is.

/**
 * For values that always exist where the types cannot know it, such as an element at an index computed to be
 * in range. A mistake fails at once instead of continuing with `undefined`.
 */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('a value is missing that should be there')
  return value
}

type Given<T> = { [Field in keyof T]?: Exclude<T[Field], null | undefined> }

/** The fields that have a value: without those that are null or undefined. */
export function given<T extends object>(fields: T): Given<T>
export function given(fields: object): object {
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(known)
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The code of an error of Node or of a driver, such as `ENOENT`; '' if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** True for lists of the same values in the same order. */
export function areEqual(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false
  return true
}
