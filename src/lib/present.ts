// Values that are there, and values that may be missing.

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
