// Paths that only grow because a site links to itself in circles.
//
// A path that never has anything three times in a row may still be nothing but two words in ever new
// orders; what no rule here sees, the evidence of its pages tells (trap-evidence.ts).

const MAX_SEGMENTS = 20
const MAX_QUERY_KEYS = 8
/** So many times in a row is no accident; two are common (`/blog/blog`). */
const REPEATS = 3
/** A word so many times anywhere in a path: no folder of people has its own name again and again below it. */
const OCCURRENCES = 5

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
  if (circle !== null) return `/${circle.join('/')} again and again`
  const word = oftenIn(segments)
  return word === null ? null : `/${word} ${OCCURRENCES} times`
}

function oftenIn(segments: readonly string[]): string | null {
  if (segments.length < OCCURRENCES) return null
  const counts = new Map<string, number>()
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1
    if (count === OCCURRENCES && !/^\d*$/.test(segment)) return segment
    counts.set(segment, count)
  }
  return null
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
