// For values that are surely there, where the types cannot know it: an element at an index that was
// computed to be in range. A wrong guess fails at once instead of travelling on as `undefined`.

export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('a value is missing that should be there')
  return value
}
