// For values that always exist where the types cannot know it, such as an element at an index computed to be
// in range. A mistake fails at once instead of continuing with `undefined`.

export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('a value is missing that should be there')
  return value
}
