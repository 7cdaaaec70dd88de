// What the pages of one template have shown so far, and when that makes the template a trap. It is
// weighed when a page is read and asked when the turn of another one comes, not when links are
// found: a catalogue of ten thousand pages is found at once, and is no trap while its pages differ.
// traps.lua has the same rules for Redis.
import type { UrlTemplate } from './template.ts'

/** Changed in place: there is one for each template that pages were read of. */
export type TrapEvidence = {
  /** Pages that showed nothing new, less those that did; never below 0. */
  debt: number
  /** Pages in a row whose whole content was known. */
  streak: number
  /** Likenesses of the last pages, oldest first. */
  likes: readonly number[]
  /** Pairs of queries seen of late, oldest first; see UrlTemplate. */
  pairs: readonly number[]
}

/** What closes a template. */
export type Shown = Pick<TrapEvidence, 'debt' | 'streak' | 'pairs'>

/** What a visit showed. */
export type Sight = {
  /** Copy: its whole content is that of another URL. Redirect: it is somewhere else. */
  readonly of: 'page' | 'copy' | 'redirect'
  /** Equal for pages that say the same, and for redirects to the same place; 0: not known. */
  readonly likeness: number
}

export const REMEMBERED_LIKES = 50
export const REMEMBERED_PAIRS = 256

export function noEvidence(): TrapEvidence {
  return { debt: 0, streak: 0, likes: [], pairs: [] }
}

export function weigh(evidence: TrapEvidence, template: UrlTemplate, sight: Sight): void {
  const { likeness, of } = sight
  const isAlike = of === 'copy' || (likeness !== 0 && evidence.likes.includes(likeness))
  const unseen = template.pairs.filter((pair) => !evidence.pairs.includes(pair))
  const isOld = template.pairs.length > 0 && unseen.length === 0
  if (isAlike) evidence.streak += of === 'page' ? 0 : 1
  else if (of === 'page') evidence.streak = 0
  if (isAlike || (isOld && !template.turnsPage)) evidence.debt += 1
  // A redirect is no news by itself, nor is a further page of a list that was counted.
  else if (of === 'page' && !isOld) evidence.debt = Math.max(0, evidence.debt - 1)
  if (likeness !== 0) evidence.likes = last(evidence.likes, likeness, REMEMBERED_LIKES)
  for (const pair of unseen) evidence.pairs = last(evidence.pairs, pair, REMEMBERED_PAIRS)
}

/** Why no more pages of a template are asked for; null while there is no reason. */
export function trapReason(
  { key, isSeries, pairs }: UrlTemplate,
  { debt, streak, pairs: seen }: Shown,
  budget: number,
): string | null {
  if (budget === 0) return null
  if (streak >= streakLimit(isSeries, budget)) {
    return `trap: ${key} shows the same page again and again`
  }
  // Values combined in all ways are no reason to leave out one that was never seen.
  const allowed = pairs.some((pair) => !seen.includes(pair)) ? 2 * budget : budget
  return debt >= allowed ? `trap: ${key} has used its ${allowed} pages without news` : null
}

/** Copies in a row that end a template: a quarter of the budget, half of it for a mere folder. */
export function streakLimit(isSeries: boolean, budget: number): number {
  const [share, least] = isSeries ? [budget / 4, 20] : [budget / 2, 40]
  return Math.max(Math.ceil(share), Math.min(budget, least))
}

function last(kept: readonly number[], added: number, room: number): readonly number[] {
  return [...kept.slice(1 - room), added]
}
