// Paths that only grow because a site links to itself in circles.

const MAX_SEGMENTS = 20
const MAX_QUERY_KEYS = 8
/** So many times in a row is no accident; two are common (`/blog/blog`). */
const REPEATS = 3

/** What is wrong with this path and query, in words; null when nothing is. */
export function pathTrap(path: string, query: string): string | null {
  const keys = countKeys(query)
  if (keys > MAX_QUERY_KEYS) return `${keys} query keys`
  // Most paths are too short to repeat anything three times.
  if (path.indexOf('/', path.indexOf('/', 1) + 1) < 0) return null
  const segments = path.split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  if (segments.length > MAX_SEGMENTS) return `${segments.length} path segments`
  const circle = circleIn(segments)
  return circle === null ? null : `/${circle.join('/')} again and again`
}

function countKeys(query: string): number {
  if (query.length <= 1) return 0
  let keys = 1
  for (let at = query.indexOf('&'); at >= 0; at = query.indexOf('&', at + 1)) keys += 1
  return keys
}

/** The shortest run of segments that is there three times in a row. */
function circleIn(segments: readonly string[]): readonly string[] | null {
  for (let period = 1; period * REPEATS <= segments.length; period++) {
    const start = circleOf(segments, period)
    if (start < 0) continue
    const circle = segments.slice(start, start + period)
    // Numbers do come in threes: `/1/1/1` is a chapter and a verse, or a date. Budgets watch those.
    if (!circle.every((segment) => /^\d+$/.test(segment))) return circle
  }
  return null
}

function circleOf(segments: readonly string[], period: number): number {
  let equal = 0
  for (let i = 0; i + period < segments.length; i++) {
    equal = segments[i] === segments[i + period] ? equal + 1 : 0
    if (equal === period * (REPEATS - 1)) return i + 1 - equal
  }
  return -1
}
