// Parts of questions for whole pages that are the same whatever answers them.
import { firstAfter } from '../lib/sorted.ts'
import type { WholePageRange } from './whole-pages.ts'

/** Ids that one query is given. */
const IDS_AT_ONCE = 500

/** Where ids are named, the range in parts with some of them each. */
export function* partsOf({ filter, after, upTo }: WholePageRange): Generator<WholePageRange> {
  if (filter.among === undefined) {
    yield { filter, after, upTo }
    return
  }
  const ids = filter.among
  for (let at = firstAfter(ids, after); at < ids.length; at += IDS_AT_ONCE) {
    yield { filter: { ...filter, among: ids.slice(at, at + IDS_AT_ONCE) }, after, upTo }
  }
}

/** By page the ids of those that repeat it; `pairs` are in the order of the second. */
export function repeatsFrom(
  pairs: Iterable<readonly [of: number, id: number]>,
): ReadonlyMap<number, readonly number[]> {
  const repeats = new Map<number, number[]>()
  for (const [of, id] of pairs) {
    const known = repeats.get(of)
    if (known === undefined) repeats.set(of, [id])
    else known.push(id)
  }
  return repeats
}

/** Only the language of a tag counts. */
export function primaryTag(tag: string): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0] ?? ''
}
